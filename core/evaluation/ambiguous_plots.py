"""Statistics of ambiguous tasks as a drawing: Navi-plus's figures 5 and 6 beside each other, one SVG file without a
library or a script. Lengths are in units of the drawing; colours follow the reader's light or dark."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from stepscope.core.evaluation.ambiguous_statistics import AmbiguousStatistics

_STYLE = (
    "text{font:12px sans-serif;fill:#333}.all,.not{fill:#b9c2cf}.some{fill:#2f6fb3}.enough{fill:#2f8f5b}"
    ".grid{stroke:#ddd}.back{fill:#fff}@media(prefers-color-scheme:dark){text{fill:#ddd}.all,.not{fill:#5b6675}"
    ".some{fill:#6aa9e9}.enough{fill:#57b885}.grid{stroke:#444}.back{fill:#1e1e1e}}"
)
_LEFT, _TOP, _HIGH, _WIDE, _GAP = 46, 56, 180, 340, 70
_SIZE = (2 * _WIDE + 2 * _LEFT + _GAP, _TOP + _HIGH + 60)
MOST_LENGTHS = 30
"""Longer tasks stand together in the last column."""


def statistics_svg(found: AmbiguousStatistics, title: str) -> str:
    """Figure 5: how many tasks have so many steps, and so many informative ones. Figure 6: the share of tasks with
    enough of them, for each number of steps that are left out."""
    parts = [
        f'<rect class="back" width="{_SIZE[0]}" height="{_SIZE[1]}"/>',
        _text(_LEFT, 20, f"{title}: {found.episodes:,} tasks", "start"),
        *_lengths(found),
        *_shares(found),
    ]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_SIZE[0]} {_SIZE[1]}" role="img">'
    return f"{head}<title>{escape(title)}</title><style>{_STYLE}</style>{''.join(parts)}</svg>\n"


def _lengths(found: AmbiguousStatistics) -> Iterator[str]:
    last = min(max([0, *found.lengths, *found.informative]), MOST_LENGTHS)
    columns = [[sum(n for value, n in counts.items() if min(value, last) == place) for place in range(last + 1)]
               for counts in (found.lengths, found.informative)]  # fmt: skip
    most = max(1, *map(max, columns))
    slot = _WIDE / (last + 1)
    yield _text(_LEFT, _TOP - 14, _means(found), "start")
    yield from _rules(_LEFT, [f"{round(most * level):,}" for level in (0, 0.5, 1)])
    for place in range(last + 1):
        for number, (kind, counts) in enumerate(zip(("all", "some"), columns, strict=True)):
            x = _LEFT + slot * (place + 0.1 + 0.4 * number)
            yield _rect(x, slot * 0.4, counts[place] / most, kind, f"{place}: {counts[place]:,}")
        if place % max(1, round((last + 1) / 15)) == 0:
            more = "+" if place == last == MOST_LENGTHS else ""
            yield _text(_LEFT + slot * (place + 0.5), _TOP + _HIGH + 16, f"{place}{more}", "middle")
    yield _text(_LEFT + _WIDE / 2, _TOP + _HIGH + 36, "steps of a task (grey), informative ones (blue)", "middle")


def _means(found: AmbiguousStatistics) -> str:
    if found.mean_length is None or found.mean_informative is None:
        return "tasks"
    return f"tasks; mean {found.mean_length:.2f} steps, {found.mean_informative:.2f} informative"


def _shares(found: AmbiguousStatistics) -> Iterator[str]:
    left = 2 * _LEFT + _WIDE + _GAP / 2
    yield _text(left, _TOP - 14, "tasks with enough informative steps", "start")
    yield from _rules(left, ["0 %", "50 %", "100 %"])
    slot = _WIDE / max(1, len(found.enough))
    for place, one in enumerate(found.enough):
        x, share = left + slot * (place + 0.25), one.share or 0.0
        yield _rect(x, slot * 0.5, 1.0, "not", f"not enough: {one.tasks - one.enough:,}")
        yield _rect(x, slot * 0.5, share, "enough", f"enough: {one.enough:,} of {one.tasks:,}")
        yield _text(x + slot * 0.25, _TOP + _HIGH + 16, f"{one.removed} left out: {share:.1%}", "middle")


def _rules(left: float, words: Sequence[str]) -> Iterator[str]:
    for place, word in enumerate(words):
        y = _TOP + _HIGH * (1 - place / 2)
        yield f'<line class="grid" x1="{left:.1f}" y1="{y:.1f}" x2="{left + _WIDE:.1f}" y2="{y:.1f}"/>'
        yield _text(left - 6, y + 4, word, "end")


def _rect(x: float, width: float, share: float, kind: str, words: str) -> str:
    high = _HIGH * share
    place = f'x="{x:.1f}" y="{_TOP + _HIGH - high:.1f}" width="{width:.1f}" height="{high:.1f}"'
    return f'<rect class="{kind}" {place}><title>{escape(words)}</title></rect>'


def _text(x: float, y: float, words: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'
