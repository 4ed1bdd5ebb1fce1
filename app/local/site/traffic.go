package site

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"footbridge/core"
	"footbridge/ui/view"
)

const (
	movingMin = time.Second // what takes less is not told as being on its way
	movingMax = 50          // files that are told, each way
)

// traffic tells what came lately, and what is on its way.
func (h *Handlers) traffic(r *http.Request) (any, error) {
	ctx := r.Context()
	today := time.Now().In(h.Settings().Zone())
	known, err := h.Store.Days(ctx, view.ChartFrom(today))
	if err != nil {
		return nil, err
	}
	t := view.Traffic{Today: today.Format(time.DateOnly), Days: view.ChartDays(today, known), Copies: 1, Sending: []view.DestinationRate{}}
	if strings.HasPrefix(h.Settings().Repository, "folder:") {
		t.Copies = 2 // most likely
	}
	studies, err := h.Store.Studies(ctx)
	if err != nil {
		return nil, err
	}
	ids := []core.DestinationID{core.DestinationID(h.App)}
	for _, study := range studies {
		ids = append(ids, core.DestinationID(study.ID))
	}
	for _, id := range ids {
		if rate := h.Meter.Rate(id); rate.Records > 0 {
			t.Sending = append(t.Sending, view.DestinationRate{Destination: id, RecordsPerMinute: rate.Records, BytesPerMinute: rate.Bytes})
		}
	}
	t.Arriving = h.transfers(ctx, h.Arriving())
	t.Leaving = h.transfers(ctx, h.Meter.Leaving())
	return t, nil
}

// transfers names the files that have been on their way for a while, the longest
// first.
func (h *Handlers) transfers(ctx context.Context, moving []core.Moving) []view.Transfer {
	slices.SortFunc(moving, func(x, y core.Moving) int { return cmp.Or(x.Since.Compare(y.Since), cmp.Compare(x.Upload, y.Upload)) })
	all := []view.Transfer{}
	for _, m := range moving {
		if time.Since(m.Since) < movingMin || len(all) == movingMax {
			break
		}
		u, err := h.Store.Upload(ctx, m.Upload)
		if err != nil {
			continue // it went meanwhile
		}
		all = append(all, view.Transfer{ID: m.Upload, File: u.Request.Name, Bytes: m.Bytes, Of: m.Of})
	}
	return all
}
