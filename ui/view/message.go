package view

import "footbridge/ui/tongue"

// Message says what was said in English, such as what is kept of an upload, to a reader.
// What the catalogue does not know is said as it is.
func (r Reader) Message(english string) string {
	name, pairs, ok := tongue.Heard(english)
	if !ok {
		return english
	}
	return r.Say("message."+name, append(pairs, "redrive", r.redrive())...)
}
