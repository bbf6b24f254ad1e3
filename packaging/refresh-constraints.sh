#!/bin/sh
# Writes the constraints file anew: what pip takes today for .[gui,dev] in a fresh environment.
set -eu
out=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$(sh packaging/find-python.sh)" -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check --upgrade '.[gui,dev]'
{
    echo "# Made by 'make constraints'. What 'make setup' installs."
    "$folder/venv/bin/python" -m pip freeze --exclude stepscope --exclude setuptools
} >"$folder/constraints.txt"
mv "$folder/constraints.txt" "$out"
