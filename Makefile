# Needs make and Python 3.11 or newer with its venv module; everything else is set up here, in .venv.
# Paths are relative on purpose: make splits an absolute path at a space.

PYTHON ?= python3
PORT ?= 8000
IMAGE ?= localhost/fieldbook:0.1.0
REQUIREMENTS ?= runtime

environment = .venv/.environment
runtime = .venv/.runtime
development = .venv/.development
project = .venv/.project
peers = .venv/.peers/.installed
inspection = .venv/.inspection/.installed
served = .venv/.served/.installed
generators = .venv/.generators

# A file of tests runs in one process, and tests/conftest.py says which come first.
in_parallel = -n 3 --dist loadgroup --no-loadscope-reorder

python = .venv/bin/python
pip = $(python) -m pip --disable-pip-version-check --quiet
on_top = --constraint requirements/runtime.txt
compile = .venv/bin/uv --no-config pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-emit-find-links --custom-compile-command "make requirements" $(if $(UPGRADE),--upgrade)

# Runs what may take long with a dot for every second of it; its status is that of what was run.
dotted = @sh -c '"$$@" & running=$$!; trap "kill $$running; exit 130" INT TERM; \
	while kill -0 $$running 2> /dev/null; do sleep 1; printf .; done; echo; wait $$running' --

# The tests start hundreds of processes: without this each would compile the whole project again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help run demo quick test everything laws clocks soak faults clock-faults hostile failovers endurance contract play-in-browsers bench growth peers image parts holes check format openapi requirements clean dashboard package rehearse-upgrade

help: ## List what make can do
	@echo "make run           Start everything and print the address (PORT=8000)"
	@echo "make demo          Play a game against a fresh service and check its record"
	@echo "make quick         Run the tests that start no process but the store"
	@echo "make test          Run every check and every test, but the long ones"
	@echo "make laws          Check the laws of the rules over 20,000 games (LAWS='--system classic' for a part)"
	@echo "make clocks        500 games by the clock of every system and number of players, and 10,000 that wait (CLOCKS='--clocked 20')"
	@echo "make everything    Run every check and every test, also the long ones, of which continuous integration takes a third"
	@echo "make soak          The same, and whole those of which make test takes a part"
	@echo "make failovers     Let primaries of a cluster and of a pair fail under load, 7 rounds each (FAILOVERS='--fault killed')"
	@echo "make faults        Break an installation under load in every way, 50 rounds each (FAULTS='--fault worker' for a part)"
	@echo "make clock-faults  Break an installation around the deadlines of games with clocks (CLOCKS='--rounds 12 --seed 3')"
	@echo "make hostile       A minute in which everybody does their worst while others play (HOSTILE='--seconds 20')"
	@echo "make endurance     Half of the highest load for 30 minutes while every process is restarted in turn (ENDURANCE='--seconds 300')"
	@echo "make contract      Ask a running service 5,000 things and hold each answer to the contract"
	@echo "make play-in-browsers  Six whole games, one of each system, by clicks alone in real browsers"
	@echo "make growth        Curves to 100,000 games and to 100,000 events in a game, as tables and pictures (GROWTH='--most 10000')"
	@echo "make dashboard     What the dashboard shows of a service at work, by Prometheus, as a picture (DASHBOARD='--seconds 20')"
	@echo "make rehearse-upgrade  From the parent commit to this one and back, process by process while games go on (REHEARSAL='--seed 7')"
	@echo "make bench         Measure how fast everything is, beside its peers (BENCH='--only latency'); takes half an hour"
	@echo "make peers         Install the peers that make bench measures beside, in an environment of their own"
	@echo "make image         Build the image with podman or docker (IMAGE=name:tag, REQUIREMENTS=s3)"
	@echo "make parts         List the parts of what is served, as CycloneDX, in dist/parts.cdx.json"
	@echo "make holes         Ask whether known holes are in them; asks a service on the internet"
	@echo "make check         Formatting, lint, types and import contracts"
	@echo "make format        Format the code and mend what the linter can mend"
	@echo "make openapi       Write openapi.yaml from the schemas and recorded games"
	@echo "make package       Pack the JavaScript client with its types into dist/; needs npm"
	@echo "make requirements  Compile the pinned requirements (UPGRADE=1 for newer versions)"
	@echo "make clean         Remove the environment and all caches; games are kept"
	@echo
	@echo "PYTHON=python3.12 chooses another Python, on the first call or after make clean."

run: $(runtime) $(project)
	@PORT="$(PORT)" exec .venv/bin/fieldbook up

demo: $(runtime) $(project)
	@.venv/bin/fieldbook demo

quick: $(development) $(project)
	$(python) -m pytest $(in_parallel) -m "not (process or lengthy or deep or soak)"

test: check
	$(python) -m pytest $(in_parallel) -m "not soak"

everything: check
	$(python) -m pytest $(in_parallel)

laws: $(development) $(project)
	$(python) -m tests.laws $(LAWS)

clocks: $(development) $(project)
	$(python) -m tests.laws --random 0 --greedy 0 --made-up 0 --leavers 0 --clocked 500 $(CLOCKS)
	FIELDBOOK_SOAK=1 $(python) -m pytest tests/service/timekeeping/test_many_waiting.py

faults: $(development) $(project)
	$(python) -m tests.campaigns faults $(FAULTS)
	$(if $(FAULTS),,$(python) -m tests.campaigns sick_partition)

clock-faults: $(development) $(project)
	$(python) -m tests.campaigns clocks $(CLOCKS)

hostile: $(development) $(project)
	$(python) -m tests.campaigns hostile $(HOSTILE)

soak: check
	FIELDBOOK_SOAK=1 $(python) -m pytest $(in_parallel)

failovers: $(development) $(project)
	$(python) -m tests.campaigns failovers $(FAILOVERS)

endurance: $(development) $(project)
	$(python) -m tests.campaigns endurance $(ENDURANCE)

contract: $(development) $(project)
	$(python) -m tests.contract.campaign

play-in-browsers: $(development) $(project)
	FIELDBOOK_SOAK=1 $(python) -m pytest tests/service/pages/test_playing_whole_games.py

bench: $(development) $(project)
	$(python) -m tests.benchmarks $(BENCH)

growth: $(development) $(project)
	$(python) -m tests.benchmarks.studies.growth $(GROWTH)

dashboard: $(development) $(project)
	$(python) -m tests.monitoring $(DASHBOARD)

rehearse-upgrade: $(development) $(project)
	$(python) -m tests.campaigns upgrades $(REHEARSAL)

peers: $(peers)

# The time of the commit stands for that of the build, so that the same tree makes the same layers.
image:
	@engine=$$(command -v podman || command -v docker) || { echo "Neither podman nor docker is here." >&2; exit 1; }; \
	epoch=$$(git log -1 --format=%ct 2> /dev/null || echo 0); \
	case "$$engine" in \
	*podman) set -- --format docker --timestamp "$$epoch" ;; \
	*) set -- --build-arg SOURCE_DATE_EPOCH="$$epoch" ;; \
	esac; \
	set -x; "$$engine" build "$$@" --build-arg REQUIREMENTS="$(REQUIREMENTS)" --file deploy/image/Containerfile --tag "$(IMAGE)" .

parts: $(inspection) $(served)
	@mkdir -p dist
	.venv/.inspection/bin/cyclonedx-py environment --pyproject pyproject.toml --output-reproducible --output-format JSON \
		--output-file dist/parts.cdx.json .venv/.served

# --strict: what could not be looked up is a failure, not a clean bill.
holes: $(inspection)
	.venv/.inspection/bin/pip-audit --strict --disable-pip --require-hashes --requirement requirements/s3.txt

check: $(development) $(project)
	.venv/bin/ruff format --check .
	.venv/bin/ruff check .
	$(python) -m mypy
	.venv/bin/lint-imports

format: $(development)
	.venv/bin/ruff check --fix-only .
	.venv/bin/ruff format .

openapi: $(development) $(project)
	$(python) -m tests.contract

# Its types are generated by the script `prepack` of its package.json, and are not kept in the tree.
package: $(generators)/.installed
	@mkdir -p dist
	PATH="$(CURDIR)/$(generators)/node_modules/.bin:$$PATH" npm pack --silent --pack-destination dist ./replay

requirements: $(development)
	$(compile) --output-file requirements/runtime.txt requirements/runtime.in
	$(compile) $(on_top) --output-file requirements/s3.txt requirements/runtime.in requirements/s3.in
	$(compile) $(on_top) --output-file requirements/analysts.txt requirements/runtime.in requirements/analysts.in
	$(compile) $(on_top) --output-file requirements/telemetry.txt requirements/runtime.in requirements/telemetry.in
	$(compile) $(on_top) --output-file requirements/research.txt requirements/runtime.in requirements/research.in
	$(compile) --output-file requirements/development.txt requirements/development.in
	$(compile) --output-file requirements/peers.txt requirements/peers.in
	$(compile) --output-file requirements/generators.txt requirements/generators.in
	$(compile) --output-file requirements/inspection.txt requirements/inspection.in

clean:
	rm -rf .venv build dist fieldbook.egg-info
	rm -rf .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find events replay service tests -name __pycache__ -prune -exec rm -rf {} +

# The marker files say which step is done. Each is newer than what it was made from, so a second run skips it.

$(environment):
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Fieldbook needs Python 3.11 or newer, and $(PYTHON) is not. Choose another: make PYTHON=python3.12"; exit 1; } >&2
	@"$(PYTHON)" -c 'import ensurepip, venv' || { \
		echo "$(PYTHON) has no venv module. On Debian and Ubuntu it is in the package python3-venv."; exit 1; } >&2
	@printf "Setting up .venv "
	$(dotted) "$(PYTHON)" -m venv --clear .venv
	@touch $@

$(runtime): requirements/runtime.txt $(environment)
	@printf "Installing the runtime requirements "
	$(dotted) $(pip) install --require-hashes -r requirements/runtime.txt
	@touch $@

# Contains the runtime's requirements at the same versions, so it stands for both.
$(development): requirements/development.txt requirements/runtime.txt $(environment)
	@printf "Installing the requirements "
	$(dotted) $(pip) install --require-hashes -r requirements/development.txt
	@touch $(runtime) $@

# Comes after one of the two above, which bring setuptools: this step asks no registry.
$(project): pyproject.toml $(environment)
	@printf "Installing fieldbook "
	$(dotted) $(pip) install --no-deps --no-build-isolation --editable .
	@touch $@

# Each apart from ours: tools that want other versions, and the very environment that an image has.
$(inspection): requirements/inspection.txt $(environment)
	@printf "Installing the inspection tools "
	$(dotted) $(python) -m venv --clear .venv/.inspection
	$(dotted) .venv/.inspection/bin/python -m pip --disable-pip-version-check --quiet install --require-hashes -r requirements/inspection.txt
	@touch $@

$(served): requirements/runtime.txt pyproject.toml $(environment)
	@printf "Installing what is served "
	$(dotted) $(python) -m venv --clear --without-pip .venv/.served
	$(dotted) $(pip) --python .venv/.served/bin/python install --require-hashes -r requirements/runtime.txt
	$(dotted) $(pip) --python .venv/.served/bin/python install --no-deps --no-build-isolation .
	@rm -rf build
	@touch $@

# What a package is developed with stands in its package.json.
$(generators)/.installed: replay/package.json $(environment)
	@echo "Installing the generators"
	@mkdir -p $(generators)
	@cp replay/package.json $(generators)
	$(dotted) npm install --prefix $(generators) --silent --no-package-lock --no-audit --no-fund --ignore-scripts
	@touch $@

# Apart from ours, so that no peer decides what we run on.
$(peers): requirements/peers.txt tests/benchmarks/peers/boardgame_io/package.json $(environment)
	@echo "Installing the peers"
	$(dotted) $(python) -m venv --clear .venv/.peers
	$(dotted) .venv/.peers/bin/python -m pip --disable-pip-version-check --quiet install --require-hashes -r requirements/peers.txt
	@mkdir .venv/.peers/boardgame_io
	@cp tests/benchmarks/peers/boardgame_io/package.json .venv/.peers/boardgame_io
	@if command -v npm > /dev/null; then \
		npm install --prefix .venv/.peers/boardgame_io --silent --no-package-lock --no-audit --no-fund --ignore-scripts; \
	else echo "Without Node 20 or newer boardgame.io is left out."; fi
	@touch $@
