# Every target works on a fresh clone: what it needs is installed and built first.
SHELL := /bin/bash
.DEFAULT_GOAL := help
TSC  := node node_modules/tsc7/bin/tsc
JEST := NODE_OPTIONS=--no-warnings node node_modules/jest/bin/jest.js
CODEGEN := node --import ./test/support/ts-loader.mjs codegen/cli.ts
ARGS ?=

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-17s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

node_modules/.package-lock.json: package.json package-lock.json
	npm ci --no-audit --no-fund --loglevel=error
	@touch $@

.PHONY: install
install: node_modules/.package-lock.json ## install the dependencies

.PHONY: build
build: install ## compile to dist/ where it is out of date
	@npm run --silent build

.PHONY: run
run: build ## serve on https://127.0.0.1:6443 with simulated pods, data in ./data, credentials in ./kubeconfig, and a page (ARGS="..." adds flags)
	@exec node --min-semi-space-size=16 --max-semi-space-size=32 dist/runtime/cli/main.js serve --bind-address=127.0.0.1 --secure-port=6443 --data-dir=data \
	  --write-kubeconfig=kubeconfig --ui $(if $(findstring --no-builtin,$(ARGS)),,--simulate) --exit-with-parent $(ARGS)

.PHONY: import
import: install ## rewrite schemas/kubernetes/v1.x from what upstream publishes (FROM=folder with OpenAPI, .proto files and Go types)
	cd schemas/kubernetes && node --import ../../test/support/ts-loader.mjs ../../codegen/cli.ts import --from $(abspath $(FROM))

.PHONY: generate
generate: install ## rewrite generated/ from schemas/, and ServerOptions and docs/options.md from the rows in runtime/options
	$(CODEGEN) generate --schemas schemas/kubernetes/v1.35 --overlays schemas/overlays --out generated
	$(CODEGEN) import --from schemas/testing/kinds.yaml --out schemas/testing
	$(CODEGEN) generate --schemas schemas/testing --out generated
	@node --import ./test/support/ts-loader.mjs codegen/build/options.mjs

.PHONY: check
check: generate ## generated code is current, types, lint
	@git diff --exit-code --stat -- generated schemas/testing runtime/options/server-options.ts docs/options.md || { echo "generated/ is out of date: run make generate and commit" >&2; exit 1; }
	@test -z "$$(git ls-files --others --exclude-standard generated schemas/testing)" || { echo "generated/ has new files: commit them" >&2; exit 1; }
	$(TSC) -p .
	$(TSC) -p test
	$(TSC) -p page
	npx biome check --error-on-warnings .
	$(JEST) --silent test/architecture test/unit/kits

.PHONY: etcd
etcd: ## install etcd for the tests, if CI=true or ETCD=1 and there is none
	@test/support/install-etcd.sh

.PHONY: test
test: build etcd ## every test; what this machine lacks for some is told at the end
	$(JEST) --maxWorkers=100% $(ARGS)

# What test-fast runs, and which of these suites measure costs, start processes or wait for the system
FAST := test/architecture test/unit test/contract test/conformance/content test/conformance/reads/list test/conformance/writes/server-side-apply
SLOW := unit/cli/ unit/codec/memory growth costs packing hostile corpus held-packets serving/listen reopener storage/etcd storage/kine full-disk openapi-file faulty-sources lmdb/owner

.PHONY: test-ui
test-ui: build ## the page in Chromium, where it is installed (CHROMIUM=path); other machines skip it
	$(JEST) --maxWorkers=1 test/ui test/conformance/page test/unit/page $(ARGS)

.PHONY: test-fast
test-fast: install ## unit and contract tests and a sample of conformance, in about a minute
	$(JEST) --maxWorkers=100% $(ARGS) $(FAST) --testPathIgnorePatterns $(SLOW)

.PHONY: test-shared
test-shared: build etcd ## the suites that read ../shared, golden files and corpora that may lie beside the project
	$(JEST) --maxWorkers=100% $(ARGS) --findRelatedTests test/support/shared.ts

.PHONY: test-sim
test-sim: build etcd ## more rounds of the simulations: SEED= ROUNDS= ENGINE=memory|lmdb|etcd FAULT="pattern of names"
	SEED=$(SEED) ROUNDS=$(ROUNDS) FAULT="$(FAULT)" $(JEST) test/simulation $(if $(ENGINE),--testNamePattern='over $(ENGINE)$$')

.PHONY: test-soak
test-soak: build ## everything at once for MINUTES=10, after which nothing may be left behind: SEED=
	MINUTES=$(MINUTES) SEED=$(SEED) node --import ./test/support/ts-loader.mjs test/soak/main.ts

.PHONY: test-differential
# ROUNDS of random requests (20); SEED of the first (random); FLAGS of both servers; CBOR=1 speaks CBOR with both;
# CONVERSION=1 gives each definition two versions and a conversion webhook; ARGS of the tool (ARGS=--help lists them)
test-differential: build ## the same random requests to Kubernetes' own server, where it is built: ROUNDS= SEED= FLAGS= CBOR=1 CONVERSION=1 ARGS=
	ROUNDS=$(ROUNDS) SEED=$(SEED) FLAGS="$(FLAGS)" CBOR=$(CBOR) CONVERSION=$(CONVERSION) node --import ./test/support/ts-loader.mjs test/differential/main.ts $(ARGS)

.PHONY: test-differential-corpus
test-differential-corpus: build ## definitions and objects of real projects, stored by both servers and compared
	node --import ./test/support/ts-loader.mjs test/differential/corpus.ts

.PHONY: test-reference
# With ROUNDS, random requests instead of the tables: SOURCE=objects (default), access, admission, flow, reads, documents, bodies, rules or definitions; SEED of the
# first round (random); KIND, a pattern of titles, as of kinds; SHRINK=1 makes differences small; REPORT, a file for the counts by feature
test-reference: build ## tables of requests to kube-apiserver itself, or random ones: KUBE_HOME=folder with bin/ ROUNDS= SOURCE= SEED= KIND= REPORT=
ifeq ($(ROUNDS)$(MINUTES),)
	KUBE_HOME="$(KUBE_HOME)" $(JEST) test/reference $(ARGS)
else
	KUBE_HOME="$(KUBE_HOME)" ROUNDS=$(ROUNDS) MINUTES=$(MINUTES) SOURCE=$(SOURCE) SEED=$(SEED) KIND="$(KIND)" SHRINK=$(SHRINK) REPORT="$(REPORT)" node --import ./test/support/ts-loader.mjs test/reference/random/main.ts
endif

# A slice of MINUTES with a fixed seed, and one with a fresh seed, which is printed, so that it can be repeated
.PHONY: test-reference-slices
test-reference-slices: ## random requests to kube-apiserver, for ten minutes with a fixed seed and ten with a fresh one: KUBE_HOME= MINUTES=10
	$(MAKE) test-reference MINUTES=$(or $(MINUTES),10) SEED=1
	$(MAKE) test-reference MINUTES=$(or $(MINUTES),10) SEED=

.PHONY: test-reference-controllers
test-reference-controllers: build ## random workloads under Kubernetes' own controllers and ours, on both servers: KUBE_HOME= MINUTES=10 SEED= REPORT= LOGS=
	KUBE_HOME="$(KUBE_HOME)" MINUTES=$(or $(MINUTES),10) SEED=$(SEED) REPORT="$(REPORT)" LOGS="$(LOGS)" $(JEST) test/reference/controllers

.PHONY: test-upstream
test-upstream: build ## suites of Kubernetes on this server, from Go's module proxy: KUBE_HOME= ONLY= REPORT=
	KUBE_HOME="$(KUBE_HOME)" ONLY="$(ONLY)" REPORT="$(REPORT)" node --import ./test/support/ts-loader.mjs test/upstream/main.ts

.PHONY: compatibility
compatibility: install ## rewrite the tables of docs/compatibility.md from test/reference/reports
	node --import ./test/support/ts-loader.mjs test/reference/reports/compatibility.ts

.PHONY: test-package
test-package: build ## npm pack, then install it into empty projects of each kind: what works, and sizes (ONLY="ESM,Jest 29" NODE=22,24)
	ONLY="$(ONLY)" NODE=$(NODE) node --import ./test/support/ts-loader.mjs test/package/main.ts

.PHONY: test-languages
test-languages: build ## the snippets of docs/testing.md, docs/rust.md and docs/dotnet.md, where their languages are installed (ONLY=go,java)
	ONLY="$(ONLY)" node --import ./test/support/ts-loader.mjs test/languages/main.ts

.PHONY: test-operators
test-operators: build ## examples/ as pods that are their programs, with the operator in Go, where Go and its modules are (go mod download)
	GO_OPERATOR=1 $(JEST) test/conformance/pod-programs/operators $(ARGS)

.PHONY: kits
kits: install ## rewrite the types of test controls, and the version, in kits/
	node --import ./test/support/ts-loader.mjs kits/types/main.ts

.PHONY: wheel
wheel: build ## pytest-kubeloom with the built server inside, in executables/
	node --import ./test/support/ts-loader.mjs kits/wheel.ts

.PHONY: test-kits
test-kits: build ## packages of kits/ in empty projects, and the scenarios that all of them share (ONLY=go,java)
	ONLY="$(ONLY)" node --import ./test/support/ts-loader.mjs test/kits/main.ts

.PHONY: test-envtest
test-envtest: build ## suites of envtest by others, from Go's module proxy, where Go is installed (ONLY=jobset@v0.11.1 KUBE_HOME=)
	KUBE_HOME="$(KUBE_HOME)" ONLY="$(ONLY)" node --import ./test/support/ts-loader.mjs test/envtest/main.ts

.PHONY: executable
executable: build ## one file without Node, in executables/: TARGET=linux-x64,linux-arm64,darwin-arm64,darwin-x64,win32-x64,win32-arm64 (default: this machine's)
	TARGET=$(TARGET) node --import ./test/support/ts-loader.mjs packaging/executable/main.ts

.PHONY: test-executable
test-executable: executable ## the executable of this machine alone in an empty root, and packaging/ (ONLY=LMDB,packaging)
	node --import ./test/support/ts-loader.mjs test/executable/main.ts

.PHONY: bench
bench: build ## measure this server beside a bare node:https server in one run
	node --import ./test/support/ts-loader.mjs test/bench/main.ts $(ARGS)

.PHONY: profile
# PHASE=young or warm (default)
profile: build ## where time and memory go in one row of `make bench ARGS=--only=kinds`: SCENARIO=pod-create PHASE=
	node --import ./test/support/ts-loader.mjs test/bench/profile.ts --scenario="$(SCENARIO)" --phase=$(or $(PHASE),warm)

.PHONY: figures
figures: install ## how large the code is and how it is cut, as a table
	@node --import ./test/support/ts-loader.mjs test/architecture/figures.ts

.PHONY: rules
rules: install ## rewrite docs/validation-coverage.md from the tables beside the kinds
	node --import ./test/support/ts-loader.mjs test/rules/coverage.ts

.PHONY: floors
floors: install ## rewrite the drawing of floors in ARCHITECTURE.md from test/architecture/floors.ts
	node --import ./test/support/ts-loader.mjs test/architecture/write-floors.ts

.PHONY: docs
docs: install ## build the site of the documents, with search and the TypeScript API, in site/dist; a broken link fails
	npm ci --prefix site --no-audit --no-fund --loglevel=error
	npm run build --prefix site

.PHONY: format
format: install ## rewrite sources in the house format
	npx biome check --write .

.PHONY: clean
clean: ## remove what was built and what was stored
	rm -rf dist .generated executables data kubeconfig certs
