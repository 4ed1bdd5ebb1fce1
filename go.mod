module footbridge

go 1.26

require (
	github.com/google/go-cmp v0.7.0
	github.com/klauspost/compress v1.20.3
	github.com/smallstep/pkcs7 v0.2.3
	pgregory.net/rapid v1.3.0
)
