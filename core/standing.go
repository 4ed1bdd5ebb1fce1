package core

// Standing is how a participant stands at one moment, read in one transaction
// with what is decided by it.
type Standing struct {
	App     App
	Account Account
	Studies []Study // those with an active enrolment, by id
	Version int     // latest participant version; 0 where there is none

	// Activities are those of an upload's instance in each of the studies whose
	// timeline has it; empty where the upload names none, or none has it.
	Activities map[StudyID]*Activities
}

// Concerning narrows a standing to the studies whose schedule has the upload's
// instance; where none has it, nothing is narrowed.
func (s Standing) Concerning() Standing {
	if len(s.Activities) == 0 {
		return s
	}
	var concerned []Study
	for _, study := range s.Studies {
		if s.Activities[study.ID] != nil {
			concerned = append(concerned, study)
		}
	}
	s.Studies = concerned
	return s
}

// StudyIDs lists the studies.
func (s Standing) StudyIDs() []StudyID {
	var ids []StudyID
	for _, study := range s.Studies {
		ids = append(ids, study.ID)
	}
	return ids
}

// Destinations lists the projects that the participant's records go to: those
// of the studies that export, then the app-wide one.
func (s Standing) Destinations() []DestinationID {
	var ids []DestinationID
	for _, study := range s.Studies {
		if study.Exports() {
			ids = append(ids, DestinationID(study.ID))
		}
	}
	if s.App.Exports() {
		ids = append(ids, DestinationID(s.App.ID))
	}
	return ids
}
