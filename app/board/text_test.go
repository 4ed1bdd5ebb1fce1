package board_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"footbridge/app/board"
	"footbridge/app/control"
	"footbridge/core"
	"footbridge/ui/tongue"
	"footbridge/ui/view"

	"github.com/google/go-cmp/cmp"
)

var (
	at   = time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
	busy = view.Overview{
		State: "working", Sentence: "2 uploads being processed, 3 records being sent.",
		Queues: view.Queues{Requested: 4, Processing: 2, Waiting: 3, Withheld: 10}, Disk: view.Disk{FreeBytes: 80 << 30, FloorBytes: 512 << 20},
		Destinations: []view.DestinationLine{
			{Destination: "sleep", State: "sending", Exported: 1204, Waiting: 3, LastSuccess: &at, Sentence: "3 records are on the way."},
			{Destination: "gait", State: "ok"},
		},
	}
	lately = view.Traffic{
		Today: "2026-11-20", Copies: 2, Days: view.ChartDays(at, days),
		Sending: []view.DestinationRate{{Destination: "sleep", RecordsPerMinute: 1.5, BytesPerMinute: 3 << 20}, {Destination: "gait", RecordsPerMinute: 7, BytesPerMinute: 70}},
	}
	days = []core.Day{{Date: "2026-10-22", Uploads: 1, Bytes: 9}, {Date: "2026-11-03", Uploads: 40, Bytes: 9}, {Date: "2026-11-04", Uploads: 35}, {Date: "2026-11-18", Uploads: 5, Bytes: 1 << 30}, {Date: "2026-11-19", Uploads: 6}, {Date: "2026-11-20", Uploads: 25, Bytes: 2 << 30}}
	full = view.Site{Overview: busy, Traffic: lately}
)

// shown compares what is written for so many columns.
func shown(t *testing.T, s view.Site, r view.Reader, columns int, want string) {
	t.Helper()
	if diff := cmp.Diff(want, board.Text(s, r, columns)); diff != "" {
		t.Errorf("%d columns (-want +got):\n%s", columns, diff)
	}
}

func TestAWideTerminalHasATable(t *testing.T) {
	shown(t, full, view.Reader{}, 80, `2 uploads being processed, 3 records being sent.

  25 came today              0 cannot be sent: need a person
   4 expected from devices   0 could not be opened: need a person
   2 being checked          10 stay here, as consent, settings or a person say
   3 waiting to be sent
1204 in the repository

22 Oct ▁···········█▇·············▁▂▅ today
Today 25; in 30 days 112 uploads, at most 40 in a day (3 Nov).
Disk: 79.5 GiB are free for uploads. At the rate of the last days that lasts for
about 39 days.

DESTINATION  STATE    EXPORTED  WAITING  PARKED  LAST SUCCESS
sleep        sending  1204      3        0       08:00:00 UTC on 2026-11-20
gait         ok       0         0        0       never

sleep: 3 records are on the way. In the last minutes: 2 records and 3.0 MiB a
minute. The queue is sent in about 2 minutes.

gait: In the last minutes: 7 records and 70 bytes a minute.
`)
}

// Where two columns of figures do not fit, there is one; where the table does not, words;
// where the chart does not, its sentence alone.
func TestANarrowTerminal(t *testing.T) {
	shown(t, full, view.Reader{}, 64, `2 uploads being processed, 3 records being sent.

  25 came today
   4 expected from devices
   2 being checked
   3 waiting to be sent
   0 cannot be sent: need a person
   0 could not be opened: need a person
  10 stay here, as consent, settings or a person say
1204 in the repository

22 Oct ▁···········█▇·············▁▂▅ today
Today 25; in 30 days 112 uploads, at most 40 in a day (3 Nov).
Disk: 79.5 GiB are free for uploads. At the rate of the last
days that lasts for about 39 days.

sleep: sending, 1204 exported, 3 waiting, 0 parked, last success
08:00:00 UTC on 2026-11-20.
gait: ok, 0 exported, 0 waiting, 0 parked, last success never.

sleep: 3 records are on the way. In the last minutes: 2 records
and 3.0 MiB a minute. The queue is sent in about 2 minutes.

gait: In the last minutes: 7 records and 70 bytes a minute.
`)
	shown(t, view.Site{Overview: busy, Traffic: view.Traffic{Today: lately.Today, Days: lately.Days}}, view.Reader{}, 32, `2 uploads being processed, 3
records being sent.

25 came today
4 expected from devices
2 being checked
3 waiting to be sent
0 cannot be sent: need a person
0 could not be opened: need a
person
10 stay here, as consent,
settings or a person say
1204 in the repository

Today 25; in 30 days 112
uploads, at most 40 in a day (3
Nov).
Disk: 79.5 GiB are free for
uploads. At the rate of the last
days that lasts for about 79
days.

sleep: sending, 1204 exported, 3
waiting, 0 parked, last success
08:00:00 UTC on 2026-11-20.
gait: ok, 0 exported, 0 waiting,
0 parked, last success never.

sleep: 3 records are on the way.
`)
}

// What the sentence does not say needs a person, too, and files move.
func TestWhatMovesIsListed(t *testing.T) {
	s := full
	s.Overview.Queues.Refused, s.Overview.Destinations, s.Traffic.Sending = 2, nil, nil
	s.Traffic.Arriving = make([]view.Transfer, 6)
	for i := range s.Traffic.Arriving {
		s.Traffic.Arriving[i] = view.Transfer{File: fmt.Sprintf("film-%d.mp4", i+1), Bytes: int64(i) << 20, Of: 1 << 30}
	}
	s.Traffic.Leaving = []view.Transfer{{File: "\x1b[2Jwalk.zip", Bytes: 3, Of: 4}}
	shown(t, s, view.Reader{}, 80, `2 uploads being processed, 3 records being sent.
2 uploads could not be opened; footbridge upload list --standing refused says
why, and what helps.

25 came today              0 cannot be sent: need a person
 4 expected from devices   2 could not be opened: need a person
 2 being checked          10 stay here, as consent, settings or a person say
 3 waiting to be sent
 0 in the repository

22 Oct ▁···········█▇·············▁▂▅ today
Today 25; in 30 days 112 uploads, at most 40 in a day (3 Nov).
Disk: 79.5 GiB are free for uploads. At the rate of the last days that lasts for
about 39 days.

Arriving now
- film-1.mp4: 0 bytes of 1.0 GiB
- film-2.mp4: 1.0 MiB of 1.0 GiB
- film-3.mp4: 2.0 MiB of 1.0 GiB
- film-4.mp4: 3.0 MiB of 1.0 GiB
- film-5.mp4: 4.0 MiB of 1.0 GiB
- And 1 more file.
Being sent now
- [2Jwalk.zip: 3 bytes of 4 bytes

No study has a project in the repository yet: records stay here.
`)
	s.Overview.State = "ok" // then the sentence says it
	if text := board.Text(s, view.Reader{}, 80); strings.Contains(text, "what helps") {
		t.Errorf("it is said twice: %s", text)
	}
}

// A site to which nothing came has no chart, and no line of its own for a destination that
// has nothing to say. Where lines may be as long as they need to be, none is folded.
func TestAQuietSite(t *testing.T) {
	quiet := view.Overview{
		State: "ok", Sentence: "Tout va bien : rien n’attend, 0 enregistrement dans le dépôt.", Disk: view.Disk{FreeBytes: 80 << 30, FloorBytes: 512 << 20},
		Destinations: []view.DestinationLine{{Destination: "gait", State: "ok"}},
	}
	shown(t, view.Site{Overview: quiet, Traffic: view.Traffic{Today: "2026-11-20", Days: view.ChartDays(at, nil)}}, view.Reader{Tongue: tongue.In("fr")}, 0, `Tout va bien : rien n’attend, 0 enregistrement dans le dépôt.

0 arrivés aujourd’hui     0 ne peuvent être envoyés : attendent une personne
0 attendus des appareils  0 n’ont pas pu être ouverts : attendent une personne
0 en cours de contrôle    0 restent ici par consentement, réglage ou décision
0 à envoyer
0 dans le dépôt

Rien n’est arrivé ces 30 derniers jours.
Disque : Il reste 79,5 Gio pour les téléversements.

DESTINATION  ÉTAT             ENVOYÉS  EN ATTENTE  BLOQUÉS  DERNIER ENVOI
gait         tout est envoyé  0        0           0        jamais
`)
}

// Whatever an overview says, no line is wider than the terminal, no word is lost, and
// nothing steers the terminal.
func TestNothingIsWiderThanTheTerminal(t *testing.T) {
	s := full
	s.Overview.Sentence = "Nothing can be stored: open /très/" + strings.Repeat("long", 20) + ":\x1b[2J no\tsuch\nfile."
	for columns := 1; columns < 90; columns++ {
		text := board.Text(s, view.Reader{}, columns)
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
		"seen":            {board.Look{At: at, Overview: busy, Traffic: lately}, []string{"Footbridge at 08:00:00 UTC on 2026-11-20\n\n2 uploads being processed", "\nToday 25; "}},
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
