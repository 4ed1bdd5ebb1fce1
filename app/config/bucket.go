package config

import (
	"net"
	"net/url"
	"regexp"
	"strings"
)

// The rules here are: the table [repository.s3] stands beside the text repository,
// which TOML does not allow; so its head is read as a key in quotes, which names the
// same to people and stands on the same line.

// Bucket is the S3 bucket that holds the bytes of a repository that is Synapse.
type Bucket struct {
	Name     string `toml:"bucket"`   // empty: the repository keeps the bytes itself
	Region   string `toml:"region"`   // empty: us-east-1
	Endpoint string `toml:"endpoint"` // of S3 that is not AWS's; empty: AWS
	Provider string `toml:"provider"` // as rclone calls it; empty: AWS, or Other with an endpoint
}

// bucketTable is the key of its table.
const bucketTable = "repository.s3"

var bucketHeader = regexp.MustCompile(`(?m)^([ \t]*)\[[ \t]*repository[ \t]*\.[ \t]*s3[ \t]*\]`)

// quoteBucket writes the head of the table as TOML takes it.
func quoteBucket(text []byte) []byte {
	return bucketHeader.ReplaceAll(text, []byte(`${1}["`+bucketTable+`"]`))
}

var (
	bucketRule   = regexp.MustCompile(`^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$`)
	regionRule   = regexp.MustCompile(`^[a-z0-9-]{0,40}$`)
	providerRule = regexp.MustCompile(`^[A-Za-z0-9]{0,40}$`)
)

// check finds the first setting that cannot work.
func (b Bucket) check(repository string, wrong func(table, key, why string) error) error {
	if !strings.HasPrefix(repository, "synapse:") {
		for _, setting := range []Setting{{"bucket", b.Name}, {"region", b.Region}, {"endpoint", b.Endpoint}, {"provider", b.Provider}} {
			if setting.Value != "" {
				return wrong(bucketTable, setting.Key, `is for a repository that begins with "synapse:"; take it out, or write rclone:REMOTE for a bucket that is the repository itself`)
			}
		}
	}
	if b.Name != "" && !bucketRule.MatchString(b.Name) {
		return wrong(bucketTable, "bucket", "must be the name of a bucket: 3 to 63 lower-case letters, digits, dots and hyphens")
	}
	if !regionRule.MatchString(b.Region) {
		return wrong(bucketTable, "region", `must be the name of a region, such as "us-east-1"`)
	}
	if !endpointIsRight(b.Endpoint) {
		return wrong(bucketTable, "endpoint", `must read "https://HOST", or be empty for AWS`)
	}
	if !providerRule.MatchString(b.Provider) {
		return wrong(bucketTable, "provider", `must be a provider of S3 as rclone calls it, such as "AWS", "Minio" or "Other"`)
	}
	return nil
}

// endpointIsRight reports whether bytes may be sent to an endpoint: in the clear on
// this machine only.
func endpointIsRight(endpoint string) bool {
	if endpoint == "" {
		return true
	}
	at, err := url.Parse(endpoint)
	if err != nil || at.Host == "" || at.User != nil || at.RawQuery != "" || at.Fragment != "" || strings.Trim(at.Path, "/") != "" {
		return false
	}
	ip := net.ParseIP(at.Hostname())
	return at.Scheme == "https" || at.Scheme == "http" && (at.Hostname() == "localhost" || ip != nil && ip.IsLoopback())
}
