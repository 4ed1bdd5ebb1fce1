package view

import "footbridge/core"

// Regret is that a participant shares no more, of whom records were sent: a person
// decides what becomes of those.
type Regret struct {
	Participant core.HealthCode `json:"participant"`
	Name        string          `json:"name"` // what staff call them
}
