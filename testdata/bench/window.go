package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"footbridge/app/control"
	"footbridge/app/pane"
	"footbridge/core"
	"footbridge/ui"
	"footbridge/ui/view"

	"fyne.io/fyne/v2/test"
)

// few is how many uploads the other store has.
const few = 1000

// inSight is a Footbridge that runs on a store of some size, and what the window sees it
// through.
type inSight struct {
	*server
	home   string
	client *control.Client
	pane   *pane.Pane
	began  time.Duration // from start to listening
}

// windowRows are the rows of the window, with very many uploads in the store beside few.
func windowRows(p plan, program string) error {
	var sights [2]*inSight
	for i, uploads := range []int{p.uploads, few} {
		s, err := p.see(program, uploads)
		if err != nil {
			return err
		}
		defer s.stop()
		sights[i] = s
	}
	print(fmt.Sprintf("start to listening, %d uploads beside %d", p.uploads, few), ms(sights[0].began), ms(sights[1].began), "ms", 0, "")
	figures := []figure{
		{"window: first data shown", 0, firstShown}, {"  list page p99", 0, listPage}, {"  scroll of 100 pages", 0, scroll},
	}
	for _, standing := range view.Standings() {
		figures = append(figures, figure{"  filter by " + string(standing) + ", first page", 0, filter(view.UploadQuery{Standing: standing})})
	}
	figures = append(figures, figure{"  search by a name that is not there, all of it", 0, searchAll}, figure{"  search by name, first page", 0, filter(view.UploadQuery{Text: "walk-7"})},
		figure{"  filter by a day a year ago", 0, filter(view.UploadQuery{Since: time.Now().AddDate(-1, 0, 0), Until: time.Now().AddDate(-1, 0, 1)})})
	for _, f := range figures {
		var took [2]time.Duration
		for i, s := range sights {
			var err error
			if took[i], err = f.measure(s); err != nil {
				return fmt.Errorf("%s: %w", f.name, err)
			}
		}
		printFine(f.name, ms(took[0]), ms(took[1]), "ms")
	}
	fmt.Printf("%-52s %9d MiB  %9d MiB\n", "  memory of Footbridge during this", sights[0].memory()>>20, sights[1].memory()>>20)
	for _, s := range sights {
		share, rate, err := p.whileDevicesUpload(s)
		if err != nil {
			return err
		}
		fmt.Printf("%-52s %13.1f %%  of a core's time, at %.0f uploads/s\n", fmt.Sprintf("  the window's questions while %d devices upload", p.devices), 100*share, rate)
	}
	return nil
}

// figure is something that takes time.
type figure struct {
	name    string
	aim     float64
	measure func(*inSight) (time.Duration, error)
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func printFine(what string, ours, theirs float64, unit string) {
	fmt.Printf("%-52s %9.1f %-4s %9.1f %-4s %7.1f×\n", what, ours, unit, theirs, unit, ours/theirs)
}

// see makes a store of so many uploads, and runs Footbridge on it.
func (p plan) see(program string, uploads int) (*inSight, error) {
	home := filepath.Join(p.dir, fmt.Sprintf("home-%d", uploads))
	if err := makeHome(program, home); err != nil {
		return nil, err
	}
	if err := fill(home, uploads); err != nil {
		return nil, fmt.Errorf("fill a store: %w", err)
	}
	first, err := serve(program, home) // it takes up what was written last
	if err != nil {
		return nil, err
	}
	first.stop()
	begun := time.Now()
	server, err := serve(program, home)
	if err != nil {
		return nil, err
	}
	s := &inSight{server: server, home: home, began: time.Since(begun)}
	transport, ok := control.Dial(home)
	if !ok {
		server.stop()
		return nil, errors.New("the control socket does not answer")
	}
	s.client = control.NewClient(transport)
	s.pane = pane.New(s.client, view.Reader{Window: true})
	return s, nil
}

// timed is a pane whose questions are timed.
type timed struct {
	*pane.Pane
	spent  atomic.Int64  // nanoseconds
	listed chan struct{} // closed once uploads were listed
	once   sync.Once
}

func (t *timed) add(begun time.Time) { t.spent.Add(int64(time.Since(begun))) }

func (t *timed) Site(ctx context.Context) (view.Site, error) {
	defer t.add(time.Now())
	return t.Pane.Site(ctx)
}

func (t *timed) Uploads(ctx context.Context, q view.UploadQuery) (view.UploadPage, error) {
	defer t.add(time.Now())
	page, err := t.Pane.Uploads(ctx, q)
	t.once.Do(func() { close(t.listed) })
	return page, err
}

// firstShown opens a window without a display, and its uploads.
func firstShown(s *inSight) (time.Duration, error) {
	begun := time.Now()
	app := test.NewApp()
	defer app.Quit()
	t := &timed{Pane: s.pane, listed: make(chan struct{})}
	w := ui.New(app, t, ui.Config{})
	for w.Step(context.Background()) {
	}
	return time.Since(begun), nil
}

// listPage gives the p99 of the first page.
func listPage(s *inSight) (time.Duration, error) {
	all := make([]time.Duration, 200)
	for i := range all {
		begun := time.Now()
		if _, err := s.pane.Uploads(context.Background(), view.UploadQuery{Size: 100}); err != nil {
			return 0, err
		}
		all[i] = time.Since(begun)
	}
	slices.Sort(all)
	return all[len(all)*99/100], nil
}

// scroll reads page after page; where the store has fewer, from the top again.
func scroll(s *inSight) (time.Duration, error) {
	begun := time.Now()
	var before core.UploadID
	for range 100 {
		page, err := s.pane.Uploads(context.Background(), view.UploadQuery{Before: before, Size: 100})
		if err != nil {
			return 0, err
		}
		before = page.Next
	}
	return time.Since(begun), nil
}

// filter reads the first page of a query, and looks on until it has a row or there is
// none.
func filter(q view.UploadQuery) func(*inSight) (time.Duration, error) {
	return func(s *inSight) (time.Duration, error) { return look(s, q, true) }
}

// searchAll reads all of a query that shows nothing.
func searchAll(s *inSight) (time.Duration, error) {
	return look(s, view.UploadQuery{Text: "no such name"}, false)
}

func look(s *inSight, q view.UploadQuery, enough bool) (time.Duration, error) {
	begun := time.Now()
	for {
		page, err := s.pane.Uploads(context.Background(), q)
		if err != nil || page.Next == "" || enough && len(page.Rows) > 0 {
			return time.Since(begun), err
		}
		q.Before = page.Next
	}
}

// whileDevicesUpload gives the share of the time in which the window's questions are
// being answered while devices upload, and how many uploads a second those make.
func (p plan) whileDevicesUpload(s *inSight) (share, rate float64, err error) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: p.devices}}
	token, err := signIn(client, s.base)
	if err != nil {
		return 0, 0, err
	}
	app := test.NewApp()
	defer app.Quit()
	t := &timed{Pane: s.pane, listed: make(chan struct{})}
	w := ui.New(app, t, ui.Config{})
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { s.pane.Listen(ctx) })
	running.Go(func() { w.Run(ctx) })
	begun := time.Now()
	rate, err = p.rate(func(body []byte) error {
		_, err := bridgeUpload(client, s.base, token, body)
		return err
	}, func() error { return nil })
	share = float64(t.spent.Load()) / float64(time.Since(begun))
	stop()
	running.Wait()
	return share, rate, err
}
