// Package openapitest holds answers against the API document, in tests only. It
// promises that an answer of a described route passes only if status, headers and
// body are as the document says, with no field that it does not name.
package openapitest
