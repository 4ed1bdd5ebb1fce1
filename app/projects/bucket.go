package projects

import (
	"context"
	"errors"
	"path"
	"strings"

	"footbridge/app/analysis"
	"footbridge/core"
	"footbridge/sync/export"
)

// Bucket is the one that the settings name for a repository that is Synapse.
func (k *Keeper) Bucket() analysis.Bucket {
	b := k.config.Settings().Bucket
	return analysis.Bucket{Name: b.Name, Region: b.Region, Endpoint: b.Endpoint, Provider: b.Provider}
}

// Stored gives bucket and key of a record, in whose stead are those that it has where
// the repository keeps it itself.
func (k *Keeper) Stored(d core.DestinationID, parts core.RepositoryConfig, stead, key string) (bucket, at string) {
	settings := k.config.Settings()
	if settings.Bucket.Name == "" || !strings.HasPrefix(settings.Repository, SynapseSpec) {
		return stead, key
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.analyses != nil {
		if bucket, at, known := k.analyses.Stored(parts, key); known && bucket != "" {
			return bucket, at
		} else if known {
			return stead, key
		}
	}
	return settings.Bucket.Name, path.Join(k.baseKey(d), strings.TrimPrefix(key, export.RawDataFolder))
}

// baseKey begins the keys of a destination's objects in a bucket.
func (k *Keeper) baseKey(d core.DestinationID) string {
	if string(d) == string(k.config.App) {
		return string(k.config.App)
	}
	return path.Join(string(k.config.App), string(d))
}

func refusalKey(d core.DestinationID) string { return "refusal/" + string(d) }

// noteRefusal keeps what a person has to do before anything goes to a destination, and
// forgets it once something did. Err is what came of the last try.
func (k *Keeper) noteRefusal(ctx context.Context, d core.DestinationID, err error) {
	var refused *analysis.Refusal
	sentence := ""
	if errors.As(err, &refused) {
		sentence = refused.Sentence
	} else if err != nil {
		return // nobody knows
	}
	if string(k.config.Store.Memo(ctx, refusalKey(d))) == sentence {
		return
	}
	if err := k.config.Store.Keep(ctx, refusalKey(d), []byte(sentence)); err != nil {
		k.config.Log.Warn("what a person has to do is not kept", "destination", d, "error", err)
	}
}

// Refusals says what a person has to do for which destinations, as part of a sentence.
func (k *Keeper) Refusals(ctx context.Context, studies []core.Study) map[core.DestinationID]string {
	if !strings.HasPrefix(k.config.Settings().Repository, SynapseSpec) {
		return nil
	}
	all, ids := map[core.DestinationID]string{}, []core.DestinationID{}
	for _, study := range studies {
		ids = append(ids, core.DestinationID(study.ID))
	}
	for _, id := range append(ids, core.DestinationID(k.config.App)) {
		if why := string(k.config.Store.Memo(ctx, refusalKey(id))); why != "" {
			all[id] = why
		}
	}
	return all
}

// Untaken says whose versions the tables of a destination do not take, as sentences.
func (k *Keeper) Untaken(ctx context.Context, d core.DestinationID) []string {
	r, err := k.Synapse()
	if err != nil {
		return nil // there is none to be asked
	}
	sentences, err := r.Untaken(ctx, d)
	if err != nil {
		k.config.Log.Warn("what the tables do not take cannot be told", "destination", d, "error", err)
	}
	return sentences
}
