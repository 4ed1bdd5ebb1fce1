package synapsetest

import (
	"crypto/md5"
	"encoding/hex"
	"net/http"
	"regexp"
	"strconv"
	"strings"
)

const (
	s3Handle   = "org.sagebionetworks.repo.model.file.S3FileHandle"
	ownStorage = 1 // the location that the repository uses when none is named
)

// handle is a file handle on the wire.
type handle struct {
	ConcreteType      string `json:"concreteType"`
	ID                string `json:"id,omitempty"`
	CreatedBy         string `json:"createdBy,omitempty"`
	BucketName        string `json:"bucketName,omitempty"`
	Key               string `json:"key,omitempty"`
	FileName          string `json:"fileName,omitempty"`
	ContentType       string `json:"contentType,omitempty"`
	ContentMD5        string `json:"contentMd5,omitempty"`
	ContentSize       int64  `json:"contentSize,omitempty"`
	StorageLocationID int64  `json:"storageLocationId,omitempty"`

	bytes []byte
}

func (s *Server) routeFiles() {
	s.route("POST /file/v1/externalFileHandle/s3", "modify", s.externalHandle)
	s.routeMultipart()
	s.routeDownloads()
}

var hexMD5 = regexp.MustCompile(`^[0-9a-fA-F]{32}$`)

// externalHandle makes a handle of an object that is in a bucket already. Each
// call makes another one.
func (s *Server) externalHandle(c *call) (int, any, error) {
	var h handle
	if err := c.decode(&h); err != nil {
		return 0, nil, err
	}
	switch {
	case h.ConcreteType != s3Handle:
		return 0, nil, bad("Unsupported concreteType: " + h.ConcreteType)
	case h.StorageLocationID == 0:
		return 0, nil, bad("FileHandle.storageLocationId is required.")
	case h.BucketName == "":
		return 0, nil, bad("FileHandle.bucket is required.")
	case h.Key == "":
		return 0, nil, bad("FileHandle.key is required.")
	case !hexMD5.MatchString(h.ContentMD5):
		return 0, nil, bad("FileHandle.contentMd5 must be a 32 digit hexadecimal")
	}
	at := s.locations[h.StorageLocationID]
	switch {
	case at == nil || at.ConcreteType != externalS3:
		return 0, nil, bad("StorageLocationSetting.id=" + strconv.FormatInt(h.StorageLocationID, 10) + " was not of the expected type: ExternalS3StorageLocationSetting")
	case at.owner != c.user.ID:
		return 0, nil, forbidden("Only the creator of the storage location can create external file handles in it")
	case at.Bucket != h.BucketName:
		return 0, nil, bad("The bucket for ExternalS3StorageLocationSetting.id=" + strconv.FormatInt(h.StorageLocationID, 10) + " does not match the provided bucket: " + h.BucketName)
	case at.STSEnabled && !strings.HasPrefix(h.Key, at.BaseKey+"/"):
		return 0, nil, bad("The key for file handle with STS-enabled storage location must start with the base key")
	}
	object, ok := s.object(h.BucketName, h.Key)
	if !ok {
		return 0, nil, bad("Unable to access the file at bucket: " + h.BucketName + " key: " + h.Key + ".")
	}
	h.bytes, h.ContentSize = object, int64(len(object))
	return http.StatusOK, s.addHandle(c, h), nil
}

func (s *Server) addHandle(c *call, h handle) *handle {
	h.ID, h.CreatedBy = strconv.FormatInt(s.next(), 10), strconv.FormatInt(c.user.ID, 10)
	if h.StorageLocationID == 0 {
		h.StorageLocationID = ownStorage
	}
	s.handles[h.ID] = &h
	s.note("handle", h.ID)
	return &h
}

// legalFile says why a file entity cannot have its handle.
func (s *Server) legalFile(c *call, e *Entity) error {
	h := s.handles[e.DataFileHandleID]
	if e.DataFileHandleID == "" {
		return bad("FileEntity.dataFileHandleId cannot be null")
	}
	if h == nil {
		return missing("FileHandle with id: '" + e.DataFileHandleID + "' does not exist")
	}
	if h.CreatedBy != strconv.FormatInt(c.user.ID, 10) {
		return forbidden("Only the creator of a FileHandle can use it: " + h.ID)
	}
	if at := s.locationOf(e.ParentID); at != nil && (at.STSEnabled || s.sts(h)) && at.StorageLocationID != h.StorageLocationID {
		return bad("Folders with STS-enabled storage locations can only accept files with the same storage location")
	} else if at == nil && s.sts(h) {
		return bad("Files in STS-enabled storage locations can only be placed in folders with the same storage location")
	}
	return nil
}

func (s *Server) sts(h *handle) bool {
	at := s.locations[h.StorageLocationID]
	return at != nil && at.STSEnabled
}

func (s *Server) md5(id string) string {
	if h := s.handles[id]; h != nil {
		return h.ContentMD5
	}
	return ""
}

func sum(data []byte) string {
	all := md5.Sum(data)
	return hex.EncodeToString(all[:])
}
