// Package folders keeps projects in a repository of files: a folder of this machine,
// or any rclone remote. Each destination has a folder of its name there.
//
// It promises that nothing is put, compared or removed where the project is not seen
// to stand, so that a disk that is unplugged or swapped is neither written to nor
// taken for one that lost everything; and that tables are written whole, the same
// rows always as the same bytes.
//
// Records come from sync/push, what things are called from sync/export, tables from
// sync/table, and bytes go out through sync/remote. Who makes the projects says
// whether one stands.
package folders
