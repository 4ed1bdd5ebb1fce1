package main_test

import (
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"footbridge/app/device"
)

const (
	largeSize   = 512 << 20 // bytes, eight times what the memory may grow by
	memoryRoom  = 64 << 20
	largeSizeIn = "FOOTBRIDGE_TEST_LARGE_MIB" // another size, for a longer look
)

// A large encrypted upload goes through receive, decrypt and export in constant
// memory.
func TestALargeUploadTakesConstantMemory(t *testing.T) {
	size := int64(largeSize)
	if text := os.Getenv(largeSizeIn); text != "" {
		mib, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		size = mib << 20
	}
	s := newSite(t)
	s.start()
	s.enrol("p1")
	idle := memory(t, s, "VmRSS:")
	block, _ := pem.Decode([]byte(s.command(nil, "key", "public")))
	certificate, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	content := func() io.Reader { return io.LimitReader(rand.NewChaCha8([32]byte{7}), size) }
	client := device.New(device.Config{BaseURL: s.base, AppID: testApp, ExternalID: "p1", Password: testPassword, Wait: true})
	result, err := client.Send(t.Context(), device.File{
		Open: func() (io.ReadCloser, error) { return io.NopCloser(content()), nil },
		Name: "night.bin", Encrypt: certificate, Folder: t.TempDir(),
	})
	if err != nil || result.Status != "succeeded" {
		t.Fatalf("%s %v (%v)", result.Status, result.Messages, err)
	}
	name := s.exported(result.ID)[0]
	if most := memory(t, s, "VmHWM:"); most-idle > memoryRoom {
		t.Errorf("memory grew from %d MiB to %d MiB", idle>>20, most>>20)
	} else {
		t.Logf("%d MiB went through; memory went from %d MiB to at most %d MiB", size>>20, idle>>20, most>>20)
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got, want := hashOf(t, f), hashOf(t, content()); got != want {
		t.Errorf("%s has other bytes than were sent", filepath.Base(name))
	}
}

func hashOf(t *testing.T, r io.Reader) string {
	t.Helper()
	hash := sha256.New()
	if _, err := io.Copy(hash, r); err != nil {
		t.Fatal(err)
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// memory reads a figure of the program's memory, in bytes.
func memory(t *testing.T, s *site, figure string) int64 {
	t.Helper()
	text := string(bytesOf(t, fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid)))
	_, after, ok := strings.Cut(text, figure)
	var kib int64
	if _, err := fmt.Sscan(after, &kib); !ok || err != nil {
		t.Fatalf("no %s in the program's status", figure)
	}
	return kib << 10
}
