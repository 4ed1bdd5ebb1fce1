package device_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"footbridge/app/device"
	"footbridge/core/cms"
	"footbridge/testdata"

	"pgregory.net/rapid"
)

func opened(t testing.TB, u *arrival) []byte {
	r, err := cms.Open(bytes.NewReader(u.body), []cms.Key{testdata.Key(t, "test-only")})
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return plain
}

// crash sends with a device that ends at the first thing that goes wrong.
func (f *field) crash(file device.File) error {
	patience := f.config.Patience
	defer func() { f.config.Patience = patience }()
	f.config.Patience = 1
	_, err := f.send(file)
	return err
}

func TestASealedFileIsResumed(t *testing.T) {
	down := say(503, "")
	tests := []struct {
		name   string
		first  map[string][]trick // what goes wrong in the first run
		change func(t *testing.T, f *field, file *device.File)
		asked  string // by the second run
		id     string
	}{
		{"crash before the slot", map[string][]trick{"slot": {down}}, nil, "signIn slot put complete", "upload-1"},
		{"crash before the slot's answer", map[string][]trick{"slot": {lose}}, nil, "signIn slot put complete", "upload-1"},
		{"crash in the PUT", map[string][]trick{"put": {cut}}, nil, "signIn put complete", "upload-1"},
		{"crash before the PUT's answer", map[string][]trick{"put": {lose}}, nil, "signIn put complete", "upload-1"},
		{"crash between PUT and complete", map[string][]trick{"complete": {down}}, nil, "signIn complete", "upload-1"},
		{"crash before the answer of complete", map[string][]trick{"complete": {lose}}, nil, "signIn complete", "upload-1"},
		{"a day later", map[string][]trick{"put": {cut}}, func(_ *testing.T, f *field, _ *device.File) {
			f.clock.at = f.clock.at.Add(24 * time.Hour)
		}, "signIn slot put complete", "upload-1"},
		{"the source changed", map[string][]trick{"complete": {down}}, func(t *testing.T, f *field, file *device.File) {
			if err := os.WriteFile(file.Path, []byte("other"), 0o600); err != nil {
				t.Fatal(err)
			}
		}, "signIn slot put complete", "upload-2"},
		{"the source was touched", map[string][]trick{"put": {cut}}, func(t *testing.T, f *field, file *device.File) {
			if err := os.Chtimes(file.Path, f.clock.at, f.clock.at); err != nil {
				t.Fatal(err)
			}
		}, "signIn slot put complete", "upload-2"},
		{"other metadata", map[string][]trick{"complete": {down}}, func(_ *testing.T, _ *field, file *device.File) {
			file.Metadata = map[string]any{"a": "b"}
		}, "signIn slot put complete", "upload-2"},
		{"the site lost the bytes", map[string][]trick{"complete": {down}}, func(_ *testing.T, f *field, _ *device.File) {
			f.first().body = nil
		}, "signIn complete slot put complete", "upload-1"},
		{"the site and the folder lost the bytes", map[string][]trick{"complete": {down}}, func(t *testing.T, f *field, file *device.File) {
			f.first().body = nil
			remove(t, file.Path, ".footbridge-sealed")
		}, "signIn complete slot put complete", "upload-2"},
		{"the sealed file was lost", map[string][]trick{"put": {cut}}, func(t *testing.T, f *field, file *device.File) {
			remove(t, file.Path, ".footbridge-sealed")
		}, "signIn slot put complete", "upload-2"},
		{"the note was lost", map[string][]trick{"put": {cut}}, func(t *testing.T, f *field, file *device.File) {
			remove(t, file.Path, ".footbridge-send.json")
		}, "signIn slot put complete", "upload-2"},
		{"the note is damaged", map[string][]trick{"put": {cut}}, func(t *testing.T, f *field, file *device.File) {
			note := filepath.Join(filepath.Dir(file.Path), ".scan.zip.footbridge-send.json")
			if err := os.WriteFile(note, []byte(`{"step":"put"`), 0o600); err != nil {
				t.Fatal(err)
			}
		}, "signIn slot put complete", "upload-2"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := newField(t)
			f.tricks = test.first
			path, _ := source(t, 200_000)
			file := device.File{Path: path, Encrypt: testdata.Key(t, "test-only").Certificate}
			if err := f.crash(file); !errors.Is(err, device.ErrGaveUp) {
				t.Fatal(err)
			}
			for _, name := range names(t, filepath.Dir(path)) {
				if info, err := os.Stat(filepath.Join(filepath.Dir(path), name)); err != nil || info.Mode().Perm() != 0o600 {
					t.Errorf("%s: %v, %v", name, info.Mode(), err)
				}
			}
			if test.change != nil {
				test.change(t, f, &file)
			}
			result, err := f.send(file)
			if err != nil || result.ID != test.id || result.Attempts != strings.Count(test.asked, "put") {
				t.Errorf("%+v, %v", result, err)
			}
			if got := f.calls(); got != test.asked {
				t.Errorf("asked %s, want %s", got, test.asked)
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			done := f.completed()
			if len(done) != 1 || !bytes.Equal(opened(t, done[0]), want) {
				t.Errorf("%d uploads are complete, or with other bytes", len(done))
			}
			if left := names(t, filepath.Dir(path)); len(left) != 1 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// remove removes what is kept beside a file.
func remove(t *testing.T, path, suffix string) {
	t.Helper()
	folder, name := filepath.Split(path)
	if err := os.Remove(filepath.Join(folder, "."+name+suffix)); err != nil {
		t.Fatal(err)
	}
}

func TestSealedBytesInAFolderOfTheCallers(t *testing.T) {
	f, folder := newField(t), t.TempDir()
	first, content := source(t, 1000)
	second, _ := source(t, 2000)
	f.tricks["put"] = []trick{cut, cut}
	for _, path := range []string{first, second} {
		if err := f.crash(device.File{Path: path, Encrypt: testdata.Key(t, "test-only").Certificate, Folder: folder}); !errors.Is(err, device.ErrGaveUp) {
			t.Fatal(err)
		}
	}
	if kept := names(t, folder); len(kept) != 4 {
		t.Errorf("kept %v", kept)
	}
	if _, err := f.send(device.File{Path: first, Encrypt: testdata.Key(t, "test-only").Certificate, Folder: folder}); err != nil {
		t.Fatal(err)
	}
	if kept := names(t, folder); len(kept) != 2 || len(names(t, filepath.Dir(first))) != 1 {
		t.Errorf("kept %v", kept)
	}
	bare := device.File{Name: "scan.zip", Encrypt: testdata.Key(t, "test-only").Certificate, Open: func() (io.ReadCloser, error) { return os.Open(first) }}
	if _, err := f.send(bare); err == nil {
		t.Error("sealed without a folder")
	}
	bare.Folder = folder
	if err := f.crashIn("put", bare); !errors.Is(err, device.ErrGaveUp) || len(names(t, folder)) != 2 {
		t.Errorf("%v, kept %v", err, names(t, folder))
	}
	if !bytes.Equal(opened(t, f.completed()[0]), content) {
		t.Error("other bytes")
	}
}

func (f *field) crashIn(step string, file device.File) error {
	f.tricks[step] = []trick{cut}
	return f.crash(file)
}

func TestAFolderThatTakesNoNoteIsNoObstacle(t *testing.T) {
	f := newField(t)
	path, _ := source(t, 1000)
	folder := filepath.Join(t.TempDir(), "absent")
	if _, err := f.send(device.File{Path: path, Folder: folder}); err != nil {
		t.Fatal(err)
	}
	if len(f.said) == 0 || !strings.Contains(f.said[0], "could not go on later") {
		t.Errorf("said %q", f.said)
	}
	if _, err := f.send(device.File{Path: path, Folder: folder, Encrypt: testdata.Key(t, "test-only").Certificate}); err == nil {
		t.Error("sealed into no folder")
	}
}

func TestLongNamesFindRoom(t *testing.T) {
	f := newField(t)
	short, _ := source(t, 1000)
	path := filepath.Join(filepath.Dir(short), strings.Repeat("ä", 120)+".zip")
	if err := os.Rename(short, path); err != nil {
		t.Fatal(err)
	}
	if err := f.crashIn("put", device.File{Path: path, Encrypt: testdata.Key(t, "test-only").Certificate}); !errors.Is(err, device.ErrGaveUp) {
		t.Fatal(err)
	}
	if kept := names(t, filepath.Dir(path)); len(kept) != 3 {
		t.Errorf("kept %v", kept)
	}
}

// Whatever goes wrong, and wherever the device ends meanwhile, one file becomes
// one upload.
func TestOneFileBecomesOneUpload(t *testing.T) {
	key := testdata.Key(t, "test-only")
	wrong := map[string]trick{
		"pass": pass, "lose": lose, "cut": cut,
		"403": say(403, ""), "409": say(409, ""), "500": say(500, ""), "503": say(503, ""), "401": say(401, ""),
	}
	steps := []struct {
		name  string
		wrong []string
	}{
		{"signIn", []string{"pass", "lose", "500"}},
		{"slot", []string{"pass", "lose", "503", "401"}},
		{"put", []string{"pass", "lose", "cut", "403", "409", "500"}},
		{"complete", []string{"pass", "lose", "500", "401"}},
	}
	rapid.Check(t, func(r *rapid.T) {
		f := newField(t)
		path, content := source(t, 50_000)
		file := device.File{Path: path}
		if rapid.Bool().Draw(r, "sealed") {
			file.Encrypt = key.Certificate
		}
		for _, step := range steps {
			for _, name := range rapid.SliceOfN(rapid.SampledFrom(step.wrong), 0, 4).Draw(r, step.name) {
				f.tricks[step.name] = append(f.tricks[step.name], wrong[name])
			}
		}
		for range rapid.IntRange(0, 5).Draw(r, "crashes") {
			if f.crash(file) == nil {
				break
			}
		}
		if len(f.completed()) == 0 || len(names(t, filepath.Dir(path))) > 1 { // else a run got through
			for range 8 { // a second 401 in a row ends a run
				if _, err := f.send(file); err == nil {
					break
				}
			}
		}
		done := f.completed()
		if len(done) != 1 {
			r.Fatalf("%d uploads are complete", len(done))
		}
		body := done[0].body
		if file.Encrypt != nil {
			body = opened(t, done[0])
		}
		if !bytes.Equal(body, content) {
			r.Error("other bytes")
		}
		if left := names(t, filepath.Dir(path)); len(left) != 1 {
			r.Errorf("left behind: %v", left)
		}
		f.Close()
	})
}
