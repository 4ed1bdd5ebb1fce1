// Package remotetest runs real servers in the test's own process: rclone's for
// S3, SFTP and WebDAV, each over a folder that the test can look into, toxiproxy
// as the line to them, and a network that answers everything with its sign-in
// page. Only tests and benchmarks import it, so that none of it is in the
// product.
package remotetest
