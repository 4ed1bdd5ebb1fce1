package core

// Demographics is what is known of a participant beside their data, by category,
// such as age or ethnicity.
type Demographics map[string]Demographic

// Demographic is what is known of a participant in one category.
type Demographic struct {
	ID       string             `json:"id,omitempty"`   // names it among the participant's; empty where it is part of a version
	Multiple bool               `json:"multipleSelect"` // any number of values; else there is exactly one
	Values   []DemographicValue `json:"values,omitempty"`
	Units    string             `json:"units,omitempty"` // of the values; empty: they have none
}

// DemographicValue is one value of a category, as text.
type DemographicValue struct {
	Value      string `json:"value"`
	Invalidity string `json:"invalidity,omitempty"` // what is wrong with it, in words; empty: nothing
}

// DemographicRow is one row of the table of demographics: a value that a participant
// version has in a category. A category without values has one row without a value.
type DemographicRow struct {
	HealthCode HealthCode
	Version    int
	Study      StudyID // empty: app-wide
	Category   string
	Value      string // empty: none
	Units      string
	Invalidity string
}
