package view

import (
	"fmt"
	"time"

	"footbridge/core"
)

// Moment writes a time for people. It reads the same wherever it is read: in UTC.
func Moment(t time.Time) string { return t.UTC().Format("15:04:05 UTC on 2006-01-02") }

// since says since when; nothing where that is not known.
func since(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return " since " + Moment(t)
}

// again says when it is tried next; nothing where no time is.
func again(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return "; it is tried again at " + Moment(t)
}

// age says how long the oldest has waited, where that is over a minute.
func age(since *time.Time, now time.Time) string {
	if since == nil || now.Sub(*since) < time.Minute {
		return ""
	}
	return ", the oldest for " + span(now.Sub(*since))
}

// span says how long something lasted.
func span(lasted time.Duration) string {
	switch {
	case lasted < time.Hour:
		return count(int(lasted.Minutes()), "minute")
	case lasted < 48*time.Hour:
		return count(int(lasted.Hours()), "hour")
	}
	return count(int(lasted.Hours()/24), "day")
}

// Reason says in words why a record is not in the repository.
func Reason(r core.ExportReason) string {
	switch r {
	case core.ReasonNoSharingAtUpload:
		return "the participant shared with nobody when they uploaded it, so it is never sent"
	case core.ReasonNoSharingNow:
		return "the participant shares with nobody at present; it is sent once they share again"
	case core.ReasonWithdrawn:
		return "it was withdrawn"
	case core.ReasonNoStudyConfigured:
		return "no study of the participant is configured for export"
	case core.ReasonPaused:
		return "sending is paused; footbridge sync resume sends again"
	case core.ReasonOutsideHours:
		return "the settings say that records are sent at another time of day"
	case core.ReasonProjectPending:
		return "the project is not made yet; it is as soon as the repository answers"
	case core.ReasonVersionPending:
		return "the row of its participant version goes to the repository first"
	case core.ReasonRepositoryAway:
		return "the repository cannot be reached"
	case core.ReasonMaintenance:
		return "the repository is being maintained, and comes back by itself"
	case core.ReasonImpostor:
		return "something else answers in the repository's place, such as the sign-in page of a network; sign in there with a browser, or use another network"
	case core.ReasonThrottled:
		return "the repository asks for a pause, because it has too much to do"
	case core.ReasonNeedsToken:
		return "there is no token or key that the repository takes"
	case core.ReasonRepositoryRefused:
		return "the repository does not let Footbridge write there"
	case core.ReasonRepositoryMissing:
		return "the folder of the repository is not there; its disk is to be connected"
	case core.ReasonRepositoryChanged:
		return "the repository does not hold the project any more"
	case core.ReasonRepositoryInvalid:
		return "the repository does not take it as it is"
	case core.ReasonBytesDamaged:
		return "the stored bytes are damaged"
	case core.ReasonNeedsKey:
		return "the key that opens it is gone from this site"
	case core.ReasonValidationFailed:
		return "the file could not be opened; the messages of the upload say why"
	}
	return "it will be sent"
}

// why says so, and of a project that is not made yet what keeps it from being made.
func why(r, cause core.ExportReason) string {
	if r == core.ReasonProjectPending && cause != core.ReasonNone {
		return "the project is not made yet, because " + Reason(cause)
	}
	return Reason(r)
}

// decisive is what someone could do something about: the reason, or its cause.
func decisive(r, cause core.ExportReason) core.ExportReason {
	if r == core.ReasonProjectPending {
		return cause
	}
	return r
}

// tokenPlaces says where a token may be put.
const tokenPlaces = "Put a good token into keys/repository.token in the home folder (mode 0600), into the keyring of the operating system, or into FOOTBRIDGE_REPOSITORY_TOKEN before Footbridge starts; a key of another repository is corrected in rclone.conf or in the settings. What waits is sent by itself then."

// remedy says what to do about a reason; nothing where waiting is all there is.
func remedy(r core.ExportReason) string {
	if r == core.ReasonNeedsToken {
		return " " + tokenPlaces
	}
	return ""
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Bytes writes a size for people.
func Bytes(n int64) string {
	units := []string{"byte", "KiB", "MiB", "GiB", "TiB"}
	size, unit := float64(n), 0
	for size >= 1023.95 && unit < len(units)-1 { // what would be written as 1024.0 is 1.0 of the next
		size, unit = size/1024, unit+1
	}
	if unit == 0 {
		return count(int(n), "byte")
	}
	return fmt.Sprintf("%.1f %s", size, units[unit])
}
