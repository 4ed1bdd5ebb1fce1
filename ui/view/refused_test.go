package view_test

import (
	"errors"
	"testing"

	"footbridge/ui/tongue"
	"footbridge/ui/view"

	"github.com/google/go-cmp/cmp"
)

// What is wrong with a form is told by its fields, in the reader's language.
func TestRefused(t *testing.T) {
	cause := errors.New("400")
	const english = "StudyParticipant is invalid: email does not appear to be an email address; externalIds[sleep] cannot be blank; password must have at least 8 characters"
	for code, want := range map[string][]view.Wrong{
		"en": {{"email", "does not appear to be an email address"}, {"externalIds", "cannot be blank"}, {"password", "must have at least 8 characters"}},
		"es": {{"email", "no es una dirección de correo"}, {"externalIds", "no puede estar vacío"}, {"password", "debe tener al menos 8 caracteres"}},
	} {
		r := view.Reader{Tongue: tongue.In(code), Window: true}
		got := r.Refused(english, cause)
		if diff := cmp.Diff(want, got.Wrong); diff != "" {
			t.Errorf("%s (-want +got):\n%s", code, diff)
		}
		if got.Error() != r.Message(english) || !errors.Is(got, cause) {
			t.Errorf("in all it says %q", got)
		}
	}
	if got := (view.Reader{}).Refused("The disk is broken.", nil); got.Error() != "The disk is broken." || len(got.Wrong) > 0 {
		t.Errorf("what is no form's is told with %+v", got)
	}
}
