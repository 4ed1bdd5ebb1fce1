package remote

// The kinds of remote that this build knows: one line each.
import (
	_ "github.com/rclone/rclone/backend/local"
)
