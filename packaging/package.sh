#!/bin/sh
# Packs a program into a tarball that installs for one user: the same files give the
# same bytes. Its name and version are those of FyneApp.toml.
#   package.sh PROGRAM FOLDER     prints the tarball's name
set -eu
program=$(realpath "$1")
out=$(realpath "$2")
cd "$(dirname "$0")/.."
id=org.footbridge.appliance
version=$(sed -n 's/^Version = "\(.*\)"$/\1/p' FyneApp.toml)
[ -n "$version" ] || {
	echo "FyneApp.toml names no version" >&2
	exit 1
}
# The time of everything in it: that of the commit, where nobody says another.
moment=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || true)}
moment=${moment:-1767225600}
system=linux-$(go env GOARCH)
name=footbridge-$version-$system
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
top=$scratch/$name

# put MODE FILE PLACE
put() { install -D -m "$1" "$2" "$top/$3"; }
put 755 "$program" bin/footbridge
put 644 "packaging/$id.desktop" "share/applications/$id.desktop"
put 644 packaging/icon.svg "share/icons/hicolor/scalable/apps/$id.svg"
for picture in packaging/icons/*.png; do
	size=$(basename "$picture" .png)
	put 644 "$picture" "share/icons/hicolor/${size}x$size/apps/$id.png"
done
put 644 packaging/icon.png "share/icons/hicolor/512x512/apps/$id.png"
put 644 "packaging/$id.metainfo.xml" "share/metainfo/$id.metainfo.xml"
sed -i "s|^</component>|  <releases>\n    <release version=\"$version\" date=\"$(date -u -d "@$moment" +%Y-%m-%d)\"/>\n  </releases>\n</component>|" \
	"$top/share/metainfo/$id.metainfo.xml"
put 644 LICENSE share/doc/footbridge/LICENSE
put 644 README.md share/doc/footbridge/README.md
put 755 packaging/install.sh install.sh
put 755 packaging/uninstall.sh uninstall.sh

find "$scratch" -type d -exec chmod 755 {} +
tar --create --directory "$scratch" --sort=name --format=ustar --mtime="@$moment" \
	--owner=0 --group=0 --numeric-owner "$name" | gzip -n >"$out/$name.tar.gz"
echo "$out/$name.tar.gz"
