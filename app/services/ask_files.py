"""A run of asking as files: the settings as CSV and LaTeX, the curve as CSV and SVG, tasks step by step, and counts by
kind of missing value. Numbers have all their digits in CSV."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import escape

from stepscope.app.services import ask_tables
from stepscope.app.services.ask_results import AskNumbers, AskReading, by_kind, listed
from stepscope.core.evaluation.ask_cost import AskCost, CostPoint
from stepscope.core.evaluation.ask_settings import ASKS
from stepscope.core.scoring.ask_streams import AskSetting
from stepscope.core.spreadsheet import Cell, write_rows

TITLES = {
    AskSetting.ORIGINAL: "Original",
    AskSetting.INCOMPLETE: "Incomplete",
    AskSetting.ASK: "+ ASK",
    AskSetting.DUAL: "+ dual stream",
}
SETTING_HEADS = (
    "setting", "episodes", "ssr", "ssr_low", "ssr_high", "sr", "drop", "recovery", "asks", "ask_f1", "ask_precision",
    "ask_recall",
)  # fmt: skip
CURVE_HEADS = ("way", "threshold", "asks", "ssr", "ssr_low", "ssr_high", "sr", "ask_precision", "ask_recall", "ask_f1")
LANE_HEADS = (
    "episode", "goal", "outcome", "missing_value", "step", "due", "asked", "right_without_ask", "right_with_ask",
    "rescued", "needless",
)  # fmt: skip
KIND_HEADS = ("missing_value", "due", "asked_when_due", "missed", "nobody_needed", "steps_rescued")
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 520, 360, 56, 20, 20, 48

Kinds = Mapping[str, Mapping[int, str]]
_Place = Callable[[float, float], tuple[float, float]]
"""Where a point of asks a task and SSR stands in the drawing."""


def settings_csv(found: AskReading, about: str) -> str:
    return _csv((SETTING_HEADS, *_setting_rows(found)), about)


def settings_text(found: AskReading) -> str:
    """For the clipboard: columns divided by tabs, as spreadsheets take them."""
    rows: Iterable[Sequence[Cell]] = (SETTING_HEADS, *_setting_rows(found))
    return "\n".join("\t".join("" if cell is None else str(cell) for cell in row) for row in rows) + "\n"


def _setting_rows(found: AskReading) -> Iterator[tuple[Cell, ...]]:
    settings = found.numbers.settings
    for row in settings.rows:
        low, high = row.intervals.get("ssr") or (None, None)
        values = (row.value(name) for name in ("ask_f1", "ask_precision", "ask_recall"))
        drop = None if row.drop is None else -row.drop
        yield (
            TITLES[row.setting], row.episodes, row.ssr, low, high, row.value("sr"), drop, row.recovery,
            row.value(ASKS), *values,
        )  # fmt: skip
    whole = settings.row(AskSetting.ORIGINAL).ssr
    part = settings.row(AskSetting.INCOMPLETE).ssr
    for one in found.cost.others if found.cost is not None else ():
        low, high = one.interval or (None, None)
        drop = None if one.ssr is None or whole is None else one.ssr - whole
        lost = None if whole is None or part is None else whole - part
        back = None if one.ssr is None or part is None or not lost or lost <= 0 else (one.ssr - part) / lost
        yield one.name, None, one.ssr, low, high, one.sr, drop, back, one.asks, one.f1, one.precision, one.recall


def settings_latex(found: AskReading, name: str, about: str) -> str:
    """The tables of `stepscope runs asks` in LaTeX (package booktabs), the paper's beside ours."""
    tables = (*ask_tables.settings_tables(name, found.numbers.settings), *ask_tables.published_tables())
    return f"% {' '.join(about.split())}\n{ask_tables.as_latex(tables)}"


def curve_csv(cost: AskCost, about: str) -> str:
    """The curve's points, then other ways to decide."""
    rows = [*(_curve_row(one, "curve") for one in cost.points), *(_curve_row(one, one.name) for one in cost.others)]
    return _csv((CURVE_HEADS, *rows), about)


def _curve_row(one: CostPoint, way: str) -> tuple[Cell, ...]:
    low, high = one.interval or (None, None)
    return way, one.threshold, one.asks, one.ssr, low, high, one.sr, one.precision, one.recall, one.f1


def lanes_csv(numbers: AskNumbers, goals: Mapping[str, str], kinds: Kinds, about: str) -> str:
    """Every step of every task that is about asking; 1 and 0 for yes and no, empty where a step is left out."""
    rows: list[Sequence[Cell]] = [LANE_HEADS]
    for row in listed(numbers.rows):
        of, asked, due = kinds.get(row.name, {}), set(row.asked), set(row.due)
        for step, alone, answered in zip(row.steps, row.without, row.with_ask, strict=True):
            signs = (step in due, step in asked, alone, answered, step in row.rescued, step in row.needless)
            task = (row.name, goals.get(row.name, ""), row.outcome.value, of.get(step, ""), step)
            rows.append((*task, *map(_yes_no, signs)))
    return _csv(rows, about)


def _yes_no(right: bool | None) -> int | None:
    return None if right is None else int(right)


def kinds_csv(numbers: AskNumbers, kinds: Kinds, about: str) -> str:
    rows = [
        (one.kind, one.due, one.when_due, one.missed, one.needless, one.rescued) for one in by_kind(numbers.rows, kinds)
    ]
    return _csv((KIND_HEADS, *rows), about)


def _csv(rows: Iterable[Sequence[Cell]], about: str) -> str:
    text = io.StringIO()
    text.write(f"# {about}\n")
    write_rows(text, rows)
    return text.getvalue()


def curve_svg(cost: AskCost, about: str) -> str:
    """The curve as a drawing of its own: black on white, the band of the intervals grey, other ways as crosses."""
    points = [one for one in cost.points if one.ssr is not None]
    others = [one for one in cost.others if one.ssr is not None]
    ends = [end for one in (*points, *others) for end in (one.ssr, *(one.interval or ())) if end is not None]
    ends += [] if cost.whole is None else [cost.whole]
    low, high = math.floor(min(ends, default=0.0) * 10) / 10, math.ceil(max(ends, default=1.0) * 10) / 10
    high = max(high, low + 0.1)
    most = max((one.asks for one in (*points, *others)), default=1.0) or 1.0
    most = math.ceil(most * 2) / 2

    def place(asks: float, ssr: float) -> tuple[float, float]:
        x = LEFT + (WIDTH - LEFT - RIGHT) * asks / most
        return x, HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (ssr - low) / (high - low)

    parts = list(_svg_axes(place, low, high, most))
    banded = [one for one in points if one.interval is not None]
    if len(banded) > 1:
        upper = [place(one.asks, one.interval[1]) for one in banded if one.interval is not None]
        lower = [place(one.asks, one.interval[0]) for one in banded if one.interval is not None]
        parts.append(f'<polygon points="{_path([*upper, *reversed(lower)])}" fill="#000" fill-opacity="0.1"/>')
    if cost.whole is not None:
        (x, y), (end, _) = place(0, cost.whole), place(most, cost.whole)
        parts.append(f'<path d="M{x:.1f} {y:.1f}H{end:.1f}" stroke="#006AB0" stroke-dasharray="2 4"/>')
        parts.append(f'<text x="{end:.1f}" y="{y - 5:.1f}" text-anchor="end" fill="#006AB0">whole goal</text>')
    line = _path([place(one.asks, one.ssr) for one in points if one.ssr is not None])
    parts.append(f'<polyline points="{line}" fill="none" stroke="#000" stroke-width="2"/>')
    for one in others:
        x, y = place(one.asks, one.ssr or 0.0)
        parts.append(f'<path d="M{x - 4:.1f} {y - 4:.1f}l8 8m0 -8l-8 8" stroke="#555" stroke-width="1.6"/>')
        parts.append(f'<text x="{x + 8:.1f}" y="{y + 4:.1f}" fill="#555">{escape(one.name)}</text>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'font-family="sans-serif" font-size="11"><title>{escape(about)}</title>'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>{"".join(parts)}</svg>\n'
    )


def _svg_axes(place: _Place, low: float, high: float, most: float) -> Iterator[str]:
    lines = round((high - low) * 10)
    for number in range(lines + 1):
        value = low + number / 10
        x, y = place(0, value)
        yield f'<path d="M{x:.1f} {y:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>'
        yield f'<text x="{x - 6:.1f}" y="{y + 4:.1f}" text-anchor="end" fill="#555">{value:.1f}</text>'
    steps = min(6, max(1, round(most * 2)))
    for number in range(steps + 1):
        value = most * number / steps
        x, y = place(value, low)
        yield f'<text x="{x:.1f}" y="{y + 18:.1f}" text-anchor="middle" fill="#555">{value:.3g}</text>'
    middle = (LEFT + WIDTH - RIGHT) / 2
    yield f'<text x="{middle:.1f}" y="{HEIGHT - 10}" text-anchor="middle" fill="#555">asks a task</text>'
    yield f'<text x="14" y="{TOP + 2}" fill="#555">SSR</text>'


def _path(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
