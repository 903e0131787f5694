# Two doors: `make play` starts it, `make test` checks it. Both set up .venv first, and do no work twice.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin

.PHONY: play test bench lint clean

play: .venv/.play
	@$(BIN)/outplay serve

test: .venv/.test
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -n 2

bench: .venv/.bench
	$(BIN)/outplay bench

lint: .venv/.test
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

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

clean:
	rm -rf .venv build *.egg-info .pytest_cache .mypy_cache .ruff_cache
