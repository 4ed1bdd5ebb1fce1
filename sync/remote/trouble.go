package remote

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"syscall"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/aws/smithy-go"
	onedrive "github.com/rclone/rclone/backend/onedrive/api"
	webdav "github.com/rclone/rclone/backend/webdav/api"
	"github.com/rclone/rclone/fs"
	"golang.org/x/oauth2"
	"google.golang.org/api/googleapi"

	"footbridge/core"
)

// Trouble is what is wrong with a remote, as far as a person can do something
// about it.
type Trouble string

// The troubles. Each is a kind of error of every method here.
const (
	Unclear     Trouble = ""
	UnknownHost Trouble = "unknown_host" // its name leads nowhere
	Refused     Trouble = "refused"      // nothing listens there
	Silent      Trouble = "no_answer"    // the line is dead
	Certificate Trouble = "certificate"  // it cannot prove who it is
	WrongKey    Trouble = "wrong_key"    // it does not accept the key or password
	NotAllowed  Trouble = "not_allowed"  // the account may not do that
	NoBucket    Trouble = "no_bucket"    // the bucket or container is not there
	NoFolder    Trouble = "no_folder"    // the folder is not there
	NotFolder   Trouble = "not_folder"   // a file is where the folder should be
	Locked      Trouble = "locked"       // a folder of this machine may not be written to
	WrongClock  Trouble = "wrong_clock"  // of this machine
	Portal      Trouble = "portal"       // something else answers in its place
	Full        Trouble = "full"         // it has no room
	Busy        Trouble = "busy"         // it asks for a pause
	Differs     Trouble = "differs"      // it holds other bytes than were sent
	Gone        Trouble = "gone"         // the file is not there
)

// trouble is an error of a known kind.
type trouble struct {
	kind  Trouble
	cause error
}

func (t *trouble) Error() string { return t.cause.Error() }
func (t *trouble) Unwrap() error { return t.cause }

// TroubleOf gives the kind of an error of this package.
func TroubleOf(err error) Trouble {
	var f *failure
	if errors.As(err, &f) {
		return f.trouble
	}
	return Unclear
}

// said are the words by which remotes tell their troubles: codes of their APIs,
// or what SSH says where it has no code. The first that is found counts.
var said = []struct {
	kind  Trouble
	words []string
}{
	{WrongClock, []string{"RequestTimeTooSkewed", "RequestTimeSkewed", "RequestExpired", "AuthFailureTimeSkew"}},
	{NoBucket, []string{"NoSuchBucket", "ContainerNotFound", "InvalidBucketName", "ContainerBeingDeleted"}},
	{WrongKey, []string{
		"InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken", "InvalidToken", "InvalidClientTokenId",
		"AuthenticationFailed", "InvalidAuthenticationInfo", "InvalidAuthenticationToken", "unauthenticated",
		"unable to authenticate", "invalid_grant", "invalid_client", "invalid_access_token", "expired_access_token",
		"empty token found", "couldn't decrypt password", "input too short when revealing password",
	}},
	{NotAllowed, []string{
		"AccessDenied", "AllAccessDisabled", "AccountProblem", "AccountIsDisabled", "AuthorizationPermissionMismatch",
		"AuthorizationFailure", "accessDenied", "no_write_permission", "missing_scope", "insufficientFilePermissions",
		"insufficientPermissions", "permission denied", "Read only file system", "read-only file system",
	}},
	{Certificate, []string{"knownhosts: key mismatch", "knownhosts: key is unknown", "host key mismatch", "no key is pinned"}},
	{Full, []string{"insufficient_space", "quotaLimitReached", "storageQuotaExceeded", "QuotaExceeded"}},
	{Differs, []string{"BadDigest", "Md5Mismatch"}},
	{Busy, []string{"SlowDown", "RequestLimitExceeded", "ServerBusy", "rateLimitExceeded", "userRateLimitExceeded", "too_many_requests", "too_many_write_operations", "activityLimitReached"}},
}

// sortOut finds the kind of an error.
func sortOut(err error) Trouble {
	var known *trouble
	var unknown *net.DNSError
	var timeout net.Error
	status, text := statusOf(err), words(err)
	switch {
	case errors.As(err, &known):
		return known.kind
	case errors.Is(err, core.ErrDigestMismatch), damaged(err):
		return Differs
	case full(err), status == 507:
		return Full
	case errors.As(err, &unknown) && !unknown.IsTimeout:
		return UnknownHost
	case errors.Is(err, syscall.ECONNREFUSED):
		return Refused
	case untrusted(err):
		return Certificate
	case missing(err):
		return Gone
	}
	for _, one := range said {
		for _, word := range one.words {
			if strings.Contains(text, word) {
				return one.kind
			}
		}
	}
	switch {
	case status == 401:
		return WrongKey
	case status == 403, status == 405, errors.Is(err, os.ErrPermission), errors.Is(err, fs.ErrorPermissionDenied):
		return NotAllowed
	case status == 429, status == 503:
		return Busy
	case status == 511, foreign(text):
		return Portal
	case errors.As(err, &timeout) && timeout.Timeout(), errors.Is(err, context.DeadlineExceeded), errors.Is(err, syscall.ENETUNREACH),
		errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return Silent
	}
	return Unclear
}

// words gives what the remote said: of an API's error its code alone, because its
// text may quote names.
func words(err error) string {
	var s3 smithy.APIError
	var azure *azcore.ResponseError
	var google *googleapi.Error
	var drive *onedrive.Error
	var token *oauth2.RetrieveError
	switch {
	case errors.As(err, &s3):
		return s3.ErrorCode()
	case errors.As(err, &azure):
		return azure.ErrorCode
	case errors.As(err, &google):
		reasons := ""
		for _, item := range google.Errors {
			reasons += item.Reason + " "
		}
		return reasons
	case errors.As(err, &drive):
		return drive.ErrorInfo.Code + " " + drive.ErrorInfo.InnerError.Code
	case errors.As(err, &token):
		return token.ErrorCode + " " + err.Error()
	}
	return err.Error()
}

// wordless reports whether S3 said no more than the status, as it does of whatever is
// only looked at.
func wordless(err error) bool {
	text := words(err)
	return text == "BadRequest" || text == "Forbidden"
}

// statusOf gives the HTTP status that an error came with, 0 for none.
func statusOf(err error) int {
	var s3 interface{ HTTPStatusCode() int }
	var azure *azcore.ResponseError
	var google *googleapi.Error
	var dav *webdav.Error
	switch {
	case errors.As(err, &s3):
		return s3.HTTPStatusCode()
	case errors.As(err, &azure):
		return azure.StatusCode
	case errors.As(err, &google):
		return google.Code
	case errors.As(err, &dav):
		return dav.StatusCode
	}
	return 0
}

// untrusted reports whether a certificate was not accepted.
func untrusted(err error) bool {
	var verification *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	var host x509.HostnameError
	var invalid x509.CertificateInvalidError
	var record tls.RecordHeaderError
	return errors.As(err, &verification) || errors.As(err, &authority) || errors.As(err, &host) || errors.As(err, &invalid) || errors.As(err, &record)
}

// foreign reports whether an answer was no answer of the remote's protocol but a
// page for people.
func foreign(text string) bool {
	text = strings.ToLower(text)
	for _, sign := range []string{"<html", "<!doctype", "deserialization failed", "failed to decode response", "xml syntax error", "expected element type", "invalid character '<'"} {
		if strings.Contains(text, sign) {
			return true
		}
	}
	return false
}
