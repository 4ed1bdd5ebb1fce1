package view

import (
	"slices"
	"strconv"

	"footbridge/core"
)

// The rule here is: what is being sent is called so, although the store knows nothing of
// it before all of it is here.

// RowNow is Row of an upload that may be arriving.
func (r Reader) RowNow(u UploadRow, t Traffic) Row {
	row := r.Row(u)
	if here := r.here(u, t); here != "" {
		row.State, row.Sentence = r.Say("standing.arriving"), here
	}
	return row
}

// StagesNow are the stages of an upload that may be arriving.
func (r Reader) StagesNow(d UploadDetail, t Traffic) []Stage {
	here := r.here(d.UploadRow, t)
	stages := slices.Clone(d.Stages)
	for i, s := range stages {
		if here != "" && s.Name == "received" && s.State == "now" {
			stages[i].Sentence = here
		}
	}
	return stages
}

// here says how much of an upload is here; nothing where it is not arriving.
func (r Reader) here(u UploadRow, t Traffic) string {
	at, ok := t.arriving(u.ID)
	if !ok || u.Standing != StandingExpected {
		return ""
	}
	percent := 0
	if at.Of > 0 {
		percent = int(min(at.Bytes*100/at.Of, 100))
	}
	return r.Say("row.arriving", "percent", strconv.Itoa(percent), "bytes", r.Bytes(at.Bytes), "of", r.Bytes(at.Of))
}

// arriving is how far an upload is whose bytes are coming.
func (t Traffic) arriving(id core.UploadID) (Transfer, bool) {
	i := slices.IndexFunc(t.Arriving, func(at Transfer) bool { return at.ID == id })
	if i < 0 {
		return Transfer{}, false
	}
	return t.Arriving[i], true
}
