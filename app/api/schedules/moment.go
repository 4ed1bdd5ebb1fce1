package schedules

import (
	"encoding/json"
	"errors"
	"time"

	"footbridge/core"
)

// complaintsMax are as many complaints as are worth reading about one request.
const complaintsMax = 100

// moment is a time in a request as it was written: ISO 8601 or milliseconds since
// 1970. What is wrong with it is said where its field is known.
type moment []byte

// UnmarshalJSON keeps the value as it is.
func (m *moment) UnmarshalJSON(raw []byte) error {
	*m = append(moment(nil), raw...)
	return nil
}

// time gives the time, the zero time where there is none.
func (m moment) time(invalid *core.Invalid, path string) time.Time {
	t, err := m.parse()
	if err != nil && len(invalid.Fields) < complaintsMax {
		invalid.Complain(path, "must be an ISO 8601 time")
	}
	return t
}

func (m moment) parse() (time.Time, error) {
	var text *string
	var ms int64
	switch {
	case len(m) == 0:
		return time.Time{}, nil
	case json.Unmarshal(m, &text) == nil:
		if text == nil || *text == "" {
			return time.Time{}, nil
		}
		return core.ParseTime(*text)
	case json.Unmarshal(m, &ms) == nil:
		return core.Instant(time.UnixMilli(ms), string(m))
	}
	return time.Time{}, errors.New("neither a text nor a whole number")
}
