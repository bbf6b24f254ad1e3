#!/bin/sh
# Prints a Python that Stepscope runs on (3.11 to 3.13), the lowest first: 3.11 is what the constraints were made with.
# The system's own comes before others of its version: it is built with optimisation, which pyenv leaves out, and runs
# the tests' Python a sixth faster. PYTHON=/path/to/python3 makes the choice yours.
set -eu
for candidate in ${PYTHON:+"$PYTHON"} /usr/bin/python3.11 python3.11 python3.12 python3.13 python3; do
    command -v "$candidate" >/dev/null 2>&1 || continue
    if "$candidate" -c 'import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2>/dev/null; then
        command -v "$candidate"
        exit 0
    fi
done
echo "Stepscope needs Python 3.11, 3.12 or 3.13 with venv. On Debian: apt-get install python3 python3-venv" >&2
exit 1
