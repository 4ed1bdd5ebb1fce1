package awake

import (
	"context"
	"fmt"

	"golang.org/x/sys/windows"
)

// What a thread wishes of the machine, until it wishes something else.
const (
	continuous     = 0x80000000 // ES_CONTINUOUS
	systemRequired = 0x00000001 // ES_SYSTEM_REQUIRED
)

// hold tells the system what this thread wishes.
func hold(context.Context) (Release, error) {
	wish := windows.NewLazySystemDLL("kernel32.dll").NewProc("SetThreadExecutionState")
	if before, _, err := wish.Call(continuous | systemRequired); before == 0 {
		return nil, fmt.Errorf("set the execution state: %w", err)
	}
	return func() { wish.Call(continuous) }, nil
}
