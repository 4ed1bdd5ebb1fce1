package devices_test

import (
	"context"
	"errors"
	"fmt"
	"image"
	"strings"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/ui/devices"
	"footbridge/ui/page"
	"footbridge/ui/page/pagetest"
	"footbridge/ui/view"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
	"github.com/google/go-cmp/cmp"
	"github.com/makiuchi-d/gozxing"
	decoder "github.com/makiuchi-d/gozxing/qrcode"
)

// field is a site with devices, of which P-17 is the one participant.
type field struct {
	devices []view.DeviceLine
	pairing view.Pairing // as it stands
	away    error
	asked   []string
}

func (s *field) Devices(context.Context) ([]view.DeviceLine, error) { return s.devices, s.away }

func (s *field) Forget(_ context.Context, id core.DeviceID) error {
	s.asked = append(s.asked, "forget "+string(id))
	s.devices = nil
	return s.away
}

func (s *field) Pair(_ context.Context, asked view.PairingForm) (view.Pairing, error) {
	s.asked = append(s.asked, fmt.Sprint(asked))
	if asked.Participant != "P-17" && !asked.New {
		return view.Pairing{}, core.ErrNotFound
	}
	s.pairing = view.Pairing{ID: "1", State: view.PairingOpen, Study: asked.Study, Participant: asked.Participant, ExpiresOn: pagetest.Noon.Add(15 * time.Minute), Serving: true}
	made := s.pairing
	made.Code, made.URL, made.Replaces, made.BaseURLs = "KXRD-7M4W", link, !asked.New, []string{"https://192.168.1.20:8443", "https://10.0.0.7:8443"}
	return made, s.away
}

func (s *field) Pairing(context.Context, core.PairingID) (view.Pairing, error) {
	return s.pairing, s.away
}

func (s *field) ParticipantIDs(context.Context, core.StudyID) ([]string, error) {
	return []string{"P-17"}, s.away
}

const link = "https://192.168.1.20:8443/pair#c=KXRD7M4W&p=q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA&o=10.0.0.7:8443"

// busy is a site with a device that sends and one that cannot any more.
func busy() *field {
	seen, long := pagetest.Noon.Add(-3*time.Minute), pagetest.Noon.AddDate(0, 0, -9)
	slow := -900
	return &field{devices: []view.DeviceLine{
		{ID: "a", Name: "Ward 3, phone 2", State: view.DeviceActive, Participant: "P-17", LastSeen: &seen, PairedOn: &long, Uploads: 12, LastUpload: &seen, Address: "192.168.1.31", UserAgent: "Walker/7 (Pixel 9; Android/16)", Ahead: &slow},
		{ID: "b", Name: "Strider, iPhone 15, iPhone OS", State: view.DeviceEnded, Participant: "P-18", LastSeen: &long},
	}}
}

// seen is the page before someone's eyes.
type seen struct {
	*pagetest.Seen
	page page.Page
}

// refresh is what happens when something changed.
func (s *seen) refresh() {
	s.page.Update()
	s.Settle()
}

func look(t *testing.T, s *field, studies ...core.StudyID) *seen {
	t.Helper()
	l := &seen{}
	l.Seen = pagetest.Open(t, view.Site{Studies: studies}, func(f *page.Frame) page.Page {
		l.page = devices.New(f, s)
		return l.page
	})
	return l
}

// choose chooses a device of the list.
func choose(s *seen, i int) {
	pagetest.Find(s.Seen, func(*page.List) bool { return true })[0].Select(i)
	s.Settle()
}

// read reads the QR code that is drawn.
func read(t *testing.T, s *seen) string {
	t.Helper()
	drawn := pictures(s)
	if len(drawn) != 1 {
		t.Fatalf("%d QR codes are drawn", len(drawn))
	}
	return decoded(t, drawn[0].Generator(300, 300))
}

// pictures are the QR codes that are drawn.
func pictures(s *seen) []*canvas.Raster {
	return pagetest.Find(s.Seen, func(*canvas.Raster) bool { return true })
}

func decoded(t *testing.T, picture image.Image) string {
	t.Helper()
	bits, err := gozxing.NewBinaryBitmapFromImage(picture)
	if err != nil {
		t.Fatal(err)
	}
	found, err := decoder.NewQRCodeReader().Decode(bits, nil)
	if err != nil {
		t.Fatal(err)
	}
	return found.GetText()
}

// The devices are listed; a chosen one is told of, and forgotten once a person said so.
func TestDevicesAreListedAndForgotten(t *testing.T) {
	s := busy()
	p := look(t, s, "sleep")
	p.Expect("Ward 3, phone 2", "P-17", "4 minutes ago", "12 uploads", "11 November 12:00")
	p.Golden("devices")
	choose(p, 1)
	p.Expect("▸ Strider, iPhone 15, iPhone OS", "It cannot send any more: its password ended. Pair it again if it should.", "It has completed no upload yet.")
	choose(p, 0)
	p.Expect("It can send.", "Last here 4 minutes ago, from 192.168.1.31.", "Its clock was 15 minutes slow. Set it right.", "Its app calls itself Walker/7 (Pixel 9; Android/16).")
	p.Tap("Forget")
	p.Expect("Ward 3, phone 2 can send nothing then until it is paired again.\nOther devices that send for P-17 with the same password have to be paired again, too.\nWhat it sent stays here.")
	p.Tap("Cancel")
	if len(s.asked) > 0 {
		t.Fatalf("against a person's will: %q", s.asked)
	}
	p.Tap("Forget")
	p.Tap("Forget")
	p.Expect("No device has been here yet. “Pair a device” brings the first one.", "Choose a device to see more of it, or pair another one.")
	if diff := cmp.Diff([]string{"forget a"}, s.asked); diff != "" {
		t.Error(diff)
	}
}

// A device is paired from the keyboard: whose it is, the code, and what came of it.
func TestADeviceIsPaired(t *testing.T) {
	s := busy()
	p := look(t, s, "sleep")
	p.Tap("Pair a device")
	p.Write("P-17")
	p.Tap("Show the code")
	p.Expect("For participant P-17 of study sleep", "https://192.168.1.20:8443", "Where that address does not work: https://10.0.0.7:8443", "Good for 14 more minutes, for one device.",
		"P-17 has a password already. It ends once a device uses this code: other devices that use it have to be paired again.", "Waiting for the device…")
	if signs := pagetest.Find(p.Seen, func(text *canvas.Text) bool { return text.Text == "KXRD-7M4W" }); len(signs) != 1 || signs[0].TextSize < 40 {
		t.Error("the code is not large on the screen")
	}
	if got := read(t, p); got != link {
		t.Errorf("the QR code says %s", got)
	}
	p.Golden("code")
	p.Tap("Copy link")
	if got := fyne.CurrentApp().Clipboard().Content(); got != link {
		t.Errorf("on the clipboard is %q", got)
	}
	p.Expect("The link is on the clipboard. It is as secret as the code, and good once.")

	paired, uploaded := pagetest.Noon.Add(30*time.Second), pagetest.Noon.Add(40*time.Second)
	s.pairing.State, s.pairing.Device = view.PairingRedeemed, &view.DeviceLine{ID: "c", Name: "Ward 4", PairedOn: &paired}
	p.refresh()
	p.Expect("Ward 4 is paired.", "Waiting for its first upload…")
	if len(pictures(p)) > 0 {
		t.Error("the code that was used is still drawn")
	}
	s.pairing.Device.LastUpload = &uploaded
	p.refresh()
	p.Expect("Ward 4 is paired.", "Its first upload is here. All is well.")
	p.Tap("Another code")
	p.Expect("A device that is paired knows this computer, and sends for one participant. Nothing else has to be set on it.")
}

// typed is where text is typed.
type typed interface {
	fyne.CanvasObject
	fyne.Focusable
	SetText(string)
	SetPlaceHolder(string)
}

// Whoever is not known is created once a person says what they agreed to.
func TestANewParticipant(t *testing.T) {
	s := busy()
	p := look(t, s, "sleep", "gait")
	p.Tap("Pair a device")
	p.Tap("Show the code")
	p.Expect("Choose the study, and give the participant’s id.")
	study := pagetest.Find(p.Seen, func(w *page.Select) bool { return w.Selected == "" })[0]
	study.SetSelected("gait")
	p.Settle()
	pagetest.Find(p.Seen, func(typed) bool { return true })[0].SetText("  P-99 ")
	p.Tap("Show the code")
	p.Expect("No participant of study gait is called P-99. If this is a new participant, choose what they agreed to; else correct the id.")
	p.Golden("new")
	p.refresh() // what happens elsewhere takes no question away
	agreed := pagetest.Find(p.Seen, func(w *page.Select) bool { return w.Selected == "" })[0]
	agreed.SetSelected("Shares with all qualified researchers")
	p.Tap("Create the participant, and show the code")
	p.Expect("For participant P-99 of study gait")
	if diff := cmp.Diff([]string{"{gait P-99 false }", "{gait P-99 true all_qualified_researchers}"}, s.asked); diff != "" {
		t.Error(diff)
	}
}

// However long a name is, the window stays as wide as it is.
func TestALongName(t *testing.T) {
	s := busy()
	p := look(t, s, "sleep")
	p.Tap("Pair a device")
	who := strings.Repeat("P", 100)
	pagetest.Find(p.Seen, func(typed) bool { return true })[0].SetText(who)
	p.Tap("Show the code")
	pagetest.Find(p.Seen, func(w *page.Select) bool { return w.Selected == "" })[0].SetSelected("Shares with all qualified researchers")
	p.Tap("Create the participant, and show the code")
	p.Expect("For participant " + who + " of study sleep")
	if least := p.page.Content().MinSize().Width; least > 1100 {
		t.Errorf("it needs %v", least)
	}
}

// A code that expired is taken off the screen, and trouble is said.
func TestCodesThatEnd(t *testing.T) {
	s := busy()
	p := look(t, s, "sleep")
	p.Tap("Pair a device")
	p.Write("P-17")
	s.away = errors.New("Footbridge does not answer.")
	p.Tap("Show the code")
	p.Expect("Footbridge does not answer.")
	s.away = nil
	p.Tap("Show the code")
	s.pairing.State = view.PairingExpired
	p.refresh()
	p.Expect("This code has expired. Make another one.")
	if len(pictures(p)) > 0 {
		t.Error("it is still drawn")
	}
	choose(p, 0)
	p.Expect("It can send.")
}

// guide is another page, which pairs a device of its own study.
type guide struct{ *devices.Panel }

func (g guide) Name() (string, fyne.Resource) { return "guide", nil }

// Another page shows the panel, too.
func TestThePanelAlone(t *testing.T) {
	s := busy()
	p := &seen{}
	p.Seen = pagetest.Open(t, view.Site{Studies: []core.StudyID{"sleep", "gait"}}, func(f *page.Frame) page.Page {
		p.page = guide{devices.NewPanel(f, s, "gait")}
		return p.page
	})
	if selects := pagetest.Find(p.Seen, func(w *page.Select) bool { return w.PlaceHolder != "What they agreed to" }); len(selects) > 0 {
		t.Error("it asks for the study")
	}
	test.Type(p.page.First(), "P-17")
	p.Tap("Show the code")
	p.Expect("For participant P-17 of study gait")
}
