# The two commands that matter: make demo, make test. Each installs what it is
# missing by itself. make help lists the others.

GO         ?= go
STATIC     := CGO_ENABLED=0 GOFLAGS=-trimpath
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.7.0
GOVULNCHECK := golang.org/x/vuln/cmd/govulncheck@v1.1.4
BENCH      := testdata/bench

# The window is drawn by OpenGL on X11, which Wayland's desktops have too; only it
# needs cgo. Its file is looked at without the driver where ci is said.
WINDOW     := window,x11

.PHONY: help build headless run demo test window-test package package-test icons bench lint vuln clean tools window-tools

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

build: window-tools ## bin/footbridge, with the window
	CGO_ENABLED=1 $(GO) build -trimpath -tags $(WINDOW) -ldflags '-s -w' -o bin/footbridge ./app

headless: ## bin/footbridge-headless, static and free of cgo
	$(STATIC) $(GO) build -ldflags '-s -w' -o bin/footbridge-headless ./app

run: build ## build, open the window and serve
	bin/footbridge

demo: headless ## the whole main job in front of your eyes
	bin/footbridge-headless demo

test: tools ## every test, with the race detector
	GORACE=atexit_sleep_ms=0 $(GO) test -race -timeout 18m -parallel 4 ./...

window-test: build ## the window, driven by keyboard; screenshots in bin/screenshots
	@packaging/tools.sh openssl Xvfb=xvfb xdotool import=imagemagick
	packaging/windowtest.sh bin/footbridge bin/screenshots

package: build ## bin/footbridge-VERSION-linux-ARCH.tar.gz, which installs for one user
	packaging/package.sh bin/footbridge bin

package-test: build ## the tarball, installed into a scratch home and removed again
	@packaging/tools.sh desktop-file-validate=desktop-file-utils appstreamcli=appstream identify=imagemagick
	packaging/packagetest.sh bin/footbridge

icons: ## the pictures of the icon from its drawings
	@packaging/tools.sh rsvg-convert=librsvg2-bin
	packaging/icons.sh

bench: tools ## figures beside those of peers, as ratios of one run
	cd $(BENCH) && $(GO) run .

lint: ## gofmt, vet, staticcheck
	@unformatted=$$(gofmt -l app core packaging store sync ui testdata); \
	if [ -n "$$unformatted" ]; then echo "gofmt would change:"; echo "$$unformatted"; exit 1; fi
	$(STATIC) $(GO) vet ./...
	$(STATIC) $(GO) vet -tags window,ci ./app
	$(STATIC) $(GO) run $(STATICCHECK) ./...
	cd $(BENCH) && $(STATIC) $(GO) vet ./...

vuln: ## known vulnerabilities, where their database can be reached
	@report=$$($(GO) run $(GOVULNCHECK) ./... 2>&1); status=$$?; \
	case "$$report" in \
	*"fetching vulnerabilities"*) echo "The vulnerability database cannot be reached from here: nothing was checked." ;; \
	*) echo "$$report"; exit $$status ;; \
	esac

clean: ## remove what was built
	rm -rf bin

# What the tests need besides Go: the openssl program, gcc for the race detector, a bus
# of its own, and what knows menu entries.
tools:
	@packaging/tools.sh openssl gcc dbus-daemon=dbus desktop-file-validate=desktop-file-utils

# What the window needs besides Go.
window-tools:
	@packaging/tools.sh gcc pkg-config libgl1-mesa-dev xorg-dev
