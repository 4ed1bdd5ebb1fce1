package main

import (
	"fmt"
	"golang.org/x/exp/slog"
	"io"
	"net"
	"net/http"
	"os"

	"github.com/tus/tusd/v2/pkg/filelocker"
	"github.com/tus/tusd/v2/pkg/filestore"
	"github.com/tus/tusd/v2/pkg/handler"
)

// serveTusd is tusd as it comes, with its file store in dir.
func serveTusd(dir, address string) {
	store := handler.NewStoreComposer()
	filestore.New(dir).UseIn(store)
	filelocker.New(dir).UseIn(store)
	tusd, err := handler.NewHandler(handler.Config{
		BasePath: "/files/", StoreComposer: store, Logger: slog.New(slog.NewTextHandler(io.Discard, nil)),
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Printf("listening http://%s\n", l.Addr())
	http.Serve(l, http.StripPrefix("/files/", tusd))
}
