# Verbs only: each sets up .venv first if need be. `make` alone lists them.
PYTHON ?= python3
export PYTHON

# What is typed reaches the programs through the environment as it is: make expands none of it, no recipe contains it.
override ALLOWED := NAME GAMES PRECISION TIME SEED JOBS SET VARIANT OUT PYTHON POLICY REPORT_LANGUAGE \
    SWEEP DRY A B GAME SPACE GOAL LOG FRESH QUIET BACKEND ADDRESS
$(foreach v,$(.VARIABLES),$(if $(filter command,$(origin $v)),$(if $(filter $(ALLOWED),$v),\
    $(eval override $v := $$(value $v))$(eval export $v),$(error unknown variable $v (allowed: $(ALLOWED))))))
MAKEOVERRIDES :=

.PHONY: help setup test check experiment sweep compare tune playtest bench soak faults list lock clean

help: ## Show this list.
	@sed -n 's/^\([a-z]*\):.*## /  make \1	/p' Makefile

setup: .venv/ready-runtime ## Make .venv with what experiments need (the other verbs do it by themselves).

test: .venv/ready-dev ## Run the whole test suite.
	@.venv/bin/pytest -n auto --dist loadfile

check: .venv/ready-dev ## Check style, format and types.
	@.venv/bin/ruff check && .venv/bin/ruff format --check && .venv/bin/mypy

experiment: .venv/ready-runtime ## Answer a question: make experiment NAME=suppose_bids.
	@.venv/bin/simlib experiment --environment

sweep: .venv/ready-runtime ## Measure many variants: make sweep NAME=suppose_bids SWEEP="players=3..4 deck.copies=1..4" (DRY=1 only plans).
	@.venv/bin/simlib sweep --environment

compare: .venv/ready-runtime ## Compare two designs: make compare A=classic B=mine.toml GAME=take_trick NAME=design.
	@.venv/bin/simlib compare --environment

tune: .venv/ready-runtime ## Search a space of variants for goals: make tune GAME=suppose SPACE="bid.double=2..5:0.5" GOAL="right_bids=0.3..0.5".
	@.venv/bin/simlib tune --environment

playtest: .venv/ready-runtime ## Lay your own games beside simulated ones: make playtest GAME=take_trick LOG=games.csv.
	@.venv/bin/simlib playtest --environment

list: .venv/ready-runtime ## List the experiments.
	@.venv/bin/simlib experiment --list

bench: .venv/ready-dev ## Measure speed and memory.
	@.venv/bin/python -m benchmarks

soak: .venv/ready-dev ## Check a million random games of random variants of each game (GAMES, SEED, JOBS).
	@.venv/bin/python -m benchmarks.soak

faults: .venv/ready-dev ## Make faults on purpose, in ten minutes: kills, a full disk, flipped bits, odd input (SEED, JOBS).
	@.venv/bin/python -m benchmarks.faults

lock: ## Write the lock files from pyproject.toml (pins that fit stay: delete a lock for the newest).
	@"$$PYTHON" tools/environment.py lock

clean: ## Remove .venv and all caches; reports stay.
	@rm -rf .venv .cache .hypothesis .mypy_cache .pytest_cache .ruff_cache

.venv/ready-runtime: requirements.lock pyproject.toml
	@"$$PYTHON" tools/environment.py runtime

.venv/ready-dev: requirements-dev.lock pyproject.toml
	@"$$PYTHON" tools/environment.py dev
