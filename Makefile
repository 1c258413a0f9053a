# streamgauge. `make` alone lists the verbs.
.DEFAULT_GOAL := help
SHELL := /bin/bash
PYTHON ?= python3
RUN := .venv/bin/python
CORE := .venv/.core-built
TOOLS := .venv/.tools
SOURCES := Cargo.toml Cargo.lock pyproject.toml $(shell find crates -name '*.rs' -o -name Cargo.toml)
# Tests and torture start hundreds of interpreters: without cached bytecode each compiles every import.
unexport PYTHONDONTWRITEBYTECODE
QUICK := not slow and not browser and not capymoa

.PHONY: help
help:  ## list the verbs
	@grep -E '^[a-z-]+:.*##' Makefile | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 20

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit("streamgauge needs Python 3.11 or newer, got %d.%d; set PYTHON=" % sys.version_info[:2] if sys.version_info < (3, 11) else 0)'
	@echo "creating .venv"
	@$(PYTHON) -m venv .venv
	@$(RUN) -m pip install --quiet --upgrade pip uv

$(CORE): $(SOURCES) | .venv/bin/python
	@echo "building the core (release)"
	@$(RUN) -m uv pip install --quiet --python $(RUN) --constraint constraints.txt --editable .
	@touch $@

# One stamp per group of tools, so that `make demo` installs only what it uses.
$(TOOLS)-%: pyproject.toml constraints.txt | .venv/bin/python
	@echo "installing what $* needs"
	@$(RUN) -m uv pip install --quiet --python $(RUN) --constraint constraints.txt --group $*
	@touch $@

# For work on the core. It is moved into place: a process that runs keeps the file that it has open.
.PHONY: quick
quick: export PYO3_PYTHON = $(CURDIR)/$(RUN)
quick: | .venv/bin/python  ## build the core without the long link of a release
	@cargo build --quiet --package streamgauge-py --profile quick
	@cp target/quick/lib_core.so target/quick/_core.abi3.so
	@mv target/quick/_core.abi3.so python/streamgauge/_core.abi3.so

.PHONY: setup
setup: $(CORE) $(TOOLS)-check $(TOOLS)-test  ## create .venv, build the release core, install the tools

.PHONY: demo
demo: $(CORE)  ## run an experiment on a drifting stream and write report.html
	@rm -rf demo-run
	@$(RUN) -m streamgauge run examples/demo.toml --out demo-run --report report.html

.PHONY: check
check: $(CORE) $(TOOLS)-check  ## ruff, mypy --strict, import layers, stubs, cargo fmt, clippy
	@$(RUN) -m ruff check .
	@$(RUN) -m ruff format --check --quiet .
	@$(RUN) -m mypy
	@PYTHONPATH=python $(RUN) -c 'from importlinter.cli import lint_imports_command; lint_imports_command()'
	@$(RUN) -m mypy.stubtest streamgauge._core
	@cargo fmt --all --check
	@cargo clippy --quiet --workspace --all-targets -- -D warnings

.PHONY: test
test: setup  ## every test but the long ones, the browser's and CapyMOA's
	@cargo test --quiet --package streamgauge-core
	@$(RUN) -m pytest -n 2 -m "$(QUICK)"
	@echo "left out: tests marked slow, browser (Chromium) and capymoa (Java); make test-all runs them"

# An environment of its own: the server needs an older pyarrow than ours.
MLFLOW_SERVER := target/mlflow/bin/mlflow

$(MLFLOW_SERVER): | .venv/bin/python
	@echo "installing the MLflow server"
	@$(RUN) -m uv venv --quiet --clear --python $(RUN) target/mlflow
	@$(RUN) -m uv pip install --quiet --python target/mlflow/bin/python mlflow==3.17.2

.PHONY: test-all
test-all: setup $(TOOLS)-browser $(TOOLS)-peers $(TOOLS)-integrations $(TOOLS)-clusters $(MLFLOW_SERVER)  ## every test; needs Java, Chromium and chromedriver
	@cargo test --quiet --package streamgauge-core
	@STREAMGAUGE_EXAMPLES=random $(RUN) -m pytest -n 2

# Each package by itself, so that none hides behind another. Left out are tests that take minutes
# and run no branch that the others do not.
COVERED := engine log late
COVERING := $(COVERED:%=tests/%) tests/protocols tests/test_arguments.py tests/test_blocks.py $(COVERED:%=python/streamgauge/%)
.PHONY: coverage
coverage: export COVERAGE_FILE = .cache/coverage
coverage: setup $(TOOLS)-mutants  ## branches of engine, log and late that tests run; fails below 95 %
	@mkdir -p .cache
	@$(RUN) -m coverage run --branch --source=python/streamgauge -m pytest -m "$(QUICK)" $(COVERING) \
		--ignore=tests/engine/test_same_log.py --ignore=tests/late/test_twin.py --ignore=tests/late/test_paper.py \
		--ignore=tests/late/test_driven.py --deselect=tests/log/test_readers.py::test_no_block_size_shows
	@failed=0; for package in $(COVERED); do echo "== $$package"; \
	$(RUN) -m coverage report --include="python/streamgauge/$$package/*" --show-missing --fail-under=95 || failed=1; \
	done; exit $$failed

MINUTES ?= 30
SEED ?= 0
PYTHON_MUTANTS ?= 200
RUST_MUTANTS ?= 50
CARGO_MUTANTS := target/cargo-mutants/bin/cargo-mutants

$(CARGO_MUTANTS):
	@echo "installing cargo-mutants"
	@cargo install --quiet cargo-mutants --version 27.1.0 --locked --root target/cargo-mutants

# Survivors without a reason fail the verb; the second half is run all the same.
.PHONY: mutants
mutants: setup $(TOOLS)-mutants $(CARGO_MUTANTS)  ## change the sources in small ways; do tests fail? SEED=0 MINUTES=30
	@failed=0; export PYTHONPATH=tests PATH="$(CURDIR)/target/cargo-mutants/bin:$$PATH"; \
	$(RUN) -m mutants python --seed $(SEED) --minutes $(MINUTES) --count $(PYTHON_MUTANTS) || failed=1; \
	$(RUN) -m mutants rust --seed $(SEED) --minutes $(MINUTES) --count $(RUST_MUTANTS) --most 240 || failed=1; \
	exit $$failed

KILLS ?= 1000
GRID_KILLS ?= 200
ROUNDS ?= 200
STATES ?= 8
.PHONY: torture
torture: setup  ## kill -9, concurrent writers, power failures: KILLS=1000 ROUNDS=200 STATES=8 SEED=0
	@PYTHONPATH=tests $(RUN) -m torture --kills $(KILLS) --grid-kills $(GRID_KILLS) --rounds $(ROUNDS) --states $(STATES) --seed $(SEED)

COUNT ?= 20000

.PHONY: fuzz
fuzz: setup  ## changed input ends in a result or a sentence: MINUTES=30 (per kind) SEED=0 COUNT=20000 KIND=csv_files
	@PYTHONPATH=tests $(RUN) -m fuzz --seed $(SEED) --minutes $(MINUTES) --count $(COUNT) $(KIND:%=--kind %)

ASAN := target/asan
HOST = $(shell rustc --version --verbose | sed -n 's/^host: //p')
CHECKED ?= tests/streams/test_text.py tests/types tests/detectors/test_twins.py tests/late/test_engine.py \
	tests/learners/test_state_files.py tests/log/test_join.py

# The instrumented core goes into a copy of the package: the editable one keeps the release core.
.PHONY: memcheck
memcheck: export CARGO_TARGET_DIR = $(ASAN)
memcheck: export RUSTFLAGS = -Zsanitizer=address
memcheck: export PYO3_PYTHON = $(CURDIR)/$(RUN)
memcheck: setup  ## AddressSanitizer over the core and the bindings; needs a nightly Rust and gcc's libasan
	@cargo +nightly test --quiet --package streamgauge-core --target $(HOST)
	@cargo +nightly build --quiet --package streamgauge-py --profile quick --target $(HOST)
	@rm -rf $(ASAN)/python && cp -r python $(ASAN)/python
	@cp $(ASAN)/$(HOST)/quick/lib_core.so $(ASAN)/python/streamgauge/_core.abi3.so
	@LD_PRELOAD=$$(gcc -print-file-name=libasan.so) ASAN_OPTIONS=detect_leaks=0 PYTHONMALLOC=malloc \
	PYTHONPATH=$(ASAN)/python $(RUN) -m pytest -q -p no:cacheprovider -m "$(QUICK)" $(CHECKED)

.PHONY: bench
bench: $(CORE) $(TOOLS)-peers  ## measure speed against the peers, write benches/RESULTS.md
	@for bench in benches/bench_*.py; do echo "== $$bench"; $(RUN) $$bench --write || exit 1; done

.PHONY: parity
parity: $(CORE) $(TOOLS)-peers  ## compare generators and learners with MOA's, write docs/parity.md
	@failed=0; for parity in benches/parity_*.py; do echo "== $$parity"; $(RUN) $$parity --write || failed=1; done; exit $$failed

.PHONY: docs
docs: $(CORE) $(TOOLS)-docs  ## build the documentation into site/
	@$(RUN) docs/reference.py
	@$(RUN) -m zensical build --strict --clean

.PHONY: clean
clean:  ## remove what the verbs made
	@rm -rf .venv target site .cache docs/reference demo-run report.html
