package core

import (
	"context"
	"io"
	"time"
)

// Object is bytes on their way to a place in the repository.
type Object struct {
	Path        string // within the destination, slash-separated
	Digest             // of the bytes that Open gives
	ModTime     time.Time
	ContentType string
	Metadata    map[string]string // user metadata of the object, where the remote can hold it

	// Open gives the bytes from the beginning, each time it is called. The
	// caller closes them. An error while reading means they are not to be used.
	Open func(context.Context) (io.ReadCloser, error)
}
