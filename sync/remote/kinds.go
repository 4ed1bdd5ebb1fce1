package remote

import (
	"maps"

	"github.com/rclone/rclone/fs/config/configmap"
)

// The rules here are: what a rule of this package needs is forced, whatever the
// settings say; what bounds memory is a default, which the settings may change.

// kind is what a backend needs of us beside rclone's defaults.
type kind struct {
	forced   configmap.Simple // above the settings
	defaults configmap.Simple // below them
	staged   bool             // a file could be seen half-written, and can be renamed
	buckets  bool             // the place is a bucket, which its owner makes
	limits   limits           // of metadata
}

// kinds are the backends that need anything. Of a large file two parts are on
// their way at once, of 5 MiB to S3; that is what memory allows.
var kinds = map[string]kind{
	"local":  {staged: true, limits: limits{text: 1900, block: 3500, perKey: 22, key: maxName() - len(diskPrefix)}},
	"sftp":   {staged: true, defaults: configmap.Simple{"pin_host_key": "true"}},
	"webdav": {staged: true},
	"s3": {
		buckets: true,
		forced: configmap.Simple{
			"no_check_bucket": "true", "no_head": "false", "no_head_object": "false", "disable_checksum": "false",
			"no_system_metadata": "false", "leave_parts_on_error": "false", "versions": "false",
		},
		defaults: configmap.Simple{"upload_concurrency": "2"},
		limits:   limits{text: 1900, block: 1900, perKey: 11, header: true},
	},
	"azureblob": {
		buckets:  true,
		forced:   configmap.Simple{"no_check_container": "true", "no_head_object": "false", "disable_checksum": "false"},
		defaults: configmap.Simple{"upload_concurrency": "2"},
		limits:   limits{text: 1900, block: 1900, perKey: 11, header: true, identifiers: true},
	},
	"google cloud storage": {
		buckets: true,
		forced:  configmap.Simple{"no_check_bucket": "true"},
		limits:  limits{text: 1900},
	},
	"drive":   {limits: limits{text: 1900, pair: 120, pairs: 25}},
	"dropbox": {forced: configmap.Simple{"batch_mode": "off"}, defaults: configmap.Simple{"chunk_size": "8Mi"}},
	"crypt":   {},
}

// largeAtOnce is how many files are sent at once that may go in parts, which are
// those of largeFrom bytes and more.
const (
	largeAtOnce = 2
	largeFrom   = 16 << 20
)

// options gives what a backend is opened with.
func (k kind) options(settings configmap.Simple) configmap.Simple {
	all := configmap.Simple{}
	for _, layer := range []configmap.Simple{k.defaults, settings, k.forced} {
		maps.Copy(all, layer)
	}
	return all
}
