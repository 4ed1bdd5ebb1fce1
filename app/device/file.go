package device

import (
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"
)

// File is what to send, and how. It has a Path, or Open and Name.
type File struct {
	Path string

	// Open gives the bytes from the beginning, each time it is called. What is
	// sent this way cannot be resumed by another run.
	Open func() (io.ReadCloser, error)

	Name        string            // base name of Path by default
	ContentType string            // by default application/zip for .zip, else application/octet-stream
	Encrypt     *x509.Certificate // seals the bytes for its holder; nil sends them as they are
	Metadata    map[string]any    // goes along with the upload
	Zipped      bool              // for the legacy chain

	// Folder holds the sealed bytes and the note of an upload that is not
	// complete, by default the folder of Path. With Encrypt it needs room for the
	// file once more.
	Folder string
}

// withDefaults checks a file and fills in what was left out.
func (f File) withDefaults() (File, error) {
	if f.Path == "" && (f.Open == nil || f.Name == "") {
		return f, errors.New("send a file: it needs a path, or a name and bytes")
	}
	if f.Path == "" && f.Encrypt != nil && f.Folder == "" {
		return f, fmt.Errorf("send %s: to encrypt it, a folder for the sealed bytes is needed", f.Name)
	}
	if f.Path != "" {
		path, err := filepath.Abs(f.Path)
		if err != nil {
			return f, fmt.Errorf("send %s: %w", f.Path, err)
		}
		f.Path, f.Open = path, func() (io.ReadCloser, error) { return os.Open(path) }
		if f.Name == "" {
			f.Name = filepath.Base(path)
		}
	}
	if f.ContentType == "" {
		f.ContentType = "application/octet-stream"
		if strings.EqualFold(filepath.Ext(f.Name), ".zip") {
			f.ContentType = "application/zip"
		}
	}
	return f, nil
}

// workPath is where something is kept beside a file: .name.suffix. In a folder
// that files from anywhere share, or where the name would get too long, a digest
// of the file's own path keeps names apart.
func (f File) workPath(suffix string) string {
	const longest = 200 // bytes, so that a suffix fits into a file name
	folder, name := f.Folder, f.Name
	if f.Path != "" {
		name = filepath.Base(f.Path)
		if folder == "" {
			folder = filepath.Dir(f.Path)
		}
	}
	name = strings.NewReplacer("/", "_", `\`, "_").Replace(name)
	if f.Folder != "" || len(name) > longest {
		sum := sha256.Sum256([]byte(f.Path))
		name = name[:min(len(name), longest)]
		for !utf8.ValidString(name) && len(name) > longest-utf8.UTFMax {
			name = name[:len(name)-1]
		}
		name += "-" + hex.EncodeToString(sum[:4])
	}
	return filepath.Join(folder, "."+name+"."+suffix)
}

// identity tells whether a file was written to.
type identity struct {
	Size    int64     `json:"size"`
	ModTime time.Time `json:"modTime"`
}

// identity of what is sent; the zero value where there is no path.
func (f File) identity() (identity, error) {
	if f.Path == "" {
		return identity{}, nil
	}
	info, err := os.Stat(f.Path)
	if err != nil {
		return identity{}, fmt.Errorf("send %s: %w", f.Name, err)
	}
	if !info.Mode().IsRegular() {
		return identity{}, fmt.Errorf("send %s: it is not a file. Zip a folder and send the zip", f.Name)
	}
	return identity{info.Size(), info.ModTime().UTC()}, nil
}

// purpose is a digest of everything but the bytes that makes an upload what it
// is: a note of another purpose is not gone on with. A site that is known by its
// certificate stays the same when its address changes.
func (f File) purpose(config Config) (string, error) {
	certificate := ""
	if f.Encrypt != nil {
		sum := sha256.Sum256(f.Encrypt.Raw)
		certificate = hex.EncodeToString(sum[:])
	}
	site := config.BaseURL
	if pin, err := parseFingerprint(config.Fingerprint); err == nil {
		site = hex.EncodeToString(pin[:])
	}
	raw, err := json.Marshal([]any{
		site, config.AppID, config.Email, config.ExternalID,
		f.Path, f.Name, f.ContentType, certificate, f.Zipped, f.Metadata,
	})
	if err != nil {
		return "", fmt.Errorf("send %s: read metadata: %w", f.Name, err)
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:]), nil
}
