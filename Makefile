# Everything is set up in .venv by itself: Python 3.11 or newer is all that is needed.
VENV := .venv
ifeq ($(OS),Windows_NT)
PYTHON ?= python
BIN := $(VENV)/Scripts
else
PYTHON ?= python3
BIN := $(VENV)/bin
endif
READY := $(VENV)/ready
# Files are compiled once, not again in every process that a test starts.
unexport PYTHONDONTWRITEBYTECODE
# Two workers that take tests from each other: the measure is in CONTRIBUTING.md.
PYTEST = $(BIN)/python -m pytest -n auto --dist worksteal $(MORE)

.PHONY: demo test test-compiled proof lint types check compiled interpreted wheels constraints pictures docs bench soak soak-games soak-mail fuzz clean

demo: $(READY)  ## adjudicate the sample turn; play the sample game and leave its reports in demo/
	$(BIN)/python -m alexmagnum adjudicate orders/turn.yaml orders/tolomeo.txt orders/cassandro.txt orders/lisimaco.txt orders/autigone.txt orders/seleuco.txt orders/candragrupta.txt --lang en
	$(BIN)/python -m tools.demo

test: $(READY)  ## the whole product in a few minutes, with a slice of each long proof
	@$(BIN)/python -m alexmagnum --version
	$(PYTEST) -m "not proof" --durations=20

proof: $(READY)  ## the long proofs, whole, and every kind of command in a process of its own
	@$(BIN)/python -m alexmagnum --version
	$(PYTEST) -m proof --durations=20
	$(PYTEST) -m "not proof" --separate-processes --durations=20 tests/cli tests/mail/test_real_servers.py

# What goes through the judge, and the comparison of both builds.
JUDGING := tests/builds tests/test_values.py tests/judge tests/properties tests/cases tests/campaign tests/datc tests/perft tests/play tests/whatif

test-compiled: export ALEXMAGNUM_REQUIRE_COMPILED = 1
test-compiled: compiled  ## compile, and test what the compiled judge is used for
	@$(BIN)/python -m alexmagnum --version
	$(PYTEST) -m "not proof" --durations=10 $(JUDGING)

lint: $(READY)
	$(BIN)/python -m ruff check .
	$(BIN)/python -m ruff format --check .

types: $(READY)
	$(BIN)/python -m mypy

check: lint types test

compiled: $(READY)  ## compile the judge beside its sources, several times as fast (needs a C compiler)
	$(BIN)/python -m tools.compile_modules

interpreted:  ## delete what `make compiled` made
	$(PYTHON) -m tools.compile_modules --remove

wheels: $(READY)  ## compiled wheels in dist/ for each CPython 3.11 to 3.14 of this machine
	$(BIN)/python -m tools.build_wheels

constraints: export UV_CUSTOM_COMPILE_COMMAND = make constraints
constraints: $(READY)  ## constraints.txt anew: the newest versions that fit, for all systems, with hashes
	$(BIN)/python -m pip install --quiet uv
	echo 'hatchling>=1.26' | $(BIN)/python -m uv pip compile --quiet --universal --upgrade --no-annotate --generate-hashes \
		--extra arrays --extra compile --extra lab --extra pdf pyproject.toml - -o constraints.txt

pictures: $(READY)  ## the pictures of the documents, drawn anew
	$(BIN)/python -m tools.pictures

docs: export ALEXMAGNUM_PURE = 1  # compiled functions have no docstrings
docs: $(READY)  ## the reference of the library as a site in site/, from the docstrings
	$(BIN)/python -m tools.reference site

soak: $(READY)  ## the slow oracle over many random positions, of the standard game and of Alex Magnum
	$(BIN)/python -m tests.oracle --positions 20000 --jobs 2
	$(BIN)/python -m tests.oracle --positions 20000 --jobs 2 --special

soak-games: $(READY)  ## fifty full games at random, every phase checked
	$(BIN)/python -m tests.play --games 50 --jobs 2

FUZZED := mail page orders yaml json map geojson position link plan import import-values backup log

fuzz: $(READY)  ## ten minutes for each reader of bytes that look for a way to break it
	-$(BIN)/python -m pip install --quiet atheris
	for target in $(FUZZED); do $(BIN)/python -m tests.fuzz $$target -max_total_time=600 || exit 1; done

soak-mail: $(READY)  ## a hundred senders and a hundred fetchers killed at work: nothing twice, nothing lost
	$(PYTEST) -m proof tests/mail/test_killed.py

bench: $(READY)  ## speed, beside the peers that can be installed
	-$(BIN)/python -m pip install --quiet -e '.[bench]'
	$(BIN)/python -m bench

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet -e '.[dev]'
	$(BIN)/python -c "open('$(READY)', 'w').close()"

clean: interpreted
	$(PYTHON) -c "import shutil; [shutil.rmtree(p, True) for p in ('$(VENV)', 'dist', 'demo', 'site')]"
