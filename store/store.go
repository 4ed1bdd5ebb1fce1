package store

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"footbridge/core"
	"footbridge/store/blob"
	"footbridge/store/rows"
)

// The buckets, and what their keys are.
const (
	siteBucket        rows.Bucket = "site"        // name → a fact of this site
	appsBucket        rows.Bucket = "apps"        // app
	studiesBucket     rows.Bucket = "studies"     // study
	accountsBucket    rows.Bucket = "accounts"    // user
	loginsBucket      rows.Bucket = "logins"      // login name → user
	codesBucket       rows.Bucket = "codes"       // health code → user
	versionsBucket    rows.Bucket = "versions"    // health code/version
	timelinesBucket   rows.Bucket = "timelines"   // study, and study/document
	instancesBucket   rows.Bucket = "instances"   // instance guid → study → timeline metadata
	adherenceBucket   rows.Bucket = "adherence"   // study/user/instance guid/event/instance timestamp
	schemasBucket     rows.Bucket = "schemas"     // schema id, zero byte, revision
	surveysBucket     rows.Bucket = "surveys"     // survey guid, zero byte, creation
	surveyNamesBucket rows.Bucket = "surveynames" // a survey's identifier → guid
	sessionsBucket    rows.Bucket = "sessions"    // token hash
	consentsBucket    rows.Bucket = "consents"    // user/time of a signature
	signedInBucket    rows.Bucket = "signedin"    // user → the devices with their sessions, the oldest first
	uploadsBucket     rows.Bucket = "uploads"     // upload
	ownBucket         rows.Bucket = "own"         // health code/upload
	gatheredBucket    rows.Bucket = "gathered"    // study/upload
	dedupeBucket      rows.Bucket = "dedupe"      // health code/MD5 → upload
	membersBucket     rows.Bucket = "members"     // study/user → the last upload that came from them
	silenceBucket     rows.Bucket = "silence"     // study/attendance/since when nothing came/user
	slotsBucket       rows.Bucket = "slots"       // expiry/upload → bytes reserved
	keepingBucket     rows.Bucket = "keeping"     // file that is about to become an upload's
	processingBucket  rows.Bucket = "processing"  // upload that is due → health code
	envelopesBucket   rows.Bucket = "envelopes"   // sealed key/SHA-256 of a message that had it
	exportsBucket     rows.Bucket = "exports"     // upload/destination
	outboxBucket      rows.Bucket = "outbox"      // destination/upload that waits
	withheldBucket    rows.Bucket = "withheld"    // health code/upload/destination
	parkedBucket      rows.Bucket = "parked"      // upload/destination that needs a person
	parkedSinceBucket rows.Bucket = "parkedsince" // destination/since when/upload that does
	exportedBucket    rows.Bucket = "exported"    // destination/date/upload
	historiesBucket   rows.Bucket = "histories"   // destination → the last upload that was looked at for it
	tablesBucket      rows.Bucket = "tables"      // destination/table that is behind → generation
	removalsBucket    rows.Bucket = "removals"    // upload/destination that a withdrawn record may still lie at
	regretsBucket     rows.Bucket = "regrets"     // health code of who shares no more, after records were sent
	auditBucket       rows.Bucket = "audit"       // time/number: what a person did
	appendedBucket    rows.Bucket = "appended"    // destination/health code/version → the table that holds it
	memosBucket       rows.Bucket = "memos"       // what a connector remembers
	countsBucket      rows.Bucket = "counts"      // what is counted → how many
	daysBucket        rows.Bucket = "days"        // date → what was completed on it
	apartBucket       rows.Bucket = "apart"       // why/upload: one that is on no way to the repository

	noticesBucket       rows.Bucket = "notices"       // number
	subscriptionsBucket rows.Bucket = "subscriptions" // subscription
	topicsBucket        rows.Bucket = "topics"        // topic → its subscriptions
	pairingsBucket      rows.Bucket = "pairings"      // hash of a code
	fieldDevicesBucket  rows.Bucket = "fielddevices"  // user → their devices, those that were here last first
	deliveriesBucket    rows.Bucket = "deliveries"    // subscription/number of a notice that waits → how it was refused
)

// smallBody is the size up to which a body shares the log's sync, in bytes.
const smallBody = 256 << 10

// Config says how a store behaves; its zero value works.
type Config struct {
	Sync      func(*os.File) error   // makes a file durable; nil: (*os.File).Sync
	Now       func() time.Time       // nil: time.Now
	Floor     func() int64           // bytes of the disk to leave free; nil: none
	FreeSpace func() (uint64, error) // of the disk, bytes; nil: without limit
	Files     bool                   // every body gets a file of its own, however small

	// Exported gives what is told once a record has reached a destination, and
	// Created once a study's project was made for the first time. all are the exports
	// to each of the record's destinations; project tells a destination's parts. Both
	// are pure and run inside a transaction. nil: nothing is told.
	Exported func(u core.Upload, reached core.DestinationID, all []core.Export, project func(core.DestinationID) core.RepositoryConfig) []core.Notice
	Created  func(core.Study) []core.Notice
}

// Store is an open home's data. Safe for concurrent use.
type Store struct {
	Bell

	config Config
	rows   *rows.DB
	files  *blob.Dir
	secret []byte

	due    queue[core.UploadID]
	turns  turns // of due
	outbox queue[exportKey]
	tables tableQueue

	receivers queue[core.SubscriptionID] // those that something waits for
	hurried   atomic.Int64               // when Hurry was called last, nanoseconds of Unix time
}

// Open opens the store in a home folder, which exists: footbridge.db and blobs/.
func Open(home string, config Config) (*Store, error) {
	if config.Now == nil {
		config.Now = time.Now
	}
	if config.Floor == nil {
		config.Floor = func() int64 { return 0 }
	}
	files, err := blob.Open(filepath.Join(home, "blobs", "files"), config.Sync)
	if err != nil {
		return nil, err
	}
	s := &Store{config: config, files: files}
	s.rows, err = rows.Open(filepath.Join(home, "footbridge.db"), filepath.Join(home, "blobs", "log"),
		rows.Config{Sync: config.Sync, Committed: s.Ring})
	if err != nil {
		return nil, err
	}
	if err := s.recall(); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// recall takes up the work that the last run left.
func (s *Store) recall() error {
	if err := s.sweepFiles(); err != nil {
		return err
	}
	now := s.config.Now()
	s.rows.Scan(processingBucket, "", "", func(id string, owner []byte) bool {
		s.turns.wait(core.UploadID(id), core.HealthCode(owner))
		s.due.add(core.UploadID(id), now, now)
		return true
	})
	s.rows.Scan(outboxBucket, "", "", func(key string, next []byte) bool {
		s.outbox.add(parseExportKey(key), earlier(parseTime(next), now.Add(waitMax)), now)
		return true
	})
	s.rows.Scan(tablesBucket, "", "", func(key string, generation []byte) bool {
		s.tables.behind(parseTableKey(key), uint64(number(generation)), now)
		return true
	})
	s.recallReceivers(now)
	if err := errors.Join(s.indexParked(context.Background()), s.recallMembers(), s.beginTally()); err != nil {
		return err
	}
	if s.secret = s.rows.Get(siteBucket, "secret"); s.secret == nil {
		s.secret = make([]byte, 32)
		rand.Read(s.secret)
		return s.rows.Update(context.Background(), true, nil, func(tx *rows.Tx) error {
			tx.Put(siteBucket, "secret", s.secret)
			return nil
		})
	}
	return nil
}

// Secret is the key with which this site signs its upload URLs, 32 bytes.
func (s *Store) Secret() []byte { return s.secret }

// Failed is why nothing can be stored durably at present, nil where it can.
func (s *Store) Failed() error { return s.rows.Failed() }

// Close ends the store. It is idempotent.
func (s *Store) Close() error { return s.rows.Close() }

// update runs a durable transaction.
func (s *Store) update(ctx context.Context, fn func(*rows.Tx) error) error {
	return s.rows.Update(ctx, true, nil, fn)
}

// note runs a transaction that becomes durable with the next durable one.
func (s *Store) note(ctx context.Context, fn func(*rows.Tx) error) error {
	return s.rows.Update(ctx, false, nil, fn)
}

// getter reads rows: a transaction or the database.
type getter interface {
	Get(rows.Bucket, string) []byte
	Closed() error
}

// load reads a row as a T. Errors: core.ErrNotFound; core.ErrClosed where it
// cannot be told any more whether there is such a row.
func load[T any](from getter, bucket rows.Bucket, key, what string) (T, error) {
	var v T
	raw := from.Get(bucket, key)
	if raw == nil {
		return v, fmt.Errorf("%s: %w", what, absent(from))
	}
	if err := json.Unmarshal(raw, &v); err != nil {
		return v, fmt.Errorf("read %s: %w", what, err)
	}
	return v, nil
}

func absent(from getter) error {
	if err := from.Closed(); err != nil {
		return err
	}
	return core.ErrNotFound
}

// save writes a T as a row.
func save(tx *rows.Tx, bucket rows.Bucket, key string, v any) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("write %s %s: %w", bucket, key, err)
	}
	tx.Put(bucket, key, raw)
	return nil
}

// count adds to a counter.
func count(tx *rows.Tx, what string, by int) {
	tx.Put(countsBucket, what, strconv.AppendInt(nil, number(tx.Get(countsBucket, what))+int64(by), 10))
}

// Counts gives every counter: "uploads/<state>", "exports/<destination>/<state>",
// "notices/<subscription>" of those that wait to be told, and "audit".
func (s *Store) Counts() map[string]int {
	counts := map[string]int{}
	s.rows.Scan(countsBucket, "", "", func(what string, n []byte) bool {
		counts[what] = int(number(n))
		return true
	})
	return counts
}

func formatTime(t time.Time) []byte { return []byte(t.UTC().Format(time.RFC3339Nano)) }

// waitMax is the longest that work waits for its next try after a start: a clock
// that ran ahead must not hold it up for longer.
const waitMax = 15 * time.Minute

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

func parseTime(b []byte) time.Time {
	t, _ := time.Parse(time.RFC3339Nano, string(b))
	return t
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}
