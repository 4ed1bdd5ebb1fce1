package call

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"footbridge/core"
)

// The rules here are: a list by time says with each page where the next one
// begins. Without times it covers the last day; with one of them, the day that
// ends or begins there.

const (
	forwardSize = 50  // items of a page, where the query does not say
	forwardMax  = 100 // items
	forwardDay  = 24 * time.Hour
)

// Window is the part of a list by time that a query asks for.
type Window struct {
	From, To time.Time // both included
	Size     int       // items of a page
	Offset   string    // an id: where an earlier page said that this one begins; may be empty
}

// ReadWindow reads startTime, endTime, pageSize and offsetKey. Errors: 400.
func ReadWindow(r *http.Request, now time.Time) (Window, error) {
	var window Window
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return window, BadRequest("The query of the address is malformed. Check how its values are escaped.")
	}
	if window.Size, err = Number(r, "pageSize", forwardSize, 1, forwardMax); err != nil {
		return window, err
	}
	if window.From, err = instant(query, "startTime"); err != nil {
		return window, err
	}
	if window.To, err = instant(query, "endTime"); err != nil {
		return window, err
	}
	switch from, to := window.From.IsZero(), window.To.IsZero(); {
	case from && to:
		window.To = now
		window.From = now.Add(-forwardDay)
	case from:
		window.From = window.To.Add(-forwardDay)
	case to:
		window.To = window.From.Add(forwardDay)
	case window.From.After(window.To):
		return window, BadRequest(fmt.Sprintf("Start time cannot be after end time: %s - %s", core.FormatTime(window.From), core.FormatTime(window.To)))
	}
	if window.Offset = query.Get("offsetKey"); window.Offset != "" && !core.ValidID(window.Offset) {
		return window, BadRequest(fmt.Sprintf("Invalid offsetKey: %s. Send the nextPageOffsetKey of the page before.", window.Offset))
	}
	return window, nil
}

// instant reads an optional time of a query, zero where it is absent. A + that
// was not escaped arrives as a space. Errors: 400.
func instant(query url.Values, name string) (time.Time, error) {
	text := query.Get(name)
	if text == "" {
		return time.Time{}, nil
	}
	at, err := core.ParseTime(strings.ReplaceAll(text, " ", "+"))
	if err != nil {
		return at, BadRequest(fmt.Sprintf("Query parameter %s must be a time such as 2026-11-20T08:00:00.000Z.", name))
	}
	return at, nil
}

// forwardPage is a ForwardCursorPagedResourceList. What was asked for stands in
// it twice: old clients read it beside the items.
type forwardPage[T any] struct {
	Items             []T          `json:"items"`
	NextPageOffsetKey string       `json:"nextPageOffsetKey,omitempty"`
	HasNext           bool         `json:"hasNext"`
	RequestParams     forwardAsked `json:"requestParams"`
	forwardWindow
	Type string `json:"type"`
}

type forwardAsked struct {
	forwardWindow
	Type string `json:"type"`
}

type forwardWindow struct {
	OffsetKey string `json:"offsetKey,omitempty"`
	PageSize  int    `json:"pageSize"`
	StartTime Time   `json:"startTime"`
	EndTime   Time   `json:"endTime"`
}

// WriteForward answers with a page of a window, and where the next page begins;
// empty where there is none.
func WriteForward[T any](w http.ResponseWriter, window Window, items []T, next string) {
	asked := forwardWindow{window.Offset, window.Size, Time(window.From), Time(window.To)}
	Write(w, http.StatusOK, forwardPage[T]{
		Items: append([]T{}, items...), NextPageOffsetKey: next, HasNext: next != "",
		RequestParams: forwardAsked{asked, "RequestParams"}, forwardWindow: asked, Type: "ForwardCursorPagedResourceList",
	})
}
