// Package screen tells where the desktop has a window, and puts one where it was.
//
// It promises that a window is never put where nobody could see its upper edge, and that
// a desktop that tells nothing costs nothing but that. X11 alone is asked: Wayland tells
// no program where its windows are, and macOS and Windows place them by themselves.
package screen
