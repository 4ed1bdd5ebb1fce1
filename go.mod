module footbridge

go 1.26
