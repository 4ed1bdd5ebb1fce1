package process

import (
	"io"

	"footbridge/core/cms"
)

// Plain gives the bytes as they were before a device sealed them. Trust what
// was read only once Read returned io.EOF. Closing it closes sealed, which it
// owns from the call on, also when it fails. Errors: those of cms.Open.
func Plain(sealed io.ReadCloser, encrypted bool, keys []cms.Key) (io.ReadCloser, error) {
	if !encrypted {
		return sealed, nil
	}
	opened, err := cms.Open(sealed, keys)
	if err != nil {
		sealed.Close()
		return nil, err
	}
	return struct {
		io.Reader
		io.Closer
	}{opened, sealed}, nil
}
