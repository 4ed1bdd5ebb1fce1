package main

import (
	"bytes"
	"crypto/md5"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"
)

const smallSize = 64 << 10

// smallUploads is the row of 64 KiB uploads: slot, PUT and complete, durable,
// checked and processed, beside tusd's create and PATCH. The two take turns,
// twice each, so that a busy moment of the machine hits both.
func smallUploads(p plan, program string) error {
	ours, err := startFootbridge(program, filepath.Join(p.dir, "home"))
	if err != nil {
		return err
	}
	defer ours.stop()
	self, err := os.Executable()
	if err != nil {
		return err
	}
	tusdDir := filepath.Join(p.dir, "tusd")
	if err := os.Mkdir(tusdDir, 0o700); err != nil {
		return err
	}
	theirs, err := start(exec.Command(self, "tusd", tusdDir, "127.0.0.1:0"))
	if err != nil {
		return err
	}
	defer theirs.cmd.Process.Kill()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: p.devices}}
	token, err := signIn(client, ours.base)
	if err != nil {
		return err
	}
	idle := ours.memory()
	var figures [2]float64
	for range 2 {
		rate, err := p.rate(func(body []byte) error {
			_, err := bridgeUpload(client, ours.base, token, body)
			return err
		},
			func() error { return processed(client, ours.base, token) })
		if err != nil {
			return err
		}
		figures[0] += rate / 2
		rate, err = p.rate(func(body []byte) error { return tusUpload(client, theirs.base, body) }, func() error { return nil })
		if err != nil {
			return err
		}
		figures[1] += rate / 2
	}
	row(fmt.Sprintf("64 KiB uploads, %d devices, beside tusd (not durable)", p.devices), figures[0], figures[1], "/s", 0.6)
	row("  memory of Footbridge during this, beside idle", float64(ours.memory()>>20), float64(idle>>20), "MiB", 0)
	return nil
}

// rate lets every device upload for a while, waits for after, and gives uploads
// per second of all that time.
func (p plan) rate(upload func(body []byte) error, after func() error) (float64, error) {
	var done atomic.Int64
	var failed atomic.Pointer[error]
	begun := time.Now()
	var devices sync.WaitGroup
	for range p.devices {
		devices.Go(func() {
			body := make([]byte, smallSize)
			for time.Since(begun) < p.time && failed.Load() == nil {
				binary.BigEndian.PutUint64(body, uint64(serial.Add(1))) // no two alike
				if err := upload(body); err != nil {
					failed.Store(&err)
					return
				}
				done.Add(1)
			}
		})
	}
	devices.Wait()
	if err := failed.Load(); err != nil {
		return 0, *err
	}
	if err := after(); err != nil {
		return 0, err
	}
	return float64(done.Load()) / time.Since(begun).Seconds(), nil
}

var serial atomic.Int64

func signIn(client *http.Client, base string) (string, error) {
	var session struct{ SessionToken string }
	err := call(client, "POST", base+"/v4/auth/signIn", "", map[string]string{"appId": "bench-app", "externalId": "p", "password": password}, &session)
	return session.SessionToken, err
}

func bridgeUpload(client *http.Client, base, token string, body []byte) (id string, err error) {
	sum := md5.Sum(body)
	hash := base64.StdEncoding.EncodeToString(sum[:])
	var slot struct{ ID, URL string }
	err = call(client, "POST", base+"/v3/uploads", token, map[string]any{
		"name": "b.bin", "contentLength": len(body), "contentType": "application/octet-stream", "contentMd5": hash, "encrypted": false,
	}, &slot)
	if err != nil {
		return "", err
	}
	r, err := http.NewRequest("PUT", slot.URL, bytes.NewReader(body))
	if err != nil {
		return "", err
	}
	r.Header.Set("Content-Type", "application/octet-stream")
	r.Header.Set("Content-MD5", hash)
	if err := send(client, r, nil); err != nil {
		return "", err
	}
	return slot.ID, call(client, "POST", base+"/v3/uploads/"+slot.ID+"/complete", token, nil, nil)
}

// processed waits until one more upload is processed, and with it the others:
// they are processed in the order in which they were completed.
func processed(client *http.Client, base, token string) error {
	body := make([]byte, smallSize)
	binary.BigEndian.PutUint64(body, uint64(serial.Add(1)))
	id, err := bridgeUpload(client, base, token, body)
	if err != nil {
		return err
	}
	for {
		var status struct{ Status string }
		if err := call(client, "GET", base+"/v3/uploadstatuses/"+id, token, nil, &status); err != nil {
			return err
		}
		switch status.Status {
		case "succeeded":
			return nil
		case "validation_in_progress":
			time.Sleep(5 * time.Millisecond)
		default:
			return fmt.Errorf("upload %s is %s", id, status.Status)
		}
	}
}

func tusUpload(client *http.Client, base string, body []byte) error {
	r, err := http.NewRequest("POST", base+"/files/", nil)
	if err != nil {
		return err
	}
	r.Header.Set("Tus-Resumable", "1.0.0")
	r.Header.Set("Upload-Length", fmt.Sprint(len(body)))
	answer, err := client.Do(r)
	if err != nil {
		return err
	}
	io.Copy(io.Discard, answer.Body)
	answer.Body.Close()
	if answer.StatusCode != http.StatusCreated {
		return fmt.Errorf("tusd create: %s", answer.Status)
	}
	if r, err = http.NewRequest("PATCH", answer.Header.Get("Location"), bytes.NewReader(body)); err != nil {
		return err
	}
	r.Header.Set("Tus-Resumable", "1.0.0")
	r.Header.Set("Upload-Offset", "0")
	r.Header.Set("Content-Type", "application/offset+octet-stream")
	return send(client, r, nil)
}

func call(client *http.Client, method, url, token string, in, out any) error {
	var body io.Reader
	if in != nil {
		raw, err := json.Marshal(in)
		if err != nil {
			return err
		}
		body = bytes.NewReader(raw)
	}
	r, err := http.NewRequest(method, url, body)
	if err != nil {
		return err
	}
	r.Header.Set("Bridge-Session", token)
	return send(client, r, out)
}

func send(client *http.Client, r *http.Request, out any) error {
	answer, err := client.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	raw, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	if answer.StatusCode > 299 {
		return fmt.Errorf("%s %s: %s %s", r.Method, r.URL.Path, answer.Status, raw)
	}
	if out == nil {
		return nil
	}
	return json.Unmarshal(raw, out)
}
