package cms

import (
	"errors"
	"fmt"
	"strings"
)

// What is wrong with a message. An error that is none of these, nor a
// *ForeignError, is no verdict about the message.
var (
	// ErrNotEnveloped says that the bytes are no enveloped data at all.
	ErrNotEnveloped = errors.New("not enveloped data")

	// ErrUnsupported says that the message uses an algorithm that is not
	// opened here. The error that wraps it names the algorithm.
	ErrUnsupported = errors.New("unsupported algorithm")

	// ErrDamaged says that the message is enveloped data that cannot be
	// opened: cut short, altered, or sealed wrongly. It tells no more than
	// that, on purpose. Where the recipients could be read and one is ours, the
	// error is a *DamagedError.
	ErrDamaged = errors.New("sealed message is damaged")
)

// DamagedError is ErrDamaged with what the message's head says in the open.
type DamagedError struct {
	Recipient Recipient // ours, whom the message was sealed for
	Envelope  string    // as Reader.Envelope
}

// Error names the recipient.
func (e *DamagedError) Error() string {
	return fmt.Sprintf("%v (sealed for %s)", ErrDamaged, e.Recipient)
}

// Unwrap gives ErrDamaged.
func (e *DamagedError) Unwrap() error { return ErrDamaged }

// named adds to a verdict whom the message was sealed for. It tells nothing
// that the message's head does not say in the open.
func (l lock) named(verdict error) error {
	switch {
	case verdict == ErrDamaged: // and no error of the source that wraps one
		return &DamagedError{Recipient: l.recipient, Envelope: l.envelope()}
	case errors.Is(verdict, ErrUnsupported):
		return fmt.Errorf("%w (sealed for %s)", verdict, l.recipient)
	}
	return verdict
}

// ForeignError says that a message was sealed for others.
type ForeignError struct {
	Recipients []Recipient // whom it was sealed for, in the message's order
}

// Error names the first few recipients.
func (f *ForeignError) Error() string {
	const most = 4
	if len(f.Recipients) == 0 {
		return "sealed for nobody"
	}
	var names []string
	for _, r := range f.Recipients[:min(most, len(f.Recipients))] {
		names = append(names, r.String())
	}
	if more := len(f.Recipients) - most; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return "sealed for another key: " + strings.Join(names, "; ")
}
