package analysis

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"footbridge/core"
	"footbridge/sync/reconcile"
	"footbridge/sync/synapse"
)

// The rules here are: that a table never takes a version, or some of its demographics,
// is kept until it does; a person is told of it until a later version of the same
// participant is there. Why tells column and limit, and never a value.

// untaken is a version that is not all in the tables.
type untaken struct {
	HealthCode core.HealthCode `json:"healthCode"`
	Version    int             `json:"version"`
	Why        string          `json:"why"`
	Since      int64           `json:"since,omitempty"`  // when the version was made, milliseconds of Unix time; 0: nobody knows
	Passed     bool            `json:"passed,omitempty"` // a later version is there
}

func (u untaken) row() reconcile.Row {
	return reconcile.Row{HealthCode: u.HealthCode, Version: u.Version}
}

func untakenName(d core.DestinationID) string { return "untaken/" + string(d) }

// untaken gives the versions that are not all in a destination's tables.
func (r *Repository) untaken(ctx context.Context, d core.DestinationID) (map[reconcile.Row]untaken, error) {
	var all []untaken
	if text := r.memory.Memo(ctx, untakenName(d)); text != nil {
		if err := json.Unmarshal(text, &all); err != nil {
			return nil, fmt.Errorf("read what the tables do not take: %w", err)
		}
	}
	known := make(map[reconcile.Row]untaken, len(all))
	for _, one := range all {
		known[one.row()] = one
	}
	return known, nil
}

// refusals are the rows that the tables refused of some versions.
type refusals map[reconcile.Row]string

// add takes in what one table refused. Of several reasons one is enough, always the
// same.
func (r refusals) add(refused map[synapse.Key]error) {
	for key, err := range refused {
		row, why := reconcile.Row{HealthCode: key.HealthCode, Version: key.Version}, err.Error()
		var answer *synapse.Error
		if errors.As(err, &answer) && answer.Reason != "" {
			why = strings.TrimRight(answer.Reason, ". ")
		}
		if before, ok := r[row]; !ok || why < before {
			r[row] = why
		}
	}
}

// noteUntaken keeps what became of the versions that were sent; versions are all that
// belong in the tables.
func (r *Repository) noteUntaken(ctx context.Context, d core.DestinationID, versions, sent []core.ParticipantVersion, refused refusals) error {
	before, err := r.untaken(ctx, d)
	if err != nil {
		return err
	}
	now := maps.Clone(before)
	for _, v := range sent {
		row := reconcile.Row{HealthCode: v.HealthCode, Version: v.Version}
		delete(now, row)
		if why, ok := refused[row]; ok {
			now[row] = untaken{HealthCode: v.HealthCode, Version: v.Version, Why: why, Since: v.ModifiedOn.UnixMilli()}
		}
	}
	if len(now) == 0 && len(before) == 0 {
		return nil
	}
	latest := map[core.HealthCode]int{} // that is there
	for _, v := range versions {
		if _, missing := now[reconcile.Row{HealthCode: v.HealthCode, Version: v.Version}]; !missing {
			latest[v.HealthCode] = max(latest[v.HealthCode], v.Version)
		}
	}
	for row, one := range now {
		one.Passed = latest[one.HealthCode] > one.Version
		now[row] = one
	}
	if maps.Equal(before, now) {
		return nil
	}
	text, err := json.Marshal(sorted(now))
	if err != nil {
		return err
	}
	return r.memory.Keep(ctx, untakenName(d), text)
}

func sorted(all map[reconcile.Row]untaken) []untaken {
	return slices.SortedFunc(maps.Values(all), func(a, b untaken) int {
		if a.HealthCode != b.HealthCode {
			return strings.Compare(string(a.HealthCode), string(b.HealthCode))
		}
		return a.Version - b.Version
	})
}

// untakenTold is how many participants are told of one by one.
const untakenTold = 5

// Untaken says whose versions a destination's tables do not take, and what helps, as
// sentences; none where they hold all, or a later version of each.
func (r *Repository) Untaken(ctx context.Context, d core.DestinationID) (sentences []string, err error) {
	all, err := r.untaken(ctx, d)
	if err != nil {
		return nil, err
	}
	more := 0
	for _, one := range sorted(all) {
		switch {
		case one.Passed:
		case len(sentences) == untakenTold:
			more++
		default:
			sentences = append(sentences, one.sentence(d))
		}
	}
	if more > 0 {
		sentences = append(sentences, fmt.Sprintf("There are %d more such versions for %s; footbridge sync reconcile lists them.", more, d))
	}
	return sentences, nil
}

// sentence says so of one version, since when, and what helps.
func (u untaken) sentence(d core.DestinationID) string {
	if u.Since == 0 {
		return fmt.Sprintf("The repository does not take version %d of participant %s into the tables of %s: %s. Shorten or correct that value of theirs; it makes a new version, which is sent.", u.Version, u.HealthCode, d, u.Why)
	}
	since := time.UnixMilli(u.Since).UTC().Format("2006-01-02 15:04:05 UTC") // which reads the same in every language
	return fmt.Sprintf("Since %s the repository does not take version %d of participant %s into the tables of %s: %s. Shorten or correct that value of theirs; it makes a new version, which is sent.", since, u.Version, u.HealthCode, d, u.Why)
}

// withUntaken says of versions that are not all there which of them never will be.
func (r *Repository) withUntaken(ctx context.Context, d core.DestinationID, rows map[reconcile.Row]int) (map[reconcile.Row]int, error) {
	all, err := r.untaken(ctx, d)
	for row, one := range all {
		switch {
		case rows[row] != 0:
		case one.Passed:
			rows[row] = reconcile.Passed
		default:
			rows[row] = reconcile.Refused
		}
	}
	return rows, err
}
