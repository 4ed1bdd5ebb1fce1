package board_test

import (
	"errors"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"footbridge/app/board"
	"footbridge/app/control"
	"footbridge/ui/view"

	"github.com/google/go-cmp/cmp"
)

var (
	at   = time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
	busy = view.Overview{
		State: "working", Sentence: "2 uploads being processed, 3 records being sent.",
		Queues: view.Queues{Requested: 4, Processing: 2, Waiting: 3}, Disk: view.Disk{FreeBytes: 80 << 30, FloorBytes: 512 << 20},
		Destinations: []view.DestinationLine{
			{Destination: "sleep", State: "sending", Exported: 1204, Waiting: 3, LastSuccess: &at, Sentence: "3 records are on the way."},
			{Destination: "gait", State: "ok"},
		},
	}
)

func TestAWideTerminalHasATable(t *testing.T) {
	want := `2 uploads being processed, 3 records being sent.

Uploads: 4 expected, 2 processing.
Disk: 79.5 GiB free for uploads.

DESTINATION  STATE    EXPORTED  WAITING  PARKED  LAST SUCCESS
sleep        sending  1204      3        0       08:00:00 UTC on 2026-11-20
gait         ok       0         0        0       never

sleep: 3 records are on the way.
`
	for _, columns := range []int{0, 76} {
		if diff := cmp.Diff(want, board.Text(busy, view.Reader{}, columns)); diff != "" {
			t.Errorf("%d columns (-want +got):\n%s", columns, diff)
		}
	}
}

func TestANarrowTerminalHasWords(t *testing.T) {
	want := `2 uploads being processed, 3
records being sent.

Uploads: 4 expected, 2
processing.
Disk: 79.5 GiB free for uploads.

sleep: sending, 1204 exported, 3
waiting, 0 parked, last success
08:00:00 UTC on 2026-11-20.
gait: ok, 0 exported, 0 waiting,
0 parked, last success never.

sleep: 3 records are on the way.
`
	if diff := cmp.Diff(want, board.Text(busy, view.Reader{}, 32)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Whatever an overview says, no line is wider than the terminal, no word is lost, and
// nothing steers the terminal.
func TestNothingIsWiderThanTheTerminal(t *testing.T) {
	o := busy
	o.Sentence = "Nothing can be stored: open /très/" + strings.Repeat("long", 20) + ":\x1b[2J no\tsuch\nfile."
	for columns := 1; columns < 90; columns++ {
		text := board.Text(o, view.Reader{}, columns)
		for line := range strings.Lines(text) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > columns {
				t.Fatalf("%d columns: %q has %d", columns, line, n)
			}
		}
		said := strings.Join(strings.Fields(text), "")
		if want := "open/très/" + strings.Repeat("long", 20) + ":[2Jnosuchfile."; !strings.Contains(said, want) || strings.Contains(text, "\x1b") {
			t.Fatalf("%d columns: %q", columns, text)
		}
	}
}

// A look says when it was, and why there is none now.
func TestLooks(t *testing.T) {
	for name, row := range map[string]struct {
		look board.Look
		want []string
	}{
		"seen":            {board.Look{At: at, Overview: busy}, []string{"Footbridge at 08:00:00 UTC on 2026-11-20\n\n2 uploads being processed"}},
		"gone":            {board.Look{At: at, Overview: busy, Trouble: errors.New("dial")}, []string{"No Footbridge runs on this home.", "\n\nFootbridge at 08:00:00", "2 uploads"}},
		"never there":     {board.Look{Trouble: errors.New("dial")}, []string{"No Footbridge runs on this home."}},
		"one that is ill": {board.Look{At: at, Trouble: &control.Refusal{Status: 500, Message: "The disk is broken."}}, []string{"The disk is broken.\n\nFootbridge at"}},
	} {
		text := row.look.Text(view.Reader{}, 0)
		for _, want := range row.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q does not say %q", name, text, want)
			}
		}
		if strings.Contains(text, "dial") || row.look.At.IsZero() && strings.Contains(text, "Disk") {
			t.Errorf("%s: %q", name, text)
		}
	}
}
