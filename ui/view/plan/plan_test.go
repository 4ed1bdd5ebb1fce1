package plan_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"footbridge/ui/tongue"
	"footbridge/ui/view/plan"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write what is said as what it should be")

// drafts are what people answer, right and wrong.
var drafts = []struct {
	name  string
	place plan.Place
	said  map[plan.Field]string
}{
	{"nothing yet", plan.Here, nil},
	{"the simplest", plan.Here, map[plan.Field]string{plan.Site: "Clínica São José", plan.Email: "ana@clinica.org", plan.Password: "Right-as-rain-1", plan.Again: "Right-as-rain-1"}},
	{"all wrong", plan.Here, map[plan.Field]string{
		plan.Site: strings.Repeat("x", 101), plan.App: "My App", plan.Study: "-", plan.Folder: "records", plan.Email: "ana", plan.Password: "rain", plan.Again: "rein",
	}},
	{"the study is the app", plan.Here, map[plan.Field]string{plan.Site: "Sleep", plan.Study: "sleep", plan.Email: "Ana <ana@clinica.org>", plan.Password: "right-as-rain", plan.Again: "right-as-rain"}},
	{"another folder", plan.Here, map[plan.Field]string{plan.Site: "North\nSouth", plan.Folder: "/mnt/disk/records", plan.Password: "Rightasrain1"}},
	{"Amazon", plan.S3, map[plan.Field]string{plan.Bucket: "data/site-1", plan.Region: "eu-central-1", plan.KeyID: "AK", plan.KeySecret: "s/e+c="}},
	{"MinIO", plan.S3, map[plan.Field]string{plan.Bucket: "data", plan.Provider: "Minio", plan.Server: "minio.clinic.org", plan.KeyID: "AK", plan.KeySecret: "s"}},
	{"SFTP", plan.SFTP, map[plan.Field]string{plan.Host: "files.clinic.org", plan.User: "ana", plan.UserPass: " p ", plan.Path: "records"}},
	{"SFTP, wrong", plan.SFTP, map[plan.Field]string{plan.Host: "sftp://files.clinic.org", plan.Port: "99999"}},
	{"WebDAV", plan.WebDAV, map[plan.Field]string{plan.Address: "https://cloud.clinic.org/dav", plan.User: "ana", plan.UserPass: "p"}},
	{"a name of rclone.conf", plan.Rclone, map[plan.Field]string{plan.Remote: "rclone:hospital:studies", plan.Conf: "/home/ana/rclone.conf"}},
	{"a connection string", plan.Rclone, map[plan.Field]string{plan.Remote: ":azureblob,account=a:c"}},
	{"a name with what may be secret", plan.Rclone, map[plan.Field]string{plan.Remote: "hospital,pass=t0p:studies"}},
	{"no remote", plan.Rclone, map[plan.Field]string{plan.Remote: ":azureblob", plan.Conf: "rclone.conf"}},
	{"Synapse", plan.Synapse, map[plan.Field]string{plan.Token: " t0ken\t"}},
	{"another Synapse", plan.Synapse, map[plan.Field]string{plan.Endpoint: "https://ana:t0p@synapse.clinic.org/api"}},
}

func newDraft(place plan.Place, said map[plan.Field]string) *plan.Draft {
	d := plan.New("/home/ana/clinic")
	d.Place = place
	for _, f := range []plan.Field{plan.Site, plan.App, plan.Study} { // the app is called after the site
		if text, ok := said[f]; ok {
			d.Put(f, text)
		}
	}
	for f, text := range said {
		if f != plan.Site && f != plan.App {
			d.Put(f, text)
		}
	}
	return d
}

// What is asked, what is wrong with the answers, and what comes of them.
func TestDrafts(t *testing.T) {
	var got strings.Builder
	en := tongue.Tongue{}
	for _, c := range drafts {
		d := newDraft(c.place, c.said)
		fmt.Fprintf(&got, "== %s\n", c.name)
		for _, step := range plan.Steps() {
			for _, f := range d.Asked(step) {
				shown := d.Text(f)
				if f.Secret() && shown != "" {
					shown = "***"
				}
				fmt.Fprintf(&got, "  %s: %s", en.Say("guide.field."+string(f)), shown)
				if wrong := d.Wrong(f, en); wrong != "" {
					fmt.Fprintf(&got, "   ! %s", wrong)
				}
				got.WriteString("\n")
			}
		}
		fmt.Fprintf(&got, "-> %s\n%s", d.Spec(), d.RcloneConf("0bscured"))
		for _, line := range d.Summary(en) {
			fmt.Fprintf(&got, "   %s\n", line)
		}
		got.WriteString("\n")
	}
	golden(t, "testdata/drafts.txt", got.String())
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}

// The app is called after the site until a person names it, and again once they name
// it as it would be called.
func TestTheAppIsCalledAfterTheSite(t *testing.T) {
	d := plan.New("/home/ana/clinic")
	for _, step := range []struct {
		field      plan.Field
		text, want string
	}{
		{plan.Site, "Mbabane  Clinic, No. 1", "mbabane-clinic-no-1"}, {plan.Site, "诊所", ""}, {plan.Site, "Œuvre", "oeuvre"},
		{plan.App, "walk", "walk"}, {plan.Site, "Another", "walk"}, {plan.App, "another", "another"}, {plan.Site, "Third", "third"},
		{plan.Site, strings.Repeat("long ", 30), strings.TrimSuffix(strings.Repeat("long-", 12), "-")},
	} {
		if d.Put(step.field, step.text); d.Text(plan.App) != step.want {
			t.Errorf("after %s is %q the app is %q, not %q", step.field, step.text, d.Text(plan.App), step.want)
		}
	}
}

// What is wrong, and what explains, is said in every language.
func TestEverythingIsSaid(t *testing.T) {
	for _, l := range tongue.Languages() {
		in := tongue.In(l.Code)
		for _, place := range plan.Places() {
			d := plan.New("/h")
			d.Place = place
			for _, step := range plan.Steps() {
				names := []string{"guide.step." + string(step), "guide.why." + string(step), "guide.place." + string(place)}
				for _, f := range d.Asked(step) {
					names = append(names, "guide.field."+string(f))
					if f.Explained() {
						names = append(names, "guide.hint."+string(f))
					}
				}
				for _, name := range names {
					if in.Say(name) == name {
						t.Errorf("%s is not said in %s", name, l.Name)
					}
				}
			}
		}
	}
}

// A trial says what went wrong, and nothing of what went well.
func TestTrials(t *testing.T) {
	if got := (plan.Trial{OK: true}).Verdict(tongue.Tongue{}); got != "All is well: records can be sent there." {
		t.Errorf("where all is well it says %q", got)
	}
}
