package demo

import (
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"

	"footbridge/sync/export"
)

// project is the folder of the study's project.
func (d *demo) project() string { return filepath.Join(d.home, "repository", study) }

// exported waits until the site says that the record is in the repository.
func (d *demo) exported(ctx context.Context, _ string) error {
	for deadline := time.Now().Add(stepTime); ; {
		var status struct {
			Record struct{ ExportState, ExportReason string }
		}
		if err := d.client.Call(ctx, http.MethodGet, "/v3/uploadstatuses/"+d.upload.ID, nil, &status); err != nil {
			return err
		}
		switch {
		case status.Record.ExportState == "exported":
			return nil
		case time.Now().After(deadline):
			return fmt.Errorf("the record is %s %s", status.Record.ExportState, status.Record.ExportReason)
		}
		select {
		case <-time.After(10 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// appears waits until exactly one file matches a pattern in the project.
func (d *demo) appears(ctx context.Context, pattern string) (string, error) {
	for deadline := time.Now().Add(stepTime); ; {
		found, err := filepath.Glob(filepath.Join(d.project(), pattern))
		switch {
		case err != nil:
			return "", err
		case len(found) == 1:
			return found[0], nil
		case len(found) > 1:
			return "", fmt.Errorf("%d files match %s", len(found), pattern)
		case time.Now().After(deadline):
			return "", fmt.Errorf("no file matches %s", pattern)
		}
		select {
		case <-time.After(10 * time.Millisecond):
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
}

// seeFile finds the exported file and compares its bytes with the bundle.
func (d *demo) seeFile(ctx context.Context, _ string) error {
	name, err := d.appears(ctx, filepath.Join(export.RawDataFolder, "*", d.upload.ID+"-*"))
	if err != nil {
		return err
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if sum := sha256.Sum256(text); hex.EncodeToString(sum[:]) != d.digest {
		return errors.New("the exported file differs from the bundle")
	}
	if d.place, err = filepath.Rel(d.project(), name); err != nil {
		return err
	}
	d.say(6, "It is in the repository", "%s\n   the same bytes as before encryption (SHA-256 %s…)", d.place, d.digest[:16])
	return nil
}

// seeAnnotations reads the annotations beside the file.
func (d *demo) seeAnnotations(ctx context.Context, _ string) error {
	name, err := d.appears(ctx, filepath.Join("annotations", "*", d.upload.ID+".json"))
	if err != nil {
		return err
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	var annotations map[string]any
	if err := json.Unmarshal(text, &annotations); err != nil {
		return fmt.Errorf("read the annotations: %w", err)
	}
	for key, want := range map[string]any{"recordId": d.upload.ID, "taskRunId": "first-walk", "participantVersion": 1.0} {
		if annotations[key] != want {
			return fmt.Errorf("annotation %s is %v, not %v", key, annotations[key], want)
		}
	}
	var lines []string
	for key, value := range annotations {
		lines = append(lines, fmt.Sprintf("%-20s %v", key, value))
	}
	sort.Strings(lines)
	d.say(7, "With its annotations", "%s", strings.Join(lines, "\n   "))
	return nil
}

// seeVersions reads the Participant Versions table.
func (d *demo) seeVersions(ctx context.Context, _ string) error {
	name, err := d.appears(ctx, export.VersionsCSV)
	if err != nil {
		return err
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return fmt.Errorf("read Participant Versions: %w", err)
	}
	if len(rows) != 2 {
		return fmt.Errorf("participant versions: %d rows, not 1", len(rows)-1)
	}
	d.say(8, "And its Participant Versions row", "%s", paired(rows[0], rows[1]))
	return nil
}

// paired writes a row as lines of name and value.
func paired(names, values []string) string {
	var lines []string
	for i, name := range names {
		lines = append(lines, fmt.Sprintf("%-20s %s", name, values[i]))
	}
	return strings.Join(lines, "\n   ")
}

// seeJoins changes the participant and shows both joins.
func (d *demo) seeJoins(ctx context.Context, _ string) error {
	change := map[string]any{"dataGroups": []string{"evening"}, "languages": []string{"en"}}
	if err := d.client.Call(ctx, http.MethodPost, "/v5/studies/"+study+"/participants/externalid:walker-1", change, nil); err != nil {
		return err
	}
	var lines []string
	for _, join := range []struct{ how, version, group string }{{"submitted", "1", "morning"}, {"latest", "2", "evening"}} {
		cells, err := d.join(ctx, join.how)
		if err != nil {
			return err
		}
		if cells["joinedParticipantVersion"] != join.version || cells["dataGroups"] != join.group || cells["path"] != filepath.ToSlash(d.place) {
			return fmt.Errorf("the %s join shows version %s in group %q", join.how, cells["joinedParticipantVersion"], cells["dataGroups"])
		}
		lines = append(lines, fmt.Sprintf("join %-10s version %s, group %s", join.how, join.version, join.group))
	}
	d.say(9, "Joined for research, after walker-1 moved to the group \"evening\"", "%s", strings.Join(lines, "\n   "))
	return nil
}

// join gives the one row of the joined view.
func (d *demo) join(ctx context.Context, how string) (map[string]string, error) {
	view, err := d.client.Open(ctx, http.MethodGet, "/local/v1/studies/"+study+"/view?format=csv&join="+how, nil)
	if err != nil {
		return nil, err
	}
	defer view.Close()
	rows, err := csv.NewReader(view).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("read the %s join: %w", how, err)
	}
	if len(rows) != 2 {
		return nil, fmt.Errorf("the %s join has %d rows, not 1", how, len(rows)-1)
	}
	cells := map[string]string{}
	for i, column := range rows[0] {
		cells[column] = rows[1][i]
	}
	return cells, nil
}
