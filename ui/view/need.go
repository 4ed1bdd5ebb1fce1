package view

// Need is something that needs a person.
type Need struct {
	Sentence string `json:"sentence"` // what it is, and what to do
	Place    Place  `json:"place,omitempty"`
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
