package inbox

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// whyEnding ends the name of the text beside a file that was refused.
const whyEnding = ".why.txt"

// CountRefused counts what was refused in an inbox and still lies there.
func CountRefused(dir string) (n int) {
	dir = filepath.Join(dir, Refused)
	for _, pattern := range []string{"*", "*/*"} { // in nobody's folder, and in somebody's
		texts, _ := fs.Glob(os.DirFS(dir), pattern+whyEnding) // it knows no error but that of a pattern
		for _, text := range texts {
			if _, err := os.Lstat(filepath.Join(dir, strings.TrimSuffix(text, whyEnding))); err == nil {
				n++
			}
		}
	}
	return n
}
