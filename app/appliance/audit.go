package appliance

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"footbridge/app/api"
	"footbridge/app/api/call"
	"footbridge/app/config"
	"footbridge/core"
	"footbridge/ui/view"
)

// The rules here are: what a person changes is in the audit, also in the settings
// file with an editor, and while nothing runs. Of settings it has the names alone.

// note keeps what the operator did.
func (a *Appliance) note(ctx context.Context, did core.DeedKind, with map[string]string) error {
	return a.store.Note(ctx, core.Deed{At: time.Now().UTC().Truncate(time.Millisecond), Did: did, With: with})
}

// settingsMemo holds a digest of each setting as the audit knows it.
const settingsMemo = "settings"

// noteSettings keeps which settings are others than when it was called last; the
// first time, it only remembers them. What was changed through the API is in the audit
// already.
func (a *Appliance) noteSettings(ctx context.Context, now config.Settings) error {
	a.settling.Lock()
	defer a.settling.Unlock()
	known, digests := map[string]string{}, map[string]string{}
	if memo := a.store.Memo(ctx, settingsMemo); memo != nil {
		if err := json.Unmarshal(memo, &known); err != nil {
			return fmt.Errorf("read the settings that were seen last: %w", err)
		}
	}
	var changed []string
	same := true
	for _, s := range now.List() {
		digest, err := settingDigest(s)
		if err != nil {
			return err
		}
		digests[s.Key] = digest
		was, seen := known[s.Key]
		if same = same && was == digest; seen && was != digest && a.told[s.Key] != digest { // else a new version brought it
			changed = append(changed, s.Key)
		}
	}
	if same {
		return nil
	}
	text, err := json.Marshal(digests)
	if err == nil && len(changed) > 0 {
		slices.Sort(changed)
		err = a.note(ctx, core.DeedSettingsChanged, map[string]string{"settings": strings.Join(changed, ", ")})
	}
	if err == nil {
		err = a.store.Keep(ctx, settingsMemo, text)
	}
	if err == nil {
		clear(a.told)
	}
	return err
}

// settingDigest is what the audit knows a setting's value by.
func settingDigest(s config.Setting) (string, error) {
	value, err := json.Marshal(s.Value)
	if err != nil {
		return "", fmt.Errorf("remember setting %s: %w", s.Key, err)
	}
	sum := sha256.Sum256(value)
	return hex.EncodeToString(sum[:]), nil
}

// changeSetting changes a setting for someone whom the API tells the audit of; false
// where it is as it was.
func (a *Appliance) changeSetting(key, value string) (bool, error) {
	a.settling.Lock()
	defer a.settling.Unlock()
	before, _ := a.live.Settings().Written(key) // an entry of a table may not be there
	if err := a.live.Change(key, value); err != nil {
		return false, err
	}
	for _, s := range a.live.Settings().List() {
		if s.Key != key && !strings.HasPrefix(key, s.Key+".") {
			continue
		}
		digest, err := settingDigest(s)
		if err != nil {
			return true, err
		}
		a.told[s.Key] = digest
	}
	after, err := a.live.Settings().Written(key)
	return before != after, err
}

// localAudit gives every deed of a time as lines of JSON, the oldest first.
func (a *Appliance) localAudit(r *http.Request) (any, error) {
	var span [2]time.Time
	for i, name := range []string{"since", "until"} {
		if text := r.URL.Query().Get(name); text != "" {
			at, err := time.Parse(time.RFC3339, text)
			if err != nil {
				return nil, api.BadRequest("Query parameter " + name + " must be a time such as 2026-11-20T08:00:00Z.")
			}
			span[i] = at
		}
	}
	if !span[1].IsZero() && span[1].Before(span[0]) {
		return nil, api.BadRequest("The time until is before since.")
	}
	return api.Stream{ContentType: "application/jsonl; charset=utf-8", Write: func(w io.Writer) error {
		encoder := json.NewEncoder(w)
		return a.store.Deeds(r.Context(), span[0], span[1], func(d core.Deed) error {
			people, err := a.people(r.Context(), d)
			if err != nil {
				return err
			}
			return encoder.Encode(view.DeedRow{Deed: d, People: people})
		})
	}}, nil
}

const (
	deedsAtOnce = 100 // on a page, where nobody says how many
	deedsMax    = 500
)

// localDeeds gives the last deeds, or those before some that were given.
func (a *Appliance) localDeeds(r *http.Request) (any, error) {
	asked, size := r.URL.Query(), deedsAtOnce
	if text := asked.Get("pageSize"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > deedsMax {
			return nil, api.BadRequest("Query parameter pageSize must be a whole number from 1 to " + strconv.Itoa(deedsMax) + ".")
		}
		size = n
	}
	deeds, next, err := a.store.LastDeeds(r.Context(), asked.Get("before"), size)
	page := view.DeedPage{Deeds: []view.DeedRow{}, Next: next}
	for _, d := range deeds {
		row := view.DeedRow{Deed: d}
		if err == nil {
			row.People, err = a.people(r.Context(), d)
		}
		page.Deeds = append(page.Deeds, row)
	}
	return page, err
}

// people are the accounts that a deed names and that are here still.
func (a *Appliance) people(ctx context.Context, d core.Deed) (map[string]view.Person, error) {
	named := map[string]view.Person{}
	for _, name := range []string{string(d.Who), d.With["user"], d.With["participant"]} {
		if name == "" {
			continue
		}
		account, err := call.Find(ctx, a.store, name)
		if errors.Is(err, core.ErrNotFound) { // records are withdrawn by a health code
			account, err = a.store.AccountByHealthCode(ctx, core.HealthCode(name))
		}
		if errors.Is(err, core.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		named[name] = view.NewPerson(account, core.StudyID(d.With["study"]))
	}
	return named, nil
}
