# Verbs only: each sets up .venv first if need be. `make` alone lists them.
PYTHON ?= python3
export PYTHON

# What is typed reaches the programs through the environment as it is: make expands none of it, no recipe contains it.
override ALLOWED := NAME GAMES PRECISION TIME SEED JOBS SET VARIANT OUT PYTHON
$(foreach v,$(.VARIABLES),$(if $(filter command,$(origin $v)),$(if $(filter $(ALLOWED),$v),\
    $(eval override $v := $$(value $v))$(eval export $v),$(error unknown variable $v (allowed: $(ALLOWED))))))
MAKEOVERRIDES :=

.PHONY: help setup test check experiment bench soak list lock clean

help: ## Show this list.
	@sed -n 's/^\([a-z]*\):.*## /  make \1	/p' Makefile

setup: .venv/ready-runtime ## Make .venv with what experiments need (the other verbs do it by themselves).

test: .venv/ready-dev ## Run the whole test suite.
	@.venv/bin/pytest -n auto --dist loadfile

check: .venv/ready-dev ## Check style, format and types.
	@.venv/bin/ruff check && .venv/bin/ruff format --check && .venv/bin/mypy

experiment: .venv/ready-runtime ## Answer a question: make experiment NAME=suppose_bids.
	@.venv/bin/simlib experiment --environment

list: .venv/ready-runtime ## List the experiments.
	@.venv/bin/simlib experiment --list

bench: .venv/ready-dev ## Measure speed and memory.
	@.venv/bin/python -m benchmarks

soak: .venv/ready-dev ## Check a million random games of random variants of each game (GAMES, SEED, JOBS).
	@.venv/bin/python -m benchmarks.soak

lock: ## Write the lock files from pyproject.toml (pins that fit stay: delete a lock for the newest).
	@"$$PYTHON" tools/environment.py lock

clean: ## Remove .venv and all caches; reports stay.
	@rm -rf .venv .cache .hypothesis .mypy_cache .pytest_cache .ruff_cache

.venv/ready-runtime: requirements.lock pyproject.toml
	@"$$PYTHON" tools/environment.py runtime

.venv/ready-dev: requirements-dev.lock pyproject.toml
	@"$$PYTHON" tools/environment.py dev
