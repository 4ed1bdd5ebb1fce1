package notify

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"footbridge/core"
)

// The headers of Standard Webhooks.
const (
	HeaderID        = "webhook-id"
	HeaderTimestamp = "webhook-timestamp" // of the attempt, seconds of Unix time
	HeaderSignature = "webhook-signature" // v1,<base64 HMAC-SHA256 of id.timestamp.body>
)

// sign puts the headers on a request. Errors: a secret that is none.
func sign(r *http.Request, n core.Notice, secret string, now time.Time) error {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return fmt.Errorf("read the secret: it is not base64")
	}
	stamp := strconv.FormatInt(now.Unix(), 10)
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", n.ID, stamp, n.Body)
	r.Header.Set(HeaderID, string(n.ID))
	r.Header.Set(HeaderTimestamp, stamp)
	r.Header.Set(HeaderSignature, "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	return nil
}
