package appliancetest

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"footbridge/app/appliance"
	"footbridge/app/control"
	"footbridge/core"
	"footbridge/ui/view"
)

// Participant is the external id of the one who sends, in the study of the plan.
const Participant = "P-17"

// Ask asks for something.
func Ask[T any](t *testing.T, client *control.Client, method, path string, in any) (out T) {
	t.Helper()
	if err := client.Call(t.Context(), method, path, in, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// Eventually waits for something to become true.
func Eventually(t *testing.T, is func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for !is() {
		select {
		case <-ctx.Done():
			t.Fatal("it never is")
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// Enroll makes the participant, who shares all.
func Enroll(t *testing.T, client *control.Client) core.UserID {
	t.Helper()
	return Ask[struct{ Identifier core.UserID }](t, client, http.MethodPost, "/v5/studies/sleep/participants", map[string]any{
		"externalIds": map[string]string{"sleep": Participant}, "password": Password, "sharingScope": "all_qualified_researchers",
	}).Identifier
}

// Device is one that the participant holds.
type Device struct {
	t       *testing.T
	site    http.Handler
	session string
}

// SignIn signs the participant in.
func SignIn(t *testing.T, a *appliance.Appliance) *Device {
	t.Helper()
	d := &Device{t: t, site: a.Handler()}
	var session struct{ SessionToken string }
	d.call(http.MethodPost, "/v4/auth/signIn", map[string]string{"appId": "test-app", "externalId": Participant, "password": Password}, &session)
	d.session = session.SessionToken
	return d
}

// Announce asks for a slot for a file, and gives where it goes; one whose name ends in
// .cms is said to be encrypted.
func (d *Device) Announce(name, text string) (id core.UploadID, url string) {
	d.t.Helper()
	var slot struct {
		ID  core.UploadID
		URL string
	}
	d.call(http.MethodPost, "/v3/uploads", map[string]any{
		"name": name, "contentLength": len(text), "contentType": "text/plain", "contentMd5": digest(text),
		"encrypted": strings.HasSuffix(name, ".cms"), "zipped": false,
	}, &slot)
	return slot.ID, slot.URL
}

// Send sends a file.
func (d *Device) Send(name, text string) core.UploadID {
	d.t.Helper()
	id, url := d.Announce(name, text)
	r := httptest.NewRequest(http.MethodPut, url, strings.NewReader(text))
	r.Header.Set("Content-Type", "text/plain")
	r.Header.Set("Content-MD5", digest(text))
	d.answered(r, nil)
	d.call(http.MethodPost, "/v3/uploads/"+string(id)+"/complete", nil, nil)
	return id
}

// Deliver sends a file and waits until it is in the repository.
func (d *Device) Deliver(client *control.Client, text string) (u view.UploadDetail) {
	d.t.Helper()
	id := d.Send("walk.txt", text)
	Eventually(d.t, func() bool {
		u = Ask[view.UploadDetail](d.t, client, http.MethodGet, "/local/v1/uploads/"+string(id), nil)
		return u.Standing == view.StandingSent
	})
	return u
}

func digest(text string) string {
	sum := md5.Sum([]byte(text))
	return base64.StdEncoding.EncodeToString(sum[:])
}

func (d *Device) call(method, path string, in, out any) {
	d.t.Helper()
	body, err := json.Marshal(in)
	if err != nil {
		d.t.Fatal(err)
	}
	r := httptest.NewRequest(method, path, bytes.NewReader(body))
	r.Header.Set("Bridge-Session", d.session)
	d.answered(r, out)
}

// answered reads the answer to a request; nil: whatever it says.
func (d *Device) answered(r *http.Request, out any) {
	d.t.Helper()
	w := httptest.NewRecorder()
	d.site.ServeHTTP(w, r)
	if w.Code >= 300 {
		d.t.Fatalf("%s %s is answered %d %s", r.Method, r.URL.Path, w.Code, w.Body)
	}
	if out == nil {
		return
	}
	if err := json.Unmarshal(w.Body.Bytes(), out); err != nil {
		d.t.Fatal(err)
	}
}
