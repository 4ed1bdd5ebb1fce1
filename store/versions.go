package store

import (
	"context"
	"fmt"
	"strings"

	"footbridge/core"
	"footbridge/store/rows"
)

// putVersion adds the account's next version, if there is one, and marks the
// tables that are behind.
func (s *Store) putVersion(tx *rows.Tx, a core.Account, next nextVersion) error {
	app, err := loadApp(tx, a.App)
	if err != nil {
		return err
	}
	latest, err := latestVersion(tx, a.HealthCode)
	if err != nil {
		return err
	}
	v, ok := next(app, a, latest)
	if !ok {
		return nil
	}
	tx.Put(versionsBucket, latestKey(v.HealthCode), fmt.Appendf(nil, "%d", v.Version))
	for study := range v.StudyMemberships {
		s.behind(tx, tableKey{core.DestinationID(study), versionsTable})
	}
	s.behind(tx, tableKey{core.DestinationID(a.App), versionsTable})
	return save(tx, versionsBucket, versionKey(v.HealthCode, v.Version), v)
}

func versionKey(code core.HealthCode, n int) string { return fmt.Sprintf("%s/%08d", code, n) }

// latestKey sorts behind every version of its health code.
func latestKey(code core.HealthCode) string { return string(code) + "/latest" }

func latestVersion(from getter, code core.HealthCode) (*core.ParticipantVersion, error) {
	raw := from.Get(versionsBucket, latestKey(code))
	if raw == nil {
		return nil, nil
	}
	var n int
	fmt.Sscan(string(raw), &n)
	v, err := load[core.ParticipantVersion](from, versionsBucket, versionKey(code, n), "participant version")
	return &v, err
}

// Versions hands every participant version with a membership in the study
// (empty: every one) to visit, by health code and version.
func (s *Store) Versions(_ context.Context, study core.StudyID, visit func(core.ParticipantVersion) error) error {
	var failed error
	s.rows.Scan(versionsBucket, "", "", func(key string, raw []byte) bool {
		if strings.HasSuffix(key, "/latest") {
			return true
		}
		v, err := decode[core.ParticipantVersion](raw)
		if err != nil {
			failed = fmt.Errorf("read a participant version: %w", err)
			return false
		}
		if _, member := v.StudyMemberships[study]; member || study == "" {
			failed = visit(v)
		}
		return failed == nil
	})
	return failed
}

// VersionsOf gives every version of one participant, the oldest first.
func (s *Store) VersionsOf(_ context.Context, code core.HealthCode) (all []core.ParticipantVersion, failed error) {
	s.rows.Scan(versionsBucket, string(code)+"/", "", func(key string, raw []byte) bool {
		if key == latestKey(code) {
			return true
		}
		var v core.ParticipantVersion
		v, failed = decode[core.ParticipantVersion](raw)
		all = append(all, v)
		return failed == nil
	})
	return all, failed
}
