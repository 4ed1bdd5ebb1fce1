package synapse_test

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"footbridge/core"
	"footbridge/sync/synapse"
)

// sink takes an upload of any size and keeps nothing of it.
type sink struct{ parts int }

func (s sink) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		defer r.Body.Close()
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			return nil, err
		}
	}
	answer := &http.Response{StatusCode: 201, Header: http.Header{}, Request: r}
	body := `{"uploadId":"1","state":"COMPLETED","resultFileHandleId":"2","addPartState":"ADD_SUCCESS"}`
	switch {
	case r.URL.Host == "storage.example":
		body = ""
		answer.Header.Set("ETag", "x")
	case strings.HasSuffix(r.URL.Path, "/multipart"):
		body = fmt.Sprintf(`{"uploadId":"1","state":"UPLOADING","partsState":%q}`, strings.Repeat("0", s.parts))
	case strings.HasSuffix(r.URL.Path, "/batch"):
		var links []string
		for part := 1; part <= s.parts; part++ {
			links = append(links, fmt.Sprintf(`{"partNumber":%d,"uploadPresignedUrl":"https://storage.example/%d"}`, part, part))
		}
		body = `{"partPresignedUrls":[` + strings.Join(links, ",") + `]}`
	}
	answer.Body = io.NopCloser(strings.NewReader(body))
	return answer, nil
}

// zeros gives so many of them, and watches how much memory is in use meanwhile.
type zeros struct {
	left int64
	most *uint64
}

func (z *zeros) Read(p []byte) (int, error) {
	if z.left == 0 {
		return 0, io.EOF
	}
	n := min(z.left, int64(len(p)))
	clear(p[:n])
	z.left -= n
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	*z.most = max(*z.most, m.HeapAlloc)
	return int(n), nil
}

func (z *zeros) Close() error { return nil }

// An upload takes memory for one part, whatever its size.
func TestMemory(t *testing.T) {
	const size = 128 << 20
	sum := md5.New()
	_, _ = io.Copy(sum, &zeros{size, new(uint64)})
	config := hasty()
	config.Transport = sink{size / (8 << 20)}
	c, err := synapse.Open("https://repository.example", config)
	if err != nil {
		t.Fatal(err)
	}
	var before runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	most := before.HeapAlloc
	handle, err := c.Upload(t.Context(), core.Object{
		Digest: core.Digest{Size: size, MD5: hex.EncodeToString(sum.Sum(nil))},
		Open:   func(context.Context) (io.ReadCloser, error) { return &zeros{size, &most}, nil },
	}, "f", 0)
	if err != nil || handle != "2" {
		t.Fatal(handle, err)
	}
	if more := (most - before.HeapAlloc) >> 20; more > 24 {
		t.Errorf("an upload of 128 MiB took %d MiB of memory", more)
	}
}
