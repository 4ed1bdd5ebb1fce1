package device

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

// The rules here are: a note is written after what it tells of is durable, as a
// whole or not at all. A note that is lost costs time, never data: the same
// bytes get the same slot. It holds a signed URL, so only its owner reads it.

const (
	noteSuffix   = "footbridge-send.json"
	sealedSuffix = "footbridge-sealed"
)

// How far an upload has come.
const (
	stepReady = "ready" // digest and length are known
	stepSlot  = "slot"  // the site gave a slot
	stepPut   = "put"   // the site has the bytes
)

// note is what another run has to know to go on with an upload.
type note struct {
	Purpose string    `json:"purpose"`
	BaseURL string    `json:"baseUrl"` // that gave URL
	Source  identity  `json:"source"`
	Step    string    `json:"step"`
	MD5     string    `json:"md5"`    // base64, of the bytes to send
	Length  int64     `json:"length"` // of the bytes to send
	ID      string    `json:"id,omitempty"`
	URL     string    `json:"url,omitempty"`
	Expires time.Time `json:"expires,omitzero"`
}

// readNote gives the note at path where it is about the same thing.
func readNote(path, purpose string, source identity) (n note, ok bool) {
	raw, err := os.ReadFile(path)
	if err != nil || json.Unmarshal(raw, &n) != nil {
		return note{}, false
	}
	known := n.Step == stepReady || (n.Step == stepSlot || n.Step == stepPut) && n.ID != ""
	if !known || n.MD5 == "" || n.Purpose != purpose || n.Source.Size != source.Size || !n.Source.ModTime.Equal(source.ModTime) {
		return note{}, false
	}
	return n, true
}

// write makes the note durable at path.
func (n note) write(path string) error {
	if err := writeWhole(path, n); err != nil {
		return fmt.Errorf("write note: %w", err)
	}
	return nil
}

// writeWhole makes v durable at path as JSON, as a whole or not at all.
func writeWhole(path string, v any) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return err
	}
	fresh := path + ".new"
	err = writeNew(fresh, func(f *os.File) error {
		_, err := f.Write(raw)
		return err
	})
	if err != nil {
		return err
	}
	if err := os.Rename(fresh, path); err != nil {
		return errors.Join(err, remove(fresh))
	}
	return nil
}

// writeNew makes a file that only its owner may read, in place of what was
// there, and makes its bytes durable. On an error there is none.
func writeNew(path string, fill func(*os.File) error) error {
	if err := remove(path); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	err = fill(f)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, remove(path))
	}
	return nil
}

func remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
