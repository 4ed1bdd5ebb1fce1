package segment

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"footbridge/core/crash"
)

// Position is a point between two records of the log.
type Position struct {
	Segment uint64
	Offset  int64 // bytes from the segment's beginning
}

// Before reports whether p comes earlier than q.
func (p Position) Before(q Position) bool {
	return p.Segment < q.Segment || p.Segment == q.Segment && p.Offset < q.Offset
}

// Config says how a log behaves; its zero value works.
type Config struct {
	Size int64                // bytes after which a new segment begins; 0: 128 MiB
	Sync func(*os.File) error // makes a file durable; nil: (*os.File).Sync
}

// Log is an append-only log in a folder.
type Log struct {
	dir    string
	config Config

	syncing sync.Mutex // held around each sync: of two at once only one may hear of a failure

	mu     sync.Mutex // guards what follows; taken after syncing
	file   *os.File   // the segment that grows
	end    Position   // after the last whole record
	synced Position   // up to which every record is durable
	broken error      // set when a sync failed: nothing can be promised any more

	kept map[uint64]bool // segments that Drop found to hold bodies
}

// Open opens the log in dir, which exists, and cuts off a torn tail. from is
// the position up to which every record has been taken over elsewhere: Open
// hands each row record after it to replay, in order. The payload is only valid
// during the call.
func Open(dir string, config Config, from Position, replay func(payload []byte) error) (*Log, error) {
	if config.Size == 0 {
		config.Size = 128 << 20
	}
	if config.Sync == nil {
		config.Sync = (*os.File).Sync
	}
	l := &Log{dir: dir, config: config, end: Position{Segment: 1}, kept: map[uint64]bool{}}
	numbers, err := l.segments()
	if err != nil {
		return nil, err
	}
	numbers = slices.DeleteFunc(numbers, func(n uint64) bool { return n < from.Segment })
	for i, n := range numbers {
		if i > 0 && n != numbers[i-1]+1 {
			return nil, fmt.Errorf("segment %s is missing; restore it from a backup", filepath.Base(l.name(n-1)))
		}
		at := Position{Segment: n}
		if n == from.Segment {
			at.Offset = from.Offset
		}
		last, err := l.empty(numbers[i+1:]) // a segment is begun before its predecessor stops growing
		if err != nil {
			return nil, err
		}
		if l.end, err = l.scan(at, last, replay); err != nil {
			return nil, err
		}
		if last {
			break
		}
	}
	if l.end.Before(from) { // the tail that was taken over is lost: never write into its place
		l.end = Position{Segment: max(from.Segment, l.end.Segment) + 1}
	}
	if err := l.openEnd(); err != nil {
		return nil, err
	}
	return l, nil
}

// empty reports whether segments hold nothing.
func (l *Log) empty(numbers []uint64) (bool, error) {
	for _, n := range numbers {
		info, err := os.Stat(l.name(n))
		if err != nil {
			return false, fmt.Errorf("open segment: %w", err)
		}
		if info.Size() > 0 {
			return false, nil
		}
	}
	return true, nil
}

// segments lists the numbers of the log's files in order.
func (l *Log) segments() ([]uint64, error) {
	names, err := filepath.Glob(filepath.Join(l.dir, "*.log"))
	if err != nil {
		return nil, fmt.Errorf("list segments: %w", err)
	}
	var numbers []uint64
	for _, name := range names {
		var n uint64
		if _, err := fmt.Sscanf(filepath.Base(name), "%08d.log", &n); err == nil && name == l.name(n) {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	return numbers, nil
}

func (l *Log) name(n uint64) string { return filepath.Join(l.dir, fmt.Sprintf("%08d.log", n)) }

// scan replays one segment and gives the position after its last whole record.
func (l *Log) scan(at Position, last bool, replay func([]byte) error) (Position, error) {
	f, err := os.Open(l.name(at.Segment))
	if err != nil {
		return at, fmt.Errorf("open segment: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return at, fmt.Errorf("open segment: %w", err)
	}
	if info.Size() < at.Offset {
		return Position{Segment: at.Segment, Offset: info.Size()}, nil
	}
	if _, err := f.Seek(at.Offset, io.SeekStart); err != nil {
		return at, fmt.Errorf("read segment: %w", err)
	}
	r := bufio.NewReaderSize(f, 1<<20)
	var buf []byte
	for {
		var kind Kind
		kind, buf, err = readFrame(r, info.Size()-at.Offset, buf)
		switch {
		case err == io.EOF:
			return at, nil
		case err == errTorn && last:
			return at, nil
		case err == errTorn:
			return at, fmt.Errorf("segment %s is damaged at byte %d; restore it from a backup", filepath.Base(f.Name()), at.Offset)
		case err != nil:
			return at, fmt.Errorf("read segment: %w", err)
		}
		if kind == Rows {
			if err := replay(buf); err != nil {
				return at, err
			}
		}
		at.Offset += headerSize + int64(len(buf))
	}
}

// openEnd opens the growing segment at the log's end and makes its name durable.
func (l *Log) openEnd() error {
	f, err := os.OpenFile(l.name(l.end.Segment), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return fmt.Errorf("open segment: %w", err)
	}
	if err := errors.Join(f.Truncate(l.end.Offset), l.config.Sync(f), syncFolder(l.dir)); err != nil {
		f.Close()
		return fmt.Errorf("open segment: %w", err)
	}
	l.file, l.synced = f, l.end
	return nil
}

func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// End is the position after the last record.
func (l *Log) End() Position {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.end
}

// Append writes a batch after the last record, whole or not at all. It is not
// durable before Sync returns. Only one goroutine may append.
func (l *Log) Append(b *Batch) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.broken != nil {
		return l.broken
	}
	if _, err := l.file.WriteAt(b.buf, l.end.Offset); err != nil {
		// What was half written must not be taken for records.
		if cut := l.file.Truncate(l.end.Offset); cut != nil {
			l.broken = fmt.Errorf("cut off a half-written record: %w", cut)
		}
		return fmt.Errorf("append to the log: %w", err)
	}
	l.end.Offset += int64(len(b.buf))
	crash.Point("segment.appended")
	return nil
}

// Sync makes every record durable that was appended before the call. After an
// error nothing more can be promised and every later call fails: the program
// has to start again.
func (l *Log) Sync() error {
	l.syncing.Lock()
	defer l.syncing.Unlock()
	l.mu.Lock()
	file, end, broken := l.file, l.end, l.broken
	done := !l.synced.Before(end)
	l.mu.Unlock()
	if broken != nil || done {
		return broken
	}
	crash.Point("segment.sync")
	if err := l.config.Sync(file); err != nil && !errors.Is(err, os.ErrClosed) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.broken = fmt.Errorf("sync the log: %w", err)
		return l.broken
	}
	crash.Point("segment.synced")
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.synced.Before(end) {
		l.synced = end
	}
	return nil
}

// Rotate begins a new segment if the growing one is full. The old one is durable
// when it returns. Only the appending goroutine may call it.
func (l *Log) Rotate() error {
	if full, err := l.full(); !full || err != nil {
		return err
	}
	l.syncing.Lock()
	defer l.syncing.Unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.broken != nil {
		return l.broken
	}
	old, end := l.file, l.end
	if err := l.config.Sync(old); err != nil {
		l.broken = fmt.Errorf("sync the log: %w", err)
		return l.broken
	}
	crash.Point("segment.full")
	l.synced, l.end = end, Position{Segment: end.Segment + 1}
	if err := l.openEnd(); err != nil {
		l.end = end // the old segment simply grows on
		return nil
	}
	return old.Close()
}

// full reports whether it is time for a new segment.
func (l *Log) full() (bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.end.Offset >= l.config.Size, l.broken
}

// Close closes the growing segment. It is idempotent and does not sync.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.broken == nil {
		l.broken = os.ErrClosed
	}
	if err := l.file.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
		return fmt.Errorf("close the log: %w", err)
	}
	return nil
}

// Drop removes the segments before the position that hold no body: their rows
// have been taken over elsewhere. It remembers the others, so that each is
// looked at once. Only one goroutine may call it.
func (l *Log) Drop(before Position) error {
	numbers, err := l.segments()
	if err != nil {
		return err
	}
	for _, n := range numbers {
		if n >= before.Segment || l.kept[n] {
			continue
		}
		bodies, err := holdsBody(l.name(n))
		if err != nil {
			return fmt.Errorf("look through segment: %w", err)
		}
		if bodies {
			l.kept[n] = true
		} else if err := os.Remove(l.name(n)); err != nil {
			return fmt.Errorf("drop segment: %w", err)
		}
	}
	return nil
}
