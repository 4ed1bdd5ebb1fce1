package schema

import (
	"encoding/json"
	"strings"

	"footbridge/core/form"
)

const (
	documentMax = 1 << 20 // bytes of a document
	idMax       = 255     // bytes of what names a document: it is part of a row's key
)

// reader takes what schemas and surveys have of a document.
type reader struct{ form.Reader }

// object reads a whole document into to, a pointer to a struct of values.
func (r reader) object(text []byte, to any) bool {
	whole := r.Invalid.Entity
	if len(text) > documentMax {
		r.Complain(whole, "must have at most %d bytes", documentMax)
		return false
	}
	if trimmed := strings.TrimLeft(string(text[:min(len(text), 64)]), " \t\r\n"); !strings.HasPrefix(trimmed, "{") {
		r.Complain(whole, "must be a JSON object")
		return false
	}
	if err := json.Unmarshal(text, to); err != nil {
		r.Complain(whole, "must be a JSON object: %s", err)
		return false
	}
	return true
}

// number gives a whole number that a column can hold, 0 where it is missing.
func (r reader) number(path string, v form.Value) int {
	n, _ := r.Number(path, v, 32)
	return n
}

// list gives the elements of an array, none where it is missing.
func (r reader) list(path string, v form.Value) []form.Value {
	if v == nil {
		return nil
	}
	var all []form.Value
	if json.Unmarshal(v, &all) != nil {
		r.Complain(path, "must be a list")
	}
	return all
}

// texts gives a list of texts; one that is null is "".
func (r reader) texts(path string, v form.Value) []string {
	var all []string
	for i, v := range r.list(path, v) {
		all = append(all, r.Text(form.At(path, i), v))
	}
	return all
}
