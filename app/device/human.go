package device

import (
	"fmt"
	"time"
)

// size is bytes as people say them, in powers of 1000.
func size(bytes int64) string {
	value, unit := float64(bytes), "B"
	for _, next := range []string{"kB", "MB", "GB", "TB"} {
		if value < 999.5 {
			break
		}
		value, unit = value/1000, next
	}
	if unit == "B" || value >= 99.95 {
		return fmt.Sprintf("%.0f %s", value, unit)
	}
	return fmt.Sprintf("%.1f %s", value, unit)
}

// human is a length of time as people say it.
func human(d time.Duration) string {
	seconds := int64((d + time.Second - 1) / time.Second) // nobody waits for 0 s
	switch {
	case seconds < 100:
		return fmt.Sprintf("%d s", seconds)
	case seconds < 100*60:
		return fmt.Sprintf("%d min", (seconds+30)/60)
	}
	minutes := (seconds + 30) / 60
	return fmt.Sprintf("%d h %d min", minutes/60, minutes%60)
}
