// Package keys keeps a site's private keys and certificates as PEM files: the
// data-collection keys that devices seal uploads for, and the TLS identity of
// the site.
//
// It promises files of mode 0600, written whole or not at all, and that no
// error carries key material.
package keys
