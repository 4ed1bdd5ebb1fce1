package studies_test

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"footbridge/app/local/studies"
)

func TestCredentialsAreNotShown(t *testing.T) {
	c := studies.Credentials{Bucket: "study-data", AccessKeyID: "ASIA1", SecretAccessKey: "hidden", SessionToken: "hidden"}
	var log strings.Builder
	slog.New(slog.NewTextHandler(&log, nil)).Info("given", "credentials", c)
	for _, text := range []string{fmt.Sprint(c), fmt.Sprintf("%+v", &c), fmt.Sprintf("%#v", c), log.String()} {
		if strings.Contains(text, "hidden") || !strings.Contains(text, "study-data") {
			t.Errorf("they are shown as %s", text)
		}
	}
}
