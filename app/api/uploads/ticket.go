package uploads

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"

	"footbridge/core"
)

// A ticket is the query of an upload URL: until when it works, and a signature
// that only this site can make.

func (h *Handlers) uploadURL(r *http.Request, u core.Upload) string {
	scheme, host := "http", r.Host
	if r.TLS != nil {
		scheme = "https"
	}
	if local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr); ok && host == "" { // HTTP/1.0 need not name it
		host = local.String()
	}
	expires := strconv.FormatInt(u.ExpiresOn.Unix(), 10)
	query := url.Values{"expires": {expires}, "signature": {h.sign(u.ID, expires)}}
	return fmt.Sprintf("%s://%s/put/%s?%s", scheme, host, u.ID, query.Encode())
}

func (h *Handlers) sign(id core.UploadID, expires string) string {
	mac := hmac.New(sha256.New, h.Secret)
	fmt.Fprintf(mac, "put\n%s\n%s", id, expires)
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// ticketed reports whether a PUT carries a ticket of this site that has not
// expired.
func (h *Handlers) ticketed(r *http.Request, id core.UploadID) bool {
	query := r.URL.Query()
	expires := query.Get("expires")
	until, err := strconv.ParseInt(expires, 10, 64)
	signature := h.sign(id, expires)
	return hmac.Equal([]byte(signature), []byte(query.Get("signature"))) && err == nil && h.Now().Unix() < until
}
