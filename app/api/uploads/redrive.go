package uploads

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"footbridge/app/api/call"
	"footbridge/core"
	"footbridge/core/upload"
)

// redriveMax is how many uploads are redriven by one call.
const redriveMax = 100

// The rules here are: all uploads are looked up first, and where one is unknown
// none is redriven. One whose file never came cannot be: it is passed over, the
// others are not held up, and the answer names it.

// redriveUploads has uploads processed again.
func (h *Handlers) redriveUploads(w http.ResponseWriter, r *http.Request) error {
	if _, err := h.Require(r, core.RoleAdmin); err != nil {
		return err
	}
	ids, err := redriveList(r)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if _, err := h.Desk.Upload(r.Context(), id); err != nil {
			return err
		}
	}
	var empty []string
	for _, id := range ids {
		_, err := h.Desk.Complete(r.Context(), id, upload.Completion{By: core.CompletedByRedrive, Staff: true, Redrive: true})
		if errors.Is(err, upload.ErrNothingReceived) {
			empty = append(empty, string(id))
		} else if err != nil {
			return err
		}
	}
	text := "Upload redrive completed."
	if len(empty) > 0 {
		text += " Passed over, because no file was ever uploaded to them: " + strings.Join(empty, ", ") + "."
	}
	call.Write(w, http.StatusOK, redriven{call.StatusMessage(text), len(ids) - len(empty)})
	return nil
}

// redriven is the answer to a redrive.
type redriven struct {
	call.Message
	uploads int
}

// DoneWith says how many (call.Accountable).
func (r redriven) DoneWith() (map[string]string, bool) {
	return map[string]string{"uploads": strconv.Itoa(r.uploads)}, r.uploads > 0
}

// redriveList reads which uploads are to be redriven, each once. Errors: 400.
func redriveList(r *http.Request) ([]core.UploadID, error) {
	var asked struct {
		UploadIDs []core.UploadID `json:"uploadIds"`
	}
	if err := call.Read(r, &asked); err != nil {
		return nil, err
	}
	seen := map[core.UploadID]bool{}
	ids := slices.DeleteFunc(asked.UploadIDs, func(id core.UploadID) bool {
		again := seen[id]
		seen[id] = true
		return again
	})
	invalid := &core.Invalid{Entity: "UploadRedriveList"}
	switch {
	case len(ids) == 0:
		invalid.Complain("uploadIds", "must name at least one upload")
	case len(ids) > redriveMax:
		invalid.Complain("uploadIds", "must name at most %d uploads; send the rest in another request", redriveMax)
	case seen[""]:
		invalid.Complain("uploadIds", "must not hold null or blank ids")
	}
	return ids, invalid.Err()
}
