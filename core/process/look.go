package process

import (
	"bufio"
	"errors"
	"io"
	"strings"

	"footbridge/core"
	"footbridge/core/archive"
)

// look reads content to its end and says what looks wrong with it. Nothing it
// finds is a reason to refuse: without a schema a file is exported as it is, and
// nothing here unpacks it.
func look(content io.Reader, request core.Request) ([]core.Reason, error) {
	in := bufio.NewReaderSize(content, teeSize)
	start, err := in.Peek(4)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	var reasons []core.Reason
	if named := namedZip(request); named || strings.HasPrefix(string(start), "PK") {
		report, err := archive.Look(in, limits())
		if err != nil {
			return nil, err
		}
		for _, problem := range report.Problems {
			reasons = append(reasons, core.Reason{Code: "zip_" + problem.Code,
				Message: "The zip looks wrong: " + problem.Message + ". It is exported as it is."})
		}
	}
	_, err = io.CopyBuffer(struct{ io.Writer }{io.Discard}, in, make([]byte, teeSize))
	return reasons, err
}

func namedZip(r core.Request) bool {
	return strings.HasSuffix(strings.ToLower(r.Name), ".zip") || strings.HasPrefix(strings.ToLower(r.ContentType), "application/zip")
}

// limits bound how far a zip is looked into. They are wide: a long recording is
// no reason for a warning, and nothing is unpacked.
func limits() archive.Limits {
	return archive.Limits{Entries: 10_000, EntrySize: 8 << 30, TotalSize: 16 << 30, Ratio: 200}
}
