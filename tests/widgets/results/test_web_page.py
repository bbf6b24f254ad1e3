from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from stepscope.app.gui.shell.theme import apply_theme
from stepscope.widgets.plot_library import plot_library
from stepscope.widgets.results.breakdown_pages import Breakdown
from stepscope.widgets.results.results_view import ResultsView
from stepscope.widgets.results.rule_bar import APPS, FIELDS, PAGES, SUMMARY
from stepscope.widgets.results.web_page import WebResultsPage
from stepscope.widgets.results.web_values import (
    SettingLine,
    SettingPoint,
    TaskPlane,
    TaskPoint,
    WebResults,
    WebScoreRow,
)
from stepscope.widgets.theme import LIGHT

LINES = (
    SettingLine(
        "full HTML, text only",
        (
            SettingPoint(0, 0.2, (0.1, 0.3), "first", "r0"),
            SettingPoint(3, 0.4, (0.3, 0.5), "second", "r3", current=True),
        ),
    ),
    SettingLine("full <HTML>, with pictures", (SettingPoint(3, 0.6, None, "third", "v3"),)),
)
PLANE = TaskPlane(
    "Text against vision, task by task",
    "text only",
    "with pictures",
    (
        TaskPoint("Rate", 0.2, 0.8, 20, (0.3, 0.9), True, "rate"),
        TaskPoint("Align", 0.5, 0.5, 10, None, False, "align"),
        TaskPoint("Also", 0.5, 0.5, 1, None, False, "also"),
    ),
)
WEB = WebResults(
    types=(WebScoreRow("radio", 0.5, key="radio", amount=7), WebScoreRow("text", 0.3, key="text", amount=1_200)),
    tasks=(WebScoreRow("Rate", 0.5, key="rate"), WebScoreRow("Align", 0.1, key="align")),
    known=(
        WebScoreRow("A m", 0.3),
        WebScoreRow("Do nothing", 0.1, key="r0"),
        WebScoreRow("GPT-4 *", 0.393, tip="paper"),
    ),
    lines=LINES,
    lines_note="Runs of m.",
    plane=PLANE,
    plane_note="Filled.",
    run=1,
)


@pytest.fixture
def page(qtbot: QtBot, themed: object) -> WebResultsPage:
    plot_library().finish()
    shown = WebResultsPage()
    qtbot.addWidget(shown)
    shown.resize(1000, 900)
    shown.set_breakdown(Breakdown(web=WEB))
    shown.show()
    qtbot.waitExposed(shown)
    qtbot.waitUntil(lambda: shown.demos is not None)
    return shown


def at(page: WebResultsPage, number: int) -> QPoint:
    return page.plane.plot.place(number).toPoint()


def test_the_page_says_how_much_it_is_of(page: WebResultsPage) -> None:
    assert page.types.detail.text() == "1,207 fields" and page.tasks.detail.text() == "2 tasks"
    assert [row.label for row in page.tasks.shown()] == ["Align", "Rate"], "the worst first"
    assert [row.label for row in page.known.shown()] == ["A m", "Do nothing", "GPT-4 *"]


def test_types_and_tasks_choose_pages_and_runs_are_opened(page: WebResultsPage, qtbot: QtBot) -> None:
    chosen, opened = [], []
    page.chosen.connect(chosen.append)
    page.run_opened.connect(opened.append)
    for rows, place in ((page.types.rows, 1), (page.tasks.rows, 0), (page.known.rows, 1), (page.known.rows, 2)):
        qtbot.mouseClick(rows, Qt.MouseButton.LeftButton, pos=rows.tile(place, 0).center().toPoint())
    assert chosen == ["text", "align"] and opened == ["r0"], "a paper's number is no run"


def test_a_point_of_the_plane_chooses_its_task_and_a_second_click_the_one_below(
    page: WebResultsPage, qtbot: QtBot
) -> None:
    plot, chosen = page.plane.plot, []
    page.chosen.connect(chosen.append)
    for place in (at(page, 0), at(page, 1), at(page, 1), at(page, 1)):
        qtbot.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert chosen == ["rate", "align", "also", "align"]
    assert plot.words_at(plot.place(0)) == (
        "Rate: 0.200 across, 0.800 up, +0.600 (95 % +0.300 to +0.900), 20 pages, notably apart"
    )
    assert plot.words_at(plot.place(1)).split("\n") == [
        "Align: 0.500 across, 0.500 up, +0.000, 10 pages",
        "Also: 0.500 across, 0.500 up, +0.000, 1 page",
    ]
    assert plot.words_at(plot.pixel(0.9, 0.1)) == ""


def test_points_by_keyboard(page: WebResultsPage, qtbot: QtBot) -> None:
    plot, chosen = page.plane.plot, []
    page.chosen.connect(chosen.append)
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Return):
        qtbot.keyClick(plot, key)
    assert chosen == ["also"] and plot.current() == 2
    assert plot.accessibleDescription().startswith("Also: 0.500")


def test_a_point_over_demonstrations_opens_its_run(page: WebResultsPage, qtbot: QtBot) -> None:
    plot, opened = page.demos.plot, []
    page.run_opened.connect(opened.append)
    qtbot.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=plot.pixel(3, 0.6).toPoint())
    assert opened == ["v3"]
    assert plot.words_at(plot.pixel(0, 0.2)) == (
        "full HTML, text only, 0 demonstrations: 0.200, 95 % interval 0.100 – 0.300\nfirst"
    )


def test_the_line_of_the_run_shown_has_its_colour(page: WebResultsPage, themed: QApplication) -> None:
    apply_theme(themed, LIGHT)
    names = dict(page.demos.plot.names())
    assert names["full HTML, text only"] == LIGHT.run_b != names["full <HTML>, with pictures"]
    assert "full &lt;HTML&gt;" in page.demos.legend.text() and LIGHT.run_b in page.demos.legend.text()


def test_without_runs_to_draw_the_notes_say_why(page: WebResultsPage) -> None:
    page.set_breakdown(Breakdown(web=WebResults(lines_note="No demonstrations.", plane_note="No pictures.")))
    assert not page.plane.plot.isVisible() and page.plane.note.text() == "No pictures."
    assert not page.demos.plot.isVisible() and page.demos.note.text() == "No demonstrations."
    assert not page.export.isEnabled() and not page.demos.legend.isVisible()
    QApplication.processEvents()
    assert page.plane.title.y() < 20 and page.plane.note.y() < 60, "the words stand at the top"


def test_cards_stand_below_each_other_where_there_is_little_room(page: WebResultsPage, qtbot: QtBot) -> None:
    assert page.types.y() == page.known.y() and page.plane.y() == page.demos.y()
    page.resize(500, 900)
    qtbot.waitUntil(lambda: page.types.y() < page.known.y() and page.plane.y() < page.demos.y())


def test_the_tables_are_asked_for(page: WebResultsPage, qtbot: QtBot) -> None:
    with qtbot.waitSignal(page.tables_requested):
        qtbot.mouseClick(page.export, Qt.MouseButton.LeftButton)


def test_the_page_stands_in_place_of_that_of_apps(qtbot: QtBot, themed: object) -> None:
    view = ResultsView()
    qtbot.addWidget(view)

    def shown() -> set[str]:
        tabs = view.rule_bar.tabs
        return {tabs.tabData(place) for place in range(len(PAGES)) if tabs.isTabVisible(place)} & {APPS, FIELDS}

    assert shown() == {APPS}
    view.set_breakdown(Breakdown(web=WEB))
    assert shown() == {FIELDS}
    view.show_page(FIELDS)
    view.set_breakdown(Breakdown(run=2))
    assert shown() == {APPS} and view.page == SUMMARY
