package core

import "time"

// Day is what came in on one date of the site's time zone, the one by which the
// repository's folders are named.
type Day struct {
	Date    string `json:"date"`    // YYYY-MM-DD
	Uploads int    `json:"uploads"` // that were completed
	Bytes   int64  `json:"bytes"`   // of their files, as they came
}

// Moving is a file on its way in or out, as far as it is known at this moment.
type Moving struct {
	Upload UploadID
	Bytes  int64 // that have moved
	Of     int64 // in all
	Since  time.Time
}
