# The two commands of the README, and what the landing check runs. Needs git, make, and Python 3.11
# or newer with its venv module; everything else is installed into .venv by version and hash.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
TORCH ?= torch==2.13.0
SECONDS ?= 60
TORCH_VENV := .venv-torch
RAY_VENV := .venv-ray
# AGAIN="--lf --lfnf=none" runs only what failed in a ring the last time.
AGAIN ?=
# A third of the time of the core tests is waiting: one more process than there are cores.
WORKERS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)

# Bytecode is kept also where Python is told to write none: half of the time in which pytest collects
# tests goes into rewriting their assertions, and each process of a test would compile Newsloom.
export PYTHONDONTWRITEBYTECODE :=

# The files name everything there is to install, so pip adds nothing; Python compiles what is used when
# it is first used. See docs/work/decisions/project.md.
LOCKED := $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps \
  --no-compile

.PHONY: run lab test weight lint types contracts browser crash fuzz torch ray ttrss sync postgres postgres-store postgres-vectors postgres-commands politeness lighthouse heavy repeat check python clean

run: $(VENV)/.run
	@exec $(BIN)/newsloom serve --starter

test: $(VENV)/.test
	@echo "Running the core tests (no network, some ten minutes on two cores) ..."
	@$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder -m "not browser and not crash and not torch and not ray and not postgres and not ttrss and not politeness and not sync" $(AGAIN)

# What `newsloom bench`, `newsloom politeness` and most of `newsloom eval` need.
lab: $(VENV)/.lab

# One look at what is there, in words, before anything is made.
python:
	@command -v $(PYTHON) >/dev/null 2>&1 || { \
	  echo "Newsloom needs Python 3.11 or newer, and $(PYTHON) is not here."; \
	  echo "  Debian, Ubuntu:  sudo apt-get install python3 python3-venv"; \
	  echo "  macOS:           brew install python@3.12"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "Newsloom needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) --version 2>&1)."; \
	  echo "  Name a newer one:  make $(or $(MAKECMDGOALS),run) PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { \
	  echo "This Python has no venv module."; \
	  echo "  Debian, Ubuntu:  sudo apt-get install python3-venv"; exit 1; }

$(VENV)/bin/python: | python
	@echo "Making the environment in $(VENV) ..."
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.run: requirements/run.txt requirements/build.txt pyproject.toml | $(VENV)/bin/python
	@echo "Installing what Newsloom runs on (locked versions; a minute or two the first time) ..."
	@$(LOCKED) --progress-bar on -r requirements/run.txt
	@$(LOCKED) -r requirements/build.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps \
	  --no-build-isolation --editable .
	@touch $@

$(VENV)/.lab: requirements/lab.txt lab/pyproject.toml $(VENV)/.run
	@echo "Installing newsloom-lab, and the peers its benchmarks run ..."
	@$(LOCKED) --progress-bar on -r requirements/lab.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps \
	  --no-build-isolation --editable lab
	@touch $@

$(VENV)/.test: requirements/test.txt $(VENV)/.lab
	@echo "Installing what the tests use ..."
	@$(LOCKED) --progress-bar on -r requirements/test.txt
	@# The tests start a thousand processes, so everything is compiled now, and also where Python is
	@# told to write no bytecode.
	@$(BIN)/python -m compileall -qq -j 0 $(VENV)/lib || true
	@touch $@

# In an environment of its own, as `make run` makes it: how much is installed, and what of it is large.
weight:
	@$(MAKE) --no-print-directory VENV=.venv-weight .venv-weight/.run
	@.venv-weight/bin/python scripts/measure_weight.py

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.test
	$(BIN)/mypy

contracts: $(VENV)/.test
	$(BIN)/lint-imports

# The heavier rings, by marker.
browser: $(VENV)/.test
	$(BIN)/python -m pytest -n auto --dist worksteal -m browser tests/web $(AGAIN)

crash: $(VENV)/.test
	@# On a disk, whose commits take long enough to be killed on their way.
	PYTEST_DEBUG_TEMPROOT=$(or $(TMPDIR),/tmp) $(BIN)/python -m pytest -n 2 --dist worksteal -m crash --timeout 1200 -o cache_dir=.pytest_cache/crash tests $(AGAIN)

# Each target for so many seconds, guided by coverage; TARGET="json feed" alone; SEED=1 repeats a run. See docs/work/testing.md.
fuzz: $(VENV)/.test
	@cd tests && ../$(BIN)/python -m fuzz.run --seconds $(SECONDS) --seed $(or $(SEED),0) $(if $(TARGET),--target "$(TARGET)")

# An environment of its own, so that everything else is tested without torch. Which build of torch
# comes is the choice of where pip is set up to look; TORCH names another version or a file of one.
# On networks as small as the tests' a second thread of torch only waits for the first.
torch: $(TORCH_VENV)/.torch
	OMP_NUM_THREADS=1 PYTHONPATH=src:lab/src $(TORCH_VENV)/bin/python -m pytest -m torch -o cache_dir=.pytest_cache/torch \
	  tests/models tests/text/test_entities_spacy.py $(AGAIN)

$(TORCH_VENV)/.torch: requirements/torch.txt | python
	@echo "Making the environment in $(TORCH_VENV), torch included ..."
	@$(PYTHON) -m venv $(TORCH_VENV)
	@$(TORCH_VENV)/bin/python -m pip install --quiet --disable-pip-version-check \
	  --progress-bar on $(TORCH)
	@$(TORCH_VENV)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps \
	  --progress-bar on -r requirements/torch.txt
	@touch $@

# An environment of its own, so that everything else is tested without Ray. Nodes are processes here.
# RAY_KILLS=20 kills each kind of thing so often.
ray: $(RAY_VENV)/.ray
	PYTHONPATH=src:lab/src $(RAY_VENV)/bin/python -m pytest -m ray --timeout 1200 -o cache_dir=.pytest_cache/ray \
	  tests/whole/test_ray.py tests/whole/test_jobs_on_ray.py $(AGAIN)

$(RAY_VENV)/.ray: requirements/ray.txt | python
	@echo "Making the environment in $(RAY_VENV), Ray included ..."
	@$(PYTHON) -m venv $(RAY_VENV)
	@$(RAY_VENV)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps \
	  --progress-bar on -r requirements/ray.txt
	@touch $@

# Needs the Debian packages of .ci/packages; PostgreSQL and PHP are started by the tests themselves.
ttrss: $(VENV)/.test
	$(BIN)/python -m pytest -m ttrss --timeout 600 -o cache_dir=.pytest_cache/ttrss tests/bridge $(AGAIN)

# Debian's newsboat, Liferea and RSS Guard against the sync APIs, in a terminal and on displays of the
# tests' own.
sync: $(VENV)/.test
	$(BIN)/python -m pytest -m sync tests/sync $(AGAIN)

# The contract of the store and of the sync APIs on PostgreSQL, and the commands as a user types them:
# on Debian's, else on an embedded one, or on the one that TEST_POSTGRES=embedded or =debian names.
postgres: postgres-store postgres-vectors postgres-commands

postgres-store: $(VENV)/.test
	$(BIN)/python -m pytest -n auto --dist loadfile -m "postgres and not crash" tests/store tests/sync $(AGAIN)

# With pgvector, which only the embedded one brings along.
postgres-vectors: $(VENV)/.test
	TEST_POSTGRES=embedded $(BIN)/python -m pytest -m postgres -o cache_dir=.pytest_cache/vectors tests/store/test_nearest.py \
	  tests/store/test_dialects.py tests/store/test_migrations.py $(AGAIN)

postgres-commands: $(VENV)/.test
	TEST_POSTGRES=$(or $(TEST_POSTGRES),any) $(BIN)/python -m pytest -n auto --dist loadfile -m "not browser" \
	  tests/cli/test_commands.py tests/cli/test_duplicate_commands.py $(AGAIN)

# Every case of the politeness suite, with a fake clock, and what newsboat and lemon24/reader are
# known to do; those need the Debian packages faketime and newsboat.
politeness: $(VENV)/.test
	$(BIN)/python -m pytest -m politeness --timeout 300 -o cache_dir=.pytest_cache/politeness lab/tests/politeness $(AGAIN)

# Figures of the pages; needs npm and Chromium (docs/work/figures.md).
lighthouse: $(VENV)/.run
	@scripts/lighthouse.sh

# Rings again and again, in random order, beside busy loops: which tests fail how often. See docs/work/testing.md.
#   make repeat RINGS="core crash" TIMES=20 LOAD=3       ONLY="tests/fetch tests/cli"  SEED=4711
repeat: $(VENV)/.test
	@MAKE="$(MAKE)" $(BIN)/python scripts/repeat_rings.py $(or $(RINGS),core) \
	  --times $(or $(TIMES),20) --load $(or $(LOAD),3) \
	  $(if $(SEED),--order-seed $(SEED)) $(if $(ONLY),--only $(ONLY))

heavy: browser crash torch ray ttrss sync postgres politeness

check: test lint types contracts heavy

clean:
	rm -rf $(VENV) $(TORCH_VENV) $(RAY_VENV) .venv-weight build dist
