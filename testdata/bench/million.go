package main

import (
	"context"
	"crypto/md5"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"footbridge/core"
	"footbridge/store"
)

// fillers is how many uploads are written into a store at once.
const fillers = 8

// fill writes uploads into a home that was made, as a site has them after years: most
// are sent, one of a hundred each was refused, came twice, never came, is kept, waits,
// and a few need a person. Sending is paused, or what waits would be tried.
func fill(home string, uploads int) error {
	s, err := store.Open(home, store.Config{Sync: func(*os.File) error { return nil }})
	if err != nil {
		return err
	}
	defer s.Close()
	ctx := context.Background()
	owner, err := s.AccountByLogin(ctx, core.ExternalLogin("p"))
	if err != nil {
		return err
	}
	if _, err := s.Pause(ctx, true); err != nil {
		return err
	}
	f := &filler{store: s, owner: owner, begun: time.Now().AddDate(-2, 0, 0), every: 2 * 365 * 24 * time.Hour / time.Duration(uploads)}
	var next atomic.Int64
	var failed atomic.Pointer[error]
	var working sync.WaitGroup
	for range fillers {
		working.Go(func() {
			for failed.Load() == nil {
				i := int(next.Add(1)) - 1
				if i >= uploads {
					return
				}
				if err := f.upload(ctx, i); err != nil {
					failed.Store(&err)
				}
			}
		})
	}
	working.Wait()
	if err := failed.Load(); err != nil {
		return *err
	}
	return nil
}

// filler writes uploads of one participant.
type filler struct {
	store *store.Store
	owner core.Account
	begun time.Time
	every time.Duration
}

// upload writes one, where it stands in the end.
func (f *filler) upload(ctx context.Context, i int) error {
	at := f.begun.Add(time.Duration(i) * f.every).UTC()
	sum := md5.Sum(binary.BigEndian.AppendUint64(nil, uint64(i)))
	u := core.Upload{
		ID: core.UploadID(core.NewID(at)), App: f.owner.App, User: f.owner.ID, HealthCode: f.owner.HealthCode, RequestedOn: at, ExpiresOn: at.Add(24 * time.Hour),
		State:   core.StateRequested,
		Request: core.Request{Name: fmt.Sprintf("walk-%d.zip", i), ContentLength: 65536, ContentType: "application/zip", ContentMD5: base64.StdEncoding.EncodeToString(sum[:])},
	}
	switch i % 100 {
	case 1:
		u.State, u.DuplicateOf = core.StateDuplicate, u.ID
	case 2: // it never comes
	case 3:
		f.complete(&u)
		u.State, u.Messages = core.StateFailed, []string{"The file is no zip archive."}
	default:
		f.complete(&u)
		u.State, u.Record = core.StateSucceeded, &core.Record{CreatedOn: at, Plain: u.Blob.Digest, Data: []byte("{}")}
	}
	if _, err := f.store.Begin(ctx, u, at, func(*core.Upload) core.Upload { return u }); err != nil || u.Record == nil {
		return err
	}
	return f.store.Settle(ctx, u.ID, func(u *core.Upload) ([]core.Export, error) { return []core.Export{export(i, *u)}, nil })
}

// complete has the bytes here, and the facts frozen.
func (f *filler) complete(u *core.Upload) {
	u.CompletedBy = core.CompletedByApp
	u.Blob = &core.Blob{Digest: core.Digest{Size: 65536, MD5: "0123456789abcdef0123456789abcdef"}, Place: "file/none"}
	u.Facts = &core.Facts{
		UploadedOn: u.RequestedOn, DateFolder: u.RequestedOn.Format(time.DateOnly), FileName: string(u.ID) + "-" + u.Request.Name, Studies: []core.StudyID{"bench"}, Destinations: []core.DestinationID{"bench"},
		ExternalID: "p", Memberships: map[core.StudyID]string{"bench": "p"}, SharingScope: core.AllQualifiedResearchers, ClientInfo: `{"appName":"Bench","appVersion":1,"type":"ClientInfo"}`, UserAgent: "Bench/1", Schemaless: true,
	}
}

// export is where the record of an upload stands.
func export(i int, u core.Upload) core.Export {
	e := core.Export{Record: u.ID, Destination: "bench", State: core.ExportExported, Step: core.StepRecorded, Since: u.Facts.UploadedOn, ExportedOn: u.Facts.UploadedOn}
	switch {
	case i%100 == 4:
		e.State, e.Reason, e.Step = core.ExportWithheld, core.ReasonNoSharingAtUpload, core.StepNone
	case i%100 == 5:
		e.State, e.Step = core.ExportWaiting, core.StepNone
	case i%1000 == 6:
		e.State, e.Reason, e.Step = core.ExportParked, core.ReasonRepositoryInvalid, core.StepPlanned
	}
	return e
}
