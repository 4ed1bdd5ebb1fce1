package awake

// Hold asks this system to stay awake.
var Hold = hold
