package appliance

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
)

// logMax is the size from which a log file is put aside when the next run
// begins, in bytes. One older file is kept.
const logMax = 16 << 20

// openLog opens the log file in a folder and gives a logger that writes there
// and to the console (nil: there only).
func openLog(dir string, console slog.Handler) (*slog.Logger, io.Closer, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, nil, fmt.Errorf("open the log file: %w", err)
	}
	name := filepath.Join(dir, "footbridge.log")
	if info, err := os.Stat(name); err == nil && info.Size() > logMax {
		if err := os.Rename(name, name+".1"); err != nil {
			return nil, nil, fmt.Errorf("put the log file aside: %w", err)
		}
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fmt.Errorf("open the log file: %w", err)
	}
	f, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, nil, fmt.Errorf("open the log file: %w", err)
	}
	handler := slog.Handler(slog.NewJSONHandler(f, nil))
	if console != nil {
		handler = slog.NewMultiHandler(handler, console)
	}
	return slog.New(handler), f, nil
}
