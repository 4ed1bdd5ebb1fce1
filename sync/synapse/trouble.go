package synapse

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"os"
	"strings"
	"syscall"

	"footbridge/core"
)

// Trouble is what is wrong with the repository, as far as a person can do something
// about it.
type Trouble string

// The troubles. The names of those that every repository has are the same for all.
const (
	Unclear      Trouble = ""
	NoToken      Trouble = "no_token"      // there is none
	WrongToken   Trouble = "wrong_key"     // the repository does not take it
	MissingScope Trouble = "missing_scope" // the token does not allow that
	NotCertified Trouble = "not_certified" // the account may not make files yet
	NotAllowed   Trouble = "not_allowed"   // the account may not do that
	Maintenance  Trouble = "maintenance"   // it is read-only, or down
	Busy         Trouble = "busy"          // it asks for a pause
	Portal       Trouble = "portal"        // something else answers in its place
	UnknownHost  Trouble = "unknown_host"  // its name leads nowhere
	Refusing     Trouble = "refused"       // nothing listens there
	Untrusted    Trouble = "certificate"   // it cannot prove who it is
	Silent       Trouble = "no_answer"     // the line is dead
	Differs      Trouble = "differs"       // it gives other bytes than were sent
	Elsewhere    Trouble = "no_project"    // what was made there is not there any more
)

// TroubleOf gives the kind of an error of this package.
func TroubleOf(err error) Trouble {
	var e *Error
	switch {
	case errors.Is(err, core.ErrDigestMismatch), errors.Is(err, ErrUnannotated):
		return Differs
	case errors.Is(err, core.ErrOtherRepository):
		return Elsewhere
	case !errors.As(err, &e):
		return Unclear
	}
	var token *tokenError
	switch e.Kind {
	case ErrToken:
		if e.Status == 0 || errors.As(e.cause, &token) {
			return NoToken
		}
		return WrongToken
	case ErrReadOnly:
		return Maintenance
	case ErrThrottled:
		return Busy
	case ErrRefused:
		return e.refusal()
	case ErrAway:
		return e.silence()
	}
	return Unclear
}

// refusal sorts why something is not allowed.
func (e *Error) refusal() Trouble {
	switch {
	case e.Code == "USER_CERTIFICATION_REQUIRED":
		return NotCertified
	case strings.Contains(e.Reason, "lacks scope"):
		return MissingScope
	}
	return NotAllowed
}

// silence sorts why there was no answer of the repository's own.
func (e *Error) silence() Trouble {
	var unknown *net.DNSError
	var verification *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var host x509.HostnameError
	switch {
	case e.Reason == foreign:
		return Portal
	case e.Status != 0:
		return Unclear
	case errors.As(e.cause, &unknown) && !unknown.IsTimeout:
		return UnknownHost
	case errors.Is(e.cause, syscall.ECONNREFUSED):
		return Refusing
	case errors.As(e.cause, &verification), errors.As(e.cause, &record), errors.As(e.cause, &host):
		return Untrusted
	case errors.Is(e.cause, os.ErrDeadlineExceeded), e.cause == nil, errors.Is(e.cause, syscall.ENETUNREACH), errors.Is(e.cause, syscall.EHOSTUNREACH), errors.Is(e.cause, syscall.ECONNRESET):
		return Silent
	}
	return Unclear
}

const (
	scopes      = "with the scopes view, download and modify"
	tokenPlaces = "into keys/repository.token in the home folder (mode 0600), into the keyring of the operating system, or into FOOTBRIDGE_REPOSITORY_TOKEN before Footbridge starts"
)

var advice = map[Trouble]string{
	NoToken:      "Make a personal access token " + scopes + " in the account settings of the repository, and put it " + tokenPlaces + ".",
	WrongToken:   "The token is mistyped, expired or revoked. Make a new one " + scopes + " in the account settings of the repository, and put it " + tokenPlaces + ".",
	MissingScope: "The token is good, but allows too little. Make one " + scopes + ", and put it in its place.",
	NotCertified: "Sign in to the repository as the user whose token it is and pass its certification quiz: only certified users may make files.",
	NotAllowed:   "Ask whoever owns the project to let the user whose token it is create, read, download, change and delete there.",
	Maintenance:  "Nothing is to be done: what waits is sent by itself when it is over.",
	Busy:         "Nothing is to be done; it is tried again later.",
	Portal:       "Sign in to the network with a browser, or use another network. If there is no sign-in page, check the endpoint: it must read synapse:https://HOST.",
	UnknownHost:  "Check the spelling of the host, and whether this machine has a connection.",
	Refusing:     "Check host and port, and whether the server runs.",
	Untrusted:    "Check the host's name and this machine's clock. A network that opens what is encrypted must not stand between.",
	Silent:       "Check the connection of this machine. What waits is sent by itself once there is one.",
	Differs:      "Run the test again. If it stays so, do not use this repository: it does not keep what it is given.",
	Elsewhere:    "Make the project anew (footbridge study create-project STUDY), or name the repository that has it.",
}

// Advice says what a person can do about it; nothing where that is not known.
func (t Trouble) Advice() string { return advice[t] }
