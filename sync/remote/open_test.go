package remote_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"footbridge/sync/remote"
)

const noSpace = syscall.ENOSPC

func TestOpen(t *testing.T) {
	home := t.TempDir()
	config := filepath.Join(home, "rclone.conf")
	text := "# ours\n[site]\ntype = local\n\n[away]\ntype = nfs3\npass = s3cret\n\n[untyped]\npass = s3cret\n"
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(home, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	encrypted := filepath.Join(home, "encrypted.conf")
	if err := os.WriteFile(encrypted, []byte("# Encrypted rclone configuration File\n\nRCLONE_ENCRYPT_V0:\nabc"), 0o600); err != nil {
		t.Fatal(err)
	}
	// What rclone would read of the environment is nothing to us.
	t.Setenv("RCLONE_CONFIG_ELSEWHERE_TYPE", "local")
	t.Setenv("RCLONE_DRY_RUN", "true")
	t.Setenv("RCLONE_LOCAL_ENCODING", "Dot,Slash,Hash")

	for _, spec := range []string{"folder:" + home + "/a", "rclone:site:" + home + "/b", "rclone::local:" + home + "/c",
		"rclone::local,no_preallocate:" + home + "/d"} {
		r, err := remote.Open(t.Context(), spec, config)
		if err != nil {
			t.Errorf("%s: %v", spec, err)
			continue
		}
		if err := r.Make(t.Context()); err != nil {
			t.Errorf("%s: %v", spec, err)
		}
		if err := r.PutBytes(t.Context(), "project.json", []byte("{}"), ""); err != nil {
			t.Errorf("%s: %v", spec, err)
		}
		root := spec[strings.LastIndex(spec, ":")+1:]
		if _, err := os.Stat(filepath.Join(root, "project.json")); err != nil {
			t.Errorf("%s: %v", spec, err)
		}
	}

	for spec, want := range map[string]string{
		"":                                    "must read folder:PATH or rclone:REMOTE",
		"folder:":                             "must read folder:PATH or rclone:REMOTE",
		"s3cret":                              "must read folder:PATH or rclone:REMOTE",
		"s3:s3cret@x":                         "must read folder:PATH or rclone:REMOTE",
		"folder:" + file:                      "it is a file, not a folder",
		"rclone:/x:y":                         "write folder:PATH",
		"rclone:nowhere":                      "has no such remote",
		"rclone:elsewhere:":                   "has no such remote",
		"rclone:away:x":                       `knows no remotes of type "nfs3"`,
		"rclone:untyped:":                     "does not say its type",
		"rclone::nfs3,pass=s3cret:x":          `knows no remotes of type "nfs3"`,
		"rclone:site,pass='s3cret":            "read its name",
		"rclone::local,encoding=Hash:" + home: "takes no encoding",
		"rclone::local,no_preallocate=maybe:" + home:                   "maybe",
		"rclone::crypt,remote='https://me:s3cret@x/',password=s3cret:": "has no such remote",
		"rclone::crypt,remote='//me:s3cret@x:/',password=s3cret:":      "open :crypt",
		"rclone::crypt,remote=':crypt,remote=/tmp:x',password=s3cret:": "around another one is not supported",
		"rclone::local,token=file:" + file:                             "it is a ***, not a folder",
	} {
		_, err := remote.Open(t.Context(), spec, config)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", spec, err)
		}
		if err != nil && strings.Contains(fmt.Sprintf("%v %+v", err, err), "s3cret") {
			t.Errorf("%q tells a secret: %#v", spec, err)
		}
	}
	for name, want := range map[string]string{encrypted: "is encrypted", filepath.Join(home, "none.conf"): "there is no"} {
		if _, err := remote.Open(t.Context(), "rclone:site:x", name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
