# Two doors: `make play` starts it, `make test` checks it. Both set up .venv first, and do no work twice.
PYTHON ?= $(shell command -v python3.11 || command -v python3.12 || command -v python3.13 || command -v python3)
BIN := .venv/bin
# A module's bytecode is made when it is first read: most of what is installed never is.
PIP := $(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check
# Modules are read once and kept, whatever the surroundings say: hundreds of tests start a process of their own.
unexport PYTHONDONTWRITEBYTECODE
# Each worker takes one half of the tests in their order, so that what a file shares is made once, and helps the other at the end.
PYTEST := $(BIN)/python -m pytest -n 2 --dist worksteal

.PHONY: play test types imports pytest quick test-all test-scripts test-stock test-uncompiled test-versions bench soak lint docs dist clean

play: .venv/.play
	@$(BIN)/outplay serve

test: .venv/.test
	$(BIN)/ruff check .
	@$(MAKE) --no-print-directory -j 3 types imports pytest

types:
	$(BIN)/mypy

imports:
	$(BIN)/lint-imports

pytest:
	$(PYTEST) --durations=25

# What one looks at while working: style, the import contract, and the tests of the rooms that were changed (or ROOM=engine/alphabeta).
ROOM ?= $(shell git diff --name-only HEAD -- outplay tests | sed -n 's,^\(outplay\|tests\)/\([a-z_]*\)/.*,\2,p' | sort -u)
quick: .venv/.test
	$(BIN)/ruff check .
	$(BIN)/lint-imports
	$(PYTEST) -x $(wildcard $(foreach room,$(ROOM),tests/$(room) outplay/$(room))) tests/test_generic_rooms.py

# Every extra installed, and the tests that wait for one: several machines by Ray, torch, notebooks, other programs where they are there.
test-all: .venv/.all
	OUTPLAY_SLOW=1 $(PYTEST)

# The tests that compile by Numba's own passes; those that are quick enough in plain Python; and other versions of Numba and Python.
COMPILED := tests/compiling tests/test_rules.py tests/test_game.py tests/engine tests/games/test_check.py tests/games/test_nim.py
PLAIN := tests/compiling tests/test_rules.py tests/test_game.py tests/textbook tests/engine/test_many.py tests/engine/test_cuda.py \
	tests/games/test_check.py tests/games/test_nim.py tests/games/test_tic_tac_toe.py

# The studio's scripts as TypeScript and ESLint see them, fetched for the moment.
test-scripts:
	cd tests/web/scripts && npx --yes -p typescript@5.9.3 tsc -p jsconfig.json
	cd outplay/web/static && npx --yes -p eslint@9.39.1 eslint --config ../../../tests/web/scripts/eslint.config.mjs .

test-stock: .venv/.test
	OUTPLAY_SLOW=1 OUTPLAY_PASSES=stock $(PYTEST) $(COMPILED)

test-uncompiled: .venv/.test
	NUMBA_DISABLE_JIT=1 $(PYTEST) $(PLAIN)

test-versions: .venv/.made
	$(BIN)/python tests/versions.py

bench: .venv/.bench
	$(BIN)/outplay bench
	$(BIN)/python benchmarks/kernels.py --against release

soak: .venv/.test
	$(BIN)/python benchmarks/soak.py 3600

lint: .venv/.test
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# The site of the documents under site/, strictly: a dead link is an error.
docs: .venv/.docs
	$(BIN)/python docs/site.py
	$(BIN)/python -m mkdocs build --strict --quiet

# Wheel and source under dist/, and both tried out in an empty environment.
dist: .venv/.made
	$(PIP) build
	rm -rf dist build
	$(BIN)/python -m build --quiet --outdir dist
	$(BIN)/python tests/distribution.py dist

.venv/.made:
	$(PYTHON) -m venv .venv
	touch $@

.venv/.play: .venv/.made pyproject.toml
	$(PIP) -e ".[studio]"
	touch $@

.venv/.test: .venv/.made pyproject.toml
	$(PIP) -e ".[studio,test]"
	touch $@

.venv/.all: .venv/.test
	$(PIP) -e ".[studio,test,ray,ortools,onnx,adapters,learn,mcp,wasm]" nbclient ipykernel
	touch $@

.venv/.bench: .venv/.made pyproject.toml
	$(PIP) -e ".[bench]"
	touch $@

.venv/.docs: .venv/.made pyproject.toml
	$(PIP) -e ".[docs]"
	touch $@

clean:
	rm -rf .venv build dist site *.egg-info .pytest_cache .mypy_cache .ruff_cache
