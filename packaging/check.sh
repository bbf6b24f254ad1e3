#!/bin/sh
# Everything that reads the code without running it: style, dead code, types, room borders.
set -eu
bin=$(realpath "${1:-.venv/bin}")
"$bin/ruff" check .
"$bin/ruff" format --check --quiet .
"$bin/vulture"
# Types and borders are read where the rooms lie as they are imported.
"$bin/python" packaging/link-imports.py build/imports
cd build/imports
"$bin/mypy" --config-file ../../pyproject.toml --cache-dir ../../.mypy_cache
"$bin/lint-imports" --no-logo --config ../../pyproject.toml --cache-dir ../../.import_linter_cache
