package remote

// SortOut gives the kind of an error of a backend.
var SortOut = sortOut
