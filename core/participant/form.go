package participant

import (
	"encoding/json"
	"net/mail"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"footbridge/core"
	"footbridge/core/account"
)

// Form is what staff say of an account. On an update it replaces everything
// but what is marked: that stays where the form leaves it out.
type Form struct {
	Email          string
	Phone          *core.Phone
	FirstName      string
	LastName       string
	Password       string // stays
	ExternalIDs    map[core.StudyID]string
	SharingScope   core.SharingScope // stays
	DataGroups     []string
	Languages      []string
	ClientTimeZone string
	Attributes     map[string]string
	Note           string
	ClientData     json.RawMessage
	NotifyByEmail  *bool // stays
	SynapseUserID  string
	Roles          []core.Role        // stay
	Status         core.AccountStatus // stays
	By             core.UserID        // who fills it in
}

const (
	textMax      = 255
	noteMax      = 65535
	groupsMax    = 100
	languagesMax = 10
	entriesMax   = 100 // attributes
)

// TestUser is the data group of accounts that are there to try things out. Once
// given it stays, so that no data of a test becomes a participant's.
const TestUser = "test_user"

var (
	dataGroup    = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)
	languageForm = regexp.MustCompile(`^[a-z]{2,3}$`)
)

// check finds everything that is wrong with the form; groups are the data groups
// that there are, where they are listed. Errors: *core.Invalid.
func (f Form) check(groups []string, isStudy func(core.StudyID) bool) error {
	invalid := &core.Invalid{Entity: "StudyParticipant"}
	if f.Email != "" {
		if a, err := mail.ParseAddress(f.Email); err != nil || a.Address != f.Email {
			invalid.Complain("email", "does not appear to be an email address")
		}
	}
	if f.Phone != nil && (f.Phone.Number == "" || f.Phone.RegionCode == "") {
		invalid.Complain("phone", "needs a number and a regionCode")
	}
	if f.Password != "" {
		if lack := account.CheckPassword(f.Password); lack != "" {
			invalid.Complain("password", "%s", lack)
		}
	}
	for study, id := range f.ExternalIDs {
		field := "externalIds[" + string(study) + "]"
		if !isStudy(study) {
			invalid.Complain(field, "is not a study")
		}
		if strings.TrimSpace(id) == "" {
			invalid.Complain(field, "cannot be blank")
		} else if !externalID(id) {
			invalid.Complain(field, "must have at most %d characters, none of them |, = or a control character", textMax)
		}
	}
	if len(f.DataGroups) > groupsMax {
		invalid.Complain("dataGroups", "must be at most %d", groupsMax)
	}
	for _, group := range f.DataGroups[:min(groupsMax, len(f.DataGroups))] {
		if !dataGroup.MatchString(group) {
			invalid.Complain("dataGroups", "must each have 1 to 64 characters of A-Z, a-z, 0-9, _ and -")
			break
		}
		if len(groups) > 0 && group != TestUser && !slices.Contains(groups, group) {
			invalid.Complain("dataGroups", "'%s' is not defined for app (use %s)", group, strings.Join(groups, ", "))
		}
	}
	if len(f.Languages) > languagesMax {
		invalid.Complain("languages", "must be at most %d", languagesMax)
	}
	for _, language := range f.Languages {
		if !languageForm.MatchString(languageOf(language)) {
			invalid.Complain("languages", "must each be a language of two letters, or three where it has no two, such as en or fil")
			break
		}
	}
	for _, role := range f.Roles {
		if !slices.Contains(core.Roles(), role) {
			invalid.Complain("roles", "has no role of that name; use admin, developer, researcher, study_coordinator or worker")
			break
		}
	}
	if f.ClientTimeZone != "" {
		if _, err := time.LoadLocation(f.ClientTimeZone); err != nil || f.ClientTimeZone == "Local" {
			invalid.Complain("clientTimeZone", "is not a recognized IANA time zone name")
		}
	}
	if f.SharingScope != "" && f.SharingScope != core.NoSharing && !f.SharingScope.Allows() {
		invalid.Complain("sharingScope", "must be no_sharing, sponsors_and_partners or all_qualified_researchers")
	}
	if f.Status != "" && f.Status != core.StatusEnabled && f.Status != core.StatusDisabled {
		invalid.Complain("status", "must be enabled or disabled")
	}
	for field, text := range map[string]string{"email": f.Email, "firstName": f.FirstName, "lastName": f.LastName, "synapseUserId": f.SynapseUserID} {
		if utf8.RuneCountInString(text) > textMax {
			invalid.Complain(field, "must be at most %d characters", textMax)
		}
	}
	if len(f.Attributes) > entriesMax {
		invalid.Complain("attributes", "must be at most %d", entriesMax)
	}
	for key, text := range f.Attributes {
		if utf8.RuneCountInString(key) > textMax || utf8.RuneCountInString(text) > textMax {
			invalid.Complain("attributes", "must have names and values of at most %d characters", textMax)
			break
		}
	}
	if utf8.RuneCountInString(f.Note) > noteMax {
		invalid.Complain("note", "must be at most %d characters", noteMax)
	}
	if len(f.ClientData) > noteMax {
		invalid.Complain("clientData", "must be at most %d bytes of JSON", noteMax)
	}
	return invalid.Err()
}

// externalID reports whether an external id can be written into a table: | and =
// separate memberships there.
func externalID(id string) bool {
	return utf8.RuneCountInString(id) <= textMax &&
		!strings.ContainsFunc(id, func(r rune) bool { return r == '|' || r == '=' || unicode.IsControl(r) })
}

// languageOf is the language of a tag such as pt-BR, in lower case.
func languageOf(tag string) string {
	language, _, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(tag, "_", "-")), "-")
	return language
}

// passwordHash is the hash of the form's password, empty where it has none. It
// takes a while: make it before a transaction, not in one.
func (f Form) passwordHash() string {
	if f.Password == "" {
		return ""
	}
	return account.Hash(f.Password)
}

// fill writes the form, whose password has the given hash, into an account.
func (f Form) fill(a *core.Account, hash string, now time.Time) {
	tainted := slices.Contains(a.DataGroups, TestUser)
	a.Email, a.Phone, a.FirstName, a.LastName = f.Email, f.Phone, f.FirstName, f.LastName
	a.DataGroups, a.Languages = distinct(f.DataGroups), nil
	for _, tag := range f.Languages {
		a.Languages = append(a.Languages, languageOf(tag))
	}
	a.Languages = distinct(a.Languages)
	if tainted {
		a.DataGroups = distinct(append(a.DataGroups, TestUser))
	}
	a.ClientTimeZone, a.Attributes, a.Note = f.ClientTimeZone, f.Attributes, f.Note
	a.ClientData, a.SynapseUserID = f.ClientData, f.SynapseUserID
	if f.NotifyByEmail != nil {
		a.NotifyByEmail = *f.NotifyByEmail
	}
	if f.Roles != nil {
		a.Roles = f.Roles
	}
	if hash != "" {
		a.PasswordHash = hash
	}
	if f.SharingScope != "" {
		a.SharingScope = f.SharingScope
		a.Consented = a.Consented || f.SharingScope.Allows()
	}
	if f.Status != "" {
		a.Status = f.Status
	}
	for study, id := range f.ExternalIDs {
		enrol(a, study, Membership{ExternalID: id, ConsentRequired: true, By: f.By}, now)
	}
	a.ModifiedOn = now.UTC()
}

// Membership is how someone becomes a member of a study.
type Membership struct {
	ExternalID      string // empty: none, or the one that they had
	ConsentRequired bool
	By              core.UserID // who enrols them; empty: the operator of the site
}

// enrol makes an account a member of a study; a member stays as enrolled, but
// takes on an external id that is given.
func enrol(a *core.Account, study core.StudyID, m Membership, now time.Time) {
	if a.Enrollments == nil {
		a.Enrollments = map[core.StudyID]core.Enrollment{}
	}
	e, ok := a.Enrollments[study]
	if !ok || !e.Active() {
		e = core.Enrollment{EnrolledOn: now.UTC(), EnrolledBy: m.By, ConsentRequired: m.ConsentRequired, ExternalID: e.ExternalID}
	}
	if m.ExternalID != "" {
		e.ExternalID = m.ExternalID
	}
	a.Enrollments[study] = e
}

func distinct(all []string) []string {
	var once []string
	for _, s := range all {
		if !slices.Contains(once, s) {
			once = append(once, s)
		}
	}
	return once
}
