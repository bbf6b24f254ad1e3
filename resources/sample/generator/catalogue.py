"""The sample apps by name, with their templates, and what the files that episodes come from add up to."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from pathlib import Path

from stepscope.resources.sample.generator.apps import APPS
from stepscope.resources.sample.generator.plan import AppGoals

_SAMPLE = Path(__file__).resolve().parents[1]
_WITHOUT = ("episodes", "goals", "__pycache__")


def chosen_apps(names: Iterable[str]) -> tuple[AppGoals, ...]:
    """The apps of these names in the order of `APPS`, whatever order they are named in. KeyError for an unknown one."""
    wanted = set(names)
    if unknown := sorted(wanted.difference(APPS)):
        raise KeyError(unknown[0])
    return tuple(
        import_module(f"stepscope.resources.sample.generator.apps.{name}").GOALS for name in APPS if name in wanted
    )


@cache
def fingerprint() -> str:
    """The SHA-256 of everything that decides what an episode looks like: pages, templates, and the programs between.

    Equal fingerprints, seeds and sizes give equal episodes on one machine.
    """
    found = hashlib.sha256()
    for file in sorted(_SAMPLE.rglob("*")):
        parts = file.relative_to(_SAMPLE).parts
        if file.is_file() and file.suffix != ".md" and not set(parts) & set(_WITHOUT):
            found.update("/".join(parts).encode() + b"\0" + hashlib.sha256(file.read_bytes()).digest())
    return found.hexdigest()
