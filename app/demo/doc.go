// Package demo walks through the whole main job in front of a person's eyes: a
// site, a participant, a device that encrypts and uploads a bundle, and the
// record in the repository, annotated and joined.
//
// It promises that what it shows has been checked: a step that is not as it
// should be is an error. It uses what everyone uses, the API at a door and over
// the control socket, and looks at the files of the repository as a researcher
// would. It leaves nothing outside the folder that it is given.
package demo
