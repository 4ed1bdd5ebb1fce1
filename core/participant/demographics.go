package participant

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"

	"footbridge/core"
)

// The rules here are: demographics are replaced as a whole, those of each study and
// the app-wide ones apart; a category keeps its id for as long as it is there; a
// category has the same value once, so that study, category and value name a row; what
// does not fit into the repository's columns, or would come back from there as another
// text, is refused.

const (
	categoriesMax   = 100
	valuesMax       = 100      // of one category
	valueMax        = 1024     // characters
	demographicsMax = 64 << 10 // bytes of all texts
)

// KeepDemographics replaces a participant's demographics of a study (empty: the
// app-wide ones). Errors: *core.Invalid, core.ErrNotFound.
func (r *Roster) KeepDemographics(ctx context.Context, study core.StudyID, id core.UserID, given core.Demographics) (core.Account, error) {
	kept, err := checkDemographics(given)
	if err != nil {
		return core.Account{}, err
	}
	return r.ledger.UpdateAccount(ctx, id, func(a *core.Account) error {
		now := r.now().UTC()
		before, all := a.DemographicsOf(study), make(core.Demographics, len(kept))
		for category, d := range kept {
			if d.ID = before[category].ID; d.ID == "" {
				d.ID = core.NewID(now)
			}
			all[category] = d
		}
		replace(a, study, all, now)
		return nil
	}, r.next)
}

// ForgetDemographics takes away a participant's demographics of a study (empty: the
// app-wide ones): the one with an id, or all where that is empty. Errors:
// core.ErrNotFound, also where there is nothing to take away.
func (r *Roster) ForgetDemographics(ctx context.Context, study core.StudyID, id core.UserID, which string) (core.Account, error) {
	return r.ledger.UpdateAccount(ctx, id, func(a *core.Account) error {
		rest := core.Demographics{}
		for category, d := range a.DemographicsOf(study) {
			if which != "" && d.ID != which {
				rest[category] = d
			}
		}
		if len(rest) == len(a.DemographicsOf(study)) {
			return fmt.Errorf("demographics: %w", core.ErrNotFound)
		}
		replace(a, study, rest, r.now().UTC())
		return nil
	}, r.next)
}

// replace puts demographics in the place of those of a study.
func replace(a *core.Account, study core.StudyID, all core.Demographics, now time.Time) {
	a.ModifiedOn = now
	switch {
	case study == "":
		a.Demographics = all
	case len(all) == 0:
		delete(a.StudyDemographics, study)
	default:
		if a.StudyDemographics == nil {
			a.StudyDemographics = map[core.StudyID]core.Demographics{}
		}
		a.StudyDemographics[study] = all
	}
}

// checkDemographics gives demographics as they are kept: texts without the spaces
// around them, each value of a category once. Errors: *core.Invalid.
func checkDemographics(given core.Demographics) (core.Demographics, error) {
	invalid := &core.Invalid{Entity: "DemographicUser"}
	if len(given) > categoriesMax {
		invalid.Complain("demographics", "must be at most %d categories", categoriesMax)
		return nil, invalid
	}
	kept, size := make(core.Demographics, len(given)), 0
	for category, d := range given {
		category = strings.TrimSpace(category)
		if category == "" || tooLong(category, textMax) || unprintable(category) {
			invalid.Complain("demographics", "must have categories of 1 to %d characters, none of them a control character", textMax)
			return nil, invalid
		}
		if _, twice := kept[category]; twice {
			invalid.Complain("demographics["+category+"]", "must be there once")
		}
		d = checkDemographic(invalid, "demographics["+category+"]", d)
		kept[category] = d
		size += len(category) + len(d.Units)
		for _, v := range d.Values {
			size += len(v.Value) + len(v.Invalidity)
		}
	}
	if size > demographicsMax {
		invalid.Complain("demographics", "must be at most %d KiB of text", demographicsMax>>10)
	}
	return kept, invalid.Err()
}

func checkDemographic(invalid *core.Invalid, field string, d core.Demographic) core.Demographic {
	d.Units = strings.TrimSpace(d.Units)
	if tooLong(d.Units, textMax) || unprintable(d.Units) {
		invalid.Complain(field+".units", "must be at most %d characters, none of them a control character", textMax)
	}
	var values []core.DemographicValue
	for _, v := range d.Values {
		v.Value, v.Invalidity = strings.TrimSpace(v.Value), strings.TrimSpace(v.Invalidity)
		if !slices.ContainsFunc(values, func(has core.DemographicValue) bool { return has.Value == v.Value }) {
			values = append(values, v)
		}
		if len(values) > valuesMax {
			break
		}
	}
	d.Values = values
	switch {
	case len(values) > valuesMax:
		invalid.Complain(field+".values", "must be at most %d", valuesMax)
	case !d.Multiple && len(values) != 1:
		invalid.Complain(field+".values", "must be exactly one where multipleSelect is false")
	case slices.ContainsFunc(values, func(v core.DemographicValue) bool {
		return v.Value == "" || tooLong(v.Value, valueMax) || unprintable(v.Value)
	}):
		invalid.Complain(field+".values", "must each have 1 to %d characters, none of them a control character", valueMax)
	case slices.ContainsFunc(values, func(v core.DemographicValue) bool { return tooLong(v.Invalidity, textMax) || unprintable(v.Invalidity) }):
		invalid.Complain(field+".values", "must have an invalidity of at most %d characters, none of them a control character", textMax)
	}
	return d
}

// tooLong counts as the repository's columns do: UTF-16 units.
func tooLong(text string, most int) bool {
	return len(text) > most && len(utf16.Encode([]rune(text))) > most
}

// unprintable reports whether a text has control characters other than line ends and
// tabs.
func unprintable(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' })
}
