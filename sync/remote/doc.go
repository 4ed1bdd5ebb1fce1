// Package remote puts objects with their metadata on one rclone remote and
// asks it what it holds.
//
// It promises that a reader never sees a half-written file under its final
// name where the remote can rename or shows whole files only; that each file is
// compared with what was sent, and what is there already is not sent again; that
// a Put to a folder of this machine is durable once it returns; that a line on
// which nothing moves is an error within a minute or two; that what answers in
// the remote's place is not taken for it; and that no error tells a secret, a URL
// or the name of a file. Errors are of core's kinds, and TroubleOf says what a
// person can do.
//
// Nothing but Make makes the place itself: what is missing may be on a disk that
// is not connected. It tries everything once: repeating is sync/push's business.
// It hands out keys only where it is asked to lend some (Lend), which read one folder.
// It reads no settings of the user's rclone, writes no rclone.conf, and never
// looks into what it carries.
//
// The local, SFTP, WebDAV and S3 backends are tested against real servers, see
// remotetest; the others by the answers that their documents show.
package remote
