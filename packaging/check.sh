#!/bin/sh
# Everything that reads the code without running it: style, types, room borders.
set -eu
bin=${1:-.venv/bin}
"$bin/ruff" check .
"$bin/ruff" format --check --quiet .
"$bin/mypy"
"$bin/lint-imports" --no-logo 2>/dev/null || "$bin/lint-imports"
