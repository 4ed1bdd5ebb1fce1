package appliance

import (
	"net/http"

	"footbridge/ui/view"
)

// localRegrets lists who shares no more after records of theirs were sent, until a
// person decides what becomes of those.
func (a *Appliance) localRegrets(r *http.Request) (any, error) {
	all := []view.Regret{}
	for _, code := range a.store.Regrets(r.Context()) {
		account, err := a.store.AccountByHealthCode(r.Context(), code)
		if err != nil {
			return nil, err
		}
		all = append(all, view.Regret{Participant: code, Name: view.NewPerson(account, "").Name})
	}
	return map[string]any{"items": all}, nil
}
