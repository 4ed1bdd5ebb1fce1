package appliance

import (
	"cmp"
	"context"
	"net/http"
	"path"
	"strings"
	"time"

	"footbridge/app/api"
	"footbridge/app/projects"
	"footbridge/core"
	"footbridge/core/notice"
	"footbridge/sync/export"
	"footbridge/ui/view"

	"github.com/prometheus/client_golang/prometheus"
)

// tellExported says what is told of a record that reached a destination
// (store.Config).
func (a *Appliance) tellExported(u core.Upload, reached core.DestinationID, all []core.Export, project func(core.DestinationID) core.RepositoryConfig) []core.Notice {
	return notice.Exported(u, reached, all, func(d core.DestinationID) notice.Place {
		parts, at := project(d), export.RawPath(*u.Facts)
		file := path.Join(string(d), at)
		for _, e := range all {
			if e.Destination == d {
				file = cmp.Or(e.File, file)
			}
		}
		bucket, key := a.stored(d, parts, at)
		return notice.Place{Project: parts.Project, Folder: parts.RawDataFolder, File: file, Bucket: bucket, Key: key}
	})
}

// tellCreated says what is told of a study whose project was made (store.Config).
func tellCreated(s core.Study) []core.Notice { return []core.Notice{notice.Created(s)} }

// stored gives bucket and key of what is at a path of a destination: together they
// locate it, but where Synapse keeps it itself.
func (a *Appliance) stored(d core.DestinationID, parts core.RepositoryConfig, at string) (bucket, key string) {
	spec := a.live.Settings().Repository
	bucket, prefix := repositoryName(spec)
	if strings.HasPrefix(spec, projects.SynapseSpec) {
		return a.projects.Stored(d, parts, bucket, at)
	}
	return bucket, path.Join(prefix, string(d), at)
}

// repositoryName is what others may call the repository: the first folder or bucket
// of its remote, else the remote's name; and the folder in it that holds all. Whatever
// else the settings say of it may be secret.
func repositoryName(spec string) (name, prefix string) {
	kind, place, _ := strings.Cut(spec, ":")
	remote, inside, named := place, "", false
	if i := strings.LastIndex(place, ":"); kind == "rclone" && i >= 0 {
		remote, inside, named = place[:i], strings.Trim(place[i+1:], "/"), true
	}
	switch {
	case kind == "folder":
		return path.Base(strings.ReplaceAll(place, `\`, "/")), ""
	case kind != "rclone":
		return kind, ""
	case inside != "":
		name, prefix, _ = strings.Cut(inside, "/")
		return name, prefix
	case named && remote != "" && !strings.ContainsAny(remote, `:,="`):
		return remote, ""
	}
	return kind, ""
}

// dueNotice is when there is something to tell next; false where nobody knows.
func (a *Appliance) dueNotice() (time.Time, bool) {
	if reason, _, until := a.closed(); reason != core.ReasonNone {
		return until, !until.IsZero()
	}
	return a.store.NextNotice()
}

// localSubscriptions lists who is told of what.
func (a *Appliance) localSubscriptions(r *http.Request) (any, error) {
	all, err := a.store.Subscriptions(r.Context())
	if err != nil {
		return nil, err
	}
	counts := a.store.Counts()
	held, _, _ := a.closed()
	lines, reader := []view.SubscriptionLine{}, a.reader(r)
	for _, s := range all {
		lines = append(lines, view.NewSubscriptionLine(s, counts["notices/"+string(s.ID)], held, reader))
	}
	return lines, nil
}

// localUnsubscribe ends a subscription.
func (a *Appliance) localUnsubscribe(r *http.Request) (any, error) {
	if err := a.store.Unsubscribe(r.Context(), core.SubscriptionID(r.PathValue("id"))); err != nil {
		return nil, err
	}
	return api.Message("The subscription is deleted; the receiver is told nothing more."), nil
}

// gaugeNotices writes what waits for receivers as gauges.
func (a *Appliance) gaugeNotices(ctx context.Context, registry *prometheus.Registry) error {
	all, err := a.store.Subscriptions(ctx)
	if err != nil {
		return err
	}
	family, counts := families(registry), a.store.Counts()
	waiting := family("notices_waiting", "Notices that wait for a subscription's receiver.", "subscription")
	failing := family("receiver_failing_seconds", "Since when a subscription's receiver fails.", "subscription")
	for _, s := range all {
		waiting.WithLabelValues(string(s.ID)).Set(float64(counts["notices/"+string(s.ID)]))
		if s.Failures > 0 && s.EndedOn.IsZero() {
			failing.WithLabelValues(string(s.ID)).Set(time.Since(s.FailingOn).Seconds())
		}
	}
	return nil
}
