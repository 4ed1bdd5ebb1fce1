package core

import (
	"context"
	"io"
	"time"
)

// Object is bytes on their way to a place in the repository.
type Object struct {
	Path        string // within the destination, slash-separated
	Notes       string // where its metadata lies as a file of its own, in a repository of files; empty: nowhere
	Digest             // of the bytes that Open gives
	ModTime     time.Time
	ContentType string
	Metadata    map[string]string // what is said of it, and goes with it where the repository can hold that

	// Open gives the bytes from the beginning, each time it is called. The
	// caller closes them. An error while reading means they are not to be used.
	Open func(context.Context) (io.ReadCloser, error)
}
