package projects

import (
	"context"
	"encoding/json"
	"fmt"
	"footbridge/core"
	"time"
)

// projectFile is what project.json says.
type projectFile struct {
	AppID     core.AppID   `json:"appId"`
	StudyID   core.StudyID `json:"studyId,omitempty"`
	Name      string       `json:"name"`
	CreatedOn time.Time    `json:"createdOn"`
	Layout    int          `json:"layout"` // of the project's folders; 1
}

// makeFolder makes a project that is a folder.
func (k *Keeper) makeFolder(ctx context.Context, p Project) error {
	file := projectFile{AppID: k.config.App, StudyID: p.Study, Name: p.Name, CreatedOn: p.Created.Truncate(time.Millisecond), Layout: 1}
	text, err := json.MarshalIndent(file, "", "  ")
	if err != nil {
		return fmt.Errorf("describe the project: %w", err)
	}
	return k.folders.Make(ctx, p.ID, append(text, '\n'))
}

// stands makes sure that a destination's project is in a repository of files before
// anything is written there. One that was configured by hand is made now.
func (k *Keeper) stands(ctx context.Context, id core.DestinationID) error {
	p, err := k.Project(ctx, id)
	if err != nil {
		return err
	}
	if p.Pending {
		return k.finish(ctx, p)
	}
	there, err := k.folders.Holds(ctx, id)
	switch {
	case err != nil && p.Made:
		return err
	case there && p.Made:
		return nil
	case p.Made:
		return fmt.Errorf("write into the project of %s: %w", id, core.ErrOtherRepository)
	case !there:
		if err := k.makeFolder(ctx, p); err != nil {
			return err
		}
	}
	return k.saveProject(ctx, p, p.Parts, true)
}
