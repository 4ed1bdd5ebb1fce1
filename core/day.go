package core

// Day is what came in on one date of the site's time zone, the one by which the
// repository's folders are named.
type Day struct {
	Date    string `json:"date"`    // YYYY-MM-DD
	Uploads int    `json:"uploads"` // that were completed
	Bytes   int64  `json:"bytes"`   // of their files, as they came
}
