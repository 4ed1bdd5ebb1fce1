// Package people answers the routes about accounts: sign-in and sessions,
// participants and staff, the participant's own page, consent, enrolment,
// demographics and participant versions.
//
// It promises that a health code is written only for those who may see it, and
// that nobody changes an account that could do more than they can. Forms go to
// core/participant, sign-ins to core/account; rows are read through the
// interface declared here.
package people
