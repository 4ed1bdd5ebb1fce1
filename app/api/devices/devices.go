package devices

import (
	"errors"
	"fmt"
	"net/http"
	"slices"

	"footbridge/app/api/call"
	"footbridge/core"
	"footbridge/ui/view"
)

// devices lists the devices, those that were here last first.
func (h *Handlers) devices(w http.ResponseWriter, r *http.Request) error {
	if _, err := h.Require(r, core.RoleAdmin); err != nil {
		return err
	}
	all, err := h.Desk.Devices(r.Context())
	if err != nil {
		return err
	}
	slices.SortStableFunc(all, func(a, b core.FieldDevice) int { return b.Seen().Compare(a.Seen()) })
	lines := []view.DeviceLine{}
	for _, d := range all {
		line, err := h.line(r, d)
		if err != nil {
			return err
		}
		lines = append(lines, line)
	}
	call.Write(w, http.StatusOK, lines)
	return nil
}

// line describes a device; whose account is gone, its device is not.
func (h *Handlers) line(r *http.Request, d core.FieldDevice) (view.DeviceLine, error) {
	a, err := h.Store.Account(r.Context(), d.User)
	if err != nil && !errors.Is(err, core.ErrNotFound) {
		return view.DeviceLine{}, err
	}
	return view.NewDeviceLine(d, a), nil
}

// find gives a device. Errors: core.ErrNotFound.
func (h *Handlers) find(r *http.Request, id core.DeviceID) (view.DeviceLine, error) {
	all, err := h.Desk.Devices(r.Context())
	if err != nil {
		return view.DeviceLine{}, err
	}
	i := slices.IndexFunc(all, func(d core.FieldDevice) bool { return d.ID == id })
	if i < 0 {
		return view.DeviceLine{}, fmt.Errorf("device: %w", core.ErrNotFound)
	}
	return h.line(r, all[i])
}

// device shows one.
func (h *Handlers) device(w http.ResponseWriter, r *http.Request) error {
	if _, err := h.Require(r, core.RoleAdmin); err != nil {
		return err
	}
	line, err := h.find(r, core.DeviceID(r.PathValue("id")))
	if err != nil {
		return err
	}
	call.Write(w, http.StatusOK, line)
	return nil
}

// forgotten is a device that was let go of.
type forgotten struct {
	call.Message
	user core.UserID
}

// DoneWith names whose it was; the path names the device (call.Accountable).
func (f forgotten) DoneWith() (map[string]string, bool) {
	return map[string]string{"user": string(f.user)}, true
}

// forget lets go of a device.
func (h *Handlers) forget(w http.ResponseWriter, r *http.Request) error {
	if _, err := h.Require(r, core.RoleAdmin); err != nil {
		return err
	}
	d, err := h.Desk.Forget(r.Context(), core.DeviceID(r.PathValue("id")))
	if err != nil {
		return err
	}
	call.Write(w, http.StatusOK, forgotten{call.StatusMessage("The device is forgotten, and cannot sign in any more."), d.User})
	return nil
}
