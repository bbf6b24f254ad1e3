"""The coordinate check in Results: a run in the wrong space is seen, and its answers read again without asking."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor

from stepscope.core.store import queries
from stepscope.models.chat import servers
from stepscope.widgets import theme
from stepscope.widgets.inspector.cards import RunCardView
from stepscope.widgets.results.leaderboard_values import BoardRow
from stepscope.widgets.results.rule_bar import COORDINATES, SUMMARY
from stepscope.widgets.start.recent_lists import RecentRunEntry
from tests.app.cli.test_agents_run import answers_in_thousandths, rows  # noqa: F401 - a fixture
from tests.app.gui.conftest import OpenWindow, Person
from tests.models.chat.conftest import ring, stage  # noqa: F401 - fixtures
from tests.models.chat.faults import Stage

pytestmark = pytest.mark.needs("openai")

MODEL = "served:lab/Qwen2.5-VL-7B#automation"


@pytest.fixture
def person_with_run(
    open_window: OpenWindow, rows: Path, stage: Stage, ring: object  # noqa: F811 - fixtures
) -> Person:  # fmt: skip
    """Who evaluated a model that speaks in thousandths and is taken for one that says pixels of the picture."""
    stage.plays(*answers_in_thousandths())
    servers.add(stage.server(model="Qwen2.5-VL-7B", parallel=1))
    person = open_window(rows)
    person.choose("evaluate.automation")
    model = person.window.evaluate.fields.model
    person.until(lambda: model.findData(MODEL) >= 0, "the server's agent")
    person.evaluate(MODEL, "aitw")
    person.choose("workspace.results")
    person.settle()
    return person


def test_a_run_in_the_wrong_space_is_seen_and_read_again(person_with_run: Person, stage: Stage) -> None:  # noqa: F811
    person, view = person_with_run, person_with_run.window.results
    place = view.rule_bar.tabs
    assert any(place.isTabVisible(n) and place.tabData(n) == COORDINATES for n in range(place.count()))
    first, asked = person.bench.results.current.id, len(stage.seen)
    view.show_page(COORDINATES)
    page = view.coordinates
    person.until(lambda: page.model.rowCount(), "the spaces")
    person.settle()
    assert "fit 0 – 1000, not pixels of the picture sent" in page.told()
    assert "24 of 24 points right" in page.told() and "nothing is asked again" in page.told()
    rows_shown = [page.model.row(n) for n in range(page.model.rowCount())]
    assert (rows_shown[0].id, rows_shown[0].note, rows_shown[0].better) == ("thousand", "fits best", True)
    assert [one.id for one in rows_shown if one.chosen] == ["adapter"]
    assert page.read.isVisible() and page.read.text() == "Read again as 0 – 1000"
    assert page.examples.model.rowCount() > 0 and page.examples.model.row(0).better
    example = page.examples.example
    person.until(lambda: not example.image.isNull(), "the screen of the first step that would turn")
    first_turn = page.examples.model.row(0)
    assert first_turn.now_at is None and first_turn.then_at == pytest.approx((140 / 280, 55 / 588), abs=0.002)
    assert example.accessibleName() == "Tap Row 0, said 500, 94: nowhere as read now, 140, 55 then, right then"
    drawn = example.grab().toImage()
    place = example.place_of(first_turn.then_at).toPoint()
    run_a = theme.current().run_colour(0)
    near = {drawn.pixelColor(place.x() + x, place.y() - 7).name() for x in range(-2, 3)}
    assert QColor(run_a).name() in near, "a filled mark of the run lies where the point would be"
    person.press("J", page.examples.table)
    assert page.examples.table.currentIndex().row() == 1 and example.accessibleName().startswith(
        "Tap Row 1, said 500, 196"
    )
    person.press("K", page.examples.table)
    assert page.preview.lines() == [
        "Points right 0 → 24", "Step accuracy 0.200 → 1.000",
        "Whole episodes right 0 of 3 → 3 of 3", "Malformed 24 → 0",
    ]  # fmt: skip
    assert page.preview.better.text() == "✓ wrong, then right 24" and page.preview.worse.text().endswith("wrong 0")
    across, down = page.said
    assert across.span_words() == "500 to 500" and down.span_words() == "94 to 808"
    assert across.accessibleDescription().endswith("0 – 1000 ends at 1,000; Pixels of the picture sent ends at 280")
    assert sum(down.counts()) == 24 and down.top == 1000
    if folder := os.environ.get("STEPSCOPE_PICTURES"):
        person.window.resize(1600, 1000)
        person.settle()
        person.window.grab().save(f"{folder}/coordinates.png")
    swapped = next(n for n, one in enumerate(rows_shown) if one.id == "swapped")
    page.table.setCurrentIndex(page.model.index(swapped, 0))
    assert page.read.text() == "Read again as x and y swapped" and "0 → 0" in page.preview.lines()[0]
    person.selection.show_run("another")
    assert page.read.text() == "Read again as x and y swapped", "another run's letter changes nothing here"
    person.selection.hide_run("another")
    page.table.setCurrentIndex(page.model.index(0, 0))
    page.examples.table.opened.emit(page.examples.model.index(0, 0))
    person.settle()
    assert person.selection.episode is not None and person.selection.episode.id == page.examples.model.row(0).episode

    person.choose("workspace.results")
    view.show_page(COORDINATES)
    person.settle()
    person.window.runs.renamed.emit(first, "Juniper 2B")
    person.selection.show_run(first)
    person.settle()
    person.click(page.read)
    results = person.bench.results
    person.until(lambda: results.current and results.current.id != first, "the reading")
    person.settle()
    made = results.current.id
    assert results.current.spec.model == f"{MODEL}?space=thousand"
    assert len(stage.seen) == asked, "nothing was asked"
    with person.bench.context.database.reading() as db:
        items = queries.items(db, made, limit=None).rows
    assert len(items) == 30 and all(one.score.right for one in items)
    assert "read again as 0 – 1000, chosen by hand" in results.current.note
    person.until(lambda: "fits as well as any" in page.told(), "the check of the reading")
    assert not page.read.isVisible()
    assert results.name_of(made) == "Juniper 2B" and person.selection.letter_of(made) == "A"
    assert [run.labels.archived for run in map(results.run_of, (made, first))] == [False, True]
    assert doubt(person, first) == "", "what is put away is not doubted"

    person.press("Ctrl+Z")
    person.until(lambda: results.current.id == first and doubt(person, first), "the former reading, doubted as before")
    person.settle()
    assert person.selection.letter_of(first) == "A" and not person.selection.letter_of(made)
    assert [run.labels.archived for run in map(results.run_of, (made, first))] == [True, False]
    assert "fit 0 – 1000" in page.told()
    person.press("Ctrl+Y")
    person.until(lambda: results.current.id == made, "the reading again")
    person.settle()
    assert person.selection.letter_of(made) == "A" and results.name_of(made) == "Juniper 2B"
    assert [run.labels.archived for run in map(results.run_of, (made, first))] == [False, True]


def doubt(person: Person, run: str) -> str:
    """What the list of runs says of one."""
    return next(row.doubt for row in person.bench.results.rows() if row.id == run)


def test_a_run_that_may_be_misread_is_marked_in_every_list_until_somebody_says_it_is_right(
    person_with_run: Person,
    open_window: OpenWindow,
    stage: Stage,  # noqa: F811 - a fixture
) -> None:
    person, view = person_with_run, person_with_run.window.results
    run, asked = person.bench.results.current.id, len(stage.seen)
    person.until(lambda: doubt(person, run), "the check, which nobody asked for")
    words = "may be misread: 24 of 24 places would be right as 0 – 1000, 0 are now"
    runs = person.window.runs
    assert doubt(person, run) == words and len(stage.seen) == asked
    assert words in runs.model.index_of(run).data(Qt.ItemDataRole.AccessibleTextRole)
    assert runs.doubts.isVisibleTo(runs) and runs.doubts.text() == "1 run may be misread"
    if folder := os.environ.get("STEPSCOPE_PICTURES"):
        person.window.grab().save(f"{folder}/misread.png")
    person.choose("results.view")
    person.settle()
    (row,) = (one for one in view.board.table.board.content.rows if isinstance(one, BoardRow))
    assert ("may be misread", "warn") in row.badges and words in row.whole
    person.choose("view.start")
    person.settle()
    entries = person.window.findChildren(RecentRunEntry)
    assert [words in one.accessibleName() for one in entries] == [True]

    person.selection.show_run(run)
    person.choose("workspace.replay")
    person.settle()
    strip = person.window.timeline.strip
    tips = [strip.tip_at(20, y) for y in range(0, strip.viewport().height(), 4)]
    assert any(words in tip for tip in tips), "at its lane's name"
    (card,) = person.window.inspector.findChildren(RunCardView)
    assert card.accessibleName().count("lies outside the resized space") == 1, "said once"
    if folder := os.environ.get("STEPSCOPE_PICTURES"):
        person.window.grab().save(f"{folder}/misread-lane.png")
    person.choose("workspace.compare")
    person.settle()
    assert words in person.window.compared.runs.words(0, 0)
    if folder := os.environ.get("STEPSCOPE_PICTURES"):
        person.window.grab().save(f"{folder}/misread-compare.png")

    person.choose("workspace.results")
    person.click(runs.doubts)
    person.settle()
    page = view.coordinates
    assert view.page == COORDINATES and "fit 0 – 1000" in page.told()
    person.click(page.keep)
    person.settle()
    assert doubt(person, run) == "" and not runs.doubts.isVisibleTo(runs)
    assert "No list marks it any more" in page.told() and page.keep.text() == "Warn again" and page.read.isVisible()
    person.press("Ctrl+Z")
    person.settle()
    assert doubt(person, run) == words and page.keep.text() == "Keep as it is"
    person.press("Ctrl+Y")
    person.settle()
    assert doubt(person, run) == ""

    again = open_window(after=None)
    again.settle()
    assert doubt(again, run) == "" and again.bench.results.doubts[run].doubt.kept, "it is remembered"
    again.close()
    person.bench.results.reload()
    person.settle()
    assert doubt(person, run) == ""


def test_pixels_alone_can_be_tried_and_not_read_again(person) -> None:
    person.evaluate()
    person.choose("workspace.results")
    person.settle()
    view = person.window.results
    view.show_page(COORDINATES)
    person.settle()
    person.until(lambda: view.coordinates.model.rowCount(), "the spaces")
    assert "The chosen space fits as well as any" in view.coordinates.told()
    assert not view.coordinates.read.isVisible(), "its answers are no raw outputs"
    view.set_coordinates(False)
    assert view.page == SUMMARY, "a page that goes away leaves the first one"
