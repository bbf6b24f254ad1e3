"""The drawing of a tuning's curve: one SVG that stands alone, a panel a metric, a line a rank, light and dark.

Lengths are in units of the drawing. Each rank has a colour and a mark of its own shape, so that colours are not needed
to tell them apart; bars are 95 % intervals.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from stepscope.core.evaluation.report_numbers import number_words, title_of_metric
from stepscope.core.evaluation.tuning_curve import TuningCurve, TuningPoint

_WIDE, _HIGH = 330, 230
_LEFT, _RIGHT, _TOP, _BOTTOM, _LEGEND = 52, 14, 34, 46, 30
_MOST_RANKS = 6
_SHAPES = """
text { font: 12px system-ui, sans-serif; }
.title { font-weight: 600; }
.line { fill: none; stroke-width: 2; }
.whisker { stroke-width: 1.2; stroke-opacity: 0.6; }
"""
_LIGHT = """
text { fill: #1d2430; } .faint { fill: #5b6575; } .ground { fill: #ffffff; } .grid { stroke: #d9dee6; }
.r0 { stroke: #1f6feb; fill: #1f6feb; } .r1 { stroke: #b8510a; fill: #b8510a; } .r2 { stroke: #1a7f4b; fill: #1a7f4b; }
.r3 { stroke: #8a3ffc; fill: #8a3ffc; } .r4 { stroke: #b0204f; fill: #b0204f; } .r5 { stroke: #57606a; fill: #57606a; }
"""
_DARK = """
text { fill: #e6eaf0; } .faint { fill: #9aa5b5; } .ground { fill: #161b22; } .grid { stroke: #343c48; }
.r0 { stroke: #6cb0ff; fill: #6cb0ff; } .r1 { stroke: #ff9d57; fill: #ff9d57; } .r2 { stroke: #56d08b; fill: #56d08b; }
.r3 { stroke: #c19bff; fill: #c19bff; } .r4 { stroke: #ff85a8; fill: #ff85a8; } .r5 { stroke: #aab4c0; fill: #aab4c0; }
"""
_BOTH = f":root {{ color-scheme: light dark; }}{_LIGHT}@media (prefers-color-scheme: dark) {{{_DARK}}}"


def curve_svg(curve: TuningCurve, dark: bool | None = None) -> str:
    """The drawing; `dark` None: as whoever looks at it likes it. Ranks beyond the sixth are not drawn, which its title
    says."""
    colours = _BOTH if dark is None else _DARK if dark else _LIGHT
    shown = curve.shown
    ranks = curve.ranks[:_MOST_RANKS]
    width, height = _WIDE * len(shown), _HIGH + _LEGEND
    parts = [_rect(0, 0, width, height, "ground")]
    for place, metric in enumerate(shown):
        parts += _panel(curve, ranks, metric, place * _WIDE)
    parts += _legend(ranks)
    more = f"; {len(curve.ranks) - len(ranks)} more ranks are in the table" if len(curve.ranks) > len(ranks) else ""
    title = f"{curve.model} fine-tuned, measured on {curve.data} under {curve.protocol}{more}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img"><title>{escape(title)}</title><style>{colours}{_SHAPES}</style>{"".join(parts)}</svg>\n'
    )


def _panel(curve: TuningCurve, ranks: Sequence[int], metric: str, left: float) -> list[str]:
    several = [(rank, _known(curve.of_rank(rank), metric)) for rank in ranks]
    low, high = _ends([point for _, points in several for point in points], metric)
    most = max((point.epochs for point in curve.points), default=0) or 1.0
    x0, x1, y0, y1 = left + _LEFT, left + _WIDE - _RIGHT, _HIGH - _BOTTOM, _TOP

    def x(epochs: float) -> float:
        return x0 + (x1 - x0) * epochs / most

    def y(value: float) -> float:
        return y0 + (y1 - y0) * (value - low) / (high - low)

    parts = [_text(x0, 20, title_of_metric(metric), "start", "title")]
    for level in _levels(low, high):
        parts += [
            _line(x0, y(level), x1, y(level), "grid"),
            _text(x0 - 6, y(level) + 4, f"{level:.2f}", "end", "faint"),
        ]
    for epochs in _ticks(most):
        parts += [_line(x(epochs), y0, x(epochs), y0 + 4, "grid"),
                  _text(x(epochs), y0 + 17, f"{epochs:g}", "middle", "faint")]  # fmt: skip
    parts.append(_text((x0 + x1) / 2, y0 + 34, "epochs", "middle", "faint"))
    for place, (rank, points) in enumerate(several):
        kind = f"r{place}"
        at = [(x(point.epochs), point) for point in points]
        places = " ".join(f"{across:.1f},{y(_value(point, metric)):.1f}" for across, point in at)
        parts.append(f'<polyline class="line {kind}" points="{places}"/>')
        for across, point in at:
            found = point.line(metric)
            if found is not None and found.interval is not None:
                parts.append(_line(across, y(found.interval[0]), across, y(found.interval[1]), f"whisker {kind}"))
            value = _value(point, metric)
            told = f"rank {rank}, {point.moves:,} moves: {number_words(value)}"
            parts.append(_mark(across, y(value), place, kind, told))
    return parts


def _known(points: Sequence[TuningPoint], metric: str) -> list[TuningPoint]:
    return [one for one in points if (line := one.line(metric)) is not None and line.value is not None]


def _value(point: TuningPoint, metric: str) -> float:
    line = point.line(metric)
    assert line is not None and line.value is not None  # `_known` left the others out
    return line.value


def _ends(points: Sequence[TuningPoint], metric: str) -> tuple[float, float]:
    """Tenths around all values and intervals, 0 and 1 where there are none."""
    levels = [_value(one, metric) for one in points]
    levels += [end for one in points if (line := one.line(metric)) and line.interval for end in line.interval]
    if not levels:
        return 0.0, 1.0
    low, high = math.floor(min(levels) * 10) / 10, math.ceil(max(levels) * 10) / 10
    return (low, high) if high > low else (max(low - 0.1, min(low, 0.0)), high + 0.1)


def _levels(low: float, high: float) -> list[float]:
    step = next(one for one in (0.05, 0.1, 0.2, high - low) if (high - low) / one <= 6.01)
    return [low + step * count for count in range(int((high - low) / step + 1e-6) + 1)]


def _ticks(most: float) -> list[float]:
    step = next((one for one in (0.25, 0.5, 1, 2, 5, 10, 20, 50, 100, 200) if most / one <= 8), most)
    return [step * count for count in range(int(most / step + 1e-9) + 1)]


def _legend(ranks: Sequence[int]) -> list[str]:
    parts: list[str] = []
    for place, rank in enumerate(ranks):
        left = _LEFT + place * 86
        parts += [
            _mark(left + 6, _HIGH + 10, place, f"r{place}", ""),
            _text(left + 18, _HIGH + 14, f"rank {rank}", "start"),
        ]
    return parts


# Pieces ---------------------------------------------------------------------------------------------------------------


def _mark(x: float, y: float, place: int, kind: str, told: str) -> str:
    """A shape of its own for each place."""
    size = 4.0
    corners = (
        (),
        ((-size, -size), (size, -size), (size, size), (-size, size)),
        ((0, -5), (5, 4), (-5, 4)),
        ((0, -5.5), (5.5, 0), (0, 5.5), (-5.5, 0)),
        ((0, 5), (5, -4), (-5, -4)),
        ((-5, -2), (5, -2), (5, 2), (-5, 2)),
    )[place % 6]
    inner = f"<title>{escape(told)}</title>" if told else ""
    if not corners:
        return f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{size:g}">{inner}</circle>'
    points = " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in corners)
    return f'<polygon class="{kind}" points="{points}">{inner}</polygon>'


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _rect(x: float, y: float, width: float, height: float, kind: str) -> str:
    return f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"/>'


def _text(x: float, y: float, words: str, anchor: str, kind: str = "") -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'
