package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const password = "Bench-mark-1"

// build builds the product. The bench runs in its own folder.
func build(program string) error {
	cmd := exec.Command("go", "build", "-trimpath", "-o", program, "./app")
	cmd.Dir = filepath.Join("..", "..") // the product builds with its own dependencies
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build: %w\n%s", err, out)
	}
	return nil
}

// server is a process that devices upload to.
type server struct {
	base string
	cmd  *exec.Cmd
}

// start runs a program until its first line says where it listens.
func start(cmd *exec.Cmd) (*server, error) {
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	line, _ := bufio.NewReader(out).ReadString('\n')
	base, ok := strings.CutPrefix(strings.TrimSpace(line), "listening ")
	if !ok {
		cmd.Wait()
		return nil, fmt.Errorf("%s said %q\n%s", filepath.Base(cmd.Path), line, errs.String())
	}
	return &server{base, cmd}, nil
}

func (s *server) stop() {
	s.cmd.Process.Signal(os.Interrupt)
	s.cmd.Wait()
}

// memory gives the most memory the process has used, in bytes.
func (s *server) memory() int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	var kib int64
	if _, after, ok := strings.Cut(string(text), "VmHWM:"); ok {
		fmt.Sscan(after, &kib)
	}
	return kib << 10
}

// startFootbridge makes a home and serves it.
func startFootbridge(program, home string) (*server, error) {
	if err := makeHome(program, home); err != nil {
		return nil, err
	}
	return serve(program, home)
}

// makeHome makes a home with a participant.
func makeHome(program, home string) error {
	for _, args := range [][]string{
		{"init", "--app-id", "bench-app", "--study", "bench", "--admin-email", "bench@example.org"},
		{"participant", "create", "--study", "bench", "--external-id", "p"},
	} {
		cmd := exec.Command(program, append([]string{"--home", home}, args...)...)
		cmd.Env = append(os.Environ(), "FOOTBRIDGE_ADMIN_PASSWORD="+password, "FOOTBRIDGE_PASSWORD="+password)
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", args[0], err, out)
		}
	}
	return nil
}

// serve serves a home.
func serve(program, home string) (*server, error) {
	return start(exec.Command(program, "--home", home, "serve", "--listen", "127.0.0.1:0", "--plain-http"))
}
