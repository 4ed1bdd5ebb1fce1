#!/bin/sh
# Installs the named programs with apt where they are missing.
set -eu
missing=
for program in "$@"; do
	command -v "$program" >/dev/null 2>&1 || missing="$missing $program"
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
