package studies

import (
	"cmp"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"footbridge/app/analysis"
	"footbridge/app/api"
	"footbridge/app/config"
	"footbridge/app/projects"
	"footbridge/core"
	"footbridge/sync/remote"
	"footbridge/sync/synapse"
)

// Credentials read a study's data in its storage for some hours. They show nothing of
// themselves when they are printed or logged.
type Credentials struct {
	Bucket          string    `json:"bucket"`
	BaseKey         string    `json:"baseKey"`  // keys begin with it and a slash
	Provider        string    `json:"provider"` // as rclone calls it
	Region          string    `json:"region,omitempty"`
	Endpoint        string    `json:"endpoint,omitempty"` // of S3 that is not AWS's
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

// credentials gives temporary credentials that read a study's data in its
// storage.
func (h *Handlers) credentials(r *http.Request) (any, error) {
	study, err := h.Store.Study(r.Context(), core.StudyID(r.PathValue("study")))
	if err != nil {
		return nil, err
	}
	repository, err := h.Projects.Synapse()
	var given Credentials
	switch {
	case errors.Is(err, projects.ErrNoSynapse):
		given, err = h.lend(r, study.ID)
	case err == nil:
		given, err = h.lent(r, repository, study.ID)
	}
	if err != nil {
		return nil, err
	}
	h.Log.Info("credentials are given for direct access", "study", study.ID)
	return given, nil
}

// lent are those of the Synapse repository's token service.
func (h *Handlers) lent(r *http.Request, repository *analysis.Repository, study core.StudyID) (Credentials, error) {
	given, err := repository.Credentials(r.Context(), core.Destination{ID: core.DestinationID(study), App: h.App, Study: study})
	switch {
	case errors.Is(err, synapse.ErrInvalid):
		return Credentials{}, api.BadRequest("The storage of this project gives no direct access.")
	case err != nil:
		return Credentials{}, h.Unavailable(r, err)
	}
	named := h.Projects.Bucket()
	if named.Name != given.Bucket {
		named = analysis.Bucket{} // the repository's own is at AWS
	}
	provider := "AWS"
	if named.Endpoint != "" {
		provider = "Other"
	}
	return Credentials{
		Bucket: given.Bucket, BaseKey: given.BaseKey, Provider: cmp.Or(named.Provider, provider), Region: named.Region, Endpoint: named.Endpoint,
		AccessKeyID: given.AccessKeyID, SecretAccessKey: given.SecretAccessKey, SessionToken: given.SessionToken, Expiration: given.Expiration,
	}, nil
}

// lend are those of the token service that the provider of an S3 remote has.
func (h *Handlers) lend(r *http.Request, study core.StudyID) (Credentials, error) {
	named, err := h.Projects.Folders().Open(r.Context())
	if err != nil {
		return Credentials{}, h.Unavailable(r, err)
	}
	given, until, err := named.Lend(r.Context(), string(study))
	switch {
	case errors.Is(err, remote.ErrLendsNothing):
		return Credentials{}, api.BadRequest("This repository hands out no temporary credentials (" + err.Error() + "): " +
			config.Shown(h.Settings().Repository) + " is read with the rights that its owner gives.")
	case err != nil:
		return Credentials{}, h.Unavailable(r, err)
	}
	provider := "AWS"
	if given.Endpoint != "" {
		provider = "Other"
	}
	return Credentials{
		Bucket: given.Name, BaseKey: given.Prefix, Provider: cmp.Or(given.Provider, provider), Region: given.Region, Endpoint: given.Endpoint,
		AccessKeyID: given.AccessKeyID, SecretAccessKey: given.SecretAccessKey, SessionToken: given.SessionToken, Expiration: until,
	}, nil
}
