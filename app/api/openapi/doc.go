// Package openapi describes the whole HTTP API as an OpenAPI 3.1 document.
//
// It promises that the document is complete: the tests of app/api hold it against
// every route and against every answer that they see. It is written by hand, one
// file for each part of the API, and joined when it is first asked for.
package openapi
