# Two commands do everything on a fresh machine:
#   make lab    sets up and opens the lab in the browser
#   make test   sets up and passes the tests
# Python 3.11 to 3.13 is needed; choose one with `make PYTHON=python3.12 lab`.

PYTHON ?= python3
BIN := .venv/bin
INSTALL := $(BIN)/pip install --no-compile --quiet --disable-pip-version-check --constraint constraints.txt

# Modules are compiled when they are imported; sgfmill's would warn about its syntax then.
COMPILE = $(BIN)/python -W ignore -m compileall -q $$($(BIN)/python -c 'import os, sgfmill; print(os.path.dirname(sgfmill.__file__))' 2>/dev/null)

CHECKED := $(addprefix tests/,conformance/test_conformance.py test_uct.py test_openloop.py knowledge)
PLAIN := $(addprefix tests/,conformance/test_conformance.py test_uct.py test_openloop.py test_rng.py)

.PHONY: lab test lint unit bounds plain thorough coverage setup bench clean

lab: .venv/installed
	@$(BIN)/tesuji lab

# Tests wait for processes, pages and time-outs; then the next stage has the core.
test: .venv/installed-dev
	@$(MAKE) --no-print-directory --jobs 2 lint unit bounds plain

setup: .venv/installed-dev

lint: .venv/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# The suite, compiled, on two cores.
unit: .venv/installed-dev
	$(BIN)/python -m pytest -n 2 --dist loadgroup -q $(addprefix --ignore=,$(CHECKED))

# What any game and any knowledge must pass, with array bounds checked: an overrun would write elsewhere.
bounds: .venv/installed-dev
	NUMBA_BOUNDSCHECK=1 NUMBA_OPT=1 $(BIN)/python -m pytest -q $(CHECKED)

# And once in plain Python, as a rule is debugged.
plain: .venv/installed-dev
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -q $(PLAIN)

# Three times the random examples, and everything without checked bounds, too: before a release.
thorough: .venv/installed-dev
	TESUJI_THOROUGH=1 $(BIN)/python -m pytest -n 2 --dist loadgroup -q

# Which lines of the rules the un-compiled tests reach; slow, so not part of `make test`.
coverage: .venv/installed-dev
	NUMBA_DISABLE_JIT=1 $(BIN)/coverage run -m pytest -q $(PLAIN)
	$(BIN)/coverage report

bench: .venv/installed-dev
	$(BIN)/python benchmarks/run.py

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' || \
	  { echo "tesuji needs Python 3.11, 3.12 or 3.13: make PYTHON=/path/to/python3.12 $(MAKECMDGOALS)"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	  { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -qq && apt-get install -y -qq python3-venv; } || \
	  { echo "this Python has no venv module: install it (on Debian: apt-get install python3-venv)"; exit 1; }
	$(PYTHON) -m venv .venv

.venv/installed: .venv/bin/python pyproject.toml constraints.txt
	$(INSTALL) --editable .
	@$(COMPILE)
	@touch $@

.venv/installed-dev: .venv/bin/python pyproject.toml constraints.txt
	$(INSTALL) --editable '.[dev]'
	@$(COMPILE)
	@for package in gnugo chromium; do \
	  command -v $$package >/dev/null || [ -x /usr/games/$$package ] || \
	  { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -qq && apt-get install -y -qq $$package >/dev/null; } || \
	  { echo "the tests need $$package: install it (on Debian: apt-get install $$package)"; exit 1; }; \
	done
	@touch .venv/installed $@

clean:
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis dist
