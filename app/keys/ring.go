package keys

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"

	"footbridge/core"
	"footbridge/core/cms"
)

const keyBits = 3072

// Ring is the data-collection keys of a site. Safe for concurrent use.
type Ring struct {
	dir string

	mu      sync.RWMutex
	keys    []Key  // newest first
	current string // fingerprint of the one that devices are given
}

// Key is one data-collection key.
type Key struct {
	cms.Key
	Fingerprint string // hex SHA-256 of the certificate
	Added       time.Time
	Current     bool // devices are given this one
}

// OpenRing reads every key in the folder, which is made where it is missing.
// A key file that others may read is closed to them. Where the one that devices
// are given is gone, they are given the newest.
func OpenRing(dir string) (*Ring, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("open keys: %w", err)
	}
	r := &Ring{dir: dir}
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("open keys: %w", err)
	}
	for _, file := range files {
		if !strings.HasPrefix(file.Name(), "upload-") || !strings.HasSuffix(file.Name(), ".pem") {
			continue
		}
		key, err := read(filepath.Join(dir, file.Name()))
		if err != nil {
			return nil, fmt.Errorf("open key file %s: %w", file.Name(), err)
		}
		r.keys = append(r.keys, key)
	}
	r.sort()
	current, err := os.ReadFile(r.currentFile())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("open keys: %w", err)
	}
	r.current = strings.TrimSpace(string(current))
	if len(r.keys) > 0 && !r.holds(r.current) {
		r.current = r.keys[0].Fingerprint
	}
	return r, nil
}

// read reads a key file.
func read(name string) (Key, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return Key{}, err
	}
	key, err := parse(text)
	if err != nil {
		return Key{}, fmt.Errorf("%w; put it back from a backup, or move it away", err)
	}
	info, err := os.Stat(name)
	if err != nil {
		return Key{}, err
	}
	if info.Mode().Perm() != 0o600 {
		if err := os.Chmod(name, 0o600); err != nil {
			return Key{}, err
		}
	}
	key.Added = info.ModTime()
	return key, nil
}

// holds reports whether a key is here.
func (r *Ring) holds(fingerprint string) bool {
	return slices.ContainsFunc(r.keys, func(k Key) bool { return k.Fingerprint == fingerprint })
}

// currentFile holds the fingerprint of the key that devices are given.
func (r *Ring) currentFile() string { return filepath.Join(r.dir, "current") }

func (r *Ring) sort() {
	sort.SliceStable(r.keys, func(i, j int) bool { return r.keys[i].Added.After(r.keys[j].Added) })
}

// Create makes a new key whose certificate names the app, and keeps it. From now
// on devices are given this one; the others still open what was sealed for them.
func (r *Ring) Create(app core.AppID, now time.Time) (Key, error) {
	private, err := rsa.GenerateKey(rand.Reader, keyBits)
	if err != nil {
		return Key{}, fmt.Errorf("make a key: %w", err)
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return Key{}, fmt.Errorf("make a key: %w", err)
	}
	public := sha256.Sum256(x509.MarshalPKCS1PublicKey(&private.PublicKey))
	template := &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: string(app), Organization: []string{"Footbridge"}},
		NotBefore: now.AddDate(0, 0, -2), NotAfter: now.AddDate(27, 0, 0),
		SubjectKeyId: public[:20], KeyUsage: x509.KeyUsageKeyEncipherment | x509.KeyUsageDataEncipherment,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		return Key{}, fmt.Errorf("make a certificate: %w", err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return Key{}, fmt.Errorf("make a key: %w", err)
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})
	return r.Import(append(text, pem.EncodeToMemory(&pem.Block{Type: certificate, Bytes: der})...), true, now)
}

// Import keeps a private key and its certificate, both in one PEM text. Devices
// are given it if current is set or there was none. A key that is here already is
// no error.
func (r *Ring) Import(text []byte, current bool, now time.Time) (Key, error) {
	key, err := parse(text)
	if err != nil {
		return Key{}, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if i := slices.IndexFunc(r.keys, func(k Key) bool { return k.Fingerprint == key.Fingerprint }); i >= 0 {
		key = r.keys[i]
	} else {
		key.Added = now
		if err := WriteFile(filepath.Join(r.dir, "upload-"+key.Fingerprint[:16]+".pem"), text); err != nil {
			return Key{}, fmt.Errorf("keep the key: %w", err)
		}
		r.keys = append(r.keys, key)
		r.sort()
	}
	if current || r.current == "" {
		if err := WriteFile(r.currentFile(), []byte(key.Fingerprint+"\n")); err != nil {
			return Key{}, fmt.Errorf("keep the key: %w", err)
		}
		r.current = key.Fingerprint
	}
	key.Current = key.Fingerprint == r.current
	return key, nil
}

// Keys gives every key, newest first, for opening uploads.
func (r *Ring) Keys() []cms.Key {
	r.mu.RLock()
	defer r.mu.RUnlock()
	all := make([]cms.Key, len(r.keys))
	for i, key := range r.keys {
		all[i] = key.Key
	}
	return all
}

// List gives every key, newest first.
func (r *Ring) List() []Key {
	r.mu.RLock()
	defer r.mu.RUnlock()
	all := slices.Clone(r.keys)
	for i := range all {
		all[i].Current = all[i].Fingerprint == r.current
	}
	return all
}

// PublicKey gives the certificate that devices are given, as PEM. Errors:
// core.ErrNotFound.
func (r *Ring) PublicKey() (string, error) {
	for _, key := range r.List() {
		if key.Current {
			return string(pem.EncodeToMemory(&pem.Block{Type: certificate, Bytes: key.Certificate.Raw})), nil
		}
	}
	return "", fmt.Errorf("data-collection key: %w", core.ErrNotFound)
}
