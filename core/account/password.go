package account

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/crypto/argon2"
)

// The cost of one hash: 19 MiB, two passes, one thread (OWASP's second choice).
const (
	hashMemory = 19 * 1024 // KiB
	hashPasses = 2
	hashSize   = 32
	saltSize   = 16

	maxMemory = 1 << 20 // KiB; a damaged hash must not take more
	maxPasses = 16
)

// Hash gives the argon2id hash of a password in its standard text form.
func Hash(password string) string {
	salt := make([]byte, saltSize)
	rand.Read(salt)
	key := argon2.IDKey([]byte(password), salt, hashPasses, hashMemory, 1, hashSize)
	text := base64.RawStdEncoding.EncodeToString
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=1$%s$%s", argon2.Version, hashMemory, hashPasses, text(salt), text(key))
}

// matches reports whether a password has the given hash. It takes as long for
// a hash that is none.
func matches(hash, password string) bool {
	h, ok := parseHash(hash)
	if !ok {
		h = parsedHash{memory: hashMemory, passes: hashPasses, threads: 1, salt: make([]byte, saltSize), key: make([]byte, hashSize)}
	}
	got := argon2.IDKey([]byte(password), h.salt, h.passes, h.memory, h.threads, hashSize)
	return subtle.ConstantTimeCompare(got, h.key) == 1 && ok
}

// parsedHash is what the text form of a hash says.
type parsedHash struct {
	memory, passes uint32
	threads        uint8
	salt, key      []byte
}

func parseHash(hash string) (h parsedHash, ok bool) {
	parts := strings.Split(hash, "$")
	if len(parts) != 6 || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return h, false
	}
	_, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &h.memory, &h.passes, &h.threads)
	if err != nil || h.memory > maxMemory || h.passes < 1 || h.passes > maxPasses || h.threads < 1 {
		return h, false
	}
	var saltErr, keyErr error
	h.salt, saltErr = base64.RawStdEncoding.DecodeString(parts[4])
	h.key, keyErr = base64.RawStdEncoding.DecodeString(parts[5])
	return h, saltErr == nil && keyErr == nil && len(h.key) == hashSize
}

// passwordSigns are what a made password is drawn from; none looks like another.
const passwordSigns = "abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"

// NewPassword makes a password that CheckPassword accepts: four groups of five
// signs, over 100 bits.
func NewPassword() string {
	for {
		raw := make([]byte, 64)
		rand.Read(raw)
		var b strings.Builder
		signs := 0
		for _, r := range raw {
			if int(r) >= len(passwordSigns)*4 || signs == 20 {
				continue // equal chances for every sign
			}
			if signs > 0 && signs%5 == 0 {
				b.WriteByte('-')
			}
			b.WriteByte(passwordSigns[int(r)%len(passwordSigns)])
			signs++
		}
		if signs == 20 && CheckPassword(b.String()) == "" {
			return b.String()
		}
	}
}

// Lack is what keeps a password from being good; empty: nothing does.
type Lack string

// What passwords lack, in the order in which it is told.
const (
	LackShort  Lack = "short"
	LackLong   Lack = "long"
	LackDigit  Lack = "digit"
	LackSymbol Lack = "symbol"
	LackLower  Lack = "lower"
	LackUpper  Lack = "upper"
)

// LackOf gives the first thing that a password lacks.
func LackOf(password string) Lack {
	var digit, symbol, lower, upper bool
	for _, r := range password {
		switch {
		case unicode.IsDigit(r):
			digit = true
		case unicode.IsLower(r):
			lower = true
		case unicode.IsUpper(r):
			upper = true
		default:
			symbol = true
		}
	}
	switch {
	case len([]rune(password)) < 8:
		return LackShort
	case len(password) > 999:
		return LackLong
	case !digit:
		return LackDigit
	case !symbol:
		return LackSymbol
	case !lower:
		return LackLower
	case !upper:
		return LackUpper
	}
	return ""
}

// CheckPassword says what a password lacks, nothing where it is good.
func CheckPassword(password string) string {
	return map[Lack]string{
		LackShort:  "must have at least 8 characters",
		LackLong:   "must have at most 999 bytes",
		LackDigit:  "must contain a digit",
		LackSymbol: "must contain a symbol, such as -",
		LackLower:  "must contain a lower-case letter",
		LackUpper:  "must contain an upper-case letter",
	}[LackOf(password)]
}
