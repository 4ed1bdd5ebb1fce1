package folders_test

import (
	"os"
	"path/filepath"
	"testing"

	"footbridge/app/folders"
)

// Where the folder lies is told while it is there, and where it should, always; of another
// place nothing is.
func TestWhereTheFolderLies(t *testing.T) {
	home := t.TempDir()
	spec := "folder:repository"
	root := folders.NewRoot(home, func() string { return spec })
	lies := func(want, should string) {
		t.Helper()
		if got := root.Folder(); got != should {
			t.Errorf("%s should lie at %q, not at %q", spec, got, should)
		}
		if got := root.Lies(); got != want {
			t.Errorf("%s lies at %q, not at %q", spec, got, want)
		}
	}
	path := filepath.Join(home, "repository")
	lies("", path)
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	lies(path, path)
	spec = "folder:" + path
	lies(path, path)
	file := filepath.Join(path, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	spec = "folder:" + file
	lies("", file)
	for _, spec = range []string{"rclone:hospital:" + path, "rclone::local,nounc:" + path, "synapse:https://repository.example.org"} {
		lies("", "")
	}
}
