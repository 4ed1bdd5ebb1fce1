package synapse

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"footbridge/core"
)

// Storage is where the bytes of a folder's files lie.
type Storage struct {
	Bucket   string // the study's own; empty: the repository's
	BaseKey  string // keys in the bucket begin with it and a slash; only with Bucket
	Endpoint string // of a bucket that is not at AWS; mostly empty
}

// ErrBucket says that the repository does not take a bucket: its owner.txt does not
// name the caller, or the repository may not look into it.
var ErrBucket = errors.New("the repository does not take this bucket")

// externalBucket is the kind of location that is a bucket of somebody's own.
const externalBucket = "org.sagebionetworks.repo.model.project.ExternalS3StorageLocationSetting"

type location struct {
	ConcreteType      string `json:"concreteType"`
	StorageLocationID int64  `json:"storageLocationId,omitempty"`
	Bucket            string `json:"bucket,omitempty"`
	BaseKey           string `json:"baseKey,omitempty"`
	STSEnabled        bool   `json:"stsEnabled"`
	EndpointURL       string `json:"endpointUrl,omitempty"`
}

type setting struct {
	ConcreteType string   `json:"concreteType"`
	ProjectID    EntityID `json:"projectId"`
	SettingsType string   `json:"settingsType"`
	Locations    []int64  `json:"locations"`
}

// MakeStorage gives an empty folder a storage location with direct access by
// temporary credentials, or finds the one that it has, and gives its number. May
// be repeated: a location that a crash left without a folder does no harm.
// Errors: core.ErrOtherRepository, ErrInvalid where the folder is not empty,
// ErrBucket.
func (c *Client) MakeStorage(ctx context.Context, folder EntityID, wanted Storage) (int64, error) {
	id, err := c.storageOf(ctx, folder)
	if err == nil && id == 0 {
		id, err = c.makeStorage(ctx, folder, wanted)
	}
	if err != nil {
		return 0, fmt.Errorf("make a storage location: %w", gone(err))
	}
	return id, nil
}

func (c *Client) makeStorage(ctx context.Context, folder EntityID, wanted Storage) (int64, error) {
	asked := location{ConcreteType: "org.sagebionetworks.repo.model.project.S3StorageLocationSetting", STSEnabled: true}
	if wanted.Bucket != "" {
		asked.ConcreteType = externalBucket
		asked.Bucket, asked.BaseKey, asked.EndpointURL = wanted.Bucket, wanted.BaseKey, wanted.Endpoint
	}
	var made location
	if err := c.do(ctx, request{method: http.MethodPost, path: "/repo/v1/storageLocation", body: asked}, &made); err != nil {
		if wanted.Bucket != "" && (errors.Is(err, ErrInvalid) || errors.Is(err, ErrRefused)) {
			err = fmt.Errorf("%w: %w", ErrBucket, err)
		}
		return 0, err
	}
	if made.StorageLocationID == 0 {
		return 0, &Error{Kind: ErrAway, Reason: foreign}
	}
	use := setting{ConcreteType: "org.sagebionetworks.repo.model.project.UploadDestinationListSetting",
		ProjectID: folder, SettingsType: "upload", Locations: []int64{made.StorageLocationID}}
	err := c.do(ctx, request{method: http.MethodPost, path: "/repo/v1/projectSettings", body: use}, &setting{})
	if errors.Is(err, ErrInvalid) || errors.Is(err, core.ErrExists) { // perhaps it is set since the answer was lost
		if id, asked := c.storageOf(ctx, folder); asked == nil && id != 0 {
			return id, nil
		}
	}
	return made.StorageLocationID, err
}

// Storage gives what a storage location is, which only tells it to whoever made it.
// Errors: ErrRefused where another one did, core.ErrNotFound.
func (c *Client) Storage(ctx context.Context, number int64) (Storage, error) {
	var held location
	err := c.do(ctx, request{method: http.MethodGet, path: "/repo/v1/storageLocation/" + strconv.FormatInt(number, 10)}, &held)
	if err == nil && held.StorageLocationID != number {
		err = &Error{Kind: ErrAway, Reason: foreign}
	}
	if err != nil {
		return Storage{}, fmt.Errorf("ask for storage location %d: %w", number, err)
	}
	if held.ConcreteType != externalBucket {
		return Storage{}, nil
	}
	return Storage{Bucket: held.Bucket, BaseKey: held.BaseKey, Endpoint: held.EndpointURL}, nil
}

// storageOf gives the location of a folder's own; 0: it has none.
func (c *Client) storageOf(ctx context.Context, folder EntityID) (int64, error) {
	var held setting
	err := c.do(ctx, request{method: http.MethodGet, path: "/repo/v1/projectSettings/" + string(folder) + "/type/upload", empty: true}, &held)
	if err != nil {
		return 0, err
	}
	if held.ProjectID != folder || len(held.Locations) == 0 { // a parent's is answered as well
		return 0, nil
	}
	return held.Locations[0], nil
}

// Credentials give direct access to the storage of a folder for some hours. They
// show nothing of themselves when they are printed or logged.
type Credentials struct {
	Bucket          string    `json:"bucket"`
	BaseKey         string    `json:"baseKey"`
	AccessKeyID     string    `json:"accessKeyId"`
	SecretAccessKey string    `json:"secretAccessKey"`
	SessionToken    string    `json:"sessionToken"`
	Expiration      time.Time `json:"expiration"`
}

// String names only what they are for.
func (c Credentials) String() string { return "credentials for bucket " + c.Bucket }

// GoString is String.
func (c Credentials) GoString() string { return c.String() }

// LogValue is String.
func (c Credentials) LogValue() slog.Value { return slog.StringValue(c.String()) }

// Credentials asks the repository's token service for credentials, which last 12
// hours. Only a study's own bucket may be written to. Errors: ErrInvalid where the
// folder's storage has no direct access, core.ErrOtherRepository.
func (c *Client) Credentials(ctx context.Context, folder EntityID, write bool) (Credentials, error) {
	permission := "read_only"
	if write {
		permission = "read_write"
	}
	var given Credentials
	err := c.do(ctx, request{method: http.MethodGet, path: "/repo/v1/entity/" + string(folder) + "/sts?permission=" + permission}, &given)
	if err == nil && (given.AccessKeyID == "" || given.SessionToken == "") {
		err = &Error{Kind: ErrAway, Reason: foreign}
	}
	if err != nil {
		return Credentials{}, fmt.Errorf("ask for credentials of %s: %w", folder, gone(err))
	}
	return given, nil
}
