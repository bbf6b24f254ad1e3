"""Drawings of a report: where their marks stand, and what their tables say."""

import numpy as np
import pytest
from lxml import etree

from stepscope.core.evaluation.breakdown import Curve, Group, Grouping, ItemSelection
from stepscope.core.evaluation.report_plots import _columns, _curve, _shares, interval_svg

EVERYTHING = ItemSelection.of(("app", ""))


def group(name, count, n, interval=(0.25, 0.75), field="app"):
    return Group(name, n, count, count / n, interval, EVERYTHING, ItemSelection.of((field, name)))


def marks(svg, kind):
    return [one.attrib for one in etree.fromstring(svg).iter() if kind in one.get("class", "").split()]


def test_a_dot_with_its_interval_stands_on_a_line_from_0_to_1():
    svg = interval_svg(0.5, (0.25, 1.0), 0.1)
    (dot,), (line,), (square,) = marks(svg, "mark"), marks(svg, "whisker"), marks(svg, "other")
    assert float(dot["cx"]) == 90 and (float(line["x1"]), float(line["x2"])) == (45, 180)
    assert float(square["x"]) + float(square["width"]) / 2 == 18
    assert etree.fromstring(svg).findtext("title") == "0.500, baseline 0.100"


@pytest.mark.parametrize("values", [(None, None, None), (1.6, (1, 2), None), (0.5, (-0.1, 0.6), None), (0.5, None, 2)])
def test_what_is_not_from_0_to_1_is_not_drawn(values):
    assert interval_svg(*values) == ""


def test_bars_are_as_long_as_their_shares_the_worst_first_few_last():
    groups = (group("b", 5, 10), group("press_key", 9, 10, field="kind"), group("<few>", 3, 3, (0.4, 1.0)))
    figure = _shares("Title", "About.", Grouping(groups, 3), "Wrong")
    assert [row[0] for row in figure.rows] == ["press key", "b", "<few>"] and figure.few == (False, False, True)
    assert figure.rows[1] == ("b", "5", "50.0 %", "25.0 % – 75.0 %", "10")
    widths = [float(marks(bar, "bad")[0]["width"]) for bar in figure.bars]
    assert widths == [162, 90, 180] and figure.note.startswith("n 23. About.")
    line = marks(figure.bars[1], "whisker")[0]
    assert (float(line["x1"]), float(line["x2"])) == (45, 135)
    assert "&lt;few&gt;" in figure.bars[2]
    assert _shares("Title", "", Grouping((), 0), "Wrong") is None


def test_found_shares_put_the_least_found_first():
    figure = _shares("", "", Grouping((group("a", 9, 10), group("b", 1, 10)), 2), "Found")
    assert [row[0] for row in figure.rows] == ["b", "a"] and marks(figure.bars[0], "good")


def test_more_groups_than_fit_are_told():
    figure = _shares("", "", Grouping(tuple(group(f"g{n}", n, 40) for n in range(30)), 30), "Wrong")
    assert len(figure.rows) == 25 and figure.rows[0][0] == "g29" and "25 of 30 groups" in figure.note
    steps = _columns("", "", Grouping(tuple(group(str(n), 1, 20) for n in range(50)), 50), "Step")
    assert len(steps.rows) == 40 and "The first 40 of 50." in steps.note and "n 1,000." in steps.note


def test_columns_stand_from_the_foot_up():
    figure = _columns("Steps", "", Grouping((group("1", 5, 10, (0.0, 1.0)), group("2", 0, 4)), 2), "Step")
    first, second = marks(figure.svg, "bad")
    assert float(first["height"]) == 84 and float(first["y"]) == 96 and float(second["height"]) == 0
    assert "faint" in second["class"] and "faint" not in first["class"]
    whisker = marks(figure.svg, "whisker")[0]
    assert (float(whisker["y1"]), float(whisker["y2"])) == (180, 12), "from 0 to 1"


def test_a_curve_goes_through_its_points():
    curve = Curve(np.array([0.9, 0.4]), np.array([1, 2]), np.array([1, 4]), 2, 4, 1, 0.75)
    figure = _curve(curve, True)
    (line,) = marks(figure.svg, "line")
    assert line["points"] == "172.0,12.0 294.0,134.0"
    assert figure.rows == (("0.900", "0.500", "1.000"), ("0.400", "1.000", "0.500"))
    assert "average precision 0.750, best F1 0.667 at a threshold of 0.900 (dot), 1 without a score" in figure.note
    other = _curve(curve, False)
    assert other.columns == ("Confidence from", "Share answered", "Right of these") and other.rows[0][1] == "0.250"
    nothing = np.zeros(0, np.int32)
    assert _curve(Curve(np.zeros(0), nothing, nothing, 0, 0, 0, None), True) is None
