package synapsetest

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ownerFile is the object in which the owner of a bucket names who may use it.
const ownerFile = "owner.txt"

// ownerLines is how many lines of it are read.
const ownerLines = 100

// lent is what credentials of the token service allow.
type lent struct {
	bucket, baseKey string
	write           bool
	until           time.Time
}

// object gives what a bucket of a study holds under a key.
func (s *Server) object(bucket, key string) ([]byte, bool) {
	if s.config.Object != nil {
		return s.config.Object(bucket, key)
	}
	data, ok := s.objects[bucket+"/"+key]
	return data, ok
}

// owned says why a user may not use part of a bucket.
func (s *Server) owned(c *call, bucket, baseKey string) error {
	if strings.HasPrefix(baseKey, "/") || strings.HasSuffix(baseKey, "/") {
		return bad("The base key must not begin or end with a slash.")
	}
	key := strings.TrimPrefix(baseKey+"/"+ownerFile, "/")
	help := "For security purposes, please create an object in bucket '" + bucket + "' with key '" + key + "' that contains the text '" + c.user.Name + "'."
	text, ok := s.object(bucket, key)
	if !ok {
		return bad("Did not find S3 object at key " + key + " from bucket " + bucket + ". " + help)
	}
	names := []string{strings.ToLower(c.user.Name)}
	for _, id := range s.principals(c.user) {
		names = append(names, strconv.FormatInt(id, 10))
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for n := 0; n < ownerLines && lines.Scan(); n++ {
		for name := range strings.SplitSeq(lines.Text(), ",") {
			if slices.Contains(names, strings.ToLower(strings.TrimSpace(name))) {
				return nil
			}
		}
	}
	return bad("The username " + c.user.Name + " is not found under " + key + " from bucket " + bucket + ". " + help)
}

// lend makes credentials for part of a bucket.
func (s *Server) lend(at *location, permission string) map[string]string {
	n := strconv.FormatInt(s.next(), 10)
	given := map[string]string{
		"bucket": at.Bucket, "baseKey": at.BaseKey, "accessKeyId": "ASIA" + n, "secretAccessKey": "secret-" + n,
		"sessionToken": "session-" + permission + "-" + n,
	}
	if at.ConcreteType != externalS3 {
		given["bucket"] = "proddata"
	} else if s.config.AccessKey != "" {
		given["accessKeyId"], given["secretAccessKey"] = s.config.AccessKey, s.config.SecretKey
	}
	until := time.Now().Add(s.config.Life).UTC()
	given["expiration"] = until.Format("2006-01-02T15:04:05.000Z")
	s.lent[given["sessionToken"]] = &lent{given["bucket"], at.BaseKey, permission == "read_write", until}
	s.note("credentials", permission)
	return given
}

// ExpireAfter lets all credentials that were given expire once so many more requests
// passed the guard; 0: now.
func (s *Server) ExpireAfter(requests int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expireAfter = requests
	if requests == 0 {
		s.expire()
	}
}

func (s *Server) expire() {
	for _, given := range s.lent {
		given.until = time.Time{}
	}
}

// Guard lets those S3 requests pass, by path, that the token service's credentials
// allow, as S3 does. What is put and deleted is in the journal, as object and gone.
func (s *Server) Guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		bucket, key, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		if status, code := s.guard(r, bucket, key); status != 0 {
			_, _ = io.Copy(io.Discard, r.Body) // or the answer may be lost with the connection
			w.Header().Set("Content-Type", "application/xml")
			w.WriteHeader(status)
			if r.Method != http.MethodHead {
				_, _ = w.Write([]byte("<Error><Code>" + code + "</Code><Message>" + code + "</Message></Error>"))
			}
			return
		}
		seen := &statusOf{ResponseWriter: w, status: http.StatusOK}
		next.ServeHTTP(seen, r)
		s.mu.Lock()
		defer s.mu.Unlock()
		query := r.URL.Query()
		switch {
		case seen.status > 299:
		case r.Method == http.MethodPut && !query.Has("partNumber"), r.Method == http.MethodPost && query.Has("uploadId"):
			s.note("object", key)
		case r.Method == http.MethodDelete && !query.Has("uploadId"):
			s.note("gone", key)
		}
	})
}

// guard gives status and code of why a request is refused; 0: it passes.
func (s *Server) guard(r *http.Request, bucket, key string) (int, string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.expireAfter > 0 {
		if s.expireAfter--; s.expireAfter == 0 {
			s.expire()
		}
	}
	token := r.Header.Get("X-Amz-Security-Token")
	given := s.lent[token]
	switch {
	case token == "":
		return http.StatusForbidden, "AccessDenied"
	case given == nil:
		return http.StatusBadRequest, "InvalidToken"
	case !time.Now().Before(given.until):
		return http.StatusBadRequest, "ExpiredToken"
	case !given.allows(r, bucket, key):
		return http.StatusForbidden, "AccessDenied"
	}
	// Who may list only part of a bucket is not told that something is not there.
	if _, there := s.object(bucket, key); !there && key != "" && (r.Method == http.MethodHead || r.Method == http.MethodGet) && !r.URL.Query().Has("uploadId") {
		return http.StatusForbidden, "AccessDenied"
	}
	return 0, ""
}

// allows reports whether credentials allow a request.
func (l *lent) allows(r *http.Request, bucket, key string) bool {
	part := key
	if key == "" {
		part = r.URL.Query().Get("prefix")
	}
	switch {
	case bucket != l.bucket || key == "" && r.Method != http.MethodGet:
		return false
	case l.baseKey != "" && !strings.HasPrefix(part+"/", l.baseKey+"/"):
		return false
	case key == strings.TrimPrefix(l.baseKey+"/"+ownerFile, "/"):
		return false
	}
	return l.write || r.Method == http.MethodGet || r.Method == http.MethodHead
}

// statusOf notes the status of an answer.
type statusOf struct {
	http.ResponseWriter
	status int
}

// WriteHeader notes it.
func (w *statusOf) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap gives the answer's writer.
func (w *statusOf) Unwrap() http.ResponseWriter { return w.ResponseWriter }
