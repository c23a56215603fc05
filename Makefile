# MemJury. `make` lists what there is to make.
SHELL := /bin/sh
.DEFAULT_GOAL := help
.PHONY: help up test test-systems check bench clean format local-llm

PORT ?= 8000
VENV := .venv
PY := $(VENV)/bin/python
LEASH := $(PY) -m webapp.supervisor.leash
CODE := manage.py requirements $(wildcard webapp annotation evaluation memory_systems tests performance docs)
export PORT

help:
	@echo "make up          the site on http://127.0.0.1:$(PORT) (PORT=9000 to change); Ctrl-C stops it"
	@echo "make test        all checks and tests, on both databases and in a browser where present"
	@echo "make test-systems  every published memory system, installed (gigabytes, many minutes)"
	@echo "make check       lint, types, import contracts, migrations, templates"
	@echo "make bench       speed and memory measurements"
	@echo "make format      put the code into shape"
	@echo "make local-llm   a small language model on 127.0.0.1, for trials only"
	@echo "make clean       remove environment and caches (never var/, which holds your data)"

# The site ends with make, even when make itself is killed and can pass nothing on.
up: $(VENV)/base.stamp
	@exec $(LEASH) $$PPID SIGKILL $(PY) manage.py up

test: check
	@$(PY) -m tests.everything $(TEST_OPTIONS)

# Into var/systems, or where TEST_SYSTEMS says; what is installed already is left as it is.
test-systems: $(VENV)/dev.stamp
	@for lock in requirements/systems/*.in; do \
		MEMJURY_SYSTEMS=$${TEST_SYSTEMS:-var/systems} $(PY) manage.py install_system $$(basename $$lock .in) || exit 1; \
	done
	@TEST_HEAVY_SYSTEMS=1 $(PY) -m pytest -q -rs tests/memory_systems/native $(TEST_OPTIONS)

check: $(VENV)/dev.stamp
	$(VENV)/bin/ruff check $(CODE)
	$(VENV)/bin/ruff format --check $(CODE)
	$(PY) -m mypy manage.py webapp annotation evaluation memory_systems tests
	$(VENV)/bin/lint-imports
	$(PY) manage.py check --fail-level WARNING
	$(PY) manage.py makemigrations --check --dry-run
	$(PY) -m pytest -q tests/house/test_templates.py

bench: $(VENV)/dev.stamp
	@$(PY) -m performance

format: $(VENV)/dev.stamp
	$(VENV)/bin/ruff check --fix $(CODE)
	$(VENV)/bin/ruff format $(CODE)

local-llm: $(VENV)/base.stamp
	@exec $(LEASH) $$PPID SIGKILL $(PY) manage.py local_llm

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache test-results
	find $(CODE) -name __pycache__ -type d -prune -exec rm -rf {} +

$(PY):
	@sh requirements/make_venv.sh

$(VENV)/base.stamp: requirements/base.txt requirements/install.py | $(PY)
	@$(PY) requirements/install.py base.txt
	@touch $@

$(VENV)/dev.stamp: requirements/base.txt requirements/dev.txt requirements/install.py | $(PY)
	@$(PY) requirements/install.py dev.txt
	@touch $(VENV)/base.stamp $@
