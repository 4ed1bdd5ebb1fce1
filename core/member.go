package core

import "time"

// Attendance is what is expected of a participant in a study.
type Attendance string

// The attendances.
const (
	AttendanceExpected Attendance = "expected"  // uploads, for they are in the study and share
	AttendanceExcused  Attendance = "excused"   // nothing: they are in the study, but share with nobody or may not sign in
	AttendanceEnded    Attendance = "withdrawn" // nothing any more
)

// AttendanceIn says what is expected of an account in a study that it is, or was, in.
func (a Account) AttendanceIn(study StudyID) Attendance {
	switch {
	case !a.Enrollments[study].Active():
		return AttendanceEnded
	case !a.SharingScope.Allows() || a.Status == StatusDisabled:
		return AttendanceExcused
	}
	return AttendanceExpected
}

// Member is a participant who is, or was, in a study, and what last came from them.
type Member struct {
	Account    Account
	Attendance Attendance
	Last       UploadID  // the last upload that came; empty: none did
	LastOn     time.Time // when it was complete; zero: none was
	Since      time.Time // since when nothing came: the last upload, or the enrolment if that is later
	Place      string    // in the order of the study's members
}

// Late reports whether someone of whom uploads are expected has sent none since.
func (m Member) Late(since time.Time) bool {
	return m.Attendance == AttendanceExpected && m.Since.Before(since)
}
