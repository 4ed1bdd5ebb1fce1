package view_test

import (
	"testing"

	"footbridge/ui/tongue"
	"footbridge/ui/view"
)

// What is said of a setting.
func TestSettings(t *testing.T) {
	one, sixteen := int64(1), int64(16)
	size := view.Setting{Key: "uploads.max_size", Kind: "number", Default: "5368709120", Least: &one, Unit: "bytes"}
	floor := view.Setting{Key: "uploads.free_space_floor", Kind: "number", Unit: "bytes", Value: "8192"}
	speed := view.Setting{Key: "sync.bandwidth", Kind: "number", Default: "0", Unit: "bytes a second"}
	transfers := view.Setting{Key: "sync.transfers", Kind: "number", Default: "4", Least: &one, Most: &sixteen, Unit: "records"}
	plain := view.Setting{Key: "plain_http", Kind: "switch", Default: "false"}
	android := view.Setting{Key: "oldest_app_versions.Android", Kind: "number", Default: "0"}
	strict := view.Setting{Key: "validation.strictness", Kind: "choice", Default: "report"}
	later := view.Setting{Key: "colour", Kind: "choice"}
	var r view.Reader
	for _, c := range []struct{ got, want string }{
		{r.SettingUsual(size), "Usually: 5.0 GiB"},
		{r.SettingMeans(size, "many"), ""},
		{r.SettingMeans(speed, " 1024 "), "1.0 KiB each second"},
		{r.SettingWarns(floor, "4096", view.Disk{FreeBytes: 4096}), "Only 4.0 KiB are free now: with this, no upload would be taken."},
		{r.SettingWarns(floor, "4095", view.Disk{FreeBytes: 4096}), ""},
		{r.SettingWarns(floor, "4096", view.Disk{}), ""}, // nothing is known of it
		{r.SettingWarns(floor, "4096", view.Disk{Paused: true}), "Only 0 bytes are free now: with this, no upload would be taken."},
		{r.SettingWarns(floor, "8192", view.Disk{FreeBytes: 8192, Paused: true}), "Only 8.0 KiB are free now: no upload is taken. Make room on the disk, or choose a smaller number."},
		{r.SettingWarns(floor, "8192", view.Disk{FreeBytes: 8193}), ""},
		{r.SettingWarns(size, "4096", view.Disk{FreeBytes: 4096}), ""},
		{r.SettingUsual(speed), "Usually: as fast as the line allows"},
		{r.SettingUsual(transfers), "Usually: 4"},
		{r.SettingUsual(plain), "Usually: No"},
		{r.SettingUsual(strict), "Usually: Take it, and say so in the record"},
		{r.SettingUsual(view.Setting{Kind: "text"}), "Usually: empty"},
		{r.SettingMust(size, "must be over 0 bytes"), "It must be a size, such as 10 GB, or a whole number of bytes, at least 1."},
		{r.SettingMust(transfers, "must be 1 to 16"), "It must be a whole number from 1 to 16."},
		{r.SettingMust(view.Setting{Key: "sync.hours", Kind: "text"}, "x"), "It must be two different times of day, such as 22:00-06:00, or empty."},
		{r.SettingMust(later, "must be red"), "This cannot be saved: it must be red."},
		{r.SettingName(android), "Oldest app on Android"},
		{r.SettingName(later), "colour"}, // a version that has words for it will say them
		{r.SettingDoes(later), ""},
		{r.SettingDoes(size), "Devices are told that a larger file is not taken."},
		{view.Reader{Window: true}.SettingDoes(size), "Devices are told that a larger file is not taken. A size such as 10 GB can be typed, too."},
		{view.Reader{Window: true}.SettingDoes(transfers), r.SettingDoes(transfers)},
		{r.SettingValue(later, ""), "As this computer"},
		{r.SettingValue(later, "red"), "red"},
		{r.SettingValue(view.Setting{Key: "language", Kind: "choice"}, "fr"), "français"},
		{r.SettingValue(view.Setting{Key: "language", Kind: "choice"}, ""), "As this computer"},
		{r.SettingInForce(plain), ""},
		{r.SettingInForce(view.Setting{Key: "plain_http", Kind: "switch", Value: "false", InForce: "true"}), "In force since Footbridge was started: Yes. What stands here holds once Footbridge is started without that option."},
		{later.Group(), "site"}, {android.Group(), "participants"}, {strict.Group(), "uploads"},
		{r.Trial(view.Trial{OK: true}), "All is well: records can be sent there."},
	} {
		if c.got != c.want {
			t.Errorf("said is %q, not %q", c.got, c.want)
		}
	}
	fr := view.Reader{Tongue: tongue.In("fr")}
	if got := fr.SettingUsual(plain); got != "D’habitude : Non" {
		t.Errorf("in French: %q", got)
	}
	if !r.Shows(transfers, "AT ONCE") || !r.Shows(transfers, "sync.") || r.Shows(transfers, "disk") {
		t.Error("a search finds other settings than it should")
	}
}
