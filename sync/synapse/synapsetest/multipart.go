package synapsetest

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
)

const (
	minPart  = 5 << 20
	maxParts = 10_000
)

// multipart asks for an upload. The same request resumes the same upload.
type multipart struct {
	ConcreteType      string `json:"concreteType"`
	ContentMD5Hex     string `json:"contentMD5Hex"`
	ContentType       string `json:"contentType"`
	FileName          string `json:"fileName"`
	FileSizeBytes     int64  `json:"fileSizeBytes"`
	PartSizeBytes     int64  `json:"partSizeBytes"`
	StorageLocationID int64  `json:"storageLocationId"`
	GeneratePreview   bool   `json:"generatePreview"`
}

// parts is how many an upload has.
func (m multipart) parts() int {
	return int((m.FileSizeBytes + m.PartSizeBytes - 1) / m.PartSizeBytes)
}

type upload struct {
	id     string
	owner  int64
	asked  multipart
	bytes  map[int][]byte // parts as they were put
	added  map[int]bool
	handle string // once complete

}

// link is a signed URL of one part.
type link struct {
	upload *upload
	part   int
}

func (s *Server) routeMultipart() {
	s.route("POST /file/v1/file/multipart", "modify", s.startMultipart)
	s.route("POST /file/v1/file/multipart/{id}/presigned/url/batch", "modify", s.signParts)
	s.route("PUT /file/v1/file/multipart/{id}/add/{part}", "modify", s.addPart)
	s.route("PUT /file/v1/file/multipart/{id}/complete", "modify", s.completeMultipart)
}

func (s *Server) startMultipart(c *call) (int, any, error) {
	var asked multipart
	if err := c.decode(&asked); err != nil {
		return 0, nil, err
	}
	switch {
	case asked.ConcreteType != "org.sagebionetworks.repo.model.file.MultipartUploadRequest":
		return 0, nil, bad("Unsupported concreteType: " + asked.ConcreteType)
	case asked.FileName == "":
		return 0, nil, bad("MultipartUploadRequest.fileName is required.")
	case asked.FileSizeBytes < 1:
		return 0, nil, bad("File size must be at least one byte.")
	case !hexMD5.MatchString(asked.ContentMD5Hex):
		return 0, nil, bad("MultipartUploadRequest.MD5Hex is required.")
	case asked.PartSizeBytes < minPart:
		return 0, nil, bad("The part size must be at least 5242880 bytes.")
	case asked.parts() > maxParts:
		return 0, nil, bad("File Upload would required " + strconv.Itoa(asked.parts()) + " parts, which exceeds the maximum number of allowed parts of: 10000")
	case asked.StorageLocationID != 0 && asked.StorageLocationID != ownStorage && s.locations[asked.StorageLocationID] == nil:
		return 0, nil, missing("Storage location not found: " + strconv.FormatInt(asked.StorageLocationID, 10))
	}
	restart := c.URL.Query().Get("forceRestart") == "true"
	for _, u := range s.uploads {
		if u.owner == c.user.ID && u.asked == asked && !restart {
			return http.StatusCreated, u.status(), nil
		}
	}
	id := strconv.FormatInt(s.next(), 10)
	u := &upload{id: id, owner: c.user.ID, asked: asked, bytes: map[int][]byte{}, added: map[int]bool{}}
	if restart {
		for old, other := range s.uploads {
			if other.asked == asked {
				delete(s.uploads, old)
			}
		}
	}
	s.uploads[id] = u
	s.note("upload", id)
	return http.StatusCreated, u.status(), nil
}

func (u *upload) status() map[string]any {
	var state strings.Builder
	for part := 1; part <= u.asked.parts(); part++ {
		if u.added[part] {
			state.WriteByte('1')
		} else {
			state.WriteByte('0')
		}
	}
	body := map[string]any{"uploadId": u.id, "partsState": state.String(), "state": "UPLOADING"}
	if u.handle != "" {
		body["state"], body["resultFileHandleId"] = "COMPLETED", u.handle
	}
	return body
}

// ofCaller gives the upload that a call names.
func (s *Server) ofCaller(c *call) (*upload, error) {
	u := s.uploads[c.PathValue("id")]
	if u == nil {
		return nil, missing("Cannot find multipart upload with id: " + c.PathValue("id"))
	}
	if u.owner != c.user.ID {
		return nil, forbidden("Only the user that started a multipart upload can update it.")
	}
	return u, nil
}

func (s *Server) signParts(c *call) (int, any, error) {
	u, err := s.ofCaller(c)
	if err != nil {
		return 0, nil, err
	}
	var asked struct {
		UploadID    string `json:"uploadId"`
		PartNumbers []int  `json:"partNumbers"`
		ContentType string `json:"contentType"`
	}
	if err := c.decode(&asked); err != nil {
		return 0, nil, err
	}
	if len(asked.PartNumbers) == 0 {
		return 0, nil, bad("BatchPresignedUploadUrlRequest.partNumbers must contain at least one value")
	}
	signed := []map[string]any{}
	for _, part := range asked.PartNumbers {
		if part < 1 || part > u.asked.parts() {
			return 0, nil, bad("Part number cannot be larger than number of parts.")
		}
		signature := fmt.Sprintf("signature-%d", s.next())
		s.links[signature] = link{u, part}
		signed = append(signed, map[string]any{
			"partNumber": part, "uploadPresignedUrl": s.URL + "/storage/" + signature + "?X-Amz-Signature=" + signature,
			"signedHeaders": map[string]string{"x-amz-meta-signed": "yes"},
		})
	}
	return http.StatusCreated, map[string]any{"partPresignedUrls": signed}, nil
}

// storePart is the object storage behind signed links. It speaks XML.
func (s *Server) storePart(w http.ResponseWriter, r *http.Request) {
	refuse := func(status int, code string) {
		w.Header().Set("Content-Type", "application/xml")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, "<Error><Code>"+code+"</Code></Error>")
	}
	data, err := io.ReadAll(r.Body)
	s.mu.Lock()
	defer s.mu.Unlock()
	signed, ok := s.links[r.PathValue("signature")]
	switch {
	case err != nil:
		refuse(http.StatusBadRequest, "IncompleteBody")
	case r.Header.Get("Authorization") != "":
		refuse(http.StatusBadRequest, "InvalidArgument")
	case !ok || r.URL.Query().Get("X-Amz-Signature") != r.PathValue("signature"):
		refuse(http.StatusForbidden, "AccessDenied")
	case r.Header.Get("x-amz-meta-signed") != "yes":
		refuse(http.StatusForbidden, "SignatureDoesNotMatch")
	default:
		signed.upload.bytes[signed.part] = data
		w.Header().Set("ETag", `"`+sum(data)+`"`)
	}
}

func (s *Server) addPart(c *call) (int, any, error) {
	u, err := s.ofCaller(c)
	if err != nil {
		return 0, nil, err
	}
	part, err := strconv.Atoi(c.PathValue("part"))
	if err != nil || part < 1 || part > u.asked.parts() {
		return 0, nil, bad("Part number must be between 1 and " + strconv.Itoa(u.asked.parts()))
	}
	body := map[string]any{"uploadId": u.id, "partNumber": part, "addPartState": "ADD_SUCCESS"}
	if data, ok := u.bytes[part]; !ok || sum(data) != c.URL.Query().Get("partMD5Hex") {
		body["addPartState"], body["errorMessage"] = "ADD_FAILED", "The provided MD5 does not match the MD5 of the uploaded part. Please re-upload the part."
	} else {
		u.added[part] = true
		s.note("part", u.id+"/"+strconv.Itoa(part))
	}
	return http.StatusCreated, body, nil
}

func (s *Server) completeMultipart(c *call) (int, any, error) {
	u, err := s.ofCaller(c)
	if err != nil {
		return 0, nil, err
	}
	if u.handle != "" {
		return http.StatusCreated, u.status(), nil
	}
	var whole bytes.Buffer
	for part := 1; part <= u.asked.parts(); part++ {
		if !u.added[part] {
			return 0, nil, bad("Missing part number: " + strconv.Itoa(part) + ". This part must be added before the upload can be completed")
		}
		whole.Write(u.bytes[part])
	}
	if int64(whole.Len()) != u.asked.FileSizeBytes {
		return 0, nil, bad("The size of the file is not the one that was declared")
	}
	u.handle = s.addHandle(c, handle{
		ConcreteType: s3Handle, BucketName: "proddata", Key: "key/" + u.id, FileName: u.asked.FileName,
		ContentType: u.asked.ContentType, ContentMD5: u.asked.ContentMD5Hex, ContentSize: u.asked.FileSizeBytes,
		StorageLocationID: u.asked.StorageLocationID, bytes: bytes.Clone(whole.Bytes()),
	}).ID
	return http.StatusCreated, u.status(), nil
}
