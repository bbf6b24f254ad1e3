"""The version of this code, as stored with every run."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def _installed() -> str:
    try:
        return version("stepscope")
    except PackageNotFoundError:  # run from a checkout that was never installed
        return "0+unknown"


VERSION = _installed()
