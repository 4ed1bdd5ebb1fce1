package schemas

import (
	"net/http"
	"strconv"

	"footbridge/app/api/call"
	"footbridge/core"
	"footbridge/core/schema"
)

// createSchema makes a revision: the one that the document names, or the next.
func (h *Handlers) createSchema(w http.ResponseWriter, r *http.Request) error {
	document, err := h.document(r)
	if err != nil {
		return err
	}
	s, err := h.Library.CreateSchema(r.Context(), document)
	return write(w, http.StatusCreated, s, call.Taken(err, "UploadSchema",
		"The schema has this revision already. Leave the revision out to make the next one, or update the one that is there."))
}

// reviseSchema makes the revision after the one that the document names.
func (h *Handlers) reviseSchema(w http.ResponseWriter, r *http.Request) error {
	document, err := h.document(r)
	if err != nil {
		return err
	}
	s, err := h.Library.ReviseSchema(r.Context(), document)
	return write(w, http.StatusCreated, s, err)
}

// updateSchema changes a revision.
func (h *Handlers) updateSchema(w http.ResponseWriter, r *http.Request) error {
	document, err := h.document(r)
	if err != nil {
		return err
	}
	revision, err := revisionOf(r)
	if err != nil {
		return err
	}
	s, err := h.Library.UpdateSchema(r.Context(), r.PathValue("schemaId"), revision, document)
	return write(w, http.StatusOK, s, err)
}

// schemas lists the newest revision of every schema.
func (h *Handlers) schemas(w http.ResponseWriter, r *http.Request) error {
	return writeList(h, w, r, func(deletedToo bool) ([]schema.Schema, error) { return h.Library.Schemas(r.Context(), deletedToo) })
}

// revisions lists the revisions of a schema.
func (h *Handlers) revisions(w http.ResponseWriter, r *http.Request) error {
	return writeList(h, w, r, func(deletedToo bool) ([]schema.Schema, error) {
		return h.Library.Revisions(r.Context(), r.PathValue("schemaId"), deletedToo)
	})
}

// recentSchema shows the newest revision of a schema.
func (h *Handlers) recentSchema(w http.ResponseWriter, r *http.Request) error {
	if _, err := h.Require(r, readers()...); err != nil {
		return err
	}
	s, err := h.Library.RecentSchema(r.Context(), r.PathValue("schemaId"))
	return write(w, http.StatusOK, s, err)
}

// schema shows one revision, a deleted one too.
func (h *Handlers) schema(w http.ResponseWriter, r *http.Request) error {
	if _, err := h.Require(r, users()...); err != nil {
		return err
	}
	return h.showSchema(w, r)
}

// schemaForWorker is schema under a name of the app.
func (h *Handlers) schemaForWorker(w http.ResponseWriter, r *http.Request) error {
	if _, err := h.Require(r, core.RoleWorker); err != nil {
		return err
	}
	if err := h.InApp(r); err != nil {
		return err
	}
	return h.showSchema(w, r)
}

func (h *Handlers) showSchema(w http.ResponseWriter, r *http.Request) error {
	revision, err := revisionOf(r)
	if err != nil {
		return err
	}
	s, err := h.Library.Schema(r.Context(), r.PathValue("schemaId"), revision)
	return write(w, http.StatusOK, s, err)
}

// deleteSchema deletes every revision of a schema.
func (h *Handlers) deleteSchema(w http.ResponseWriter, r *http.Request) error {
	forGood, err := h.forGood(r)
	if err != nil {
		return err
	}
	if err := h.Library.DeleteSchema(r.Context(), r.PathValue("schemaId"), 0, forGood); err != nil {
		return err
	}
	return writeDeleted(w, "Schema", forGood)
}

// deleteRevision deletes one revision.
func (h *Handlers) deleteRevision(w http.ResponseWriter, r *http.Request) error {
	forGood, err := h.forGood(r)
	if err != nil {
		return err
	}
	revision, err := revisionOf(r)
	if err != nil {
		return err
	}
	if err := h.Library.DeleteSchema(r.Context(), r.PathValue("schemaId"), revision, forGood); err != nil {
		return err
	}
	return writeDeleted(w, "Schema revision", forGood)
}

// revisionOf reads the revision of a path. Errors: 400.
func revisionOf(r *http.Request) (int, error) {
	n, err := strconv.ParseInt(r.PathValue("revision"), 10, 32)
	if err != nil || n < 1 {
		return 0, call.BadRequest("The revision in the path must be a whole number from 1.")
	}
	return int(n), nil
}
