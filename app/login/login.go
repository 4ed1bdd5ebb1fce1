package login

// Name is what the system calls the entry; the program's menu entry has the same.
const Name = "org.footbridge.appliance"

// Start is what is started at login: one for each user of a computer. Its methods are
// safe for concurrent use.
type Start struct {
	Program string // absolute path
	Args    []string
}

// On reports whether this is what is started, with these arguments.
func (s Start) On() (bool, error) { return s.on() }

// Set has it started from the next login on, in place of whatever was, or nothing at
// all. It is idempotent.
func (s Start) Set(on bool) error {
	if !on {
		return s.remove()
	}
	return s.write()
}
