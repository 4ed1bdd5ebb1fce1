package analysis

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"footbridge/core"
	"footbridge/sync/synapse"
)

// What things are called in a project.
const (
	rawFolder         = "Bridge Raw Data"
	dataFolder        = "Bridge Health Data"
	attachmentsFolder = "Bridge Attachments"
	versionsTable     = "Participant Versions"
	demographicsTable = "Participant Versions Demographics"
	demographicsView  = "Participant Versions Demographics Joined View"
)

// Plan is a project that is to be made.
type Plan struct {
	Name  string // of the study or the app
	Token string // makes the names the project's own: those of teams and projects are unique in the whole repository
	Parts core.RepositoryConfig

	// BaseKey begins the keys of its objects where the settings name a bucket.
	BaseKey string

	// Save keeps the parts that are there, durably, before the next is made.
	Save func(context.Context, core.RepositoryConfig) error
}

// illegal is what the name of a project cannot have; tables are how a SELECT names
// them.
var (
	illegal = regexp.MustCompile(`[^a-zA-Z0-9.\-_\s]+`)
	tables  = regexp.MustCompile(`\bsyn[0-9]+\b`)
)

// title is the name of something of the plan's.
func (p Plan) title(what string) string {
	name := strings.Join(strings.Fields(illegal.ReplaceAllString(p.Name, " ")), " ")
	return strings.TrimSpace(name + " " + what + " " + p.Token)
}

// MakeProject makes what a plan lacks and gives all parts. Those that are there
// are someone's own and stay; those that are gone are made anew. May be repeated after
// any failure.
func (r *Repository) MakeProject(ctx context.Context, p Plan) (core.RepositoryConfig, error) {
	b := builder{r, p, synapse.Principal{}}
	var err error
	if b.me, err = r.client.Me(ctx); err != nil {
		return p.Parts, fmt.Errorf("ask the repository who we are: %w", err)
	}
	for _, step := range []func(context.Context, *core.RepositoryConfig) error{
		b.gone, b.team, b.project, b.versions, b.demographics, b.view, b.raw, b.storage,
	} {
		before := b.plan.Parts
		if err := step(ctx, &b.plan.Parts); err != nil {
			return b.plan.Parts, err
		}
		if b.plan.Parts != before {
			if err := p.Save(ctx, b.plan.Parts); err != nil {
				return b.plan.Parts, fmt.Errorf("keep what was made of the project: %w", err)
			}
		}
	}
	return b.plan.Parts, nil
}

// builder makes one project. Each of its steps looks first, and leaves what is
// there.
type builder struct {
	*Repository
	plan Plan
	me   synapse.Principal
}

// gone forgets the parts that the repository does not hold any more. Without the
// project nothing is left of it, and the team may be another repository's.
func (b *builder) gone(ctx context.Context, parts *core.RepositoryConfig) error {
	for _, part := range []*string{&parts.Project, &parts.ParticipantVersionTable, &parts.DemographicsTable, &parts.DemographicsView, &parts.RawDataFolder} {
		if *part == "" {
			continue
		}
		switch err := b.client.Present(ctx, synapse.EntityID(*part)); {
		case errors.Is(err, core.ErrOtherRepository) && part == &parts.Project:
			*parts = core.RepositoryConfig{CreateNotification: parts.CreateNotification, ExportNotification: parts.ExportNotification}
			return nil
		case errors.Is(err, core.ErrOtherRepository):
			*part = ""
		case err != nil:
			return err
		}
	}
	if parts.RawDataFolder == "" {
		parts.StorageLocation = 0
	}
	return nil
}

func (b *builder) team(ctx context.Context, parts *core.RepositoryConfig) (err error) {
	if parts.DataAccessTeam == 0 {
		parts.DataAccessTeam, err = b.client.MakeTeam(ctx, b.plan.title("Access Team"))
	}
	return err
}

func (b *builder) project(ctx context.Context, parts *core.RepositoryConfig) error {
	if parts.Project != "" {
		return nil
	}
	id, err := b.client.MakeProject(ctx, b.plan.title("Project"))
	if err != nil {
		return err
	}
	return b.granted(ctx, parts, id, &parts.Project)
}

func (b *builder) versions(ctx context.Context, parts *core.RepositoryConfig) error {
	if parts.ParticipantVersionTable != "" {
		return nil
	}
	id, err := b.client.MakeTable(ctx, synapse.EntityID(parts.Project), versionsTable, synapse.VersionColumns())
	if err != nil {
		return err
	}
	return b.granted(ctx, parts, id, &parts.ParticipantVersionTable)
}

func (b *builder) demographics(ctx context.Context, parts *core.RepositoryConfig) error {
	if parts.DemographicsTable != "" {
		return nil
	}
	id, err := b.client.MakeTable(ctx, synapse.EntityID(parts.Project), demographicsTable, synapse.DemographicColumns())
	if err != nil {
		return err
	}
	return b.granted(ctx, parts, id, &parts.DemographicsTable)
}

// view makes the view that joins both tables. One that does not read both was made of
// tables that are gone, and reads these from now on: whoever reads the view goes on
// reading it.
func (b *builder) view(ctx context.Context, parts *core.RepositoryConfig) error {
	sql := fmt.Sprintf("SELECT participants.healthCode, participants.participantVersion, participants.createdOn, participants.modifiedOn, "+
		"participants.dataGroups, participants.languages, participants.sharingScope, participants.studyMemberships, participants.clientTimeZone, "+
		"demographics.studyId, demographics.demographicCategoryName, demographics.demographicValue, demographics.demographicUnits, demographics.demographicInvalidity "+
		"FROM %s AS participants JOIN %s AS demographics ON (participants.healthCode = demographics.healthCode AND participants.participantVersion = demographics.participantVersion)",
		parts.ParticipantVersionTable, parts.DemographicsTable)
	if parts.DemographicsView != "" {
		return b.redefine(ctx, synapse.EntityID(parts.DemographicsView), sql)
	}
	id, err := b.client.MakeView(ctx, synapse.EntityID(parts.Project), demographicsView, sql)
	if err == nil {
		err = b.redefine(ctx, id, sql) // it may have been found
	}
	if err != nil {
		return err
	}
	return b.granted(ctx, parts, id, &parts.DemographicsView)
}

// redefine gives the view the SELECT, unless the one that it has reads the same tables
// and is someone's own, perhaps.
func (b *builder) redefine(ctx context.Context, view synapse.EntityID, sql string) error {
	held, err := b.client.Definition(ctx, view)
	if err != nil {
		return err
	}
	read := tables.FindAllString(strings.ToLower(held), -1)
	for _, table := range tables.FindAllString(sql, -1) {
		if !slices.Contains(read, table) {
			return b.client.Redefine(ctx, view, sql)
		}
	}
	return nil
}

func (b *builder) raw(ctx context.Context, parts *core.RepositoryConfig) error {
	if parts.RawDataFolder != "" {
		return nil
	}
	id, err := b.client.MakeFolder(ctx, synapse.EntityID(parts.Project), rawFolder)
	if err != nil {
		return err
	}
	return b.granted(ctx, parts, id, &parts.RawDataFolder)
}

// storage gives the raw-data folder a location that hands out temporary
// credentials.
func (b *builder) storage(ctx context.Context, parts *core.RepositoryConfig) (err error) {
	if parts.StorageLocation == 0 {
		parts.StorageLocation, err = b.makeStorage(ctx, synapse.EntityID(parts.RawDataFolder))
		parts.UploadTable = err == nil
	}
	return err
}

// granted lets the team read a part, and whoever makes it look after it; then it is
// a part of the project.
func (b *builder) granted(ctx context.Context, parts *core.RepositoryConfig, id synapse.EntityID, part *string) error {
	grants := synapse.Grants{b.me.ID: synapse.Administer(), parts.DataAccessTeam: synapse.Read()}
	if err := b.client.SetGrants(ctx, id, grants); err != nil {
		return err
	}
	*part = string(id)
	return nil
}
