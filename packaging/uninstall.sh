#!/bin/sh
# Removes what install.sh installed, and Footbridge's start at login. The home folder,
# with everything that devices sent, stays.
set -eu
id=org.footbridge.appliance
bin=$HOME/.local/bin
share=${XDG_DATA_HOME:-$HOME/.local/share}
config=${XDG_CONFIG_HOME:-$HOME/.config}

# tidy BASE FOLDER removes a folder of BASE, and those above it up to the first that
# holds something else.
tidy() {
	(cd "$1" && [ -d "$2" ] && rmdir -p --ignore-fail-on-non-empty -- "$2") 2>/dev/null || true
}

rm -f "$bin/footbridge" "$config/autostart/$id.desktop" \
	"$share/applications/$id.desktop" "$share/metainfo/$id.metainfo.xml" \
	"$share/icons/hicolor/"*"/apps/$id.png" "$share/icons/hicolor/scalable/apps/$id.svg"
rm -rf "$share/doc/footbridge"
for folder in "$share/icons/hicolor/"*/apps "$share/applications" "$share/metainfo" "$share/doc"; do
	case "$folder" in
	"$HOME"/*) tidy "$HOME" "${folder#"$HOME"/}" ;;
	*) tidy "$share" "${folder#"$share"/}" ;;
	esac
done
tidy "$HOME" .local/bin
if [ -e "$share/icons/hicolor/icon-theme.cache" ] && command -v gtk-update-icon-cache >/dev/null 2>&1; then
	gtk-update-icon-cache -q -f -t "$share/icons/hicolor" || true
fi
echo "Footbridge is removed. What devices sent, and its settings, are where they were."
