# Two doors: `make play` starts it, `make test` checks it. Both set up .venv first, and do no work twice.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin

.PHONY: play test test-stock test-uncompiled test-versions bench soak lint docs dist clean

play: .venv/.play
	@$(BIN)/outplay serve

test: .venv/.test
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -n 2

# The tests that compile by Numba's own passes; those that are quick enough in plain Python; and other versions of Numba and Python.
COMPILED := tests/compiling tests/test_rules.py tests/test_game.py tests/engine tests/games/test_check.py tests/games/test_nim.py
PLAIN := tests/compiling tests/test_rules.py tests/test_game.py tests/textbook tests/engine/test_many.py tests/engine/test_cuda.py \
	tests/games/test_check.py tests/games/test_nim.py tests/games/test_tic_tac_toe.py

test-stock: .venv/.test
	OUTPLAY_SLOW=1 OUTPLAY_PASSES=stock $(BIN)/python -m pytest -n 2 $(COMPILED)

test-uncompiled: .venv/.test
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -n 2 $(PLAIN)

test-versions: .venv/.made
	$(BIN)/python tests/versions.py

bench: .venv/.bench
	$(BIN)/outplay bench

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
	$(BIN)/python -m pip install --quiet --disable-pip-version-check build
	rm -rf dist build
	$(BIN)/python -m build --quiet --outdir dist
	$(BIN)/python tests/distribution.py dist

.venv/.made:
	$(PYTHON) -m venv .venv
	touch $@

.venv/.play: .venv/.made pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[studio]"
	touch $@

.venv/.test: .venv/.made pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[studio,test]"
	touch $@

.venv/.bench: .venv/.made pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[bench]"
	touch $@

.venv/.docs: .venv/.made pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[docs]"
	touch $@

clean:
	rm -rf .venv build dist site *.egg-info .pytest_cache .mypy_cache .ruff_cache
