package account

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"net/netip"
	"slices"
	"time"

	"footbridge/core"
)

// The rules here are: an account is signed in on at most ten devices, the oldest
// gives way. A session lasts twelve hours from its beginning. Each reauth begins a
// session beside those that the device has, and gives a new reauth token. The last
// three tokens stay good, so that an answer that was lost on the way costs nothing;
// and the one that was used counts as the last but one, so that a device that asks
// many times at the same moment is not locked out by its own requests.

const (
	sessionLife = 12 * time.Hour
	devicesMax  = 10
	renewalsMax = 3   // of one device
	sessionsMax = 100 // likewise

	sessionToken = 32 // signs
	renewalToken = 21
)

// Pass is what a device is given when it signs in; only hashes of it are kept.
type Pass struct {
	Session string // sent with every request
	Renewal string // for a next session without a password
}

// signIn adds a device.
func signIn(devices []core.Device, begun core.Device) []core.Device {
	devices = append(devices, begun)
	return devices[max(0, len(devices)-devicesMax):]
}

// renew begins a session on the device that was given a reauth token. Errors:
// core.ErrNotFound.
func renew(devices []core.Device, renewal string, begun core.Device, now time.Time) ([]core.Device, error) {
	at := slices.IndexFunc(devices, func(d core.Device) bool { return slices.Contains(d.Renewals, renewal) })
	if at < 0 {
		return nil, core.ErrNotFound
	}
	d := devices[at]
	d.Sessions = slices.DeleteFunc(slices.Clone(d.Sessions), func(s core.Session) bool { return !alive(s, now) })
	d.Sessions = newest(append(d.Sessions, begun.Sessions...), sessionsMax)
	others := slices.DeleteFunc(slices.Clone(d.Renewals), func(r string) bool { return r == renewal })
	d.Renewals = newest(append(append(others, renewal), begun.Renewals...), renewalsMax)
	return append(slices.Delete(slices.Clone(devices), at, at+1), d), nil // it is the one used last
}

func newest[T any](all []T, keep int) []T { return all[max(0, len(all)-keep):] }

// signOut takes away the device that has a session.
func signOut(devices []core.Device, tokenHash string) []core.Device {
	return slices.DeleteFunc(slices.Clone(devices), func(d core.Device) bool {
		return slices.ContainsFunc(d.Sessions, func(s core.Session) bool { return s.TokenHash == tokenHash })
	})
}

func alive(s core.Session, now time.Time) bool { return now.Before(s.ExpiresOn) }

// place is an address as sessions are bound to it: this computer is one place,
// however it calls itself.
func place(address string) string {
	ip, err := netip.ParseAddr(address)
	if err != nil {
		return address
	}
	if ip = ip.Unmap().WithZone(""); ip.IsLoopback() {
		return "this computer"
	}
	return ip.String()
}

const tokenSigns = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

// newToken makes a token of so many letters and digits, each 5.95 bits.
func newToken(length int) string {
	token := make([]byte, 0, length)
	for raw := make([]byte, 2*length); len(token) < length; {
		rand.Read(raw)
		for _, r := range raw {
			if int(r) < len(tokenSigns)*4 && len(token) < length { // equal chances for every sign
				token = append(token, tokenSigns[int(r)%len(tokenSigns)])
			}
		}
	}
	return string(token)
}

func tokenHash(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}
