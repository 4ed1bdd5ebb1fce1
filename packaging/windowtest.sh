#!/bin/sh
# Starts the program with its window on a display that nobody sees, sends an upload,
# opens every page by keyboard, and keeps what is to be seen. It fails where the
# window does not come up, or goes away by itself.
#   windowtest.sh PROGRAM SCREENSHOTS
set -eu
program=$(realpath "$1")
mkdir -p "$2"
shots=$(realpath "$2")
scratch=$(mktemp -d)
display= window=
finish() {
	[ -z "$window" ] || kill "$window" 2>/dev/null || true
	[ -z "$window" ] || wait "$window" 2>/dev/null || true
	[ -z "$display" ] || kill "$display" 2>/dev/null || true
	rm -rf "$scratch"
}
trap finish EXIT
trap 'exit 1' INT TERM
fail() {
	echo "window-test: $1" >&2
	cat "$scratch/err" >&2 || true
	exit 1
}
# until COMMAND… waits for at most a minute until it succeeds.
until_true() {
	for _ in $(seq 600); do
		if "$@" >/dev/null 2>&1; then return 0; fi
		sleep 0.1
	done
	return 1
}

export FOOTBRIDGE_HOME="$scratch/home" FOOTBRIDGE_ADMIN_PASSWORD=Right-as-rain-1 FOOTBRIDGE_PASSWORD=Right-as-rain-2
export XDG_CONFIG_HOME="$scratch/config" LIBGL_ALWAYS_SOFTWARE=1
Xvfb -displayfd 3 -screen 0 1280x800x24 3>"$scratch/display" 2>/dev/null &
display=$!
until_true test -s "$scratch/display" || fail "Xvfb does not start"
DISPLAY=":$(cat "$scratch/display")"
export DISPLAY

# From no home at all to a test upload that arrived, by keyboard alone.
press() {
	for key in "$@"; do
		xdotool key "$key"
		sleep 0.3
	done
}
first="$scratch/first"
"$program" --home "$first" --listen 127.0.0.1:0 >"$scratch/out" 2>"$scratch/err" &
window=$!
until_true xdotool search --onlyvisible --name 'What is this site called' || fail "the guide does not come up"
sleep 1
xdotool windowfocus "$(xdotool search --onlyvisible --name 'What is this site called' | head -n 1)"
sleep 0.5
xdotool type --delay 40 "Mbabane clinic"
import -window root "$shots/guide-site.png"
press Return Return Return
xdotool type --delay 40 "you@example.org"
press Tab
xdotool type --delay 40 "$FOOTBRIDGE_ADMIN_PASSWORD"
press Tab
xdotool type --delay 40 "$FOOTBRIDGE_ADMIN_PASSWORD"
press Return
import -window root "$shots/guide-make.png"
press space
until_true grep -q '^listening ' "$scratch/out" || fail "the site that the guide made does not serve"
until_true xdotool search --onlyvisible --name 'Mbabane clinic is ready' || fail "the guide does not end"
press shift+Tab space
until_true sh -c 'ls "$1"/repository/study-1/raw-data/*/*-test-upload.txt' sh "$first" || fail "the test upload does not arrive"
sleep 1.5
import -window root "$shots/guide-ready.png"
press space
until_true xdotool search --onlyvisible --name '^Footbridge: Overview' || fail "the window does not open after the guide"
seen() { xdotool search --onlyvisible --name '^Footbridge: ' | head -n 1; }
size() { xdotool getwindowgeometry --shell "$(seen)" | sed -n 's/^WIDTH=//p;s/^HEIGHT=//p' | xargs; }
usual=$(size)
place() { xdotool getwindowgeometry --shell "$(seen)" | sed -n 's/^X=//p;s/^Y=//p' | xargs; }
xdotool windowsize "$(seen)" 1010 710 windowmove "$(seen)" 83 47
until_true grep -rqs 1010,710 "$XDG_CONFIG_HOME" || fail "the window's size is not kept"
until_true grep -rqs 83,47 "$XDG_CONFIG_HOME" || fail "the window's place is not kept"
kill "$window"
wait "$window" || fail "the first run did not end well"
window=

"$program" init --app-id walk --study sleep --admin-email you@example.org >/dev/null
"$program" participant create --study sleep --external-id P-17 >/dev/null

begun=$(date +%s%N)
"$program" --listen 127.0.0.1:0 --plain-http >"$scratch/out" 2>"$scratch/err" &
window=$!
until_true xdotool search --onlyvisible --name '^Footbridge: ' || fail "the window does not come up"
echo "the window was up after $((($(date +%s%N) - begun) / 1000000)) ms"
id=$(seen)
is_as_left() { [ "$(size)" = "1010 710" ]; }
until_true is_as_left || fail "the window is $(size), not as large as it was left"
is_where_left() { [ "$(place)" = "83 47" ]; }
until_true is_where_left || fail "the window is at $(place), not where it was left"
xdotool windowsize "$id" $usual windowmove "$id" 0 0
until_true grep -q '^listening ' "$scratch/out" || fail "it does not serve"
url=$(sed -n 's/^listening //p' "$scratch/out")

echo "a walk" >"$scratch/walk-1.txt"
echo "another walk" >"$scratch/walk-2.txt"
printf 'no zip at all' >"$scratch/rest.zip"
send() { "$program" send "$@" --to "$url" --app-id walk --external-id P-17 >/dev/null 2>&1; }
send "$scratch/rest.zip" "$scratch/walk-1.txt" || fail "the upload fails"
openssl req -x509 -newkey rsa:2048 -nodes -keyout "$scratch/key" -out "$scratch/other.pem" -subj /CN=another-site 2>/dev/null
send "$scratch/walk-2.txt" --key "$scratch/other.pem" || true # it cannot be opened here
xdotool windowfocus "$id"
# shot NAME KEY… presses keys, and keeps what is to be seen once it moves no more.
shot() {
	name=$1
	shift
	for key in "$@"; do
		xdotool key "$key"
		sleep 0.3
	done
	sleep 1.2
	kill -0 "$window" 2>/dev/null || fail "the program ended at $name"
	import -window root "$shots/$name.png"
}
shot overview ctrl+1
shot uploads ctrl+2
shot refused space
shot sent ctrl+f r e s t Return space
mv "$FOOTBRIDGE_HOME/repository" "$scratch/repository"
echo "a third walk" >"$scratch/walk-3.txt"
send "$scratch/walk-3.txt" || fail "the third upload fails"
shot waiting ctrl+1
"$program" sync pause >/dev/null
shot sync ctrl+3
shot people ctrl+4 space
shot study ctrl+5
shot devices ctrl+6
shot pairing space P minus 1 7 Return
shot settings ctrl+7 t r a n s f e r Tab 9 9
shot activity ctrl+8
shot help ctrl+9 Tab Down Down space

# A record whose bytes were damaged on the disk needs a person. Once they are mended, it
# is sent by a key.
head -c 3000000 /dev/urandom >"$scratch/film.bin"
send "$scratch/film.bin" || fail "the film's upload fails"
stored=$(find "$FOOTBRIDGE_HOME/blobs/files" -type f -size +2M)
damage() { head -c 100 "$1" | dd of="$stored" conv=notrunc 2>/dev/null; }
damage /dev/zero
mv "$scratch/repository" "$FOOTBRIDGE_HOME/repository"
"$program" sync resume >/dev/null
parked() { "$program" sync now && "$program" upload list --standing needs_person | grep film.bin; }
until_true parked || fail "the damaged record does not need a person"
shot parked ctrl+3
damage "$scratch/film.bin"
retried() { # by “Retry all”, the next behind the list, which has the cursor where something needs a person
	press ctrl+3 Tab space
	sleep 1
	ls "$FOOTBRIDGE_HOME"/repository/sleep/raw-data/*/*-film.bin
}
until_true retried || fail "“Retry all” does not send the mended record"
shot mended ctrl+1
end() {
	kill "$window"
	wait "$window" || fail "$1 did not end well"
	window=
}
end "the window"

# Where an appliance runs already, the window shows that one, and leaves it alone.
"$program" serve --listen 127.0.0.1:0 --plain-http >"$scratch/out" 2>"$scratch/err" &
serving=$!
until_true grep -q '^listening ' "$scratch/out" || fail "serve does not serve"
"$program" 2>"$scratch/err" &
window=$!
until_true xdotool search --onlyvisible --name '^Footbridge: ' || fail "the window does not come up beside serve"
sleep 0.5
shot attached
end "the window beside serve"
"$program" status >/dev/null && kill -0 "$serving" || fail "the appliance ended with the window"
window=$serving
end "serve"

# Where no window can open, it says so and serves.
for none in "" ":59000" "nowhere"; do
	DISPLAY="$none" "$program" --listen 127.0.0.1:0 --plain-http >"$scratch/out" 2>"$scratch/err" &
	window=$!
	until_true grep -q '^listening ' "$scratch/out" || fail "it does not serve without a display"
	[ "$(grep -c 'no window can open here' "$scratch/err")" = 1 ] || fail "it does not say that no window can open"
	DISPLAY="$none" "$program" >"$scratch/out" 2>"$scratch/err" && fail "it serves a home twice"
	grep -q 'already running' "$scratch/err" || fail "it does not say that it runs already"
	grep -q 'no window can open here' "$scratch/err" && fail "it says that it serves where it does not"
	end "the program without a display"
done
for name in guide-site guide-make guide-ready overview uploads refused sent waiting sync people study devices pairing settings activity help parked mended attached; do
	colours=$(identify -format '%k' "$shots/$name.png")
	[ "$colours" -gt 16 ] || fail "nothing is drawn on $name"
done
echo "screenshots are in $shots"
