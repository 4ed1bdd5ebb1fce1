package pane_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"footbridge/app/pane"
	"footbridge/core"
	"footbridge/testdata"
)

// What the page of studies asks is answered by the real API.
func TestAStudyThroughAPane(t *testing.T) {
	through(t, func(ctx context.Context, p *pane.Pane) {
		d, err := p.Study(ctx, "sleep")
		if err != nil || !d.Configured() || d.Configuration.Project != "sleep" || d.Project.State != "made" || d.App != "test-app" {
			t.Errorf("the study is %+v (%v)", d, err)
		}
		if err := p.CreateStudy(ctx, "gait", "Gait of elders"); err != nil {
			t.Fatal(err)
		}
		if err := p.CreateStudy(ctx, "gait", ""); err == nil {
			t.Error("it is made twice")
		}
		if d, err := p.Study(ctx, "gait"); err != nil || d.Name != "Gait of elders" || d.Project.State != "none" || d.Configured() {
			t.Errorf("the new study is %+v (%v)", d, err)
		}
		if err := p.AskProject(ctx, "gait"); err != nil {
			t.Fatal(err)
		}
		made(ctx, t, p, "gait")
		if err := p.RequestAccess(ctx, "gait", "jo"); err != nil {
			t.Error(err)
		}
		if said, err := p.GrantAccess(ctx, "gait", "jo"); err != nil || !strings.Contains(said, "let jo read") {
			t.Errorf("granted is %q (%v)", said, err)
		}
		if d, err := p.Study(ctx, "gait"); err != nil || len(d.Access) != 1 || d.Access[0].RequestedOn.IsZero() || d.Access[0].GrantedOn.IsZero() {
			t.Errorf("access is %+v (%v)", d.Access, err)
		}
		if pem, err := p.PublicKey(ctx); err != nil || !strings.HasPrefix(pem, "-----BEGIN CERTIFICATE-----") {
			t.Errorf("the key is %q (%v)", pem, err)
		}
	})
}

// made waits until a study's project is made, which the appliance does by itself.
func made(ctx context.Context, t *testing.T, p *pane.Pane, id core.StudyID) {
	t.Helper()
	listening, stop := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() { defer close(ended); p.Listen(listening) }()
	defer func() { stop(); <-ended }()
	for limit := time.After(time.Minute); ; {
		d, err := p.Study(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		if d.Configured() && d.Project.State == "made" {
			return
		}
		select {
		case <-p.Changes():
		case <-limit:
			t.Fatalf("after a minute it is %+v", d.Project)
		}
	}
}

// Documents are taken as they are, and what is wrong in them is said.
func TestDocumentsThroughAPane(t *testing.T) {
	through(t, func(ctx context.Context, p *pane.Pane) {
		s, err := p.ImportSchema(ctx, []byte(`{"schemaId":"walk","name":"Walk","schemaType":"ios_data","fieldDefinitions":[{"name":"steps","type":"int"}]}`))
		if err != nil || s.ID != "walk" || s.Revision != 1 || len(s.Fields) != 1 {
			t.Errorf("the schema is %+v (%v)", s, err)
		}
		if _, err := p.ImportSchema(ctx, []byte(`{"schemaId":"walk"}`)); err == nil || !strings.Contains(err.Error(), "name") {
			t.Errorf("a schema without a name: %v", err)
		}
		if _, err := p.ImportSchema(ctx, []byte(`schema`)); err == nil || !strings.Contains(err.Error(), "is no JSON") {
			t.Errorf("a file that is no JSON: %v", err)
		}
		if _, err := p.ImportKey(ctx, []byte("no key")); err == nil || !strings.Contains(err.Error(), "The key was not taken") {
			t.Errorf("a file that is no key: %v", err)
		}
		key := append(testdata.Vector(t, "cms/other-only-key.pem"), testdata.Vector(t, "cms/other-only-cert.pem")...)
		if serial, err := p.ImportKey(ctx, key); err != nil || serial == "" {
			t.Errorf("a key: %q (%v)", serial, err)
		}
		if _, err := p.ImportTimeline(ctx, "sleep", []byte(`{"schedule":7}`)); err == nil {
			t.Error("a timeline that is none was taken")
		}
		if _, err := p.ImportTimeline(ctx, "none", []byte(`{}`)); err == nil {
			t.Error("a study that is not there took a timeline")
		}
	})
}
