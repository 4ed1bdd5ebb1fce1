package setup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"footbridge/app/config"
	"footbridge/core"
	"footbridge/store"
)

// The rules here are: what a person changes is in the audit, also in the settings
// file with an editor, and while nothing runs. Of settings it has the names alone.

// Witness tells the audit which settings are others. Safe for concurrent use.
type Witness struct {
	live  *config.Live
	store *store.Store

	mu   sync.Mutex        // of settings and what the audit knows of them
	told map[string]string // digests of settings that the audit was told of, until they are remembered
}

// NewWitness makes one that was told of nothing yet.
func NewWitness(live *config.Live, store *store.Store) *Witness {
	return &Witness{live: live, store: store, told: map[string]string{}}
}

// memo holds a digest of each setting as the audit knows it.
const memo = "settings"

// Look notes which settings are others than when it looked last; the first time, it only
// remembers them. What was changed through the API is in the audit already.
func (w *Witness) Look(ctx context.Context) error {
	now := w.live.Settings()
	w.mu.Lock()
	defer w.mu.Unlock()
	known, digests := map[string]string{}, map[string]string{}
	if text := w.store.Memo(ctx, memo); text != nil {
		if err := json.Unmarshal(text, &known); err != nil {
			return fmt.Errorf("read the settings that were seen last: %w", err)
		}
	}
	var changed []string
	same := true
	for _, s := range now.List() {
		digest, err := digestOf(s)
		if err != nil {
			return err
		}
		digests[s.Key] = digest
		was, seen := known[s.Key]
		if same = same && was == digest; seen && was != digest && w.told[s.Key] != digest { // else a new version brought it
			changed = append(changed, s.Key)
		}
	}
	if same {
		return nil
	}
	text, err := json.Marshal(digests)
	if err == nil && len(changed) > 0 {
		slices.Sort(changed)
		err = w.store.Note(ctx, core.Deed{
			At: time.Now().UTC().Truncate(time.Millisecond), Did: core.DeedSettingsChanged, With: map[string]string{"settings": strings.Join(changed, ", ")},
		})
	}
	if err == nil {
		err = w.store.Keep(ctx, memo, text)
	}
	if err == nil {
		clear(w.told)
	}
	return err
}

// digestOf is what the audit knows a setting's value by.
func digestOf(s config.Setting) (string, error) {
	value, err := json.Marshal(s.Value)
	if err != nil {
		return "", fmt.Errorf("remember setting %s: %w", s.Key, err)
	}
	sum := sha256.Sum256(value)
	return hex.EncodeToString(sum[:]), nil
}

// change changes a setting for someone whom the API tells the audit of; false where it
// is as it was.
func (w *Witness) change(key, value string) (bool, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	before, _ := w.live.Settings().Written(key) // an entry of a table may not be there
	if err := w.live.Change(key, value); err != nil {
		return false, err
	}
	for _, s := range w.live.Settings().List() {
		if s.Key != key && !strings.HasPrefix(key, s.Key+".") {
			continue
		}
		digest, err := digestOf(s)
		if err != nil {
			return true, err
		}
		w.told[s.Key] = digest
	}
	after, err := w.live.Settings().Written(key)
	return before != after, err
}
