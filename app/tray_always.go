//go:build window && (windows || darwin)

package main

import "context"

// hasTray is always so here.
func hasTray(context.Context, bool) bool { return true }
