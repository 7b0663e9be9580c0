# Thin over CMakePresets.json; the scripts are in tools/. Every goal installs the packages it needs.
.DEFAULT_GOAL := help
.PHONY: help run build test e2e bench sanitize fuzz lint lint-all install packages clean

PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
packages_for = tools/install_packages.sh

help: ## list these goals
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "make %-10s %s\n", $$1, $$2}' Makefile

run: build ## build, show a limit at work (5 of 15 takes pass), then serve at 127.0.0.1:6380 and :8080
	@tools/demonstrate.sh build/release/tidegate
	@exec build/release/tidegate serve --rules examples/rules/quickstart.yaml --http 127.0.0.1:8080

build: ## build the binary, build/release/tidegate
	@$(packages_for) build
	cmake --preset release
	cmake --build --preset release --parallel $(JOBS)

test: ## build and run every test: a few minutes, the first time at most ten
	@$(packages_for) build test
	cmake --preset test
	cmake --build --preset test --parallel $(JOBS)
	ctest --preset test

e2e: ## use the binary, the server and the installed library as their users do
	@$(packages_for) build test e2e
	cmake --preset test
	cmake --build --preset test --parallel $(JOBS)
	ctest --preset e2e

bench: ## measure; the figures of a release are in bench/RESULTS.md
	@$(packages_for) build bench
	cmake --preset bench
	cmake --build --preset bench --parallel $(JOBS)
	tools/bench.sh build/bench/bench

sanitize: ## the tests under asan and ubsan, then under tsan
	@$(packages_for) build test sanitize
	tools/sanitize.sh asan $(JOBS)
	tools/sanitize.sh tsan $(JOBS)

fuzz: ## run each fuzzer for FUZZ_SECONDS (60)
	@$(packages_for) build fuzz
	cmake --preset fuzz
	cmake --build --preset fuzz --parallel $(JOBS)
	ctest --preset fuzz

lint: ## format, warnings as errors, shellcheck, clang-tidy on what changed
	@$(packages_for) build test bench fuzz lint
	tools/lint.sh changed $(JOBS)

lint-all: ## lint, with clang-tidy on every file
	@$(packages_for) build test bench fuzz lint
	tools/lint.sh all $(JOBS)

install: build ## install binary, library and headers under PREFIX (/usr/local)
	cmake --install build/release --prefix $(PREFIX)

packages: ## install every package that any goal needs
	@$(packages_for) build test e2e bench fuzz sanitize lint

clean: ## remove what was built
	rm -rf build
