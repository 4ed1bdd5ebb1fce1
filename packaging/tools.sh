#!/bin/sh
# Installs with apt what is missing of the named: programs, of which another package
# has its name behind a =, and what to compile against, whose names end in -dev.
set -eu
missing=
for wanted in "$@"; do
	case "$wanted" in
	*-dev)
		command -v dpkg-query >/dev/null 2>&1 || continue # the compiler will say
		dpkg-query -W -f '${Status}' "$wanted" 2>/dev/null | grep -q 'ok installed' || missing="$missing $wanted"
		;;
	*) command -v "${wanted%%=*}" >/dev/null 2>&1 || missing="$missing ${wanted#*=}" ;;
	esac
done
[ -z "$missing" ] && exit 0
if ! command -v apt-get >/dev/null 2>&1; then
	echo "Please install:$missing" >&2
	exit 1
fi
root=
[ "$(id -u)" = 0 ] || root=sudo
echo "installing:$missing"
$root apt-get update -qq
# shellcheck disable=SC2086
$root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing libc6-dev >/dev/null
