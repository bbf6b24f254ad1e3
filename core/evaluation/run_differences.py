"""What two runs were made with and differ in, and in which items the difference of their scores lies."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import PurePath
from typing import Literal

import numpy as np

from stepscope.core.domain.model_name import split_name
from stepscope.core.domain.prediction import Task
from stepscope.core.domain.run import Run
from stepscope.core.evaluation.breakdown.matching import versus
from stepscope.core.evaluation.breakdown.selection import LENGTHS
from stepscope.core.frozen import dataclass
from stepscope.core.store.columns import RunColumns

Part = Literal["kind", "reason", "app", "length"]


DIGEST_SHOWN = 12
"""Digits that are shown of the weights' SHA-256."""


class Effect(StrEnum):
    """How a setting is known to move scores: another model; other items; another rule for the same answers; a setting
    of the model or how it is run; chance alone (a seed). NONE: it is not known to."""

    MODEL = "model"
    ITEMS = "items"
    RULE = "rule"
    MATTERS = "matters"
    CHANCE = "chance"
    NONE = ""


@dataclass(frozen=True, slots=True)
class RunSetting:
    """One setting in words; `value` "" is the usual."""

    name: str
    value: str
    effect: Effect = Effect.NONE


@dataclass(frozen=True, slots=True)
class UnequalSetting:
    """A setting that two runs have otherwise."""

    name: str
    a: str
    b: str
    effect: Effect


@dataclass(frozen=True, slots=True)
class PartDifference:
    """`n` items of one kind that both runs could score: the mean score of each, and a's less b's."""

    name: str
    n: int
    a: float
    b: float

    @property
    def difference(self) -> float:
        return self.a - self.b


@dataclass(frozen=True, slots=True)
class DifferenceParts:
    """Where a difference lies, the largest part of it first; `by` says what the items are told apart by."""

    by: Part
    parts: tuple[PartDifference, ...]


def settings_of(run: Run) -> tuple[RunSetting, ...]:
    """Everything a run was made with that another one may have otherwise, in the order in which people ask for it."""
    spec = run.spec
    plain, model_settings = split_name(spec.model)
    matters, items, rule = Effect.MATTERS, Effect.ITEMS, Effect.RULE
    return (
        RunSetting("Model", plain, Effect.MODEL),
        *(RunSetting(f"Model, {name}", value, matters) for name, value in sorted(model_settings.items())),
        RunSetting("Predictions", PurePath(spec.predictions).name, Effect.MODEL),
        RunSetting("Weights", run.weights[:DIGEST_SHOWN], matters),
        RunSetting("Runtime", "" if spec.runtime == "auto" else spec.runtime, matters),
        RunSetting("Seed", str(spec.seed), Effect.CHANCE),
        RunSetting("Data", spec.source, items),
        RunSetting("Split", spec.split, items),
        RunSetting("Filter", spec.filter, items),
        RunSetting("Limit", "" if spec.limit is None else f"{spec.limit:,} episodes", items),
        RunSetting("Chosen", "" if spec.chosen is None else f"{spec.chosen:,} episodes", items),
        RunSetting("Protocol", spec.protocol, rule),
        *(RunSetting(f"Option {name}", value, rule) for name, value in sorted(spec.options)),
        RunSetting("Rule version", spec.scorer_version, rule),
        RunSetting("Device", "" if spec.device == "auto" else spec.device),
        RunSetting("Machine", _machines(run)),
        RunSetting("Stepscope", spec.code_version),
    )


def _machines(run: Run) -> str:
    """What computed the answers: the GPUs of each machine that worked on it, else its processor."""
    words = (", ".join(one.gpus) or one.processor for one in run.machines)
    return " and ".join(dict.fromkeys(filter(None, words)))


def settings_apart(a: Run, b: Run) -> tuple[tuple[UnequalSetting, ...], tuple[RunSetting, ...]]:
    """The settings that two runs have otherwise, those that are known to move scores first; and the equal ones."""
    of_a, of_b = ({one.name: one for one in settings_of(run)} for run in (a, b))
    unequal, equal = [], []
    for name in dict.fromkeys((*of_a, *of_b)):
        one = of_a.get(name) or of_b[name]
        in_a, in_b = (known[name].value if name in known else "" for known in (of_a, of_b))
        if in_a == in_b:
            equal.append(one)
        else:
            unequal.append(UnequalSetting(name, in_a, in_b, one.effect))
    unequal.sort(key=lambda setting: setting.effect in (Effect.NONE, Effect.CHANCE))
    return tuple(unequal), tuple(equal)


def telling_apart(names: Sequence[tuple[Run, str]]) -> dict[str, tuple[str, ...]]:
    """By the runs' ids, what tells runs with these names apart: settings that are not the same in all of them; where
    that is not enough weights, seed, device, machine and version of the program, then when they were made, at last
    their ids."""
    known = {run.id: {one.name: one for one in settings_of(run)} for run, _name in names}
    differing = [
        name
        for name in dict.fromkeys(name for of_run in known.values() for name in of_run)
        if len({of_run[name].value if name in of_run else "" for of_run in known.values()}) > 1
    ]
    first = [name for name in differing if name not in _LAST]
    found = {run.id: _said(known[run.id], first, called) for run, called in names}
    for more in ([name] for name in _LAST if name in differing):
        for run in _alike(names, found):
            found[run.id] += _said(known[run.id], more, "")
    for run in _alike(names, found):
        found[run.id] += (f"{run.created.astimezone():%Y-%m-%d %H:%M:%S}",)
    for run in _alike(names, found):
        found[run.id] += (run.id,)
    return found


def made_with(run: Run) -> tuple[str, ...]:
    """In few words what a run was made with besides model, data and rule; "usual settings" where that is the usual."""
    known = {one.name: one for one in settings_of(run)}
    names = [name for name in known if name.startswith("Model, ") or name in _OWN]
    return _said(known, names, "") or ("usual settings",)


_OWN = ("Predictions", "Runtime", "Filter", "Limit", "Chosen", "Device")
_LAST = ("Weights", "Seed", "Device", "Machine", "Stepscope")


def _alike(names: Sequence[tuple[Run, str]], found: dict[str, tuple[str, ...]]) -> list[Run]:
    said = [(name, found[run.id]) for run, name in names]
    return [run for (run, _name), one in zip(names, said, strict=True) if said.count(one) > 1]


def _said(settings: dict[str, RunSetting], names: Sequence[str], called: str) -> tuple[str, ...]:
    """The settings in few words, without those at their usual value and what the run is called already."""
    words = []
    for name in names:
        one = settings.get(name)
        if one is None or not one.value or one.value == called:
            continue
        plain = name.removeprefix("Model, ").removeprefix("Option ")
        words.append(one.value if name in ("Model", "Predictions", "Filter") else f"{plain.lower()} {one.value}")
    return tuple(words)


def where_apart(a: RunColumns, b: RunColumns) -> DifferenceParts:
    """The common items that both could score by what the task tells them apart by: kinds of reference action, reasons
    of infeasibility, else apps, else the episodes' lengths. Largest part of the difference first: items times gap."""
    both = versus(a, b)
    by, codes, names = _parts(a)
    codes = codes[both.a]
    n = np.bincount(codes, minlength=len(names))
    of_a = np.bincount(codes, weights=a.value[both.a], minlength=len(names))
    of_b = np.bincount(codes, weights=b.value[both.b], minlength=len(names))
    parts = [
        PartDifference(name, int(count), float(one / count), float(other / count))
        for name, count, one, other in zip(names, n, of_a, of_b, strict=True)
        if count
    ]
    parts.sort(key=lambda part: (-abs(part.difference) * part.n, part.name))
    return DifferenceParts(by, tuple(parts))


def _parts(columns: RunColumns) -> tuple[Part, np.ndarray, tuple[str, ...]]:
    """A group for each item, and what the groups are called."""
    if columns.task in (Task.AUTOMATION, Task.GROUNDING) and any(columns.kinds):
        return "kind", columns.reference, columns.kinds
    if columns.task is Task.FEASIBILITY and len(columns.reasons) > 1:
        return "reason", columns.reason[columns.episode], columns.reasons
    if len(columns.apps) > 1:
        return "app", columns.app[columns.episode], columns.apps
    starts = [low for low, _high in LENGTHS]
    length = np.searchsorted(starts, columns.steps, side="right")[columns.episode]
    return "length", length, ("", *(f"{low} to {high} steps" if high else f"{low} steps on" for low, high in LENGTHS))
