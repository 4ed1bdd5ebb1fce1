// Package schedules answers the routes about timelines and adherence records: a
// study's Timeline document in and out, the metadata of its instances, and what
// participants did of it.
//
// It promises that participants reach their own records alone, in the studies that
// they are enrolled in, and that no answer carries a health code. What a document
// and a record may say is decided by core/schedule; accounts and studies are read
// through the interface declared here.
package schedules
