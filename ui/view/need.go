package view

import "slices"

// Need is something that needs a person.
type Need struct {
	Kind     string `json:"kind"`     // of whatever number, and in every language the same
	Sentence string `json:"sentence"` // what it is, and what to do
	Place    Place  `json:"place,omitempty"`
}

// SendingNeeds are what a person has to do before all is sent, but for what the page
// “Sending” lists itself; false where no destination needs anyone.
func (o Overview) SendingNeeds() (all []Need, some bool) {
	if !slices.ContainsFunc(o.Destinations, func(d DestinationLine) bool { return d.State == "needs_person" }) {
		return nil, false
	}
	return slices.DeleteFunc(slices.Clone(o.Needs), func(n Need) bool { return n.Place == PlaceSending }), true
}

// Place is where in the window something is put right; empty where that is elsewhere.
type Place string

// The places.
const (
	PlaceNone     Place = ""
	PlaceRefused  Place = "refused" // the uploads that could not be opened
	PlaceSending  Place = "sending"
	PlaceStudy    Place = "study"
	PlaceSettings Place = "settings"
)
