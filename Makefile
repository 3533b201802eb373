# make demo: build, then analyse a case study.   make test: everything that CI checks.
# make docs: the documentation as pages, in build/site.   make quick: what behaviour is, without long searches, large inputs and other programs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export PYTHONDONTWRITEBYTECODE := # what is imported, and rewritten for its assertions, is kept
# Of packages, only what is imported is compiled to bytecode, and then. (`off` is how pip takes it for set.)
export PIP_NO_COMPILE := off
SOURCES := pyproject.toml setup.py $(wildcard cython_ext/*.py cython_ext/*/*.py*) $(wildcard cython_ext/*/*.pxi)

# What optional parts of the package need, without building it again.
extras = $(BIN)/python -c 'import sys, tomllib; \
    known = tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]; \
    print(*(each for name in sys.argv[1:] for each in known[name]), sep="\n")' $(1) | \
    $(BIN)/python -m pip install --quiet --requirement /dev/stdin

.PHONY: demo test suite quick campaign lint bench soundness mutants wheel docs clean format harness programs

demo: $(VENV)/.installed
	$(BIN)/ddsrta analyze casestudies/livelock/repaired.yaml

# The harness, which mostly waits, is made and tested beside the others.
test:
	@$(MAKE) --no-print-directory --jobs=2 suite harness

# Types are checked while the kernel is compiled.
suite: lint programs $(VENV)/.test
	@./.ci/packages tools
	@MAKEFLAGS= $(BIN)/python -m pytest -n 2 --dist worksteal

quick: $(VENV)/.test
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "not long"

# With all draws of the tests, of which make test makes the first (tests/effort.py).
campaign: $(VENV)/.test
	DDSRTA_DRAWS=all $(BIN)/python -m pytest -n 2 --dist worksteal

lint: $(VENV)/.extras
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

# Measuring programs in C, their unit tests and short runs, with Fast DDS and Cyclone DDS where root can
# install them. What is skipped is said at the end.
harness: programs
	@MAKEFLAGS= harness/tests/run.sh

# They are compiled while Python's environment is made.
programs: $(VENV)/.packages
	@./.ci/packages middlewares
	@MAKEFLAGS= make --silent --directory=harness --jobs=2

format: $(VENV)/.test
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(VENV)/.bench
	$(BIN)/python benchmarks/run.py

# 100,000 systems take half an hour on two cores, the tables a quarter, all pairs of features some hours; a killed
# campaign goes on. The short forms are part of make test.
soundness: $(VENV)/.test
	mkdir -p build
	$(BIN)/python -m tests.soundness.campaign --systems 100000 --checkpoint build/soundness.json \
	    --violations build/violations --summary docs/soundness.md
	$(BIN)/python -m tests.soundness.tightness --systems 1000 --runs 2000 --jobs 2 --write docs/soundness.md
	$(BIN)/python -m tests.soundness.pipeline.run --arrays 730 --checkpoint build/pairs.json \
	    --failures build/failures --summary docs/soundness.md

wheel: $(VENV)/.installed
	$(BIN)/python -m pip wheel --no-deps --wheel-dir dist .

# The pages of the repository as a site that needs no network. A link, anchor or picture that leads nowhere fails.
docs: $(VENV)/.docs
	$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going -b html -c docs/site . build/site
	@echo build/site/index.html

# Faults made on purpose in what computes bounds and in the checker, one at a time: who notices. An hour and more.
mutants: export DDSRTA_DRAWS := all
mutants: $(VENV)/.test
	for part in bounds kernel checker; do \
	    $(BIN)/python -W ignore -m tests.mutation $$part && $(BIN)/python -W ignore -m tests.mutation.suite $$part || exit 1; \
	done
	$(BIN)/python -m tests.mutation.report --write docs/soundness.md

$(VENV)/.packages:
	./.ci/packages
	@mkdir -p $(@D)
	touch $@

$(VENV)/.created: $(VENV)/.packages
	$(PYTHON) -m venv $(VENV)
	touch $@

$(VENV)/.installed: $(VENV)/.created $(SOURCES)
	$(BIN)/python -m pip install --quiet $$($(BIN)/python -c 'import Cython' 2>/dev/null && \
	    echo --no-build-isolation) --editable .
	$(BIN)/python -m compileall -q ddsrta
	touch $@

$(VENV)/.extras: $(VENV)/.created pyproject.toml
	$(call extras,test lint notebook docs)
	touch $@

# After what it is built with, which would be fetched for that alone.
$(VENV)/.test: $(VENV)/.extras $(SOURCES)
	@$(MAKE) --no-print-directory $(VENV)/.installed
	touch $@

$(VENV)/.docs: $(VENV)/.installed
	$(call extras,docs)
	touch $@

$(VENV)/.bench: $(VENV)/.test
	$(call extras,bench)
	touch $@

clean:
	$(MAKE) -C harness clean
	rm -rf $(VENV) build dist *.egg-info cython_ext/*/*.so
