package appliance

import (
	"net/http"

	"footbridge/core"
	"footbridge/ui/view"
)

// localDestinations says where an upload's record stands at each of its
// destinations.
func (a *Appliance) localDestinations(r *http.Request) (any, error) {
	u, err := a.store.Upload(r.Context(), core.UploadID(r.PathValue("id")))
	if err != nil {
		return nil, err
	}
	exports, err := explained{a.store, a}.Exports(r.Context(), u.ID)
	if err != nil {
		return nil, err
	}
	return view.NewExportLines(exports, a.reader(r)), nil
}
