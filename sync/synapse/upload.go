package synapse

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"

	"github.com/hashicorp/go-retryablehttp"

	"footbridge/core"
)

// The rules here are: the repository knows an upload by the request that began
// it, so the same object always makes the same request; one part is in memory at
// a time; no part is sent of bytes that are not those that were promised, since a
// later run would take it for good, and the repository checks parts only.

const (
	partSize    = 8 << 20
	partLimit   = 10_000
	linksAtOnce = 20 // links live for 15 minutes
	partTries   = 3  // with a fresh link each
)

// Upload sends the bytes of an object into a storage location (0: the
// repository's own) and gives the handle of them. name is what the file is called
// when it is downloaded. What an earlier run sent is not sent again, and an upload
// that was completed gives its handle at once; so it may be repeated. An object of
// more than one part is read twice. It takes memory for one part of 8 MiB, or of a
// ten-thousandth of the object where that is more.
//
// Errors: core.ErrDigestMismatch if the bytes are not those of o.Digest, those of
// o.Open and of reading, ErrInvalid for an object without bytes, which the
// repository does not take.
func (c *Client) Upload(ctx context.Context, o core.Object, name string, location int64) (string, error) {
	handle, err := c.upload(ctx, o, name, location)
	if err != nil {
		return "", fmt.Errorf("upload a file: %w", err)
	}
	return handle, nil
}

// uploading is how far an upload is.
type uploading struct {
	UploadID           string `json:"uploadId"`
	PartsState         string `json:"partsState"` // 1 for each part that is there
	State              string `json:"state"`
	ResultFileHandleID string `json:"resultFileHandleId"`
}

func (c *Client) upload(ctx context.Context, o core.Object, name string, location int64) (string, error) {
	if o.Size < 1 {
		return "", &Error{Kind: ErrInvalid, Reason: "the repository takes no empty files"}
	}
	size := max(partSize, (o.Size+partLimit-1)/partLimit)
	begin := map[string]any{
		"concreteType":  "org.sagebionetworks.repo.model.file.MultipartUploadRequest",
		"contentMD5Hex": o.MD5, "contentType": o.ContentType, "fileName": name,
		"fileSizeBytes": o.Size, "partSizeBytes": size, "generatePreview": false,
	}
	if location != 0 {
		begin["storageLocationId"] = location
	}
	var at uploading
	start := request{method: http.MethodPost, path: "/file/v1/file/multipart", body: begin}
	if err := c.do(ctx, start, &at); err != nil {
		return "", err
	}
	parts := int((o.Size + size - 1) / size)
	if at.State != "COMPLETED" && (at.UploadID == "" || len(at.PartsState) != parts) {
		return "", &Error{Kind: ErrAway, Reason: foreign}
	}
	if at.State != "COMPLETED" {
		p := &parcel{client: c, id: at.UploadID, there: at.PartsState, part: make([]byte, min(size, o.Size))}
		if parts > 1 {
			if err := p.read(ctx, o, func(int) error { return nil }); err != nil {
				return "", err
			}
		}
		if err := p.send(ctx, o, parts); err != nil {
			if errors.Is(err, core.ErrDigestMismatch) { // they changed since they were read first
				start.path += "?forceRestart=true"
				err = errors.Join(err, c.do(ctx, start, &uploading{}))
			}
			return "", err
		}
		if err := c.do(ctx, request{method: http.MethodPut, path: p.path() + "/complete"}, &at); err != nil {
			return "", err
		}
	}
	if at.State != "COMPLETED" || at.ResultFileHandleID == "" {
		return "", &Error{Kind: ErrAway, Reason: "the upload is not complete", Unknown: true}
	}
	return at.ResultFileHandleID, nil
}

// parcel is an upload on its way.
type parcel struct {
	client *Client
	id     string
	there  string // as partsState
	part   []byte // the one that is in memory
	links  map[int]signed
}

// signed is a link to which one part is put.
type signed struct {
	PartNumber    int               `json:"partNumber"`
	URL           string            `json:"uploadPresignedUrl"`
	SignedHeaders map[string]string `json:"signedHeaders"`
}

func (p *parcel) path() string { return "/file/v1/file/multipart/" + p.id }

// send sends the parts that are not there.
func (p *parcel) send(ctx context.Context, o core.Object, parts int) error {
	return p.read(ctx, o, func(number int) error {
		if p.there[number-1] == '1' {
			return nil
		}
		if err := p.put(ctx, number, parts); err != nil {
			return fmt.Errorf("part %d: %w", number, err)
		}
		return nil
	})
}

// read reads an object part by part and has each taken, the last one only when the
// whole is known to be what was promised.
func (p *parcel) read(ctx context.Context, o core.Object, take func(number int) error) error {
	in, err := o.Open(ctx)
	if err != nil {
		return err
	}
	defer in.Close()
	sum := md5.New()
	left := o.Size
	for number := 1; left > 0; number++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		p.part = p.part[:min(int64(cap(p.part)), left)]
		if n, err := io.ReadFull(in, p.part); err != nil {
			return short(o.Size-left+int64(n), o.Size, err)
		}
		left -= int64(len(p.part))
		sum.Write(p.part)
		if left == 0 {
			if err := ended(in, o, sum.Sum(nil)); err != nil {
				return err
			}
		}
		if err := take(number); err != nil {
			return err
		}
	}
	return nil
}

// short says why a part could not be read.
func short(got, want int64, err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return fmt.Errorf("read %d bytes of %d: %w", got, want, core.ErrDigestMismatch)
	}
	return err
}

// ended reports whether the source ends where it should, with the right sum.
func ended(in io.Reader, o core.Object, sum []byte) error {
	n, err := io.ReadFull(in, make([]byte, 1))
	switch {
	case n > 0:
		return fmt.Errorf("read more than %d bytes: %w", o.Size, core.ErrDigestMismatch)
	case err != nil && err != io.EOF:
		return err
	case hex.EncodeToString(sum) != o.MD5:
		return fmt.Errorf("read %d bytes: %w", o.Size, core.ErrDigestMismatch)
	}
	return nil
}

// put sends one part and has the repository confirm its sum.
func (p *parcel) put(ctx context.Context, number, parts int) error {
	sum := md5.Sum(p.part)
	add := request{method: http.MethodPut,
		path: p.path() + "/add/" + strconv.Itoa(number) + "?partMD5Hex=" + hex.EncodeToString(sum[:])}
	var err error
	for try := range partTries {
		if err = sleep(ctx, p.client.pause(try)); err != nil {
			return err
		}
		var link signed
		if link, err = p.link(ctx, number, parts); err != nil {
			return err
		}
		if err = p.client.store(ctx, link, p.part); err != nil {
			clear(p.links) // it may be too old
			if try == 0 && ctx.Err() == nil && expired(err) {
				continue
			}
			return err
		}
		var added struct {
			AddPartState string `json:"addPartState"`
			ErrorMessage string `json:"errorMessage"`
		}
		if err = p.client.do(ctx, add, &added); err != nil {
			return err
		}
		if added.AddPartState == "ADD_SUCCESS" {
			return nil
		}
		err = &Error{Kind: ErrAway, Reason: "the part arrived damaged"}
		delete(p.links, number)
	}
	return err
}

// expired reports whether the storage refused a link.
func expired(err error) bool {
	failure, ok := err.(*Error)
	return ok && failure.Status == http.StatusForbidden
}

// link gives the link of a part; those of the next parts are asked for with it.
func (p *parcel) link(ctx context.Context, number, parts int) (signed, error) {
	if link, ok := p.links[number]; ok {
		return link, nil
	}
	var numbers []int
	for next := number; next <= parts && len(numbers) < linksAtOnce; next++ {
		if p.there[next-1] != '1' {
			numbers = append(numbers, next)
		}
	}
	var given struct {
		PartPresignedURLs []signed `json:"partPresignedUrls"`
	}
	body := map[string]any{"uploadId": p.id, "partNumbers": numbers}
	if err := p.client.do(ctx, request{method: http.MethodPost, path: p.path() + "/presigned/url/batch", body: body}, &given); err != nil {
		return signed{}, err
	}
	p.links = map[int]signed{}
	for _, link := range given.PartPresignedURLs {
		p.links[link.PartNumber] = link
	}
	link, ok := p.links[number]
	if !ok || link.URL == "" {
		return signed{}, &Error{Kind: ErrAway, Reason: foreign}
	}
	return link, nil
}

// store puts bytes to a signed link, which takes no token. Errors: *Error, without
// the link.
func (c *Client) store(ctx context.Context, link signed, data []byte) error {
	var readers sync.WaitGroup
	defer readers.Wait() // an early answer comes while the bytes are still being read
	r, err := retryablehttp.NewRequestWithContext(ctx, http.MethodPut, link.URL, retryablehttp.ReaderFunc(func() (io.Reader, error) {
		readers.Add(1)
		return &lent{bytes.NewReader(data), sync.OnceFunc(readers.Done)}, nil
	}))
	if err != nil {
		return &Error{Kind: ErrAway, Reason: foreign}
	}
	for key, value := range link.SignedHeaders {
		r.Header.Set(key, value)
	}
	attempts := &attempts{client: c, http: c.storage}
	answer, err := attempts.make(r)
	if err != nil {
		return attempts.failure(ctx, err)
	}
	defer answer.Body.Close()                                // before the readers are waited for
	text, _ := io.ReadAll(io.LimitReader(answer.Body, 4096)) // only to reuse the connection
	switch {
	case answer.StatusCode < 200 || answer.StatusCode > 299:
		return &Error{Kind: ErrAway, Status: answer.StatusCode, Reason: "the storage refused a part"}
	case len(bytes.TrimSpace(text)) > 0 || answer.Header.Get("ETag") == "":
		return &Error{Kind: ErrAway, Status: answer.StatusCode, Reason: foreign}
	}
	return nil
}

// lent is bytes that are read until they are given back.
type lent struct {
	*bytes.Reader
	back func()
}

// Close gives the bytes back. It may be called again.
func (l *lent) Close() error {
	l.back()
	return nil
}
