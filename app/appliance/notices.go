package appliance

import (
	"cmp"
	"path"
	"strings"
	"time"

	"footbridge/app/projects"
	"footbridge/core"
	"footbridge/core/notice"
	"footbridge/sync/export"
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
