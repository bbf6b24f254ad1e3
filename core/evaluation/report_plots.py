"""Drawings of a report: inline SVG by a few small functions, from the breakdown of a run. No library, no script.

Colours are classes of the report's style sheet, so that a drawing is readable in light and dark. Every drawing has a
title and stands with its numbers in a table. Lengths are in units of the drawing, which the page scales as a whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

import numpy as np

from stepscope.core.domain.prediction import Task
from stepscope.core.evaluation.breakdown import (
    Calibration,
    Curve,
    Group,
    Grouping,
    best_f1,
    calibration,
    pr_curve,
    recall_by_reason,
    wrong_by,
)
from stepscope.core.evaluation.report_numbers import Interval, count_words, number_words, share_words
from stepscope.core.frozen import dataclass
from stepscope.core.store.columns import RunColumns

FEW = 10
"""Below so many items a number is shown as resting on few."""
_MOST_ROWS = 25
_MOST_STEPS = 40
_CURVE_ROWS = 11
_BAR, _ROW = 180, 16
_WIDTH, _HEIGHT = 560, 220
_LEFT, _RIGHT, _TOP, _BOTTOM = 50, 12, 12, 40


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing and its table. Either there is one drawing (`svg`), or each row has its own (`bars`). `few` marks rows
    that rest on few items. `note` says of how many items, and what is left out."""

    title: str
    note: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    svg: str = ""
    bars: tuple[str, ...] = ()
    few: tuple[bool, ...] = ()


def figures(columns: RunColumns) -> list[Figure]:
    """All drawings that say something about this run."""
    found = []
    if columns.task is Task.FEASIBILITY:
        found.append(
            _shares("Recall by reason", "Infeasible goals that were found.", recall_by_reason(columns), "Found")
        )
    place = "task" if columns.task is Task.WEBTASK else "app"
    for by, title in (("app", f"Wrong share by {place}"), ("kind", "Wrong share by kind of reference")):
        grouping = wrong_by(columns, by, least=1)  # type: ignore[arg-type]
        if grouping.total > 1:
            found.append(_shares(title, "Wrong is a score below 1.", grouping, "Wrong"))
    steps = wrong_by(columns, "step", least=1)
    if any(group.name != "whole episode" for group in steps.groups):
        found.append(_columns("Wrong share by step", "Steps count from 1.", steps, "Step"))
    lengths = wrong_by(columns, "length", least=1)
    if lengths.groups:
        found.append(_columns("Wrong share by length of the episode", "Length in steps.", lengths, "Length"))
    found.append(_curve(pr_curve(columns), columns.task is Task.FEASIBILITY))
    found.append(_calibration(calibration(columns), columns.task is Task.FEASIBILITY))
    return [figure for figure in found if figure is not None]


def interval_svg(value: float | None, interval: Interval | None, other: float | None = None) -> str:
    """A dot with its interval on a line from 0 to 1, a square where another run is; "" for what is not from 0 to 1."""
    ends = [end for end in (value, other, *(interval or ())) if end is not None]
    if value is None or any(not 0 <= end <= 1 for end in ends):
        return ""
    parts = [_line(0, _ROW / 2, _BAR, _ROW / 2, "grid")]
    if interval is not None:
        parts.append(_line(_BAR * interval[0], _ROW / 2, _BAR * interval[1], _ROW / 2, "whisker"))
    if other is not None:
        parts.append(_rect(_BAR * other - 4, _ROW / 2 - 4, 8, 8, "other"))
    parts.append(_dot(_BAR * value, _ROW / 2, 4, "mark"))
    title = number_words(value) + (f", baseline {number_words(other)}" if other is not None else "")
    return _svg(_BAR, _ROW, title, parts, "small", margin=5)


def _shares(title: str, about: str, grouping: Grouping, counted: str) -> Figure | None:
    """One row for each group with a bar and its whiskers, the worst with enough items first."""
    if not grouping.groups:
        return None
    best = counted == "Found"
    ordered = sorted(grouping.groups, key=lambda one: (one.n < FEW, one.share if best else -one.share, -one.n))
    shown = ordered[:_MOST_ROWS]
    total = sum(group.n for group in grouping.groups)
    more = f" {len(shown)} of {len(ordered)} groups." if len(shown) < len(ordered) else ""
    return Figure(
        title,
        f"n {count_words(total)}. {about} Whiskers: 95 % Wilson interval.{more}",
        ("", counted, "Share", "95 % interval", "n"),
        tuple(map(_row, shown)),
        bars=tuple(_bar(group, "good" if best else "bad") for group in shown),
        few=tuple(group.n < FEW for group in shown),
    )


def _row(group: Group) -> tuple[str, ...]:
    low, high = group.interval
    between = f"{share_words(low)} – {share_words(high)}"
    return _name(group), count_words(group.count), share_words(group.share), between, count_words(group.n)


def _name(group: Group) -> str:
    """Kinds in words; names of apps stay as they are."""
    return group.name.replace("_", " ") if group.all.criteria[0].field == "kind" else group.name


def _bar(group: Group, kind: str) -> str:
    low, high = group.interval
    middle = _ROW / 2
    parts = [
        _rect(0, 2, _BAR, _ROW - 4, "empty"),
        _rect(0, 2, _BAR * group.share, _ROW - 4, kind),
        _line(_BAR * low, middle, _BAR * high, middle, "whisker"),
        *(_line(_BAR * end, middle - 3, _BAR * end, middle + 3, "whisker") for end in (low, high)),
    ]
    return _svg(_BAR, _ROW, f"{_name(group)}: {share_words(group.share)}, n {group.n}", parts, "small", margin=1)


def _columns(title: str, about: str, grouping: Grouping, name: str) -> Figure:
    """A dot with whiskers for each step or length, in their order."""
    shown = grouping.groups[:_MOST_STEPS]
    wide, high = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM
    slot = wide / len(shown)
    parts = [*_rules(wide, high)]
    every = max(1, round(len(shown) / 14))
    for place, group in enumerate(shown):
        x = _LEFT + slot * (place + 0.5)
        ends = [_TOP + high * (1 - end) for end in group.interval]
        level, faint = _TOP + high * (1 - group.share), " faint" if group.n < FEW else ""
        width = min(slot * 0.6, 26)
        parts.append(_rect(x - width / 2, level, width, _TOP + high - level, f"bad{faint}"))
        parts.append(_line(x, ends[0], x, ends[1], f"whisker{faint}"))
        if place % every == 0:
            parts.append(_text(x, _TOP + high + 16, group.name, "middle"))
    parts.append(_text(_LEFT + wide / 2, _HEIGHT - 6, name, "middle"))
    total = sum(group.n for group in grouping.groups)
    more = f" The first {len(shown)} of {len(grouping.groups)}." if len(shown) < len(grouping.groups) else ""
    return Figure(
        title,
        f"n {count_words(total)}. {about} Whiskers: 95 % Wilson interval; pale: fewer than {FEW} items.{more}",
        (name, "Wrong", "Share", "95 % interval", "n"),
        tuple(map(_row, shown)),
        svg=_svg(_WIDTH, _HEIGHT, title, parts),
        few=tuple(group.n < FEW for group in shown),
    )


def _curve(curve: Curve, feasibility: bool) -> Figure | None:
    """Precision and recall; in a run with confidences, how right it is where it is confident."""
    if not len(curve.thresholds):
        return None
    across = curve.recall if feasibility else curve.coverage
    names = ("Recall", "Precision") if feasibility else ("Share answered", "Right of these")
    title = "Precision and recall" if feasibility else "Right share where the run is confident"
    shown = curve.shown()
    xs = shown.recall if feasibility else shown.coverage
    parts = [*_square(names), _path(xs, shown.precision)]
    note = [f"n {count_words(curve.n)}"]
    best = best_f1(curve)
    if feasibility:
        note.append(f"average precision {number_words(curve.average_precision)}")
        if best is not None:
            place = int(np.flatnonzero(curve.thresholds == best[1])[0])
            parts.append(_dot(*_at(across[place], curve.precision[place]), 4, "mark"))
            note.append(f"best F1 {number_words(best[0])} at a threshold of {number_words(best[1])} (dot)")
    if curve.missing:
        note.append(f"{count_words(curve.missing)} without a score")
    chosen = np.unique(np.linspace(0, len(across) - 1, _CURVE_ROWS).round().astype(int)).tolist()
    rows = tuple(
        tuple(map(number_words, map(float, (curve.thresholds[i], across[i], curve.precision[i])))) for i in chosen
    )
    score = "P(infeasible) from" if feasibility else "Confidence from"
    return Figure(title, ", ".join(note) + ".", (score, *names), rows, svg=_svg(_SIDE, _SIDE, title, parts, "square"))


def _calibration(found: Calibration, feasibility: bool) -> Figure | None:
    """The positive share of each bin of scores against the mean score in it."""
    if not found.n:
        return None
    what = "Infeasible" if feasibility else "Right"
    score = "P(infeasible)" if feasibility else "Confidence"
    parts = [*_square((f"Mean {score}" if feasibility else "Mean confidence", what))]
    parts.append(_line(*_at(0, 0), *_at(1, 1), "grid"))
    rows = []
    few = []
    for one in found.bins:
        if one.score is None or one.right is None:
            continue
        faint = " faint" if one.n < FEW else ""
        parts.append(_line(*_at(one.score, one.interval[0]), *_at(one.score, one.interval[1]), f"whisker{faint}"))
        parts.append(_dot(*_at(one.score, one.right), 4, f"mark{faint}"))
        between = f"{one.low:.1f} – {one.high:.1f}"
        rows.append((between, number_words(one.score), number_words(one.right), count_words(one.n)))
        few.append(one.n < FEW)
    missing = f" {count_words(found.missing)} without a score." if found.missing else ""
    note = (
        f"n {count_words(found.n)}, expected calibration error {number_words(found.error)}.{missing} Pale: few items."
    )
    columns = (score, "Mean", what, "n")
    svg = _svg(_SIDE, _SIDE, "Calibration", parts, "square")
    return Figure("Calibration", note, columns, tuple(rows), svg=svg, few=tuple(few))


# Pieces of SVG -------------------------------------------------------------------------------------------------------

_SIDE = 306


def _svg(width: float, height: float, title: str, parts: Iterable[str], kind: str = "plot", margin: float = 0) -> str:
    box = f"{-margin:g} 0 {width + 2 * margin:g} {height:g}"
    return f'<svg class="{kind}" viewBox="{box}" role="img"><title>{escape(title)}</title>{"".join(parts)}</svg>'


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _rect(x: float, y: float, width: float, height: float, kind: str) -> str:
    return f'<rect class="{kind}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="2"/>'


def _dot(x: float, y: float, radius: float, kind: str) -> str:
    return f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}"/>'


def _text(x: float, y: float, words: str, anchor: str, turned: bool = False) -> str:
    turn = f' transform="rotate(-90 {x:.1f} {y:.1f})"' if turned else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{turn}>{escape(words)}</text>'


def _rules(wide: float, high: float) -> list[str]:
    """Lines at 0, 50 and 100 % with their words."""
    parts = []
    for level in (0.0, 0.5, 1.0):
        y = _TOP + high * (1 - level)
        parts.append(_line(_LEFT, y, _LEFT + wide, y, "grid"))
        parts.append(_text(_LEFT - 6, y + 4, f"{100 * level:.0f} %", "end"))
    return parts


def _at(x: float, y: float) -> tuple[float, float]:
    """Two numbers from 0 to 1 as a place in the square plot."""
    side = _SIDE - _LEFT - _RIGHT
    return _LEFT + side * float(x), _TOP + side * (1 - float(y))


def _square(names: Sequence[str]) -> list[str]:
    """Axes from 0 to 1 with their names."""
    parts = []
    for level in (0.0, 0.5, 1.0):
        parts.append(_line(*_at(0, level), *_at(1, level), "grid"))
        parts.append(_line(*_at(level, 0), *_at(level, 1), "grid"))
        (x, foot), (left, y) = _at(level, 0), _at(0, level)
        parts.append(_text(x, foot + 16, f"{level:g}", "middle"))
        parts.append(_text(left - 6, y + 4, f"{level:g}", "end"))
    (x, foot), (left, y) = _at(0.5, 0), _at(0, 0.5)
    return [*parts, _text(x, foot + 34, names[0], "middle"), _text(left - 38, y, names[1], "middle", turned=True)]


def _path(xs: Sequence[float] | np.ndarray, ys: Sequence[float] | np.ndarray) -> str:
    places = " ".join(f"{x:.1f},{y:.1f}" for x, y in (_at(*pair) for pair in zip(xs, ys, strict=True)))
    return f'<polyline class="line" points="{places}"/>'
