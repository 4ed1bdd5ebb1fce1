package appliance

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

// localTraffic tells what came lately, and what is on its way.
func (a *Appliance) localTraffic(r *http.Request) (any, error) {
	ctx := r.Context()
	today := time.Now().In(a.live.Settings().Zone())
	known, err := a.store.Days(ctx, view.ChartFrom(today))
	if err != nil {
		return nil, err
	}
	t := view.Traffic{Today: today.Format(time.DateOnly), Days: view.ChartDays(today, known), Copies: 1, Sending: []view.DestinationRate{}}
	if strings.HasPrefix(a.live.Settings().Repository, "folder:") {
		t.Copies = 2 // most likely
	}
	studies, err := a.store.Studies(ctx)
	if err != nil {
		return nil, err
	}
	ids := []core.DestinationID{core.DestinationID(a.app)}
	for _, study := range studies {
		ids = append(ids, core.DestinationID(study.ID))
	}
	for _, id := range ids {
		if rate := a.meter.Rate(id); rate.Records > 0 {
			t.Sending = append(t.Sending, view.DestinationRate{Destination: id, RecordsPerMinute: rate.Records, BytesPerMinute: rate.Bytes})
		}
	}
	t.Arriving = a.transfers(ctx, a.api.Arriving())
	t.Leaving = a.transfers(ctx, a.meter.Leaving())
	return t, nil
}

// transfers names the files that have been on their way for a while, the longest
// first.
func (a *Appliance) transfers(ctx context.Context, moving []core.Moving) []view.Transfer {
	slices.SortFunc(moving, func(x, y core.Moving) int { return cmp.Or(x.Since.Compare(y.Since), cmp.Compare(x.Upload, y.Upload)) })
	all := []view.Transfer{}
	for _, m := range moving {
		if time.Since(m.Since) < movingMin || len(all) == movingMax {
			break
		}
		u, err := a.store.Upload(ctx, m.Upload)
		if err != nil {
			continue // it went meanwhile
		}
		all = append(all, view.Transfer{ID: m.Upload, File: u.Request.Name, Bytes: m.Bytes, Of: m.Of})
	}
	return all
}

// tallied is how many uploads are gone through in one transaction.
const tallied = 200

// tally counts what an earlier build stored.
func (a *Appliance) tally(ctx context.Context) (bool, error) { return a.store.Tally(ctx, tallied) }
