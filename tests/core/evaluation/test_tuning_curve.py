"""The drawing and the table of a tuning's curve, with places worked out by hand."""

from __future__ import annotations

import csv
import io
import xml.etree.ElementTree as ET
from typing import Any

from stepscope.core.domain.prediction import Task
from stepscope.core.evaluation.report_numbers import MetricLine
from stepscope.core.evaluation.tuning_curve import TuningCurve, TuningPoint
from stepscope.core.evaluation.tuning_curve_plot import curve_svg

SVG = "{http://www.w3.org/2000/svg}"


def point(rank: int, moves: int, value: float | None, interval: Any = None) -> TuningPoint:
    lines = (
        MetricLine("ssr", value, interval, 8),
        MetricLine("sr", 0.5, None, 8),
        MetricLine("ask_f1", 0.2, None, 8, main=True),
        MetricLine("ask_recall", 0.9, None, 8),
    )
    return TuningPoint(rank, moves, moves / 200, f"local:m-r{rank}@{moves}", f"run{rank}{moves}", 8, 0, lines)


def curve(*points: TuningPoint, task: Task = Task.ASK) -> TuningCurve:
    return TuningCurve("local:m#ask", task, "ask", "d<a>ta", "test", 4, 0, points)


CURVE = curve(
    point(0, 0, 0.2, (0.1, 0.3)), point(16, 200, 0.4), point(16, 400, 0.6), point(64, 200, 0.5), point(64, 400, None)
)


def test_a_line_a_rank_from_the_untouched_model_on() -> None:
    """ssr runs from 0.1 to 0.6 over a panel from y 184 up to 34, epochs 0 to 2 from x 52 to 316: 0.2 lies at
    184 − 150 × 0.2 = 154, 0.4 at 94 and x 184, 0.6 at 34."""
    assert (CURVE.shown, CURVE.ranks) == (("ssr", "sr", "ask_f1"), (16, 64))
    drawn = ET.fromstring(curve_svg(CURVE))
    lines = [one.get("points") for one in drawn.iter(f"{SVG}polyline")]
    assert lines[0] == "52.0,154.0 184.0,94.0 316.0,34.0"
    assert lines[1] == "52.0,154.0 184.0,64.0", "a point without a number is left out"
    assert len(lines) == 6
    whiskers = [one for one in drawn.iter(f"{SVG}line") if "whisker" in str(one.get("class"))]
    assert [(one.get("y1"), one.get("y2")) for one in whiskers] == [("184.0", "124.0")] * 2
    titles = [one.text for one in drawn.iter(f"{SVG}title")]
    assert "rank 16, 400 moves: 0.600" in titles and "d<a>ta" in str(titles[0])
    words = [one.text for one in drawn.iter(f"{SVG}text")]
    assert {"rank 16", "rank 64", "SSR", "Ask F1", "epochs"} <= set(words)


def test_the_rules_main_metric_stands_for_other_tasks_and_one_level_has_room() -> None:
    flat = curve(point(0, 0, 0.2), point(8, 200, 0.2), task=Task.AUTOMATION)
    assert flat.shown == ("ask_f1",)
    drawn = ET.fromstring(curve_svg(flat))
    (line,) = drawn.iter(f"{SVG}polyline")
    assert line.get("points") == "52.0,109.0 316.0,109.0"  # 0.2 in the middle of 0.1 to 0.3


def test_every_metric_of_every_point_is_a_row() -> None:
    rows = list(csv.DictReader(io.StringIO(CURVE.csv())))
    assert len(rows) == 5 * 4
    first, last = rows[0], rows[-4]
    assert (first["rank"], first["epochs"], first["value"], first["low"], first["high"]) == (
        "",
        "0.0",
        "0.2",
        "0.1",
        "0.3",
    )
    assert (last["rank"], last["moves"], last["value"], last["model"]) == ("64", "400", "", "local:m-r64@400")
    form = CURVE.form()
    assert form["points"][2]["metrics"]["ssr"] == {"value": 0.6, "interval": None, "n": 8}
