package audit

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"time"

	"footbridge/app/api"
	"footbridge/app/api/call"
	"footbridge/core"
	"footbridge/ui/view"
)

// audit gives every deed of a time as lines of JSON, the oldest first.
func (h *Handlers) audit(r *http.Request) (any, error) {
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
		return h.Store.Deeds(r.Context(), span[0], span[1], func(d core.Deed) error {
			people, err := h.people(r.Context(), d)
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

// deeds gives the last deeds, or those before some that were given.
func (h *Handlers) deeds(r *http.Request) (any, error) {
	asked, size := r.URL.Query(), deedsAtOnce
	if text := asked.Get("pageSize"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > deedsMax {
			return nil, api.BadRequest("Query parameter pageSize must be a whole number from 1 to " + strconv.Itoa(deedsMax) + ".")
		}
		size = n
	}
	deeds, next, err := h.Store.LastDeeds(r.Context(), asked.Get("before"), size)
	page := view.DeedPage{Deeds: []view.DeedRow{}, Next: next}
	for _, d := range deeds {
		row := view.DeedRow{Deed: d}
		if err == nil {
			row.People, err = h.people(r.Context(), d)
		}
		page.Deeds = append(page.Deeds, row)
	}
	return page, err
}

// people are the accounts that a deed names and that are here still.
func (h *Handlers) people(ctx context.Context, d core.Deed) (map[string]view.Person, error) {
	named := map[string]view.Person{}
	for _, name := range []string{string(d.Who), d.With["user"], d.With["participant"]} {
		if name == "" {
			continue
		}
		account, err := call.Find(ctx, h.Store, name)
		if errors.Is(err, core.ErrNotFound) { // records are withdrawn by a health code
			account, err = h.Store.AccountByHealthCode(ctx, core.HealthCode(name))
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
