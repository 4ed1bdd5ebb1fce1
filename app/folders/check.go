package folders

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"footbridge/core"
	"footbridge/sync/export"
	"footbridge/sync/reconcile"
)

// Check compares an object with the file that is there, and with what is said of it
// beside it and, where the remote keeps that, on it (reconcile.Repository).
func (r *Repository) Check(ctx context.Context, d core.Destination, o core.Object) error {
	from, err := r.of(ctx, d.ID)
	if err != nil {
		return err
	}
	held, err := from.Hash(ctx, path.Join(string(d.ID), o.Path))
	if err != nil {
		return err
	}
	if held.MD5 != o.MD5 || held.Size != o.Size {
		return core.ErrDigestMismatch
	}
	bears, err := from.Bears(ctx, path.Join(string(d.ID), o.Path), o.Metadata)
	if err != nil {
		return err
	}
	if !bears {
		return reconcile.ErrUnannotated
	}
	if o.Notes == "" {
		return nil
	}
	want, err := export.Annotations(o.Metadata).JSON()
	if err != nil {
		return err
	}
	notes, err := from.Hash(ctx, path.Join(string(d.ID), o.Notes))
	if errors.Is(err, core.ErrNotFound) || err == nil && notes.MD5 != export.DigestOf(want).MD5 {
		return reconcile.ErrUnannotated
	}
	return err
}

// Walk visits everything in a destination's folder.
func (r *Repository) Walk(ctx context.Context, d core.Destination, visit func(string) error) error {
	from, err := r.of(ctx, d.ID)
	if err != nil {
		return err
	}
	root := string(d.ID)
	return from.Walk(ctx, root, func(at string, _ int64, _ string) error {
		return visit(strings.TrimPrefix(at, root+"/"))
	})
}

// Rows counts how often the table, as CSV, holds each of some versions. A table
// that is not there holds none.
func (r *Repository) Rows(ctx context.Context, d core.Destination, _ []core.ParticipantVersion) (map[reconcile.Row]int, error) {
	from, err := r.of(ctx, d.ID)
	if err != nil {
		return nil, err
	}
	in, err := from.Read(ctx, path.Join(string(d.ID), export.VersionsCSV))
	rows := map[reconcile.Row]int{}
	if errors.Is(err, core.ErrNotFound) {
		return rows, nil
	}
	if err != nil {
		return nil, err
	}
	defer in.Close()
	text, err := io.ReadAll(in)
	if err != nil {
		return nil, fmt.Errorf("read the table: %w", err)
	}
	lines, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil || len(lines) == 0 {
		return rows, nil // it is no table: every row is missing
	}
	code, version := slices.Index(lines[0], "healthCode"), slices.Index(lines[0], "participantVersion")
	if code < 0 || version < 0 {
		return rows, nil
	}
	for _, cells := range lines[1:] {
		n, _ := strconv.Atoi(cells[version]) // what is no number is no row of ours
		rows[reconcile.Row{HealthCode: core.HealthCode(cells[code]), Version: n}]++
	}
	return rows, nil
}
