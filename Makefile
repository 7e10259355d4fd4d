# The loop of work. `make` alone lists the targets; each step names itself in one line and keeps
# its whole output in .build/logs.

# Set once, for every build: a room may import only what its target depends on (STYLE §1).
export SWIFT_FLAGS := --explicit-target-dependency-import-check error

step := @Scripts/step

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help setup build test test-apple-stubs verify autobahn interop bench soak crash explore fuzz mutants format
.PHONY: check tsan clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-16s %s\n", $$1, $$2 }' Makefile

setup: ## Install what the build and the tests need (Debian packages; nothing on macOS)
	@Scripts/setup

build: setup ## Build all rooms and tests
	$(step) 'build rooms and tests' swift build --build-tests $(SWIFT_FLAGS)

test: build ## Build, run all tests, and prove coverage, purity, linkage and the articles
	@Scripts/test
	@Scripts/test-apple-stubs
	@Scripts/crash --kills 25
	@Scripts/crash --kills 25 --file
	$(step) 'requirements have proofs' Scripts/coverage-of-requirements --brief
	$(step) 'pure rooms compile as Embedded Swift' Scripts/check-embedded
	$(step) 'pure rooms link no Foundation' Scripts/check-linkage
	$(step) 'the articles run as printed' Scripts/check-articles
	$(step) 'the benchmarks compile' Scripts/check-benchmarks
	$(step) 'the scripts can fail' Scripts/tests/all

test-apple-stubs: setup ## Run what speaks to Apple's frameworks, on Linux over stubs of them
	@Scripts/test-apple-stubs

verify: setup ## Run the whole acceptance on an embedded endpoint; evidence in evidence.jsonl
	$(step) 'build belay for release' swift build -c release --product belay $(SWIFT_FLAGS)
	@"$$(swift build -c release --show-bin-path $(SWIFT_FLAGS))/belay" verify --evidence evidence.jsonl

autobahn: setup ## Try RFC 6455 and 7692 against the Autobahn suite; FULL=1 for all 517 cases
	@Scripts/autobahn $(if $(FULL),--full)

interop: ## Talk to the programs of others: servers, clients, a proxy and a browser
	@Scripts/interop

bench: ## Measure, beside the peers that Scripts/setup bench installs
	@Scripts/setup bench
	@Scripts/bench

soak: setup ## Lose 10,000 connections, read 2 million events, hold 100,000 for ten minutes; MINUTES=1 for less
	@Scripts/soak reconnects
	@Scripts/soak events
	@Scripts/soak $(if $(MINUTES),--minutes $(MINUTES))

crash: setup ## Kill a process 1,000 times amid its work, and count what was lost; KILLS=n for less
	@Scripts/crash $(if $(KILLS),--kills $(KILLS))
	@Scripts/crash --file $(if $(KILLS),--kills $(KILLS))

# Fifteen seconds after the build; each step more takes about seven times as long.
explore: export BELAY_EXPLORATION_DEPTH ?= 7
explore: setup ## Try every order of events to BELAY_EXPLORATION_DEPTH steps, built for release
	$(step) 'build the tests for release' swift build -c release --build-tests \
		-Xswiftc -enable-testing --scratch-path .build/explore $(SWIFT_FLAGS)
	@swift test -c release --skip-build -Xswiftc -enable-testing --scratch-path .build/explore \
		--disable-xctest $(SWIFT_FLAGS) --filter 'BelayCoreTests.*ExplorationTests'

fuzz: setup ## Feed each parser with inputs that a fuzzer makes; MINUTES=n in all, 1 by default
	@Scripts/fuzz --minutes $(or $(MINUTES),1)

mutants: setup ## Break the code on purpose, one named mutant at a time; a survivor fails
	@Scripts/mutants

format: ## Format all Swift files in place
	@Scripts/format

check: ## Everything a change must pass: format, build, tests, scripts
	@Scripts/check

# One test after the other: side by side they are so slow that deadlines of a real test pass. What
# may race is inside the tests: loops, domains, and the storm of reconnections.
tsan: setup ## Run all tests under ThreadSanitizer
	@TSAN_OPTIONS="suppressions=$$PWD/Scripts/tsan.suppressions $$TSAN_OPTIONS" Scripts/step \
		'run all tests under ThreadSanitizer' swift test --sanitize=thread \
		--scratch-path .build/tsan --disable-xctest --no-parallel $(SWIFT_FLAGS)

clean: ## Remove everything that was built or measured
	@rm -rf .build evidence.jsonl Benchmarks/.build
