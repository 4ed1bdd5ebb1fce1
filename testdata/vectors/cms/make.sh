#!/bin/sh
# Makes the vectors of this folder anew, with OpenSSL 3. Everything here is for
# tests alone; nobody may ever seal health data for these keys.
set -eu
cd "$(dirname "$0")"
new() { # name, subject, serial
	openssl req -x509 -newkey rsa:2048 -nodes -sha256 -days 36500 -set_serial "$3" \
		-subj "$2" -keyout "$1-key.pem" -out "$1-cert.pem" 2>/dev/null
}
[ -f test-only-key.pem ] || new test-only "/O=Footbridge TEST ONLY/CN=test key, not for data" 0x7e57
[ -f other-only-key.pem ] || new other-only "/O=Footbridge TEST ONLY/CN=another test key, not for data" 0x07e4
printf 'steps,1204\nheart rate,61\n' > plain.txt
seal() { # file, then options
	file=$1; shift
	openssl cms -encrypt -binary -outform DER -in plain.txt -out "$file" "$@"
}
for c in aes-128-cbc aes-192-cbc aes-256-cbc des3 aes-128-gcm aes-192-gcm aes-256-gcm; do
	seal "$c.der" "-$c" test-only-cert.pem
	seal "$c.ber" "-$c" -stream test-only-cert.pem
done
seal keyid.der -aes-256-cbc -keyid test-only-cert.pem
seal oaep-sha1.der -aes-256-cbc -recip test-only-cert.pem -keyopt rsa_padding_mode:oaep
for h in 256 384 512; do
	seal "oaep-sha$h.der" -aes-256-gcm -recip test-only-cert.pem \
		-keyopt rsa_padding_mode:oaep -keyopt "rsa_oaep_md:sha$h"
done
seal oaep-mixed.der -aes-256-gcm -recip test-only-cert.pem \
	-keyopt rsa_padding_mode:oaep -keyopt rsa_oaep_md:sha256 -keyopt rsa_mgf1_md:sha1
seal several.ber -aes-256-cbc -stream other-only-cert.pem test-only-cert.pem
seal foreign.der -aes-256-cbc other-only-cert.pem
