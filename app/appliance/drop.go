package appliance

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime"
	"os"
	"path/filepath"
	"strings"
	"time"

	"footbridge/app/inbox"
	"footbridge/core"
	"footbridge/core/account"
	"footbridge/core/upload"
)

// dropAgent is what the uploads of the drop folder name as their client.
const dropAgent = "FootbridgeInbox/1"

// processPatience is how long a file of the drop folder may take to be processed
// before it is looked at again.
const processPatience = 10 * time.Minute

// drop takes the files of the drop folder in (inbox.Desk).
type drop struct{ *Appliance }

// Take makes a file an upload of the participant with an external id.
func (d drop) Take(ctx context.Context, externalID string, file inbox.File) (core.UploadID, error) {
	owner, err := d.store.AccountByLogin(ctx, core.ExternalLogin(externalID))
	switch {
	case errors.Is(err, core.ErrNotFound):
		return "", &inbox.Refusal{Why: "There is no participant with the external id " + externalID + ". Rename the folder to an id that there is, or create the participant, and put the file there again."}
	case err != nil:
		return "", err
	case owner.Status == core.StatusDisabled:
		return "", &inbox.Refusal{Why: "The account of this participant is disabled."}
	}
	if err := account.RequireConsent(owner); err != nil {
		return "", &inbox.Refusal{Why: "This participant has not consented. Record the consent, and put the file here again."}
	}
	request, err := describe(file)
	if err != nil {
		return "", err
	}
	u, err := d.desk.Adopt(ctx, owner, request, upload.Client{UserAgent: dropAgent, Info: `{"appName":"FootbridgeInbox","appVersion":1,"type":"ClientInfo"}`},
		func() (io.ReadCloser, error) { return os.Open(file.Path) })
	var invalid *core.Invalid
	if errors.As(err, &invalid) {
		return "", &inbox.Refusal{Why: invalid.Error()}
	}
	if err == nil {
		u, err = d.processed(ctx, u)
	}
	if err == nil && u.State == core.StateFailed {
		return "", &inbox.Refusal{Why: "Upload " + string(u.ID) + " was refused: " + strings.Join(u.Messages, " ")}
	}
	return u.ID, err
}

// processed waits until an upload is processed.
func (d drop) processed(ctx context.Context, u core.Upload) (core.Upload, error) {
	ctx, cancel := context.WithTimeout(ctx, processPatience)
	defer cancel()
	for u.State == core.StateCompleted {
		heard := d.store.Revision()
		again, err := d.desk.Upload(ctx, u.ID)
		if err != nil || again.State != core.StateCompleted {
			return again, err
		}
		if _, err := d.store.Wait(ctx, heard); err != nil {
			return u, fmt.Errorf("wait for upload %s: %w", u.ID, err)
		}
	}
	return u, nil
}

// enveloped is how CMS enveloped data says in its first bytes what it is.
var enveloped = []byte{0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x03}

// describe says of a file what a device would.
func describe(file inbox.File) (core.Request, error) {
	f, err := os.Open(file.Path)
	if err != nil {
		return core.Request{}, err
	}
	defer f.Close()
	head, sum := make([]byte, 64), md5.New()
	n, err := io.ReadFull(f, head)
	if err != nil && err != io.ErrUnexpectedEOF {
		return core.Request{}, fmt.Errorf("read a file: %w", err)
	}
	sum.Write(head[:n])
	rest, err := io.Copy(sum, f)
	if err != nil {
		return core.Request{}, fmt.Errorf("read a file: %w", err)
	}
	request := core.Request{
		Name: file.Name, ContentLength: int64(n) + rest, ContentMD5: base64.StdEncoding.EncodeToString(sum.Sum(nil)),
		ContentType: mime.TypeByExtension(strings.ToLower(filepath.Ext(file.Name))),
		Encrypted:   head[0] == 0x30 && bytes.Contains(head[:n], enveloped),
	}
	request.Zipped = request.Encrypted || bytes.HasPrefix(head, []byte("PK"))
	if request.ContentType == "" {
		request.ContentType = "application/octet-stream"
	}
	return request, nil
}
