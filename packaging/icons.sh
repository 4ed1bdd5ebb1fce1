#!/bin/sh
# Makes the pictures of the icon from its drawings: icon.svg, and icon-small.svg where
# there is room for few strokes.
set -eu
cd "$(dirname "$0")"
for size in 16 22 24 32 48 64 128 256; do
	drawing=icon.svg
	[ "$size" -gt 24 ] || drawing=icon-small.svg
	rsvg-convert -w "$size" -h "$size" "$drawing" -o "icons/$size.png"
done
rsvg-convert -w 512 -h 512 icon.svg -o icon.png
