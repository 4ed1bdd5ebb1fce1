// Package device is a device in the field: a careful client of the upload API,
// played by the commands send and demo.
//
// It promises that a file is never changed or deleted, that what is sent twice
// becomes one upload, that a sending which was interrupted anywhere goes on
// where it ended, and that no password, session token or signed URL appears in
// an error or a message. It retries in one place (row), and follows no
// redirect, because the session would go along.
//
// Bytes come from a file and go to one site. Files are read as streams. What
// has to be kept meanwhile, the sealed bytes and a note of the upload, lies next
// to the file or in a folder of the caller's, mode 0600, and goes away when the
// upload is completed. Nothing is written to the system's temp folder.
package device
