#!/bin/sh
# Installs Footbridge for you alone: the program in ~/.local/bin, its menu entry and
# pictures in ~/.local/share. Run it again to install another version over this one.
set -eu
cd "$(dirname "$0")"
id=org.footbridge.appliance
bin=$HOME/.local/bin
share=${XDG_DATA_HOME:-$HOME/.local/share}

case "$bin" in
*[\"\`\$\\]*)
	echo "The menu entry cannot name a program in $bin, because of its quotes, \$ or \\." >&2
	exit 1
	;;
esac

# A program that runs keeps its file: the new one takes its name.
mkdir -p "$bin"
install -m 755 bin/footbridge "$bin/.footbridge.new"
mv -f "$bin/.footbridge.new" "$bin/footbridge"

find share -type f | while read -r file; do
	install -D -m 644 "$file" "$share/${file#share/}"
done
install -m 755 uninstall.sh "$share/doc/footbridge/uninstall.sh"

# Menus may not look into ~/.local/bin: the entry says where the program is. A percent
# sign is written twice there; & and | mean something to sed.
program=$(printf '%s' "$bin/footbridge" | sed 's/%/%%/g; s/[&|]/\\&/g')
sed -i "s|^Exec=footbridge|Exec=\"$program\"|" "$share/applications/$id.desktop"

# Desktops that keep a list of pictures look again.
touch "$share/icons/hicolor"
if [ -e "$share/icons/hicolor/icon-theme.cache" ] && command -v gtk-update-icon-cache >/dev/null 2>&1; then
	gtk-update-icon-cache -q -f -t "$share/icons/hicolor" || true
fi

echo "Footbridge is installed: look for it in the menu."
case ":$PATH:" in
*":$bin:"*) echo "In a terminal it is called footbridge." ;;
*) echo "In a terminal it is called $bin/footbridge." ;;
esac
echo "To remove it: $share/doc/footbridge/uninstall.sh"
