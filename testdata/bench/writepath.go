package main

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"footbridge/core"
	"footbridge/core/participant"
	"footbridge/core/upload"
	"footbridge/store"
)

// syncTime is how long a sync takes on a slow disk.
const syncTime = 10 * time.Millisecond

// writePath is the rows by which the store's write path was chosen: small
// uploads that share the log's sync, beside one file and one sync each. First on
// this disk, then where every sync takes 10 ms and the disk does one at a time.
func writePath(p plan, _ string) error {
	var slow sync.Mutex
	slowly := func(f *os.File) error {
		slow.Lock()
		defer slow.Unlock()
		time.Sleep(syncTime)
		return f.Sync()
	}
	for _, disk := range []struct {
		name string
		sync func(*os.File) error
		aim  float64
	}{{"this disk", (*os.File).Sync, 1}, {"10 ms a sync", slowly, 4}} {
		var rates [2]float64
		for i, files := range []bool{false, true} {
			dir := filepath.Join(p.dir, fmt.Sprintf("store-%s-%v", disk.name, files))
			rate, err := p.storeRate(dir, store.Config{Sync: disk.sync, Files: files})
			if err != nil {
				return err
			}
			rates[i] = rate
		}
		row("store, shared log beside a file each, "+disk.name, rates[0], rates[1], "/s", disk.aim)
	}
	return nil
}

// storeRate gives the rate of slot, bytes and complete at the desk, without HTTP.
func (p plan) storeRate(dir string, config store.Config) (float64, error) {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	s, err := store.Open(dir, config)
	if err != nil {
		return 0, err
	}
	defer s.Close()
	ctx := context.Background()
	if _, err := s.SaveApp(ctx, "bench-app", func(*core.App) error { return nil }); err != nil {
		return 0, err
	}
	owner, err := participant.NewRoster(s, "bench-app", participant.Config{Now: time.Now}).Create(ctx, "", participant.Form{})
	if err != nil {
		return 0, err
	}
	desk := upload.NewDesk(s, landings{s}, upload.Config{
		Now: time.Now, Zone: func() *time.Location { return time.UTC }, MaxSize: func() int64 { return 1 << 30 },
	})
	return p.rate(func(body []byte) error {
		sum := md5.Sum(body)
		hash := base64.StdEncoding.EncodeToString(sum[:])
		u, err := desk.Begin(ctx, owner, core.Request{Name: "b.bin", ContentLength: int64(len(body)), ContentType: "x/y", ContentMD5: hash}, upload.Client{})
		if err != nil {
			return err
		}
		declared := upload.Declared{Length: int64(len(body)), Type: "x/y", MD5: hash}
		if _, err := desk.Receive(ctx, u.ID, declared, bytes.NewReader(body)); err != nil {
			return err
		}
		_, err = desk.Complete(ctx, u.ID, upload.Completion{By: core.CompletedByApp})
		return err
	}, func() error { return nil })
}

// landings gives the desk the store's landings.
type landings struct{ *store.Store }

func (l landings) Land(ctx context.Context, r io.Reader, size int64) (upload.Landing, error) {
	return l.Store.Land(ctx, r, size)
}
