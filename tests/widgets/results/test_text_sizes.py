"""At any text size the words of the results have their room, go on in another line, or end in … with a tooltip."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from stepscope.app.gui.shell.theme import apply_theme
from stepscope.widgets.common.elided_combo import ElidedCombo
from stepscope.widgets.results.interval_delegate import UNIT, common_span, span_of, ticks
from stepscope.widgets.results.metrics_item_model import PLOT
from stepscope.widgets.results.result_rows import MetricRow, ResultDetails
from stepscope.widgets.results.results_view import ResultsView
from stepscope.widgets.results.selection import SelectionPanel
from stepscope.widgets.scores.breakdown_values import CriterionText, SelectionDetails
from stepscope.widgets.theme import Theme

F1 = MetricRow("F1, infeasible", 0.614, (0.521, 0.699), 470, baseline=0.451, difference=0.163, p=0.0004)
EDITS = MetricRow("Edit distance", 23.1, (20.0, 26.0), 470, lower_is_better=True)
TAU = MetricRow("Kendall's tau", 0.3, (-0.2, 0.7), 470)
RESULT = ResultDetails(
    "r1",
    "noisy-copy · motif",
    "MoTIF test",
    0,
    470,
    4,
    12,
    3,
    2,
    no_finding="stand-in model, not a finding",
    below_rules="Below text-match on Real: 0.300 against 0.600",
    metrics=(F1, EDITS),
    baseline=1,
)


@pytest.fixture
def view(qtbot: QtBot, themed: object) -> ResultsView:
    shown = ResultsView()
    qtbot.addWidget(shown)
    shown.set_result(RESULT)
    shown.show()
    qtbot.waitExposed(shown)
    return shown


def settled(view: ResultsView, percent: int, width: int) -> None:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    apply_theme(application, Theme.dark(), percent)
    view.resize(width, 640)
    for _turn in range(4):
        application.processEvents()


@pytest.mark.parametrize(
    ("percent", "width"), [(80, 1000), (100, 1000), (100, 460), (150, 700), (200, 900), (200, 480)]
)
def test_the_title_row_cuts_nothing(view: ResultsView, percent: int, width: int) -> None:
    settled(view, percent, width)
    title = view.title
    inside = title.rect()
    for badge in title.badges.values():
        assert badge.isVisible() and badge.width() >= badge.sizeHint().width(), badge.text()
        place = badge.rect().translated(badge.mapTo(title, badge.rect().topLeft()))
        assert inside.contains(place), "no badge stands outside of the row"
    for button in title.findChildren(QPushButton):
        assert button.width() >= button.sizeHint().width() and button.accessibleName()
    assert view.rule_bar.height() >= view.rule_bar.minimumSizeHint().height()


@pytest.mark.parametrize(("percent", "width", "plotted"), [(100, 1000, True), (200, 900, False), (100, 460, False)])
def test_the_metrics_keep_their_numbers_and_the_plot_goes_first(
    view: ResultsView, percent: int, width: int, plotted: bool
) -> None:
    settled(view, percent, width)
    table = view.metrics_table
    place = view.metrics.column_of(PLOT)
    assert table.isColumnHidden(place) is not plotted
    for column in range(view.metrics.columnCount()):
        if column != place:
            assert table.columnWidth(column) >= table.sizeHintForColumn(column)
    beyond = table.horizontalHeader().length() - table.viewport().width()
    assert table.horizontalScrollBar().maximum() == max(0, beyond), "what has no room can be scrolled to"


def test_the_buttons_of_a_selection_decide_how_narrow_it_may_be(qtbot: QtBot, themed: object) -> None:
    panel = SelectionPanel()
    qtbot.addWidget(panel)
    panel.set_selection(SelectionDetails(3, "step", (CriterionText("reference: tap", "k"),), compare="Compare D and C"))
    apply_theme(themed, Theme.dark(), 200)  # type: ignore[arg-type]
    panel.show()
    qtbot.waitExposed(panel)
    panel.resize(panel.minimumSizeHint())
    for button in (panel.replay, panel.compare):
        assert button.width() >= button.sizeHint().width()


def test_a_combo_box_cuts_with_an_ellipsis(qtbot: QtBot, themed: object) -> None:
    combo = ElidedCombo()
    qtbot.addWidget(combo)
    combo.addItem("MoTIF, element within 1 (this run's own)")
    combo.resize(160, 30)
    assert combo.shown_words().endswith("…") and combo.currentText().startswith(combo.shown_words()[:-1])
    combo.resize(600, 30)
    assert combo.shown_words() == combo.currentText()


def test_every_metric_has_a_scale() -> None:
    assert (span_of(F1), span_of(EDITS), span_of(TAU)) == (UNIT, (0.0, 50.0), (-1.0, 1.0))
    assert span_of(MetricRow("Nothing", None)) == UNIT
    assert common_span((F1, F1, EDITS)) == UNIT and common_span((EDITS,)) == (0.0, 50.0)


def test_the_scale_names_as_many_numbers_as_have_room(themed: QApplication) -> None:
    font = themed.font()
    assert ticks(UNIT, font, 300) == [(0.0, "0"), (0.25, "0.25"), (0.5, "0.5"), (0.75, "0.75"), (1.0, "1")]
    assert [words for _at, words in ticks((0.0, 50.0), font, 80)] in (["0", "25", "50"], ["0", "50"])
    assert ticks((-1.0, 1.0), font, 300)[0] == (0.0, "−1")
    assert ticks(UNIT, font, QFontMetrics(font).horizontalAdvance("0") / 2) == []
