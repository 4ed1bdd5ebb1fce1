package main_test

import (
	"bufio"
	"bytes"
	"crypto/md5"
	"crypto/tls"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	testPassword = "Right-as-rain-1"
	testApp      = "test-app"
	testStudy    = "sleep"
)

// program builds the real program once for all tests, as `make headless` does.
var program = sync.OnceValues(func() (string, error) {
	name := filepath.Join(os.Getenv("PROGRAM_FOLDER"), "footbridge")
	build := exec.Command("go", "build", "-trimpath", "-o", name, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build: %w\n%s", err, out)
	}
	return name, nil
})

// site is a home with the real program serving it.
type site struct {
	t    testing.TB
	home string
	root string // the folder that holds the repository
	env  []string
	base string
	cmd  *exec.Cmd
	out  *transcript // what it says on stderr
	http *http.Client

	secured bool // it speaks TLS
}

// transcript is what a running program has said so far. Safe for concurrent use.
type transcript struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (w *transcript) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.Write(p)
}

func (w *transcript) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.String()
}

// newSite makes a home; env is added to the program's.
func newSite(t testing.TB, env ...string) *site {
	t.Helper()
	s := newSiteAt(t, "folder:repository", "", env...)
	s.root = filepath.Join(s.home, "repository")
	return s
}

// newSiteAt makes a home with a repository, whose bytes lie in the folder root.
func newSiteAt(t testing.TB, repository, root string, env ...string) *site {
	t.Helper()
	s := &site{t: t, home: filepath.Join(t.TempDir(), "h"), root: root, env: env}
	s.http = &http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, MaxIdleConnsPerHost: 32,
	}}
	s.command(nil, "init", "--app-id", testApp, "--study", testStudy, "--admin-email", "admin@example.org", "--repository", repository)
	t.Cleanup(func() { s.kill() })
	return s
}

// command runs the program to its end and gives what it printed.
func (s *site) command(env []string, args ...string) string {
	s.t.Helper()
	name, err := program()
	if err != nil {
		s.t.Fatal(err)
	}
	cmd := exec.Command(name, append([]string{"--home", s.home}, args...)...)
	cmd.Env = append(append(os.Environ(), "FOOTBRIDGE_ADMIN_PASSWORD="+testPassword, "FOOTBRIDGE_PASSWORD="+testPassword), env...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		s.t.Fatalf("footbridge %s: %v\n%s", strings.Join(args, " "), err, errs.String())
	}
	return out.String()
}

// refused runs the program to its end, which must not be a good one, and gives all
// that it printed.
func (s *site) refused(args ...string) string {
	s.t.Helper()
	name, err := program()
	if err != nil {
		s.t.Fatal(err)
	}
	said, err := exec.Command(name, append([]string{"--home", s.home}, args...)...).CombinedOutput()
	if err == nil {
		s.t.Errorf("footbridge %s is done", strings.Join(args, " "))
	}
	return string(said)
}

// start serves the home; env is added to the program's.
func (s *site) start(env ...string) {
	s.t.Helper()
	name, err := program()
	if err != nil {
		s.t.Fatal(err)
	}
	args := []string{"--home", s.home, "serve", "--listen", s.door()}
	if !s.secured {
		args = append(args, "--plain-http")
	}
	s.cmd = exec.Command(name, args...)
	s.cmd.Env = append(append(os.Environ(), s.env...), env...)
	s.out = &transcript{}
	s.cmd.Stderr = s.out
	stdout, err := s.cmd.StdoutPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	first, err := bufio.NewReader(stdout).ReadString('\n')
	if base, ok := strings.CutPrefix(strings.TrimSpace(first), "listening "); ok {
		s.base = base
		return
	}
	s.cmd.Wait()
	s.t.Fatalf("serve said %q (%v)\n%s", first, err, s.out)
}

// door is where it is to listen: where it did before, if it did.
func (s *site) door() string {
	if s.secured && s.base != "" {
		return strings.TrimPrefix(s.base, "https://")
	}
	return "127.0.0.1:0"
}

// kill ends the program without a warning.
func (s *site) kill() {
	if s.cmd != nil {
		s.cmd.Process.Kill()
		s.cmd.Wait()
		s.cmd = nil
	}
	s.http.CloseIdleConnections()
}

// gone waits for the program to end by itself and gives its exit code.
func (s *site) gone() int {
	s.t.Helper()
	ended := make(chan struct{})
	cmd := s.cmd
	go func() { cmd.Wait(); close(ended) }()
	select {
	case <-ended:
	case <-time.After(20 * time.Second):
		cmd.Process.Kill()
		<-ended
		s.t.Fatalf("the program did not end\n%s", s.out)
	}
	s.cmd = nil
	return cmd.ProcessState.ExitCode()
}

// errAnswer is an answer that is none of 200 and 201.
type errAnswer struct {
	status int
	body   string
}

func (e *errAnswer) Error() string { return fmt.Sprintf("%d %s", e.status, e.body) }

// call asks the site and reads the answer as JSON into out.
func (s *site) call(method, path, token string, in, out any) error {
	var body io.Reader
	if in != nil {
		raw, err := json.Marshal(in)
		if err != nil {
			return err
		}
		body = bytes.NewReader(raw)
	}
	r, err := http.NewRequest(method, s.base+path, body)
	if err != nil {
		return err
	}
	r.Header.Set("Bridge-Session", token)
	r.Header.Set("User-Agent", "Walker/7 (Pixel 9; Android/16)")
	answer, err := s.http.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	raw, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	if answer.StatusCode > 201 {
		return &errAnswer{answer.StatusCode, string(raw)}
	}
	if out == nil {
		return nil
	}
	return json.Unmarshal(raw, out)
}

// admin signs the administrator in.
func (s *site) admin() (token string) {
	s.t.Helper()
	var session struct{ SessionToken string }
	err := s.call("POST", "/v4/auth/signIn", "", map[string]string{"appId": testApp, "email": "admin@example.org", "password": testPassword}, &session)
	if err != nil {
		s.t.Fatal(err)
	}
	return session.SessionToken
}

// signIn gives a session token.
func (s *site) signIn(externalID string) (string, error) {
	var session struct{ SessionToken string }
	err := s.call("POST", "/v4/auth/signIn", "", map[string]string{"appId": testApp, "externalId": externalID, "password": testPassword}, &session)
	return session.SessionToken, err
}

// parcel is a file on its way from a device.
type parcel struct {
	ID, URL   string
	name      string
	body      []byte
	encrypted bool
	metadata  map[string]any
}

func (p *parcel) md5() string {
	sum := md5.Sum(p.body)
	return base64.StdEncoding.EncodeToString(sum[:])
}

func (s *site) slot(token string, p *parcel) error {
	return s.call("POST", "/v3/uploads", token, map[string]any{
		"name": p.name, "contentLength": len(p.body), "contentType": "application/octet-stream",
		"contentMd5": p.md5(), "encrypted": p.encrypted, "metadata": p.metadata,
	}, p)
}

func (s *site) put(p *parcel) error {
	r, err := http.NewRequest("PUT", p.URL, bytes.NewReader(p.body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/octet-stream")
	r.Header.Set("Content-MD5", p.md5())
	answer, err := s.http.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	raw, _ := io.ReadAll(answer.Body)
	if answer.StatusCode != 200 {
		return &errAnswer{answer.StatusCode, string(raw)}
	}
	return nil
}

// verdict is an UploadValidationStatus.
type verdict struct {
	ID, Status  string
	MessageList []string
	Record      *struct {
		ExportState, ExportReason string
		ParticipantVersion        int
	}
}

func (s *site) complete(token, id, query string) (v verdict, err error) {
	return v, s.call("POST", "/v3/uploads/"+id+"/complete"+query, token, nil, &v)
}

// send walks a parcel through all three steps and waits for its record.
func (s *site) send(token string, p *parcel) (verdict, error) {
	if err := s.slot(token, p); err != nil {
		return verdict{}, err
	}
	if err := s.put(p); err != nil {
		return verdict{}, err
	}
	return s.complete(token, p.ID, "?synchronous=true")
}

// enrol creates a participant and signs in.
func (s *site) enrol(externalID string) string {
	s.t.Helper()
	s.command(nil, "participant", "create", "--study", testStudy, "--external-id", externalID)
	token, err := s.signIn(externalID)
	if err != nil {
		s.t.Fatal(err)
	}
	return token
}

// exported waits until a record's file is in the repository, and gives every
// file there that bears its id, without those that are still being written.
func (s *site) exported(id string) []string {
	s.t.Helper()
	pattern := filepath.Join(s.root, testStudy, "raw-data", "*", id+"-*")
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		found, _ := filepath.Glob(pattern)
		annotated, _ := filepath.Glob(filepath.Join(s.root, testStudy, "annotations", "*", id+".json"))
		if len(found) > 0 && len(annotated) > 0 {
			return found
		}
		if time.Now().After(deadline) {
			s.t.Fatalf("record %s is not in the repository: %v %v\n%s\n%s", id, found, annotated, s.command(nil, "status"), s.out)
		}
	}
}

// refused reports whether the site answered with one of the statuses.
func refused(err error, statuses ...int) bool {
	var answer *errAnswer
	if !errors.As(err, &answer) {
		return false
	}
	for _, status := range statuses {
		if answer.status == status {
			return true
		}
	}
	return false
}
