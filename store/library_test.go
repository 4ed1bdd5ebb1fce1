package store_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"footbridge/core"
	"footbridge/core/library"
	"footbridge/core/schema"
	"footbridge/store"
)

const sleeping = `{"name":"Sleep","identifier":"sleep","elements":[{"type":"SurveyQuestion","identifier":"hours"}]}`

func TestSurveysAndTheirSchemasAreThereAfterARestart(t *testing.T) {
	s := newSite(t, store.Config{})
	desk := library.NewDesk(s, s.clock.now)
	survey, err := desk.CreateSurvey(t.Context(), []byte(sleeping))
	must(t, err)
	survey, err = desk.PublishSurvey(t.Context(), survey.GUID, survey.CreatedOn, false)
	must(t, err)

	s = s.crash(t.TempDir())
	defer s.Close()
	kept, err := s.Survey(t.Context(), survey.GUID, survey.CreatedOn)
	if err != nil || !kept.Published || string(kept.Elements[0].Document) != string(survey.Elements[0].Document) {
		t.Errorf("%+v %v", kept, err)
	}
	if answers, err := s.Schema(t.Context(), "sleep", survey.SchemaRevision); err != nil || answers.SurveyGUID != survey.GUID {
		t.Errorf("%+v %v", answers, err)
	}
	_, err = library.NewDesk(s, s.clock.now).CreateSurvey(t.Context(), []byte(sleeping))
	if !errors.Is(err, core.ErrExists) {
		t.Error(err)
	}
}

// Of many who make the same at once, each gets what no other got.
func TestManyArrangeAtOnce(t *testing.T) {
	s := newSite(t, store.Config{})
	desk := library.NewDesk(s, s.clock.now)
	const many = 20
	var made sync.Map
	var mu sync.Mutex
	surveys := 0
	var working sync.WaitGroup
	for range many {
		working.Go(func() {
			r, err := desk.CreateSchema(t.Context(), []byte(`{"name":"Walk","schemaId":"walk","schemaType":"ios_data"}`))
			if _, twice := made.LoadOrStore(r.Revision, true); twice || err != nil {
				t.Errorf("%s %v", r, err)
			}
			if _, err := desk.CreateSurvey(t.Context(), []byte(sleeping)); err == nil {
				mu.Lock()
				surveys++
				mu.Unlock()
			} else if !errors.Is(err, core.ErrExists) {
				t.Error(err)
			}
		})
	}
	working.Wait()
	all, err := s.Schemas(t.Context(), "walk", 0, func(schema.Schema) bool { return true })
	if err != nil || len(all) != many || all[0].Revision != many || surveys != 1 {
		t.Errorf("%d revisions, %d surveys, %v", len(all), surveys, err)
	}
}

// A list of the newest reads on over many revisions of one schema.
func TestTheNewestOfManyRevisions(t *testing.T) {
	s := newSite(t, store.Config{})
	for _, id := range []string{"a", "b", "c"} {
		must(t, s.Arrange(t.Context(), id, func(d *schema.Dossier) error {
			for n := range 700 { // more than a scan takes at a time
				d.Schemas = append(d.Schemas, schema.Schema{ID: id, Revision: n + 1, Kind: schema.Data})
			}
			return nil
		}))
	}
	newest, err := s.Schemas(t.Context(), "", 1, func(s schema.Schema) bool { return s.Revision < 700 })
	if got := fmt.Sprint(newest, err); got != "[a revision 699 b revision 699 c revision 699] <nil>" {
		t.Error(got)
	}
}
