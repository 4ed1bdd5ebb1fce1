package synapse

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"footbridge/core"
)

// The rules here are: a file entity is made with its annotations in one call or
// not at all, and one that is there is changed only where it differs.

// ErrUnannotated says that a file has not the annotations that were written.
var ErrUnannotated = errors.New("the file has other annotations")

// File is a file entity as it should be.
type File struct {
	Parent      EntityID
	Name        string // as Name gives it
	Handle      string // of its bytes, from Upload or Adopt
	Digest      core.Digest
	Annotations Annotations // at least one
}

// Held is a file entity as the repository has it.
type Held struct {
	ID          EntityID
	Handle      string
	Size        int64  // bytes; 0: not told
	MD5         string // lower-case hex; empty: not told
	Annotations Annotations
}

type annotations struct {
	ID          EntityID    `json:"id,omitempty"`
	Etag        string      `json:"etag,omitempty"`
	Annotations Annotations `json:"annotations"`
}

type bundle struct {
	Entity      entity      `json:"entity"`
	Annotations annotations `json:"annotations"`
}

type handle struct {
	ConcreteType      string `json:"concreteType"`
	ID                string `json:"id,omitempty"`
	BucketName        string `json:"bucketName,omitempty"`
	Key               string `json:"key,omitempty"`
	FileName          string `json:"fileName,omitempty"`
	ContentType       string `json:"contentType,omitempty"`
	ContentMD5        string `json:"contentMd5,omitempty"`
	ContentSize       int64  `json:"contentSize,omitempty"`
	StorageLocationID int64  `json:"storageLocationId,omitempty"`
}

// Stored is an object that is in a bucket of the study already.
type Stored struct {
	Bucket      string
	Key         string
	Location    int64  // the storage location of that bucket, which the caller made
	Name        string // of the file, when it is downloaded
	ContentType string
	Digest      core.Digest
}

// Adopt makes a file handle of a stored object. May be repeated: each handle is
// another one, but those that no entity has go away by themselves. Errors:
// ErrInvalid where the object is not there, core.ErrDigestMismatch where it has
// another size.
func (c *Client) Adopt(ctx context.Context, o Stored) (string, error) {
	var made handle
	err := c.do(ctx, request{method: http.MethodPost, path: "/file/v1/externalFileHandle/s3", body: handle{
		ConcreteType: "org.sagebionetworks.repo.model.file.S3FileHandle", BucketName: o.Bucket, Key: o.Key,
		FileName: o.Name, ContentType: o.ContentType, ContentMD5: o.Digest.MD5, StorageLocationID: o.Location,
	}}, &made)
	if err == nil && made.ID == "" {
		err = &Error{Kind: ErrAway, Reason: foreign}
	}
	if err == nil && made.ContentSize != 0 && made.ContentSize != o.Digest.Size {
		err = fmt.Errorf("the bucket has %d bytes instead of %d: %w", made.ContentSize, o.Digest.Size, core.ErrDigestMismatch)
	}
	if err != nil {
		return "", fmt.Errorf("make a file handle: %w", err)
	}
	return made.ID, nil
}

// PutFile makes a file entity with its annotations, or brings the one of that
// name to what it should be: another handle only where the bytes differ, the
// annotations beside those that others wrote. What is so already is not written.
// May be repeated. Errors: ErrInvalid, core.ErrOtherRepository where the parent is
// not there any more, core.ErrNotFound where the handle is not, so that the bytes
// must be sent again, core.ErrConflict where others keep changing the file.
func (c *Client) PutFile(ctx context.Context, f File) (EntityID, error) {
	id, err := c.putFile(ctx, f)
	if err != nil {
		return "", fmt.Errorf("put a file into %s: %w", f.Parent, err)
	}
	return id, nil
}

func (c *Client) putFile(ctx context.Context, f File) (EntityID, error) {
	if err := errors.Join(CheckName(f.Name), f.Annotations.check()); err != nil {
		return "", err
	}
	wanted := bundle{
		Entity:      entity{ConcreteType: fileType, Name: f.Name, ParentID: f.Parent, DataFileHandleID: f.Handle},
		Annotations: annotations{Annotations: f.Annotations},
	}
	var made bundle
	err := c.do(ctx, request{method: http.MethodPost, path: "/repo/v1/entity/bundle2/create", body: wanted}, &made)
	switch {
	case err == nil && made.Entity.ID == "":
		return "", &Error{Kind: ErrAway, Reason: foreign}
	case err == nil:
		return made.Entity.ID, nil
	case errors.Is(err, core.ErrNotFound): // the parent or the handle
		return "", errors.Join(c.Present(ctx, f.Parent), err)
	case !errors.Is(err, core.ErrExists) && !errors.Is(err, ErrInvalid):
		return "", err
	}
	// A full folder may refuse before it notices that the name is taken.
	id, found := c.Child(ctx, f.Parent, f.Name)
	if errors.Is(err, ErrInvalid) && errors.Is(found, core.ErrNotFound) {
		return "", err
	}
	if found != nil {
		return "", found
	}
	return id, c.mend(ctx, id, f)
}

// mend brings a file to what it should be.
func (c *Client) mend(ctx context.Context, id EntityID, f File) error {
	var err error
	for try := range changeTries {
		if err := sleep(ctx, c.pause(try)); err != nil {
			return err
		}
		if err = c.mendOnce(ctx, id, f); !errors.Is(err, core.ErrConflict) {
			return err
		}
	}
	return err
}

func (c *Client) mendOnce(ctx context.Context, id EntityID, f File) error {
	held, err := c.read(ctx, id)
	if err != nil {
		return err
	}
	is := held.held()
	bytes := is.Handle == f.Handle || is.has(f.Digest)
	switch {
	case held.Entity.ConcreteType != fileType:
		return &Error{Kind: ErrInvalid, Reason: "there is something else of that name"}
	case bytes && f.Annotations.within(is.Annotations):
		return nil
	case !bytes:
		if held.whole["dataFileHandleId"], err = json.Marshal(f.Handle); err != nil {
			return fmt.Errorf("write a request: %w", err)
		}
	}
	changed := map[string]any{"entity": held.whole, "annotations": annotations{ID: id, Annotations: f.Annotations}}
	return c.do(ctx, request{method: http.MethodPut, path: "/repo/v1/entity/" + string(id) + "/bundle2", body: changed}, &bundle{})
}

// contents is what is read back of a file.
type contents struct {
	bundle
	FileHandles []handle

	whole map[string]json.RawMessage // the entity with what others wrote into it
}

func (c *Client) read(ctx context.Context, id EntityID) (contents, error) {
	var raw struct {
		Entity      json.RawMessage `json:"entity"`
		Annotations annotations     `json:"annotations"`
		FileHandles []handle        `json:"fileHandles"`
	}
	want := map[string]bool{"includeEntity": true, "includeAnnotations": true, "includeFileHandles": true}
	err := c.do(ctx, request{method: http.MethodPost, path: "/repo/v1/entity/" + string(id) + "/bundle2", body: want}, &raw)
	if err != nil {
		return contents{}, err
	}
	held := contents{FileHandles: raw.FileHandles}
	held.Annotations = raw.Annotations
	if json.Unmarshal(raw.Entity, &held.Entity) != nil || json.Unmarshal(raw.Entity, &held.whole) != nil || held.Entity.ID != id {
		return contents{}, &Error{Kind: ErrAway, Reason: foreign}
	}
	return held, nil
}

func (h contents) held() Held {
	held := Held{ID: h.Entity.ID, Handle: h.Entity.DataFileHandleID, Annotations: h.Annotations.Annotations}
	for _, one := range h.FileHandles { // previews are told as well
		if one.ID == held.Handle {
			held.Size, held.MD5 = one.ContentSize, one.ContentMD5
		}
	}
	return held
}

// has reports whether the file is known to have these bytes.
func (h Held) has(d core.Digest) bool { return strings.EqualFold(h.MD5, d.MD5) && h.Size == d.Size }

// Held gives the file of a name. Errors: core.ErrNotFound, also where there is no
// such parent.
func (c *Client) Held(ctx context.Context, parent EntityID, name string) (Held, error) {
	id, err := c.Child(ctx, parent, name)
	if err != nil {
		return Held{}, err
	}
	held, err := c.read(ctx, id)
	if err != nil {
		return Held{}, fmt.Errorf("read file %s: %w", id, err)
	}
	return held.held(), nil
}

// Verify asks whether the repository has a file as it should be. Errors:
// core.ErrNotFound, core.ErrDigestMismatch, ErrUnannotated.
func (c *Client) Verify(ctx context.Context, f File) error {
	held, err := c.Held(ctx, f.Parent, f.Name)
	switch {
	case err != nil:
		return err
	case !held.has(f.Digest):
		return fmt.Errorf("verify file %s: %w", held.ID, core.ErrDigestMismatch)
	case !f.Annotations.within(held.Annotations):
		return fmt.Errorf("verify file %s: %w", held.ID, ErrUnannotated)
	}
	return nil
}
