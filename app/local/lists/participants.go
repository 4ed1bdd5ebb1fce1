package lists

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"footbridge/app/api"
	"footbridge/core"
	"footbridge/store"
	"footbridge/ui/view"
)

// The rules here are: a page of participants reads its own rows, however many the
// study has; who is late is read off the beginning of their order. Only a text is
// looked for among all, and one answer looks at so many and tells where to go on.

const lateDaysMax = 365

// participants lists a study's participants as people look for them: whoever was
// silent longest first.
func (h *Handlers) participants(r *http.Request) (any, error) {
	q, err := participantQuery(r)
	if err != nil {
		return nil, err
	}
	if _, err := h.Store.Study(r.Context(), q.Study); err != nil {
		return nil, err
	}
	return h.participantPage(r.Context(), q)
}

func participantQuery(r *http.Request) (view.ParticipantQuery, error) {
	asked := r.URL.Query()
	q := view.ParticipantQuery{
		Study: core.StudyID(r.PathValue("study")), Presence: view.Presence(asked.Get("presence")), Text: asked.Get("text"), From: asked.Get("from"),
	}
	if q.Presence != "" && !slices.Contains(view.Presences(), q.Presence) {
		return q, api.BadRequest("Query parameter presence must be one of those that participants are listed with.")
	}
	var err error
	if q.Size, err = wholeNumber(asked, "pageSize", listedAtOnce, listedMax); err == nil {
		q.Days, err = wholeNumber(asked, "days", view.LateDays, lateDaysMax)
	}
	return q, err
}

// wholeNumber reads one from 1 to most that a query may name. Errors: 400.
func wholeNumber(asked url.Values, name string, otherwise, most int) (int, error) {
	text := asked.Get(name)
	if text == "" {
		return otherwise, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > most {
		return 0, api.BadRequest("Query parameter " + name + " must be a whole number from 1 to " + strconv.Itoa(most) + ".")
	}
	return n, nil
}

// participantPage looks for the participants of a page.
func (h *Handlers) participantPage(ctx context.Context, q view.ParticipantQuery) (view.ParticipantPage, error) {
	since := q.LateSince(time.Now())
	page, looked := view.ParticipantPage{Rows: []view.ParticipantRow{}, Late: h.Store.Late(ctx, q.Study, since)}, 0
	begin, end := stretch(q.Presence, since)
	return page, h.Store.Members(ctx, q.Study, max(q.From, begin), func(m core.Member) bool {
		switch {
		case end != "" && m.Place >= end:
			return false
		case len(page.Rows) == q.Size || looked == lookedAtAtOnce:
			page.Next = m.Place
			return false
		}
		looked++
		if row := view.NewParticipantRow(m, q.Study, since); q.Shows(row) {
			page.Rows = append(page.Rows, row)
		}
		return true
	})
}

// stretch is where those with a presence begin in a study's order, and what comes
// behind them; empty: nothing does.
func stretch(p view.Presence, since time.Time) (begin, end string) {
	expected, excused, ended := store.PlaceOf(core.AttendanceExpected), store.PlaceOf(core.AttendanceExcused), store.PlaceOf(core.AttendanceEnded)
	switch p {
	case view.PresenceLate:
		return expected, store.PlaceSince(since)
	case view.PresenceInTime:
		return store.PlaceSince(since), excused
	case view.PresenceExcused:
		return excused, ended
	case view.PresenceWithdrawn:
		return ended, ""
	}
	return "", ""
}

// participant shows one participant of a study in its list.
func (h *Handlers) participant(r *http.Request) (any, error) {
	q, err := participantQuery(r)
	if err != nil {
		return nil, err
	}
	m, err := h.Store.Member(r.Context(), q.Study, core.UserID(r.PathValue("user")))
	return view.NewParticipantRow(m, q.Study, q.LateSince(time.Now())), err
}
