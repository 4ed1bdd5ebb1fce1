package process

import (
	"bytes"
	"io"
	"strings"

	"footbridge/core"
	"footbridge/core/archive"
)

// look says what looks wrong with content, of which it reads as much as it needs
// for that. Nothing it finds is a reason to refuse: without a schema a file is
// exported as it is, and nothing here unpacks it.
func look(content io.Reader, request core.Request) ([]core.Reason, error) {
	var start [2]byte
	n, err := io.ReadFull(content, start[:])
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, err
	}
	if !namedZip(request) && string(start[:n]) != "PK" {
		return nil, nil
	}
	report, err := archive.Look(io.MultiReader(bytes.NewReader(start[:n]), content), limits())
	if err != nil {
		return nil, err
	}
	var reasons []core.Reason
	for _, problem := range report.Problems {
		reasons = append(reasons, core.Reason{Code: "zip_" + problem.Code,
			Message: "The zip looks wrong: " + problem.Message + ". It is exported as it is."})
	}
	return reasons, nil
}

func namedZip(r core.Request) bool {
	return strings.HasSuffix(strings.ToLower(r.Name), ".zip") || strings.HasPrefix(strings.ToLower(r.ContentType), "application/zip")
}

// limits bound how far a zip is looked into. They are wide: a long recording is
// no reason for a warning, and nothing is unpacked.
func limits() archive.Limits {
	return archive.Limits{Entries: 10_000, EntrySize: 8 << 30, TotalSize: 16 << 30, Ratio: 200}
}
