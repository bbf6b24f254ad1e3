"""The leaderboard in the window, by its keys: groups, ticks, what differs, names in place, export, back to one run."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from sqlalchemy import text

from stepscope.app.services.evaluation import EvaluationRequest, start
from stepscope.app.services.library import open_indexed
from stepscope.core.evaluation.comparison import compare_runs, seed_summary, siblings
from stepscope.core.progress import CancelToken
from stepscope.core.settings import store_url
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import runs
from stepscope.widgets import format as words
from stepscope.widgets.results import leaderboard_panel
from stepscope.widgets.results.leaderboard_item_model import FIRST_FURTHER, NAME, VALUE
from stepscope.widgets.results.leaderboard_values import BoardHeading, BoardRow
from stepscope.widgets.results.view_names import LEADERBOARD, RUN
from tests.app.gui.conftest import OpenWindow, Person


@pytest.fixture(scope="session")
def evaluated(shop: Path, empty_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with two seeds of random, text-match and nearest-element, all under aitw; not to be changed."""
    path = Path(shutil.copy(empty_store, tmp_path_factory.mktemp("evaluated") / empty_store.name))
    with Database.open(store_url(path)) as database:
        *_, index = open_indexed(database, shop, CancelToken())
        for model, seed in (("random", 1), ("random", 2), ("text-match", 0), ("nearest-element", 0)):
            request = EvaluationRequest("aitw", model, seed=seed)
            list(start(database, index.source, index.source_id, request).run.updates())
    return path


@pytest.fixture
def board(evaluated: Path, store: Path, shop: Path, open_window: OpenWindow) -> Person:
    """The person in front of the leaderboard of these runs, which take longer to make than most tests."""
    shutil.copy(evaluated, store)
    person = open_window(shop)
    person.choose("workspace.results")
    person.settle()
    person.choose("results.view")
    person.settle()
    return person


def view(person):
    return person.window.results.board


def rows(person) -> list[BoardRow]:
    return [row for row in view(person).table.board.content.rows if isinstance(row, BoardRow)]


def put_on(person, name: str) -> BoardRow:
    """The keyboard's mark on the row of this name."""
    table = view(person).table
    place = next(n for n in range(table.board.rowCount()) if getattr(table.board.content.rows[n], "name", "") == name)
    table.setFocus()
    table.setCurrentIndex(table.board.index(place, NAME))
    return table.current_run


def test_runs_are_ranked_ticked_and_compared_as_the_command_does(board) -> None:
    database = board.bench.context.database
    found = rows(board)
    values = [row.number for row in found]
    assert len(found) == 3 and values == sorted(values, reverse=True)
    random = next(row for row in found if row.name == "random")
    with database.reading() as db:
        run = runs.get(db, random.key[0])
    summary = seed_summary(database, [run.id, *(other.id for other in siblings(database, run))])
    over = dict(summary.metrics)["step_accuracy"]
    assert random.number == pytest.approx(over.mean)
    assert all(row.settings.startswith("usual settings") for row in found), "nothing tells them apart but their model"
    board.window.resize(1024, 680)
    board.settle()
    assert view(board).table.verticalScrollBar().maximum() == 0, "the rows have their room before the plot"
    assert random.badges[0][0] == f"2 seeds, SD {words.score(over.deviation)}"
    for name in ("text-match", "nearest-element"):
        put_on(board, name)
        QTest.keyClick(view(board).table, Qt.Key.Key_Space)
    board.settle()
    keys = [row.key[0] for row in rows(board) if row.ticked]
    assert len(keys) == 2
    gap = next(one for one in compare_runs(database, *keys).differences if one.metric == "step_accuracy")
    shown = view(board).differences
    board.until(lambda: words.signed(gap.difference) in shown.words(), "the paired difference")
    assert words.p_value(gap.p) in shown.words() and "Model\ttext-match\tnearest-element\tmodel" in shown.words()
    assert "Tap" in shown.words(), "where it lies"
    board.press("D")
    assert board.window.focusWidget() is shown.copy, "what differs comes to the front"


def test_two_seeds_are_two_rows_when_asked_for_and_points_are_rows(board) -> None:
    table, panel = view(board).table, board.bench.leaderboard._panel
    board.until(lambda: view(board).over_time is not None, "the plot")
    points = view(board).over_time.plot._points
    assert len(points) == 4, "each seed is a point"
    point = next(one for _x, one in points if one.name == "text-match")
    view(board).point_chosen.emit(point.key)
    assert table.current_run.name == "text-match"
    panel.options["seeds"].setChecked(False)
    board.settle()
    settings = sorted(row.settings.split(" · ")[0] for row in rows(board) if row.name == "random")
    assert settings == ["seed 1", "seed 2"]


def test_f2_and_pin_act_on_the_focused_row(board) -> None:
    database = board.bench.context.database
    row = put_on(board, "nearest-element")
    board.press("F2")
    board.settle()
    editor = view(board).table.findChildren(QLineEdit)[-1]
    editor.selectAll()
    QTest.keyClicks(editor, "The floor")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    board.settle()

    def stored() -> tuple[str, bool]:
        with database.reading() as db:
            labels = runs.get(db, row.key[0]).labels
        return labels.name, labels.pinned

    board.until(lambda: stored() == ("The floor", False), "the name")
    board.until(lambda: any(one.name == "The floor" for one in rows(board)), "the name in the table")
    put_on(board, "The floor")
    board.press("Shift+P")
    board.until(lambda: stored() == ("The floor", True), "the pin")
    board.settle()
    assert rows(board)[0].name == "The floor", "pinned first"
    board.press("Ctrl+Z")
    board.until(lambda: stored() == ("The floor", False), "the pin undone")


def test_another_rule_is_a_group_of_its_own_and_enter_opens_the_run_under_it(board) -> None:
    results = board.bench.results
    put_on(board, "text-match")
    run = view(board).table.current_run.key[0]
    QTest.keyClick(view(board).table, Qt.Key.Key_Return)
    board.settle()
    assert board.window.results.view == RUN and results.current.id == run
    board.choose("run.rescore_all")
    board.settle()
    board.choose("results.view")
    board.settle()
    headings = [row for row in view(board).table.board.content.rows if isinstance(row, BoardHeading)]
    assert len(headings) > 2 and not any(one.badge for one in headings), "this data is no sample"
    again = next(row for row in rows(board) if row.settings.startswith("the same answers, scored again"))
    view(board).table.choose(again.key)
    table = view(board).table
    table.setFocus()
    QTest.keyClick(table, Qt.Key.Key_Left)
    QTest.keyClick(table, Qt.Key.Key_Left)
    board.settle()
    assert again.key not in [row.key for row in rows(board)], "its group is closed"
    QTest.keyClick(table, Qt.Key.Key_Right)
    board.settle()
    table.choose(again.key)
    QTest.keyClick(table, Qt.Key.Key_Return)
    board.settle()
    assert results.current.id == again.key[0] and results.results.scoring_id == again.key[1]
    board.press("Alt+Left")
    board.settle()
    assert board.window.results.view == LEADERBOARD, "back leads to it"


def test_columns_by_keys_and_what_is_seen_is_copied(board) -> None:
    panel, table = board.bench.leaderboard._panel, view(board).table
    before = [column.id for column in table.board.content.columns]
    panel.columns.setFocus()
    panel.columns.setCurrentRow(0)
    held = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    QTest.keyClick(panel.columns, Qt.Key.Key_Down, held)
    board.settle()
    assert [column.id for column in table.board.content.columns][:2] == before[1::-1]
    QTest.keyClick(panel.columns, Qt.Key.Key_Space)
    board.settle()
    assert before[0] not in [column.id for column in table.board.content.columns]
    view(board).export_chosen.emit("copy markdown")
    copied = QGuiApplication.clipboard().text()
    assert "| Run | Settings | Step accuracy | 95 % interval |" in copied and "version" in copied
    assert copied.count("\n| ") == 5, "head, line and three rows, each with n"
    panel.filter_changed.emit("text")
    board.settle()
    assert [row.name for row in rows(board)] == ["text-match"]


def test_one_run_alone_says_what_to_do(person) -> None:
    person.evaluate("text-match", "aitw")
    person.choose("workspace.results")
    person.choose("results.view")
    person.settle()
    person.until(lambda: view(person)._alone.isVisible(), "the hint")
    assert "Add a second run to compare" in view(person)._alone.words()
    model = view(person).table.board
    assert words.score(rows(person)[0].number) == model.index(1, VALUE).data()


def test_a_new_run_opens_on_its_summary_and_its_items_by_their_goals(person) -> None:
    person.evaluate("text-match", "aitw")
    person.window.results.show_page("items")
    person.settle()
    first = person.window.results.items.peek(0)
    assert first is not None and first.goal and first.goal != first.episode
    person.evaluate("random", "aitw")
    person.choose("run.show_ended")
    person.settle()
    assert person.window.results.page == "summary"


def test_episodes_without_truth_for_the_task_are_refused_before_the_start(person) -> None:
    person.choose("evaluate.automation")
    person.settle()
    database, source = person.bench.context.database, person.selection.source
    with database.unit_of_work() as db:
        query = "UPDATE episode SET action_count = 0, checked = 1 WHERE source_id = :source"
        db.execute(text(query), {"source": source.id})
    form = person.window.evaluate
    form.fields.seed.setValue(7)
    person.settle()
    person.until(lambda: "None of the chosen episodes has a recorded action" in form.problem(), "the refusal")
    assert not form._run.isEnabled()


def test_the_leaderboard_is_there_again_at_the_next_start(board, open_window) -> None:
    board.bench.leaderboard._panel.options["pinned"].setChecked(False)
    bars(board)
    board.settle()
    board.close()
    again = open_window()
    again.settle()
    again.choose("workspace.results")
    again.settle()
    assert again.window.results.view == LEADERBOARD and len(rows(again)) == 3
    assert len(view(again).bars._found.bars) == 3, "as bars"
    assert not again.bench.leaderboard._panel.options["pinned"].isChecked()
    assert again.window.is_dock_hidden("selection")
    again.window.results.board.switch.chosen.emit(RUN)
    again.settle()
    assert again.window.results.view == RUN


def test_columns_without_room_are_told_in_their_list(board) -> None:
    panel = board.bench.leaderboard._panel.columns
    board.window.resize(1600, 1000)
    panel.show_all()
    board.settle()
    board.window.resize(1024, 680)
    board.until(lambda: bool(view(board).table.without_room), "columns give way")
    squeezed = {item.data(leaderboard_panel.ScopeRole) for item in panel._items() if item.toolTip()}
    assert squeezed == set(view(board).table.without_room)
    table = view(board).table
    hidden = [
        column.id
        for place, column in enumerate(table.board.content.columns, start=FIRST_FURTHER)
        if table.isColumnHidden(place)
    ]
    assert set(hidden) == squeezed


def bars(board):
    """The card of bars, from the menu."""
    board.choose("results.bars")
    board.settle()
    card = view(board).bars
    assert card is not None and card.isVisible()
    return card


def test_runs_as_bars_have_the_numbers_of_the_table(board) -> None:
    numbers = {row.name: (row.number, row.bounds, row.dots) for row in rows(board)}
    put_on(board, "text-match")
    card = bars(board)
    shown = card._found
    assert {bar.label: (bar.value, bar.interval, bar.seeds) for bar in shown.bars} == numbers
    assert [bar.value for bar in shown.bars if not bar.is_baseline] == sorted(
        (bar.value for bar in shown.bars if not bar.is_baseline), reverse=True
    )
    assert not view(board).differs.isVisible(), "it is about the table"
    place = next(n for n in range(card.baseline_box.count()) if card.baseline_box.itemText(n) == "random")
    card.baseline_box.setCurrentIndex(place)
    card.baseline_box.activated.emit(place)
    board.settle()
    first = card._found.bars[0]
    assert (first.label, first.is_baseline, len(first.seeds)) == ("random", True, 2)
    assert "mean of 2 seeds" in first.words and "Baseline" in first.words
    gap = numbers["text-match"][0] - numbers["random"][0]
    assert any(f"{words.signed(gap)} to the baseline" in bar.words for bar in card._found.bars)
    card.order.chosen.emit("name")
    board.settle()
    assert [bar.label for bar in card._found.bars] == ["random", "nearest-element", "text-match"]
    board.choose("results.bars")
    board.settle()
    assert view(board).table.isVisible() and not card.isVisible(), "the same once more is the table"


def test_ticked_runs_alone_are_bars_and_enter_opens_one(board) -> None:
    for name in ("nearest-element", "text-match"):
        put_on(board, name)
        QTest.keyClick(view(board).table, Qt.Key.Key_Space)
    board.settle()
    card = bars(board)
    assert [(bar.label, bar.is_baseline) for bar in card._found.bars] == [
        ("nearest-element", True),
        ("text-match", False),
    ]
    place = next(n for n in range(card.metrics_box.count()) if card.metrics_box.itemData(n) != card._found.metric)
    card.metrics_box.setCurrentIndex(place)
    card.metrics_box.activated.emit(place)
    board.settle()
    assert card._found.metric == card.metrics_box.itemData(place)
    assert board.window.focusWidget() is card.plot, "the keys go to the bars"
    QTest.keyClick(card.plot, Qt.Key.Key_Down)
    assert card.plot.current() == 1 and card.plot.accessibleDescription().startswith("text-match")
    QTest.keyClick(card.plot, Qt.Key.Key_Return)
    board.settle()
    assert board.window.results.view == RUN
    assert board.bench.results.current.spec.model == "text-match"


def test_bars_as_a_picture_and_as_numbers(board, pick, tmp_path) -> None:
    card = bars(board)
    assert [action.text() for action in view(board).export_menu().actions()] == [
        "&Picture of the Bars…",
        "&CSV of the Bars…",
    ]
    pick(tmp_path / "bars.csv")
    view(board).export_chosen.emit("bars csv")
    board.settle()
    with (tmp_path / "bars.csv").open(encoding="utf-8") as stream:
        lines = list(csv.DictReader(stream))
    shown = card._found.bars
    assert [(line["name"], float(line["value"])) for line in lines] == [(bar.label, bar.value) for bar in shown]
    assert {line["metric"] for line in lines} == {card._found.metric}
    pick(tmp_path / "bars.png")
    view(board).export_chosen.emit("bars picture")
    board.settle()
    image = QImage(str(tmp_path / "bars.png"))
    assert image.width() == 2 * card.plot.width() and image.height() > 2 * card.plot.height()
    middle = card.plot.place(0).center().toPoint()
    top = image.height() // 2 - card.plot.height()
    left = round(card.plot.pixel(0, 0).x()) + 4
    on_screen, in_file = card.plot.grab().toImage(), QPoint(2 * left, 2 * (top + middle.y() - 5))
    expected = on_screen.pixelColor(QPoint(left, middle.y() - 5))
    assert image.pixelColor(in_file) == expected, "bars stand in the file where they do on the screen"
    assert expected != on_screen.pixelColor(QPoint(left, on_screen.height() - 1)), "that is a bar"
