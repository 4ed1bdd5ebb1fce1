// Package plan is what a person has said of a site that is to be made: what is asked on
// which screen, what is wrong with an answer, and what comes of the answers.
//
// It promises to ask nobody and to draw nothing: the same answers always give the same
// complaints, settings and rclone.conf.
package plan
