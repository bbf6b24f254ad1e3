"""The papers' numbers beside a run's, in the whole window, and only where a paper has one under the rule shown."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QComboBox

from stepscope.widgets.results.metrics_item_model import PAPER


@pytest.fixture
def scored(person, guesses):
    person.score(guesses)
    return person


def papers(person) -> dict[str, tuple[float | None, bool, str]]:
    return {
        row.title: (row.paper, row.paper_elsewhere, row.paper_source)
        for row in person.window.results._result.metrics
        if row.paper is not None
    }


def take(person, rule: str) -> None:
    box = person.window.results.rule_bar.findChild(QComboBox)
    place = box.findData(rule)
    box.setCurrentIndex(place)
    box.activated.emit(place)
    person.until(lambda: person.bench.results.results.rule == rule, f"the results under {rule}")
    person.settle()


def test_numbers_follow_the_rule(scored):
    """No paper here scores by AitW's rule; under MoTIF's with a point the numbers are Seq2Seq's, of other data."""
    assert papers(scored) == {}
    assert scored.window.results.metrics.column_of(PAPER) == -1
    take(scored, "motif-point")
    found = papers(scored)
    assert {title: value for title, (value, _, _) in found.items()} == {
        "Action complete": 0.685, "Action partial": 0.895, "Ground complete": 0.225,
        "Ground partial": 0.404, "Both complete": 0.225, "Both partial": 0.401,
    }  # fmt: skip
    assert all(elsewhere for _, elsewhere, _ in found.values())
    assert found["Both partial"][2] == (
        "0.401: Seq2Seq; MoTIF, apps seen in training; MoTIF (Burns et al. 2022), table 4. This run is on other data."
    )
    model = scored.window.results.metrics
    column = model.column_of(PAPER)
    assert {model.index(row, column).data()[-1] for row in range(model.rowCount())} == {"*"}
