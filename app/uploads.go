package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"text/tabwriter"
	"time"

	"footbridge/app/control"
	"footbridge/ui/view"
)

// uploadCommand looks after uploads and their records.
type uploadCommand struct {
	List       uploadList       `cmd:"" help:"List uploads, the newest first; a participant's, the oldest first. Without a time: the last 24 hours."`
	Show       uploadShow       `cmd:"" help:"Show an upload, its record and where that stands."`
	Retry      uploadRetry      `cmd:"" help:"Send records again that need a person, once what kept them is mended."`
	Redrive    uploadRedrive    `cmd:"" help:"Process uploads again, and send them again to the same place."`
	Withdraw   uploadWithdraw   `cmd:"" help:"Take records back from the repository, for good; here they stay."`
	Attachment uploadAttachment `cmd:"" help:"Get a file of a record: an attachment, or all that was uploaded, decrypted."`
}

// uploadLine is what commands read of an upload.
type uploadLine struct {
	UploadID    string      `json:"uploadId"`
	RequestedOn string      `json:"requestedOn"`
	Status      string      `json:"status"`
	Filename    string      `json:"filename"`
	Messages    []string    `json:"validationMessageList"`
	HealthData  *recordLine `json:"healthData"`
}

// recordLine is what commands read of a record.
type recordLine struct {
	SchemaID       *string                    `json:"schemaId"`
	SchemaRevision *int                       `json:"schemaRevision"`
	CreatedOn      string                     `json:"createdOn"`
	Data           map[string]json.RawMessage `json:"data"` // numbers may be larger than those of a program
	RawID          string                     `json:"rawDataAttachmentId"`
	ExportState    string                     `json:"exportState"`
	ExportReason   string                     `json:"exportReason"`
}

func uploadPath(id string) string { return "/v3/uploads/" + url.PathEscape(id) }

// uploadList lists uploads.
type uploadList struct {
	Study       string `help:"Those of this study."`
	Participant string `help:"Those of this participant: an id, externalid:X or healthcode:X." placeholder:"WHO"`
	Standing    string `help:"Those that stand here, of any time, and what each waits for: expected, received, processing, waiting, sent, kept, needs_person, refused or duplicate." placeholder:"WHERE"`
	aSpan
	Limit int  `default:"100" help:"How many at most."`
	JSON  bool `name:"json" help:"Print the result as JSON."`
}

// path is the list that was asked for.
func (c *uploadList) path() string {
	switch {
	case c.Participant != "" && c.Study != "":
		return studyPath(c.Study) + "/participants/" + url.PathEscape(c.Participant) + "/uploads"
	case c.Participant != "":
		return "/v3/participants/" + url.PathEscape(c.Participant) + "/uploads"
	case c.Study != "":
		return studyPath(c.Study) + "/uploads"
	}
	return "/v1/apps/self/uploads"
}

// pageMax is the largest page of a list.
const pageMax = 100

// Run lists the uploads.
func (c *uploadList) Run(ctx context.Context, s *session) error {
	if c.Standing != "" {
		return c.runStanding(ctx, s)
	}
	return withAppliance(ctx, s, func(ctx context.Context, client *control.Client) error {
		query := url.Values{}
		until := c.Until.end()
		if !c.Since.at.IsZero() {
			query.Set("startTime", c.Since.at.Format(time.RFC3339Nano))
			if until.IsZero() {
				until = time.Now().UTC()
			}
		}
		if !until.IsZero() {
			query.Set("endTime", until.Format(time.RFC3339Nano))
		}
		all := []json.RawMessage{}
		for len(all) < c.Limit {
			query.Set("pageSize", fmt.Sprint(min(pageMax, c.Limit-len(all))))
			var page struct {
				Items []json.RawMessage `json:"items"`
				Next  string            `json:"nextPageOffsetKey"`
			}
			if err := client.Call(ctx, http.MethodGet, c.path()+"?"+query.Encode(), nil, &page); err != nil {
				return err
			}
			all = append(all, page.Items...)
			if page.Next == "" {
				break
			}
			query.Set("offsetKey", page.Next)
		}
		if c.JSON {
			return s.printJSON(all)
		}
		return printUploads(s.out, all)
	})
}

func printUploads(out io.Writer, all []json.RawMessage) error {
	lines := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(lines, "REQUESTED\tSTATUS\tFILE\tID")
	for _, raw := range all {
		var u uploadLine
		if err := json.Unmarshal(raw, &u); err != nil {
			return fmt.Errorf("read the answer: %w", err)
		}
		fmt.Fprintf(lines, "%s\t%s\t%q\t%s\n", u.RequestedOn, u.Status, u.Filename, u.UploadID)
	}
	return lines.Flush()
}

// uploadShow shows one upload.
type uploadShow struct {
	ID   string `arg:"" help:"The upload's id, which is the record's too."`
	JSON bool   `name:"json" help:"Print the result as JSON."`
}

// Run shows the upload.
func (c *uploadShow) Run(ctx context.Context, s *session) error {
	return withAppliance(ctx, s, func(ctx context.Context, client *control.Client) error {
		shown := map[string]json.RawMessage{}
		if err := client.Call(ctx, http.MethodGet, uploadPath(c.ID), nil, &shown); err != nil {
			return err
		}
		var standing []view.ExportLine
		if err := client.Call(ctx, http.MethodGet, "/local/v1/uploads/"+url.PathEscape(c.ID)+"/destinations", nil, &standing); err != nil {
			return err
		}
		whole, err := json.Marshal(shown)
		if err != nil {
			return fmt.Errorf("write the upload: %w", err)
		}
		if !c.JSON {
			return printUpload(s.out, whole, standing)
		}
		destinations, err := json.Marshal(standing)
		if err != nil {
			return fmt.Errorf("write the upload: %w", err)
		}
		shown["destinations"] = destinations
		if record, ok := shown["healthData"]; ok {
			shown["record"] = record
			delete(shown, "healthData")
		}
		return s.printJSON(shown)
	})
}

func printUpload(out io.Writer, whole []byte, standing []view.ExportLine) error {
	var u uploadLine
	if err := json.Unmarshal(whole, &u); err != nil {
		return fmt.Errorf("read the answer: %w", err)
	}
	fmt.Fprintf(out, "Upload %s of %q, requested at %s: %s.\n", u.UploadID, u.Filename, moment(u.RequestedOn), u.Status)
	for _, message := range u.Messages {
		fmt.Fprintf(out, "  %s\n", message)
	}
	if r := u.HealthData; r != nil {
		described := "without a schema"
		if r.SchemaID != nil && r.SchemaRevision != nil {
			described = fmt.Sprintf("by schema %s revision %d", *r.SchemaID, *r.SchemaRevision)
		}
		fmt.Fprintf(out, "Record of %s, %s, with %s. All that was uploaded: %s\n", moment(r.CreatedOn), described, plural(len(r.Data), "field"), r.RawID)
		if len(r.Data) > 0 {
			data, err := json.MarshalIndent(r.Data, "", "  ")
			if err != nil {
				return fmt.Errorf("write the record: %w", err)
			}
			fmt.Fprintf(out, "%s\n", data)
		}
	}
	for _, line := range standing {
		fmt.Fprintln(out, line.Sentence)
	}
	return nil
}

// moment writes a time of the API for people; what is none stays as it is.
func moment(text string) string {
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return text
	}
	return view.Moment(t)
}

// uploadAttachment gets a file of a record.
type uploadAttachment struct {
	ID         string `arg:"" help:"The record's id."`
	Attachment string `arg:"" help:"The attachment's id: a value in the record's data, or its rawDataAttachmentId."`
	Out        string `help:"Write to this file instead of stdout." type:"path" placeholder:"FILE"`
}

// Run gets the file.
func (c *uploadAttachment) Run(ctx context.Context, s *session) error {
	return withAppliance(ctx, s, func(ctx context.Context, client *control.Client) error {
		path := "/v3/healthdata/" + url.PathEscape(c.ID) + "/attachments/" + url.PathEscape(c.Attachment)
		file, err := client.Open(ctx, http.MethodGet, path, nil)
		if err != nil {
			return err
		}
		defer file.Close()
		if c.Out == "" {
			_, err = io.Copy(s.out, file)
		} else if err = writeOut(c.Out, file); err != nil {
			os.Remove(c.Out) // a part of it is of no use
		}
		if err != nil {
			return fmt.Errorf("write the attachment: %w", err)
		}
		return nil
	})
}
