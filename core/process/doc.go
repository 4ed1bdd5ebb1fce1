// Package process turns received bytes into an outcome: it opens what was
// sealed, looks at zips, and says what record the bytes make or why they make
// none.
//
// It promises constant memory for uploads of any size, but for the JSON that the
// schema of a legacy bundle asks for, which is bounded; that a verdict is never an
// error (an error means "try again"); that the bytes are never changed or thrown
// away; and that no message carries participant data or keys.
//
// Uploads are claimed from and settled in the store through Bench. The opened
// bytes are kept nowhere: who needs them again opens them again.
package process
