package remote

// SortOut gives the kind of an error of a backend.
var SortOut = sortOut

// Before any server of a test logs, which it would do through what quiet sets.
func init() { quiet() }
