//go:build unix

package main

import "syscall"

// keepPrivate makes every file this program creates readable by its user alone:
// what it writes is people's health data. Who else may read an export is for a
// person to decide.
func keepPrivate() { syscall.Umask(0o077) }
