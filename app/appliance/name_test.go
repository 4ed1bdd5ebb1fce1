package appliance_test

import (
	"testing"

	"footbridge/app/appliance"
)

// What a repository is called holds none of the secrets that settings may hold.
func TestRepositoryName(t *testing.T) {
	for spec, want := range map[string][2]string{
		"folder:repository":         {"repository"},
		"folder:/mnt/share/site-7/": {"site-7"},
		`folder:C:\data\out`:        {"out"},
		"rclone:site:bucket/a/b":    {"bucket", "a/b"},
		"rclone:site:/bucket":       {"bucket"},
		"rclone:site:":              {"site"},
		"rclone:site":               {"rclone"},
		"rclone:/data/out":          {"rclone"},
		"rclone::s3,access_key_id=AK,secret_access_key=SK:bucket/x": {"bucket", "x"},
		"rclone::s3,secret_access_key=SK:":                          {"rclone"},
		`rclone:site,token="a:b":`:                                  {"rclone"},
		"synapse:https://repo-prod.prod.sagebase.org":               {"synapse"},
	} {
		if name, prefix := appliance.RepositoryName(spec); [2]string{name, prefix} != want {
			t.Errorf("%s is called %q, with %q before its folders; want %q", spec, name, prefix, want)
		}
	}
}
