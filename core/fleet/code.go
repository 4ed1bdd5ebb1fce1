package fleet

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// The rules here are: a code is eight signs of 28 that do not look like one another,
// so there are 28^8 = 3.8e11. Guesses are counted together, sixty a minute and ten
// from one address; while a hundred codes are open for a whole day, which is the most
// that there can be, 86,400 guesses hit one with a chance of 86,400 × 100 / 3.8e11: 1
// in 40,000. The usual one code of fifteen minutes is hit with 1 in 400 million.

// codeSigns leaves out I, L, O and 0, 1, which are one another, and 2, 5 and 8, which
// are read as Z, S and B.
const (
	codeSigns = "ABCDEFGHJKMNPQRSTUVWXYZ34679"
	codeSize  = 8
)

// newCode makes a code.
func newCode() string {
	code := make([]byte, 0, codeSize)
	for raw := make([]byte, 4*codeSize); len(code) < codeSize; {
		rand.Read(raw)
		for _, r := range raw {
			if int(r) < len(codeSigns)*9 && len(code) < codeSize { // equal chances for every sign
				code = append(code, codeSigns[int(r)%len(codeSigns)])
			}
		}
	}
	return string(code)
}

// ShownCode writes a code as people read it: ABCD-EFGH.
func ShownCode(code string) string {
	if len(code) != codeSize {
		return code
	}
	return code[:codeSize/2] + "-" + code[codeSize/2:]
}

// misread are signs that no code has, and what they were.
var misread = strings.NewReplacer("2", "Z", "5", "S", "8", "B", "-", "", " ", "", "–", "")

// ReadCode gives the code that someone typed, in whatever case and grouping; false
// where it is none.
func ReadCode(typed string) (string, bool) {
	if len(typed) > 8*codeSize {
		return "", false
	}
	code := misread.Replace(strings.ToUpper(strings.TrimSpace(typed)))
	if len(code) != codeSize || strings.Trim(code, codeSigns) != "" {
		return "", false
	}
	return code, true
}

func hashOf(code string) string {
	sum := sha256.Sum256([]byte("pairing\x00" + code))
	return hex.EncodeToString(sum[:])
}
