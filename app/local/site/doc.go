// Package site answers the routes that tell how a site does: to people what it holds,
// what waits and what moves; to monitors whether it takes uploads; to listeners what
// happens as it happens. By them sending is paused, too, and hurried.
//
// It promises that what is told of many uploads is counted, and never gone through, that
// metrics name nobody, and that what lasts ends when the appliance does. Counts come from
// the store, sentences from ui/view.
package site
