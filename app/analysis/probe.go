package analysis

import (
	"bytes"
	"context"
	"crypto/md5"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"io"

	"footbridge/core"
	"footbridge/sync/synapse"
)

// Step is one step of a probe.
type Step struct {
	Name string // reach, token, write, read, annotations, delete
	Text string // what was done
	Err  error  // what is wrong; the probe ends with it
}

// Probe tries a repository out: it asks how it is and whose the token is, makes a file
// in a folder of its own, reads it back, compares it, and deletes both for good. project
// is where the folder is made; empty: in a project of its own, which is deleted, too. It
// stops at the first step that fails, but deletes what it made. It may be repeated; it
// never touches anything else.
func Probe(ctx context.Context, client *synapse.Client, project string) []Step {
	p := probe{client: client, name: "Footbridge probe " + rand.Text(), project: synapse.EntityID(project)}
	p.text = []byte("Footbridge tries this place out. This file may be deleted.\n" + p.name + "\n")
	var steps []Step
	for _, step := range []struct {
		name string
		do   func(context.Context) (string, error)
	}{{"reach", p.reach}, {"token", p.token}, {"write", p.write}, {"read", p.read}, {"annotations", p.annotations}} {
		said, err := step.do(ctx)
		steps = append(steps, Step{step.name, said, err})
		if err != nil {
			break
		}
	}
	if p.made == "" {
		return steps
	}
	err := p.delete(context.WithoutCancel(ctx))
	if last := steps[len(steps)-1]; last.Err == nil || err == nil {
		steps = append(steps, Step{"delete", "Nothing of the probe is left.", err})
	}
	return steps
}

// probe is one that is under way.
type probe struct {
	client  *synapse.Client
	name    string // of all that it makes
	text    []byte
	project synapse.EntityID
	made    synapse.EntityID // what holds all that it made
	file    synapse.File
}

func (p *probe) reach(ctx context.Context) (string, error) {
	state, message, err := p.client.State(ctx)
	if err == nil && state != synapse.ReadWrite {
		err = &synapse.Error{Kind: synapse.ErrReadOnly, Reason: message}
	}
	return "The repository answers, and takes calls.", err
}

func (p *probe) token(ctx context.Context) (string, error) {
	me, err := p.client.Me(ctx)
	return fmt.Sprintf("The token is good; it is that of the user %s.", me.Name), err
}

func (p *probe) write(ctx context.Context) (string, error) {
	where := "in the project " + string(p.project)
	if p.project == "" {
		var err error
		if p.project, err = p.client.MakeProject(ctx, p.name); err != nil {
			return "", err
		}
		where, p.made = "in a project of its own", p.project
	}
	folder, err := p.client.MakeFolder(ctx, p.project, p.name)
	if err != nil {
		return "", err
	}
	if p.made == "" {
		p.made = folder
	}
	sum := md5.Sum(p.text)
	object := core.Object{
		Digest: core.Digest{Size: int64(len(p.text)), MD5: hex.EncodeToString(sum[:])}, ContentType: "text/plain; charset=utf-8",
		Open: func(context.Context) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(p.text)), nil },
	}
	annotations, _ := synapse.Annotate(map[string]string{"recordId": "probe", "participantVersion": "1", "note": "Grüße"})
	p.file = synapse.File{Parent: folder, Name: p.name + ".txt", Digest: object.Digest, Annotations: annotations}
	if p.file.Handle, err = p.client.Upload(ctx, object, p.file.Name, 0); err != nil {
		return "", err
	}
	_, err = p.client.PutFile(ctx, p.file)
	return fmt.Sprintf("A file of %d bytes was made in a folder of its own %s.", len(p.text), where), err
}

func (p *probe) read(ctx context.Context) (string, error) {
	held, err := p.client.Held(ctx, p.file.Parent, p.file.Name)
	if err != nil {
		return "", err
	}
	got, err := p.client.Read(ctx, held.Handle, int64(len(p.text)))
	if err == nil && !bytes.Equal(got, p.text) {
		err = fmt.Errorf("read a file: it holds other bytes than were written: %w", core.ErrDigestMismatch)
	}
	return "It was read back, and is what was written.", err
}

func (p *probe) annotations(ctx context.Context) (string, error) {
	return "Its annotations are on it.", p.client.Verify(ctx, p.file)
}

func (p *probe) delete(ctx context.Context) error {
	err := p.client.Delete(ctx, p.made)
	if err == nil && p.file.Handle != "" {
		err = p.client.Discard(ctx, p.file.Handle)
	}
	return err
}
