#!/bin/sh
# Packs a program, installs it for a user who has nothing yet, looks whether all is as
# a desktop wants it, and removes it again.
#   packagetest.sh PROGRAM
set -eu
packaging=$(realpath "$(dirname "$0")")
program=$(realpath "$1")
id=org.footbridge.appliance
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() {
	echo "package-test: $1" >&2
	exit 1
}

# The same files give the same bytes, whenever and by whomever they are packed.
mkdir "$scratch/one" "$scratch/two"
tarball=$("$packaging/package.sh" "$program" "$scratch/one")
(umask 077 && "$packaging/package.sh" "$program" "$scratch/two" >/dev/null)
cmp "$tarball" "$scratch/two/$(basename "$tarball")" || fail "the tarball differs from one time to the next"
if tar --list --verbose --file "$tarball" | grep -v ' 0/0 '; then
	fail "someone owns a file of it"
fi

# A name with a space, and with what means something to desktop entries and sed.
HOME="$scratch/home of 100% & more"
mkdir "$HOME"
export HOME
unset XDG_DATA_HOME XDG_CONFIG_HOME FOOTBRIDGE_HOME SOURCE_DATE_EPOCH
tar --extract --directory "$scratch" --file "$tarball"
unpacked=$scratch/$(basename "$tarball" .tar.gz)
for time in once again; do
	"$unpacked/install.sh" >"$scratch/said" || fail "it does not install $time"
done
rm -rf "$unpacked" # what is installed needs it no more

share=$HOME/.local/share
version=$(basename "$tarball" | cut -d- -f2)
# The library that knows remotes makes a folder for its own settings as programs start.
XDG_CONFIG_HOME="$scratch/config" "$HOME/.local/bin/footbridge" version | grep -q "^footbridge $version " || fail "the program is not version $version"
desktop-file-validate "$share/applications/$id.desktop" || fail "the menu entry is not valid"
grep -qxF "Exec=\"$scratch/home of 100%% & more/.local/bin/footbridge\"" "$share/applications/$id.desktop" || fail "the menu entry does not say where the program is"
appstreamcli validate --no-net "$share/metainfo/$id.metainfo.xml" || fail "the description is not valid"
grep -q "<release version=\"$version\" date=\"20..-..-..\"/>" "$share/metainfo/$id.metainfo.xml" || fail "the description does not name version $version"
for size in 16 22 24 32 48 64 128 256 512; do
	is=$(identify -format '%m %wx%h' "$share/icons/hicolor/${size}x$size/apps/$id.png") || fail "there is no picture of $size points"
	[ "$is" = "PNG ${size}x$size" ] || fail "the picture of $size points is $is"
done
for file in "icons/hicolor/scalable/apps/$id.svg" doc/footbridge/LICENSE doc/footbridge/README.md; do
	[ -s "$share/$file" ] || fail "there is no $file"
done
if find "$HOME" -type f -perm /022 | grep .; then
	fail "others may write to what is installed"
fi

"$share/doc/footbridge/uninstall.sh" >/dev/null || fail "it does not go away"
left=$(find "$HOME" -mindepth 1)
[ -z "$left" ] || fail "it leaves $left"

# What is not Footbridge's stays.
tar --extract --directory "$scratch" --file "$tarball"
mkdir -p "$HOME/.local/bin" "$share/applications"
touch "$HOME/.local/bin/other" "$share/applications/other.desktop"
"$unpacked/install.sh" >/dev/null
"$unpacked/uninstall.sh" >/dev/null
[ "$(find "$HOME" -type f | wc -l)" = 2 ] || fail "it takes away, or leaves, what it should not"
echo "package-test: $(basename "$tarball") installs and goes away ($(stat -c %s "$tarball") bytes)"
