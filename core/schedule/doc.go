// Package schedule holds the rules of what participants are to do and what they
// did: it reads a study's Timeline document, tells from it where each instance
// of a session or an assessment stands (timeline metadata), keeps adherence
// records, searches them, and links uploads to them.
//
// # Timelines
//
// A study has one Timeline document, which is given back as it was submitted:
// unknown fields stay, and only scheduleGuid and modifiedOn are filled in where
// the document has none. An instance that a later document leaves out stays
// known with what the earlier one said of it, because devices hold on to a
// timeline for weeks and their data must not lose its place in the schedule.
//
// # Adherence records
//
// Devices save records of assessments, and the record of a session follows its
// assessments: it is started when the first of them was, finished when the last
// of them was and all are, declined when all are declined. With some declined and
// some finished a session stays started and is not finished: it was not done as
// scheduled. Where a device says by itself when a session was started, finished or
// declined, that stays and only the rest is filled in.
//
// A record of an instance that no timeline of the study ever had is kept all the
// same, as one outside persistent windows: the device's timeline may be newer
// than this site's, or come from elsewhere.
//
// # Uploads
//
// An upload whose metadata has instanceGuid and eventTimestamp is linked to the
// record of that instance in every study of the participant whose timeline has
// it, in the transaction that completes the upload. Where there is no record yet
// and the metadata has startedOn, one is made. Without startedOn the link waits
// under the record's key, unseen, and joins the record when that is saved. In a
// persistent window an upload without startedOn is of the latest start that is
// there, else of the first one that is saved for the same event. What is malformed
// links nothing. A device
// that takes a record back (saves it neither started nor declined) leaves its
// links waiting; one that deletes it does not.
//
// The package never reads a clock twice for one decision, nor keeps anything: it
// decides by pure functions, which the store runs inside its transactions.
// Documents, records and searches come from app/api; completions come from
// core/upload; rows go to the store through the Book declared here.
package schedule
