package synapse

import (
	"context"
	"errors"
	"fmt"
	"time"

	"footbridge/core"
)

// The rules here are: the repository's tables take the same row twice, so a row
// is only sent when the table was asked and has it not; before rows are sent, the
// caller keeps that they will be, and then what their job is called; after an
// append of which nothing was heard the table is asked only when the job must have
// ended.

// Begun is what a caller keeps of an append until it is finished. Zero: none is on
// its way.
type Begun struct {
	At    time.Time `json:"at,omitzero"`     // when the rows were about to be sent
	Token string    `json:"token,omitempty"` // of the repository's job, once it is known
}

// Append says which rows a table should have.
type Append struct {
	Table   Table
	Content Content // it may be in the table already

	// Begun is what Save was given last, by an earlier run too.
	Begun Begun

	// Save keeps Begun, durably. It must be set.
	Save func(context.Context, Begun) error
}

// Appended is what became of an append.
type Appended struct {
	Rows    int           // that were sent and that the table took
	Cut     []core.Reason // what was cut, one for each row concerned
	Refused map[Key]error // rows that the table will never take as they are, and why
}

const (
	rowsAtOnce   = 200
	weightAtOnce = 1_500_000 // bytes; the repository takes 2,097,152
	refusedLimit = 8         // refused by the repository; then it is not about single rows
)

// AppendMissing appends the rows that a table has not. May be repeated after
// any crash and any loss; only one call at a time for a table. Rows whose
// cells do not fit are refused before anything is sent. A row that makes its job
// fail is found and refused, the others are appended.
//
// Errors: *core.Later where an earlier append may still be on its way,
// core.ErrOtherRepository, those of Save. Appended counts what was done until then.
func (c *Client) AppendMissing(ctx context.Context, a Append) (Appended, error) {
	w := &appender{client: c, append: a, begun: a.Begun, done: Appended{Refused: map[Key]error{}}}
	if err := w.all(ctx); err != nil {
		return w.done, fmt.Errorf("append to %s: %w", a.Table.ID, err)
	}
	return w.done, nil
}

// appender is one append on its way.
type appender struct {
	client  *Client
	append  Append
	begun   Begun
	done    Appended
	refused int // by the repository
}

// line is a row as it would be sent.
type line struct {
	key     Key
	row     Row
	cut     []core.Reason
	refused error // why it does not fit
}

func (w *appender) all(ctx context.Context) error {
	if err := w.resume(ctx); err != nil {
		return err
	}
	lines := w.lines()
	if len(lines) == 0 {
		return nil
	}
	held, err := w.append.Content.held(ctx, w.client, w.append.Table, lines)
	if err != nil {
		return err
	}
	var some []line
	weight := 0
	for _, l := range lines {
		if held[l.key] > 0 {
			continue
		}
		if len(some) == rowsAtOnce || len(some) > 0 && weight+l.row.weight() > weightAtOnce {
			if err := w.send(ctx, some); err != nil {
				return err
			}
			some, weight = nil, 0
		}
		some = append(some, l)
		weight += l.row.weight()
	}
	return w.send(ctx, some)
}

// lines gives the rows, each once. Those that do not fit are refused.
func (w *appender) lines() (lines []line) {
	seen := map[Key]bool{}
	for _, l := range w.append.Content.lines(w.append.Table) {
		switch {
		case seen[l.key]:
		case l.refused != nil:
			w.done.Refused[l.key] = l.refused
		default:
			w.done.Cut = append(w.done.Cut, l.cut...)
			lines = append(lines, l)
		}
		seen[l.key] = true
	}
	return lines
}

// resume waits until an append of an earlier run has ended, one way or another.
// What it did, the table tells.
func (w *appender) resume(ctx context.Context) error {
	if w.begun == (Begun{}) {
		return nil
	}
	if w.begun.Token != "" {
		err := w.client.finish(ctx, w.append.Table.ID, appending, w.begun.Token, nil, nil)
		var failed *jobError
		switch {
		case err == nil, errors.As(err, &failed):
			return w.save(ctx, Begun{})
		case !errors.Is(err, core.ErrNotFound):
			return err
		}
	}
	now, settle := w.client.config.Now(), w.client.config.Settle
	if now.Before(w.begun.At) { // the clock went back, and cannot say how long ago it was
		if err := w.save(ctx, Begun{At: now, Token: w.begun.Token}); err != nil {
			return err
		}
	}
	if rest := settle - now.Sub(w.begun.At); rest > 0 {
		return &core.Later{After: rest, Err: errUnheard}
	}
	return w.save(ctx, Begun{})
}

// errUnheard is why rows wait.
var errUnheard = errors.New("it is not known yet whether the rows that were sent have arrived")

// send appends rows in one job. Where the job fails, its halves are sent, so that
// a row that is refused is found.
func (w *appender) send(ctx context.Context, lines []line) error {
	if len(lines) == 0 {
		return nil
	}
	err := w.try(ctx, lines)
	var failed *jobError
	switch {
	case err == nil:
		w.done.Rows += len(lines)
		return nil
	case !errors.Is(err, ErrInvalid), w.refused >= refusedLimit:
		return err
	case len(lines) == 1 && errors.As(err, &failed):
		w.done.Refused[lines[0].key] = err
		w.refused++
		return nil
	case len(lines) == 1:
		return err // it is not about the row: the job was not even begun
	}
	middle := len(lines) / 2
	if err := w.send(ctx, lines[:middle]); err != nil {
		return err
	}
	return w.send(ctx, lines[middle:])
}

// try runs one job. Errors: *jobError where it had no effect.
func (w *appender) try(ctx context.Context, lines []line) error {
	table := w.append.Table.ID
	rows := make([]map[string]Row, 0, len(lines))
	var hide []string
	for _, l := range lines {
		rows = append(rows, map[string]Row{"values": l.row})
		for _, cell := range l.row {
			hide = append(hide, cell.Value)
		}
	}
	body := map[string]any{
		"concreteType": "org.sagebionetworks.repo.model.table.AppendableRowSetRequest", "entityId": table,
		"toAppend": map[string]any{
			"concreteType": "org.sagebionetworks.repo.model.table.PartialRowSet", "tableId": table, "rows": rows,
		},
	}
	begun := Begun{At: w.client.config.Now()}
	if err := w.save(ctx, begun); err != nil {
		return err
	}
	token, err := w.client.start(ctx, table, appending, true, body, hide)
	if err != nil {
		return w.unstarted(ctx, err)
	}
	begun.Token = token
	if err := w.save(ctx, begun); err != nil {
		return err
	}
	err = w.client.finish(ctx, table, appending, token, hide, nil)
	var failed *jobError
	if err == nil || errors.As(err, &failed) {
		if kept := w.save(ctx, Begun{}); kept != nil {
			return kept
		}
	}
	return err
}

// unstarted says what becomes of an append that the repository gave no token for.
func (w *appender) unstarted(ctx context.Context, err error) error {
	var answer *Error
	if !errors.As(err, &answer) || answer.Unknown || ctx.Err() != nil {
		return &core.Later{After: w.client.config.Settle, Err: err}
	}
	if kept := w.save(ctx, Begun{}); kept != nil { // it certainly had no effect
		return kept
	}
	return err
}

func (w *appender) save(ctx context.Context, b Begun) error {
	if err := w.append.Save(context.WithoutCancel(ctx), b); err != nil {
		return fmt.Errorf("keep what was begun: %w", err)
	}
	w.begun = b
	return nil
}
