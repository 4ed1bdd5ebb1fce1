package appliance

import (
	"context"
	"errors"
	"path"
	"strings"

	"footbridge/app/analysis"
	"footbridge/core"
	"footbridge/sync/export"
)

// bucket is the one that the settings name for a repository that is Synapse.
func (p *place) bucket() analysis.Bucket {
	b := p.live.Settings().Bucket
	return analysis.Bucket{Name: b.Name, Region: b.Region, Endpoint: b.Endpoint, Provider: b.Provider}
}

// stored gives bucket and key of a record, in whose stead are those that it has where
// the repository keeps it itself.
func (p *place) stored(d core.DestinationID, parts core.RepositoryConfig, stead, key string) (bucket, at string) {
	settings := p.live.Settings()
	if settings.Bucket.Name == "" || !strings.HasPrefix(settings.Repository, synapseSpec) {
		return stead, key
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.analyses != nil {
		if bucket, at, known := p.analyses.Stored(parts, key); known && bucket != "" {
			return bucket, at
		} else if known {
			return stead, key
		}
	}
	return settings.Bucket.Name, path.Join(p.baseKey(d), strings.TrimPrefix(key, export.RawDataFolder))
}

// baseKey begins the keys of a destination's objects in a bucket.
func (a *Appliance) baseKey(d core.DestinationID) string {
	if string(d) == string(a.app) {
		return string(a.app)
	}
	return path.Join(string(a.app), string(d))
}

func refusalKey(d core.DestinationID) string { return "refusal/" + string(d) }

// noteRefusal keeps what a person has to do before anything goes to a destination, and
// forgets it once something did. Err is what came of the last try.
func (a *Appliance) noteRefusal(ctx context.Context, d core.DestinationID, err error) {
	var refused *analysis.Refusal
	sentence := ""
	if errors.As(err, &refused) {
		sentence = refused.Sentence
	} else if err != nil {
		return // nobody knows
	}
	if string(a.store.Memo(ctx, refusalKey(d))) == sentence {
		return
	}
	if err := a.store.Keep(ctx, refusalKey(d), []byte(sentence)); err != nil {
		a.log.Warn("what a person has to do is not kept", "destination", d, "error", err)
	}
}

// refusals says what a person has to do for which destinations.
func (a *Appliance) refusals(ctx context.Context, studies []core.Study) (sentences []string) {
	if !strings.HasPrefix(a.live.Settings().Repository, synapseSpec) {
		return nil
	}
	ids := []core.DestinationID{}
	for _, study := range studies {
		ids = append(ids, core.DestinationID(study.ID))
	}
	for _, id := range append(ids, core.DestinationID(a.app)) {
		if why := string(a.store.Memo(ctx, refusalKey(id))); why != "" {
			sentences = append(sentences, "What is for "+string(id)+" waits: "+why+".")
		}
	}
	return sentences
}
