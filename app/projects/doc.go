// Package projects keeps each destination's project in the repository that the
// settings name: as folders and files, or on Synapse.
//
// It promises that a project which somebody asked for is made as soon as the
// repository answers, once, part by part, however often it fails or the program ends;
// that nothing is put into a repository which does not hold the project, or holds
// another one of the same name; and that it is told what keeps a project from being
// made.
//
// app/folders and app/analysis know how things are done in either kind of repository;
// what has to be remembered is in the store.
package projects
