# The whole of daily work: run, test, check, bench. Each makes the environment when it is missing or out of date.
# On Windows, where there is no make, the README and CONTRIBUTING.md have the lines to type instead.
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
export HF_HUB_DISABLE_TELEMETRY := 1
export PYTHONDONTWRITEBYTECODE :=  # the next process need not compile anew: half the time until tests begin

.PHONY: reference pictures reactions fuzz hostile sessions licences sbom audit-packages run test test-app test-models test-slow test-browser test-store test-cluster test-servers coverage check format bench lock wheel clean

run: $(VENV)/.app  ## start the app at http://localhost:8501
	$(BIN)/streamlit run app.py

OWN_TARGETS := slow or browser or cluster or postgres or servers
marked = $(shell grep -rl --include='test_*.py' 'mark\.$(1)' tests)

test: $(VENV)/.dev  ## what every change must pass; every page, the real models and what takes long have targets of their own
	$(BIN)/python -m pytest -n 2 --dist worksteal --ignore tests/ui/pages -m "not ($(OWN_TARGETS) or model)"

test-app: $(VENV)/.dev  ## every page of the app, through app.py
	$(BIN)/python -m pytest -n 2 --dist worksteal tests/ui/pages -m "not ($(OWN_TARGETS) or model)"

test-models: $(VENV)/.dev  ## what is asked of the real models that come with the app
	$(BIN)/python -m pytest -n 2 --dist worksteal $(call marked,model) -m "model and not ($(OWN_TARGETS))"

test-slow: $(VENV)/.dev  ## what takes long to show: kills, full disks, several processes
	$(BIN)/python -m pytest -n 2 --dist worksteal $(call marked,slow) -m "slow and not postgres"

test-browser: $(VENV)/.dev  ## the journeys in a real browser, against the app started here
	$(BIN)/python -m pytest -n 2 --dist loadfile -m browser tests/browser

test-store: $(VENV)/.dev  ## the store of projects on a PostgreSQL server, started here; on SQLite the others test it
	$(BIN)/python -m pytest -n 2 --dist worksteal -m postgres tests/projects

test-cluster: $(VENV)/.cluster  ## the engine ray on two nodes, started here
	$(BIN)/python -m pytest tests/distributed -m cluster

test-servers: $(VENV)/.dev  ## redirect rules in nginx and Apache, started here
	$(BIN)/python -m pytest tests/redirects -m servers

coverage: $(VENV)/.dev  ## the share of branches outside ui that the tests reach, which is at least 95 %
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "not browser and not cluster and not postgres and not servers" --ignore tests/ui --cov --cov-report=
	$(BIN)/coverage report
	$(BIN)/coverage json --quiet -o - | $(BIN)/python -m tests.branches

check: $(VENV)/.dev  ## style, who imports whom, types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/mypy

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/.dev  ## measure, side by side, in one run
	$(BIN)/python -m benchmarks.audit
	$(BIN)/python -m benchmarks.top_k
	$(BIN)/python -m benchmarks.scale
	$(BIN)/python -m benchmarks.link_score

pictures: $(VENV)/.dev  ## make the README's pictures anew; needs Chromium
	$(BIN)/python -m benchmarks.pictures

reactions: $(VENV)/.dev  ## how quickly the app answers clicks with 100,000 links; needs Chromium, 10 minutes
	$(BIN)/python -m benchmarks.reactions

lock: $(VENV)/.dev  ## write requirements.txt and locks/ from pyproject.toml
	$(BIN)/python -m pip install --quiet uv==0.13.9
	$(BIN)/python locks/lock.py

fuzz: $(VENV)/.dev  ## thousands of broken files into every reader; the tests try a few of each kind
	FUZZ_EXAMPLES=3000 $(BIN)/python -m pytest -n 2 tests/fuzz

hostile: $(VENV)/.dev  ## files made to harm, through terminal and browser; writes benchmarks/results.md
	$(BIN)/python -m benchmarks.hostile

sessions: $(VENV)/.dev  ## eight visitors for half an hour, their numbers held against the terminal's; needs Chromium and Linux
	$(BIN)/python -m benchmarks.sessions

licences: $(VENV)/.dev  ## write docs/licences.md
	$(BIN)/python locks/licences.py

# Both tools live in an environment of their own: they are no part of the app.
$(VENV)/tools:
	$$(command -v $(PYTHON) || command -v python3) -m venv $@
	$@/bin/python -m pip install --quiet cyclonedx-bom==7.5.0 pip-audit==2.10.1

sbom: $(VENV)/.app $(VENV)/tools  ## write dist/sbom.json: every package of the app, for tools that watch for holes
	mkdir -p dist
	$(VENV)/tools/bin/cyclonedx-py requirements locks/app.txt --output-format JSON --output-file dist/sbom.json

audit-packages: $(VENV)/tools  ## ask the database of known holes about every locked package; fails where it knows one of them not
	$(VENV)/tools/bin/pip-audit --strict --disable-pip --require-hashes --requirement locks/app.txt

reference: $(VENV)/.dev  ## write dist/reference, a page of the Python functions and settings
	$(BIN)/python -m pdoc --docformat google --output-directory dist/reference backlink_audit.interface backlink_audit.settings

wheel: $(VENV)/.dev  ## build the package into dist/
	$(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir dist .

clean:
	rm -rf $(VENV)

$(BIN)/python:
	$$(command -v $(PYTHON) || command -v python3) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

# torch has a line of its own, without a hash: its wheel differs by accelerator. Everything else is locked by hash, and
# installed as the lock says, so that nothing is resolved anew.
LOCKED := $(BIN)/python -m pip install --quiet --no-deps --require-hashes -r

$(VENV)/.app: locks/app.txt locks/torch.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet -r locks/torch.txt
	$(LOCKED) locks/app.txt
	touch $@

$(VENV)/.cluster: locks/cluster.txt $(VENV)/.dev
	$(LOCKED) locks/cluster.txt
	touch $@

$(VENV)/.dev: locks/dev.txt $(VENV)/.app
	$(LOCKED) locks/dev.txt
	touch $@
