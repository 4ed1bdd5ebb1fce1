package process

import (
	"context"
	"encoding/json"

	"footbridge/core"
)

// finding is what the bytes proved to be.
type finding struct {
	plain     core.Digest   // of the bytes once opened
	reasons   []core.Reason // what looks wrong
	envelope  string        // of an encrypted message, once its head was read
	rejection *core.Reason  // nil: there is a record
	record    *core.Record
}

// schemaless judges an upload whose bytes are exported as they are. Those that
// were sent open are read only where there may be a zip to look at.
func (w *Worker) schemaless(ctx context.Context, u core.Upload) (finding, error) {
	c, err := w.open(ctx, u)
	if err != nil {
		return finding{envelope: c.envelope}, err
	}
	defer c.Close()
	reasons, err := look(c, u.Request)
	if err == nil {
		err = c.finish()
	}
	return finding{
		plain: c.plain, envelope: c.envelope, reasons: append(reasons, c.reasons...),
		record: &core.Record{CreatedOn: u.Facts.UploadedOn, Data: json.RawMessage("{}"), Metadata: Strings(u.Request.Metadata)},
	}, err
}
