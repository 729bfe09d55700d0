# The whole of daily work: run, test, check, bench. Each makes the environment when it is missing or out of date.
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
export HF_HUB_DISABLE_TELEMETRY := 1

.PHONY: run test test-cluster check format bench clean

run: $(VENV)/.app  ## start the app at http://localhost:8501
	$(BIN)/streamlit run app.py

test: $(VENV)/.dev  ## all tests but those on a cluster
	$(BIN)/python -m pytest -n 2 --dist loadgroup -m "not cluster"

test-cluster: $(VENV)/.cluster  ## the engine ray on two nodes, started here
	$(BIN)/python -m pytest tests/distributed -m cluster

check: $(VENV)/.dev  ## style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/.dev  ## measure, side by side, in one run
	$(BIN)/python -m benchmarks.audit
	$(BIN)/python -m benchmarks.top_k
	$(BIN)/python -m benchmarks.scale

clean:
	rm -rf $(VENV)

$(BIN)/python:
	$$(command -v $(PYTHON) || command -v python3) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

# torch goes first, alone and pinned: asked for by another package it would come in another build, gigabytes larger.
$(VENV)/.app: requirements.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet "$$(grep '^torch==' requirements.txt)"
	$(BIN)/python -m pip install --quiet -r requirements.txt
	touch $@

$(VENV)/.cluster: requirements-cluster.txt $(VENV)/.dev
	$(BIN)/python -m pip install --quiet -r requirements-cluster.txt
	touch $@

$(VENV)/.dev: requirements-dev.txt $(VENV)/.app
	$(BIN)/python -m pip install --quiet -r requirements-dev.txt
	touch $@
