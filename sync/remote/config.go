package remote

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	rclone "github.com/rclone/rclone/fs"
	"github.com/rclone/rclone/fs/config/configmap"
	"github.com/rclone/rclone/fs/config/obscure"
	"github.com/unknwon/goconfig"
)

// silence is held here because rclone's logger is one for the whole process,
// and setting it twice would race with those that log.
var silence sync.Once

// quiet turns rclone's logging off, once and for the whole process: it would
// write paths to stderr. What goes wrong is told by errors alone. Where it is off
// already, somebody may be using it.
func quiet() {
	silence.Do(func() {
		if config := rclone.GetConfig(context.Background()); config.LogLevel != rclone.LogLevelEmergency {
			rclone.SetLogger(slog.DiscardHandler)
			config.LogLevel = rclone.LogLevelEmergency
		}
	})
}

// configured gives ctx with the settings that we rely on, whatever the
// environment of the process says to rclone.
func configured(ctx context.Context) context.Context {
	ctx, config := rclone.AddConfig(ctx)
	config.LowLevelRetries, config.Retries = 1, 1 // sync/push repeats
	config.Metadata, config.MetadataSet = true, nil
	config.MultiThreadStreams, config.MultiThreadSet = 0, false // our sources cannot seek
	config.BufferSize = 4 << 20                                 // read ahead, per transfer
	config.Inplace = true                                       // we name the partial file, see Put
	config.DryRun, config.Interactive, config.Immutable = false, false, false
	config.IgnoreChecksum, config.IgnoreSize, config.SizeOnly = false, false, false
	config.MaxTransfer, config.AskPassword = -1, false
	config.ConnectTimeout = shorter(config.ConnectTimeout, connectTimeout)
	config.Timeout = shorter(config.Timeout, lineTimeout)
	return policy.WithRetryOptions(ctx, policy.RetryOptions{MaxRetries: -1}) // Azure's library would, by itself
}

// A line is dead when nothing moves on it for lineTimeout. rclone asks S3 twice,
// so that what is not an upload may take both.
const (
	connectTimeout = 15 * time.Second
	lineTimeout    = time.Minute
)

// shorter gives the shorter of two times, of which no time is the longest.
func shorter(set rclone.Duration, most time.Duration) rclone.Duration {
	if set <= 0 || time.Duration(set) > most {
		return rclone.Duration(most)
	}
	return set
}

// unlabelled gives a configured ctx under which rclone leaves metadata alone.
func unlabelled(ctx context.Context) context.Context {
	ctx, config := rclone.AddConfig(ctx)
	config.Metadata = false
	return ctx
}

// defaults gives what a backend's options are unless they are set. rclone's
// own lookup would read the environment and the user's rclone.conf as well.
type defaults struct{ kind *rclone.RegInfo }

// Get gives the default of one option.
func (d defaults) Get(key string) (string, bool) {
	option := d.kind.Options.Get(key)
	if option == nil {
		return "", false
	}
	return option.String(), true
}

// section reads one remote from an rclone.conf.
func section(configFile, name string) (configmap.Simple, error) {
	data, err := os.ReadFile(configFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("open rclone remote %s: there is no %s to find it in", name, configFile)
	}
	if err != nil {
		return nil, fmt.Errorf("open rclone remote %s: %w", name, err)
	}
	if bytes.Contains(data, []byte("RCLONE_ENCRYPT_V0:")) {
		return nil, fmt.Errorf("open rclone remote %s: %s is encrypted; run rclone config encryption remove on it", name, configFile)
	}
	file, err := goconfig.LoadFromData(data)
	if err != nil {
		return nil, fmt.Errorf("open rclone remote %s: %s is no rclone.conf", name, configFile) // the reason quotes the file
	}
	options, err := file.GetSection(name)
	if err != nil {
		return nil, fmt.Errorf("open rclone remote %s: %s has no such remote", name, configFile)
	}
	if options["type"] == "" {
		return nil, fmt.Errorf("open rclone remote %s: %s does not say its type", name, configFile)
	}
	return options, nil
}

// Obscured writes a password as rclone.conf and connection strings want it.
func Obscured(password string) (string, error) { return obscure.Obscure(password) }

// learned is what a backend found out and would write into an rclone.conf: a
// renewed token, the key of an SSH host. It is kept as long as the process runs.
// Safe for concurrent use.
type learned struct {
	mu     sync.Mutex
	values map[string]string
}

// Get gives what was found out.
func (l *learned) Get(key string) (string, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	value, ok := l.values[key]
	return value, ok
}

// Set notes what was found out.
func (l *learned) Set(key, value string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.values == nil {
		l.values = map[string]string{}
	}
	l.values[key] = value
	if key == "host_keys" {
		l.values["pin_host_key"] = "false" // no other kind of key either
	}
}
