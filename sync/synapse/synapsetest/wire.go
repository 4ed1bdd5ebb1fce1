package synapsetest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
)

// bodyLimit is the largest body of a request, in bytes.
const bodyLimit = 2 << 20

// call is one request of a signed-in user.
type call struct {
	*http.Request
	user  *User
	fault *Fault
	body  []byte
}

// read takes the body in.
func (c *call) read() error {
	body, err := io.ReadAll(io.LimitReader(c.Body, bodyLimit+1))
	if err != nil {
		return bad("The request could not be read")
	}
	if len(body) > bodyLimit {
		return problem{status: http.StatusRequestEntityTooLarge, Reason: "Request size in bytes exceeds the limit of 2097152 bytes."}
	}
	c.body = body
	return nil
}

// decode reads the body, which may have no field that to has not.
func (c *call) decode(to any) error {
	if len(c.body) > 0 && c.Header.Get("Content-Type") != "application/json" {
		return problem{status: http.StatusUnsupportedMediaType, Reason: "Content type '" + c.Header.Get("Content-Type") + "' not supported"}
	}
	decoder := json.NewDecoder(bytes.NewReader(c.body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(to); err != nil {
		return bad("The request body is not what it should be: " + err.Error())
	}
	return nil
}

// problem is why a call is refused.
type problem struct {
	status int
	bare   bool // only a reason, as from the throttle
	Reason string
	Code   string
}

// Error gives the reason.
func (p problem) Error() string { return p.Reason }

func bad(reason string) problem { return problem{status: http.StatusBadRequest, Reason: reason} }
func missing(reason string) problem {
	return problem{status: http.StatusNotFound, Reason: reason}
}
func forbidden(reason string) problem {
	return problem{status: http.StatusForbidden, Reason: reason}
}
func taken(reason string) problem { return problem{status: http.StatusConflict, Reason: reason} }

// stale is what an etag of yesterday is answered.
func stale(id string) problem {
	return problem{status: http.StatusPreconditionFailed,
		Reason: "Object: " + id + " was updated since you last fetched it, retrieve it again and re-apply the update"}
}

// refusal gives the answer to a call that is refused.
func refusal(err error) (int, any) {
	var p problem
	if !errors.As(err, &p) {
		p = problem{status: http.StatusInternalServerError, Reason: err.Error()}
	}
	body := map[string]any{"reason": p.Reason}
	if !p.bare {
		body["concreteType"] = "org.sagebionetworks.repo.model.ErrorResponse"
	}
	if p.Code != "" {
		body["errorCode"] = p.Code
	}
	return p.status, body
}

// answer writes a body as JSON; nil is none.
func answer(w http.ResponseWriter, status int, body any) {
	switch body := body.(type) {
	case nil:
		w.WriteHeader(status)
		return
	case plain:
		w.Header().Set("Content-Type", "text/plain;charset=UTF-8")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, string(body))
		return
	case moved:
		w.Header().Set("Location", string(body))
		w.WriteHeader(status)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // the caller may have hung up
}
