module footbridge/testdata/bench

go 1.26.0

require footbridge v0.0.0

require (
	github.com/klauspost/compress v1.20.3 // indirect
	github.com/tidwall/btree v1.8.2 // indirect
	github.com/tus/lockfile v1.2.0 // indirect
	github.com/tus/tusd/v2 v2.10.0
	go.etcd.io/bbolt v1.5.0 // indirect
	golang.org/x/crypto v0.58.0 // indirect
	golang.org/x/exp v0.0.0-20250106191152-7588d65b2ba8
	golang.org/x/sys v0.49.0 // indirect
)

replace footbridge => ../..
