# Each target makes what it needs (.venv, a browser) and is quick when nothing changed.
VENV ?= .venv
BIN := $(VENV)/bin
PACKAGES := $(VENV)/.packages
BROWSER := $(VENV)/.browser
LLM := $(VENV)/.llm
JOBS ?= 2
PYTEST := $(BIN)/pytest -n $(JOBS)

.PHONY: help venv demo docs report test test-all test-apps apps-lock test-llm check format lock clean

help:  ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 12

venv: $(BROWSER)  ## the environment in .venv and a browser

demo: $(BROWSER)  ## agents side by side, offline and without a key
	$(BIN)/focusagent demo

report: $(BROWSER)  ## the small recorded set of LongPage without a key, and its report in docs/report
	$(BIN)/python experiments/recorded_report.py recorded docs/report

docs: $(PACKAGES)  ## the documentation as a site with search, in build/site; broken links fail
	$(BIN)/mkdocs build --strict

test: $(BROWSER)  ## all tests but the slow ones and those with a real model
	$(PYTEST) -m "not slow and not llm and not apps"

test-all: $(BROWSER)  ## the slow ones too
	$(PYTEST) -m "not llm and not apps"

test-apps: $(BROWSER)  ## installs the real applications and plays every task of theirs; some minutes
	$(BIN)/focusagent apps install
	$(BIN)/pytest -n 0 -m apps

apps-lock: $(PACKAGES)  ## resolve the packages of every application anew
	$(BIN)/python tools/apps_lock.py

test-llm: $(BROWSER) $(LLM)  ## with a real, small model served on this machine (250 MB)
	$(BIN)/pytest -m llm

check: $(PACKAGES)  ## style, types, lengths
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python tools/lengths.py focusagent experiments tools

format: $(PACKAGES)  ## rewrite in the project's style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

lock: $(PACKAGES)  ## resolve pyproject.toml into requirements.txt anew
	UV_SYSTEM_CERTS=1 $(BIN)/uv pip compile -q --universal --python-version 3.11 pyproject.toml --extra security --extra dev --extra docs \
	  --override requirements/overrides.txt --no-emit-index-url --custom-compile-command "make lock" -o requirements.txt

clean:  ## what the targets made; result folders stay
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(PACKAGES): requirements.txt pyproject.toml tools/venv.sh
	tools/venv.sh $(VENV)
	@touch $@

$(BROWSER): $(PACKAGES)
	$(BIN)/focusagent install-browser
	@touch $@

$(LLM): $(PACKAGES) requirements/llm.txt
	$(BIN)/python -m pip install -q -c requirements.txt -r requirements/llm.txt
	@touch $@
