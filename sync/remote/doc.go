// Package remote puts objects with their metadata on one rclone remote and
// asks it what it holds.
//
// It promises that a reader never sees a half-written file under its final
// name where the remote can rename, that what is there already is not sent
// again, that a Put to a folder of this machine is durable once it returns, and
// that no error tells a secret. Nothing but Make makes the place itself: what
// is missing may be on a disk that is not connected. It tries everything once: repeating is
// sync/push's business. It reads no settings of the user's rclone, writes no
// rclone.conf, and never looks into what it carries.
package remote
