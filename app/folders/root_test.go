package folders_test

import (
	"os"
	"path/filepath"
	"testing"

	"footbridge/app/folders"
)

// Where the folder lies is told while it is there; of another place nothing is.
func TestWhereTheFolderLies(t *testing.T) {
	home := t.TempDir()
	spec := "folder:repository"
	root := folders.NewRoot(home, func() string { return spec })
	lies := func(want string) {
		t.Helper()
		if got := root.Lies(); got != want {
			t.Errorf("%s lies at %q, not at %q", spec, got, want)
		}
	}
	lies("")
	path := filepath.Join(home, "repository")
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	lies(path)
	spec = "folder:" + path
	lies(path)
	file := filepath.Join(path, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	spec = "folder:" + file
	lies("")
	spec = "rclone:hospital:" + path
	lies("")
}
