"""The states of a RICO or MoTIF trace: their order, gestures and files, from the gestures' file and the folders' names.

A state is called as its files are, without suffix; nothing is opened here.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from stepscope.core.errors import SourceError
from stepscope.core.frozen import dataclass
from stepscope.core.sources.files import check_steps, natural_key
from stepscope.core.sources.findings import Findings
from stepscope.core.sources.screens import PICTURE_SUFFIXES
from stepscope.core.sources.sniffers.rico import VIEW_FOLDER

_LEAST, _MOST = -0.05, 1.05
"""Gestures may leave the screen by this fraction, as fingers do at its edge; further out they are broken (ours)."""

_NUMBERS = (int, float)

Gesture = tuple[tuple[float, float], ...]
"""Places in fractions of the screen; none where it was recorded that there was no gesture."""


@dataclass(frozen=True, slots=True)
class Recording:
    """A trace's states in order, with their gestures' raw values and their files by the states' names."""

    views: list[str]
    gestures: Mapping[str, Any]
    pictures: Mapping[str, str]
    trees: Mapping[str, str]

    def gesture(self, index: int, findings: Findings, file: str) -> Gesture | None:
        """The gesture of a state; a finding about `file` where it is broken or, but for the last state, missing."""
        view = self.views[index]
        if view in self.gestures:
            return _gesture(self.gestures[view], index, findings, file)
        if index < len(self.views) - 1:
            findings.add(f"no gesture entry for state {view}", step=index, field="gestures", file=file)
        return None


def find_states(
    folder: Path, recorded: Mapping[str, Any], inside: str, numbered: bool, trees_needed: bool = True
) -> Recording:
    """The states of `recorded` gestures and of the files in the folder `inside` and beside it.

    `numbered` as in `ordered_views`. Without `trees_needed` the view hierarchies' folder is looked into only where
    pictures and gestures do not agree. SourceError when there are no states.
    """
    gestures = {_stem(name): value for name, value in recorded.items()}
    pictures = _by_stem(folder, inside, PICTURE_SUFFIXES)
    needed = trees_needed or gestures.keys() != pictures.keys()
    trees = _by_stem(folder, VIEW_FOLDER, (".json", ".jpg")) if needed else {}
    views = ordered_views(list(gestures), {*pictures, *trees}, numbered)
    if not views:
        raise SourceError("the trace has no states", place=folder)
    check_steps(len(views), folder)
    return Recording(views, gestures, pictures, trees)


def ordered_views(recorded: list[str], on_disk: set[str], numbered: bool = False) -> list[str]:
    """States in the gestures' order, which is time.

    A state known from its files only takes its natural place among them when the recorded order is natural too (or the
    states are `numbered`: then their numbers are the order), else it comes last.
    """
    extra = sorted(on_disk.difference(recorded), key=natural_key)
    if numbered or (extra and recorded == sorted(recorded, key=natural_key)):
        return sorted([*recorded, *extra], key=natural_key)
    return [*recorded, *extra]


def _by_stem(folder: Path, inside: str, suffixes: tuple[str, ...]) -> dict[str, str]:
    """Files of a folder by name without suffix; where two share one, the suffix named first wins."""
    try:
        with os.scandir(f"{folder}/{inside}") as entries:
            names = [entry.name for entry in entries]
    except OSError:
        return {}
    found: dict[str, str] = {}
    for name in names:
        stem, suffix = _split(name)
        if suffix in suffixes and not name.startswith("."):
            rival = found.get(stem)
            found[stem] = name if rival is None else min(rival, name, key=lambda one: _rank(one, suffixes))
    return found


def _rank(name: str, suffixes: tuple[str, ...]) -> tuple[int, str]:
    return suffixes.index(_split(name)[1]), name


def _split(name: str) -> tuple[str, str]:
    """A file's name before its last dot, and the suffix from there on in lower case."""
    stem, dot, suffix = name.rpartition(".")
    return (stem, dot + suffix.lower()) if dot else (name, "")


def _stem(name: str) -> str:
    """A state's name as `metadata.json` or `gestures.json` writes it, with or without a suffix of its files."""
    stem, suffix = _split(name)
    return stem if suffix == ".json" or suffix in PICTURE_SUFFIXES else name


def _gesture(value: object, step: int, findings: Findings, file: str) -> Gesture | None:
    """A gesture's points in fractions of the screen, None with a finding when they are none."""
    if isinstance(value, list):
        points = [_place(point) for point in value]
        if None not in points:
            return tuple(points)  # type: ignore[arg-type]
    message = "the gesture is no list of [x, y] in fractions of the screen"
    findings.add(message, step=step, field="gestures", file=file)
    return None


def _place(value: object) -> tuple[float, float] | None:
    if not isinstance(value, list) or len(value) != 2:
        return None
    x, y = value
    if type(x) not in _NUMBERS or type(y) not in _NUMBERS or not (_LEAST <= x <= _MOST and _LEAST <= y <= _MOST):
        return None
    return float(x), float(y)
