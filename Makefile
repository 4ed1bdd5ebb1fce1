# The two commands that matter: make demo, make test. Each installs what it is
# missing by itself. make help lists the others.

GO         ?= go
STATIC     := CGO_ENABLED=0
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.7.0
GOVULNCHECK := golang.org/x/vuln/cmd/govulncheck@v1.1.4
BENCH      := testdata/bench

.PHONY: help build headless run demo test bench lint vuln clean tools

help: ## list the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

build: ## bin/footbridge
	$(STATIC) $(GO) build -trimpath -o bin/footbridge ./app

headless: ## bin/footbridge-headless, static and free of cgo
	$(STATIC) $(GO) build -trimpath -ldflags '-s -w' -o bin/footbridge-headless ./app

run: build ## build and serve
	bin/footbridge serve

demo: build ## the whole main job in front of your eyes
	bin/footbridge demo

test: tools ## every test, with the race detector
	$(GO) test -race -timeout 18m -parallel 4 ./...

bench: tools ## figures beside those of peers, as ratios of one run
	cd $(BENCH) && $(GO) run .

lint: ## gofmt, vet, staticcheck
	@unformatted=$$(gofmt -l app core store sync ui testdata); \
	if [ -n "$$unformatted" ]; then echo "gofmt would change:"; echo "$$unformatted"; exit 1; fi
	$(GO) vet ./...
	$(GO) run $(STATICCHECK) ./...
	cd $(BENCH) && $(GO) vet ./...

vuln: ## known vulnerabilities, where their database can be reached
	@report=$$($(GO) run $(GOVULNCHECK) ./... 2>&1); status=$$?; \
	case "$$report" in \
	*"fetching vulnerabilities"*) echo "The vulnerability database cannot be reached from here: nothing was checked." ;; \
	*) echo "$$report"; exit $$status ;; \
	esac

clean: ## remove what was built
	rm -rf bin

# What the tests need besides Go: the openssl program, and gcc for the race detector.
tools:
	@packaging/tools.sh openssl gcc
