package schema

// Dossier is everything that goes by one identifier: the revisions of a schema,
// and the versions of the survey whose answers it takes. Deleted ones are in it.
type Dossier struct {
	Schemas []Schema // the newest first
	Surveys []Survey // of one guid, the newest first
}
