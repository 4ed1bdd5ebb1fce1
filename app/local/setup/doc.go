// Package setup answers the routes about what a site is set up with: its settings, where
// its records go and what opens that place, and the keys that devices encrypt to.
//
// It promises that a setting is changed by the same checks as by an editor, that the
// audit is told of each change once and by its name alone, and that a secret which is
// taken is told by no answer. Settings lie in the home's file, which app/config keeps;
// keys and secrets in files of the home that its owner alone may read.
package setup
