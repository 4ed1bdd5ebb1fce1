module footbridge

go 1.26.0

require (
	github.com/google/go-cmp v0.7.0
	github.com/smallstep/pkcs7 v0.2.3
	github.com/tidwall/btree v1.8.2
	go.etcd.io/bbolt v1.5.0
	golang.org/x/crypto v0.58.0
	pgregory.net/rapid v1.3.0
)

require golang.org/x/sys v0.49.0 // indirect
