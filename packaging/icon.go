// Package packaging holds what makes the program one of a desktop: its icon, menu
// entry and description, and the scripts that pack and install them. Of it the program
// itself knows the icon alone.
package packaging

import _ "embed" // icon.png

// Icon is the picture of the program, a PNG of 512 by 512 points.
//
//go:embed icon.png
var Icon []byte
