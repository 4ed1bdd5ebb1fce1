package view_test

import (
	"strconv"
	"testing"

	"footbridge/ui/tongue"
	"footbridge/ui/view"
)

// What people type as a size is so many bytes; what is no size stays for the appliance.
func TestTypedSizes(t *testing.T) {
	size := view.Setting{Key: "uploads.max_size", Kind: "number", Unit: "bytes"}
	speed := view.Setting{Key: "sync.bandwidth", Kind: "number", Unit: "bytes a second"}
	for _, c := range []struct {
		setting view.Setting
		typed   string
		want    string
	}{
		{size, "10 GB", "10000000000"}, {size, "10 GiB", "10737418240"}, {size, "1.5 GB", "1500000000"}, {size, "1,5 Go", "1500000000"},
		{size, "500 MB", "500000000"}, {size, " 500mb ", "500000000"}, {size, "2 TB", "2000000000000"}, {size, "1\u00a0To", "1000000000000"},
		{size, "1\u202fKo", "1000"}, {size, "1.5 KiB", "1536"}, {size, "1,5 Kio", "1536"}, {size, "1 tib", "1099511627776"}, {size, "7 bytes", "7"}, {size, "7 octets", "7"},
		{size, "1.3 KiB", "1331"}, {size, "0.125 MB", "125000"}, {size, "0 GB", "0"},
		{size, "5368709120", "5368709120"}, {size, "-1", "-1"}, {size, "", ""}, {size, "1.5", "1.5"}, {size, "x", "x"}, {size, "GB", "GB"},
		{size, "10 XB", "10 XB"}, {size, "10 G", "10 G"}, {size, "-10 GB", "-10 GB"}, {size, "1e3 GB", "1e3 GB"}, {size, "1.5 bytes", "1.5 bytes"},
		{size, "1.500 GB", "1.500 GB"}, {size, "1,500 MB", "1,500 MB"}, {size, "1 500 MB", "1 500 MB"}, {size, "1 MB/s", "1 MB/s"},
		{size, "99999999999 TB", "99999999999000000000000"}, // too large for the appliance, which says so
		{speed, "500 KB", "500000"}, {speed, "1,5 Mo/s", "1500000"}, {speed, "1 MiB/s", "1048576"}, {speed, "10 Mb", "10 Mb"}, {speed, "10 mb/s", "10 mb/s"}, {speed, "10 Mbps", "10 Mbps"},
		{view.Setting{Key: "sync.transfers", Kind: "number", Unit: "records"}, "1 KB", "1 KB"},
		{view.Setting{Key: "repository", Kind: "text"}, " 1 KB ", "1 KB"},
	} {
		if got := c.setting.Typed(c.typed); got != c.want {
			t.Errorf("%q as %s is %q, not %q", c.typed, c.setting.Key, got, c.want)
		}
	}
}

// A size as Footbridge writes it can be typed, in every language.
func TestSizesAreTypedAsTheyAreRead(t *testing.T) {
	for _, l := range tongue.Languages() {
		r := view.Reader{Tongue: tongue.In(l.Code)}
		for _, n := range []int64{1536, 512 << 20, 5 << 30, 3 << 40} {
			written := r.Bytes(n)
			if got := (view.Setting{Unit: "bytes"}).Typed(written); got != strconv.FormatInt(n, 10) {
				t.Errorf("%s in %s is %q", written, l.Name, got)
			}
		}
	}
}
