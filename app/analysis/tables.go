package analysis

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"footbridge/core"
	"footbridge/core/crash"
	"footbridge/sync/export"
	"footbridge/sync/synapse"
)

// The rules here are: a version's own row is there before those of its demographics;
// a version is noted as sent when all of its rows are there or refused for good, so
// that after any failure the tables are asked again what they hold; a project that was
// made without a table of demographics gets none of them.

// PutVersions appends the versions that the tables are not known to hold, and their
// demographics. A row that a table never takes is kept and told, and not tried again.
func (r *Repository) PutVersions(ctx context.Context, d core.Destination, versions []core.ParticipantVersion) error {
	r.mu.Lock()
	if r.writing[d.ID] == nil {
		r.writing[d.ID] = &sync.Mutex{}
	}
	turn := r.writing[d.ID]
	r.mu.Unlock()
	turn.Lock()
	defer turn.Unlock()
	parts, err := r.memory.Parts(ctx, d)
	if err != nil {
		return err
	}
	tables := strings.TrimSuffix(parts.ParticipantVersionTable+","+parts.DemographicsTable, ",")
	unsent, err := r.memory.Unsent(ctx, d.ID, tables, versions)
	if err != nil || len(unsent) == 0 {
		return err
	}
	refused := refusals{}
	err = r.append(ctx, "append/"+string(d.ID), parts.ParticipantVersionTable, synapse.Versions{All: unsent, Visible: d.Study}, refused, func(version int, why error) core.Reason {
		return core.Reason{Code: "version_refused", Message: fmt.Sprintf("Participant version %d is not in the repository's table: %s.", version, why)}
	})
	if err != nil {
		return err
	}
	rows := export.Demographics(unsent, d.Study)
	if len(rows) > 0 && parts.DemographicsTable != "" {
		err = r.append(ctx, "append/"+string(d.ID)+"/demographics", parts.DemographicsTable, synapse.Demographics(rows), refused, func(version int, why error) core.Reason {
			return core.Reason{Code: "demographics_refused", Message: fmt.Sprintf("Not all demographics of a participant version %d are in the repository's table: %s.", version, why)}
		})
	}
	if err != nil {
		return err
	}
	if err := r.noteUntaken(ctx, d.ID, versions, unsent, refused); err != nil {
		return err
	}
	return r.memory.Sent(ctx, d.ID, tables, unsent)
}

// append appends what a table has not; name is what its journal is kept under. What
// the table never takes is added to refused, and told as refusal puts it.
func (r *Repository) append(ctx context.Context, name, id string, content synapse.Content, refused refusals, refusal func(version int, why error) core.Reason) error {
	table, err := r.table(ctx, synapse.EntityID(id))
	if err != nil {
		return err
	}
	var begun synapse.Begun
	if text := r.memory.Memo(ctx, name); text != nil {
		if err := json.Unmarshal(text, &begun); err != nil {
			return fmt.Errorf("read what was appended: %w", err)
		}
	}
	done, err := r.client.AppendMissing(ctx, synapse.Append{
		Table: table, Content: content, Begun: begun,
		Save: func(ctx context.Context, b synapse.Begun) error {
			text, err := json.Marshal(b)
			if err == nil {
				err = r.memory.Keep(ctx, name, text)
			}
			crash.Point("append.kept")
			return err
		},
	})
	if err != nil {
		return err
	}
	refused.add(done.Refused)
	var told []core.Reason
	for key, why := range done.Refused {
		if reason := refusal(key.Version, why); !slices.Contains(told, reason) { // many rows may have the same trouble
			told = append(told, reason)
		}
	}
	if len(told) == 0 {
		return nil
	}
	return r.tell(ctx, "", told)
}

// table gives a table, which is remembered.
func (r *Repository) table(ctx context.Context, id synapse.EntityID) (synapse.Table, error) {
	r.mu.Lock()
	table, ok := r.tables[id]
	r.mu.Unlock()
	if ok {
		return table, nil
	}
	table, err := r.client.Table(ctx, id)
	if err != nil {
		return table, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tables[id] = table
	return table, nil
}
