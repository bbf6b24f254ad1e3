from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from stepscope.widgets import theme
from stepscope.widgets.common import ShownVerdict
from stepscope.widgets.library import (
    EpisodeListRow,
    EpisodeSort,
    EpisodesView,
    FilterProblem,
    ListOrder,
)


def episode(place: int) -> EpisodeListRow:
    verdicts = ((ShownVerdict.HIT, ShownVerdict.MISS, ShownVerdict.MALFORMED),)
    return EpisodeListRow(place, f"e{place}", f"Goal {place}", "Spotify", 3, "infeasible", "premature", 1, 0, verdicts)


@pytest.fixture
def view(qtbot: QtBot, themed: object) -> EpisodesView:
    shown = EpisodesView()
    qtbot.addWidget(shown)
    shown.resize(336, 600)
    shown.page_wanted.connect(lambda o, n: shown.set_page(o, [episode(place) for place in range(o, o + n)]))
    shown.show()
    qtbot.waitExposed(shown)
    return shown


def words_on(view: EpisodesView) -> str:
    page = view.list.parentWidget().currentWidget()
    return page.words() if hasattr(page, "words") else type(page).__name__


def test_clicking_a_row_chooses_its_episode_once(view: EpisodesView, qtbot: QtBot) -> None:
    view.set_counts(3000, 5000)
    qtbot.waitUntil(lambda: view.model.peek(3) is not None)
    chosen: list[tuple[int, str]] = []
    view.episode_chosen.connect(lambda position, name: chosen.append((position, name)))
    place = view.list.visualRect(view.model.index(3, 0)).center()
    qtbot.mouseClick(view.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert chosen == [(3, "e3")]
    qtbot.keyClick(view.list, Qt.Key.Key_Down)
    assert chosen == [(3, "e3"), (4, "e4")]


def test_a_row_that_is_still_being_read_is_chosen_when_it_comes(view: EpisodesView, qtbot: QtBot) -> None:
    view.set_counts(3000, 3000)
    qtbot.waitUntil(lambda: view.model.peek(0) is not None)
    with qtbot.waitSignal(view.episode_chosen) as chosen:
        view.list.setFocus()
        qtbot.keyClick(view.list, Qt.Key.Key_End)
    assert chosen.args == [2999, "e2999"]


def test_choosing_from_outside_tells_nobody(view: EpisodesView, qtbot: QtBot) -> None:
    view.set_counts(100, 100)
    qtbot.waitUntil(lambda: view.model.peek(7) is not None)
    with qtbot.assertNotEmitted(view.episode_chosen):
        view.choose(7)
    assert view.current_position() == 7
    view.mark_stale()
    assert view.current_position() == 7


def test_the_filter_is_told_when_typing_rests_and_at_once_on_enter(view: EpisodesView, qtbot: QtBot) -> None:
    view.set_counts(100, 100)
    with qtbot.waitSignal(view.filter_changed, timeout=2000) as told:
        qtbot.keyClicks(view.filter.line, "app:x")
    assert told.args == ["app:x"]
    with qtbot.waitSignal(view.filter_changed, timeout=50) as told:
        qtbot.keyClicks(view.filter.line, "y")
        qtbot.keyClick(view.filter.line, Qt.Key.Key_Return)
    assert told.args == ["app:xy"]


def test_a_wrong_filter_offers_what_may_have_been_meant(view: EpisodesView, qtbot: QtBot) -> None:
    view.set_counts(14, 100)
    view.set_filter("app:spotify stepps>8")
    view.set_filter_error(FilterProblem("No field “stepps”.", 12, 6, "steps", 14))
    assert view.filter.message() == "No field “stepps”. Did you mean steps?"
    with qtbot.waitSignal(view.filter_changed) as told:
        qtbot.mouseClick(view.filter._suggestion, Qt.MouseButton.LeftButton)
    assert told.args == ["app:spotify steps>8"]
    assert view.filter.message() == ""


def test_empty_loading_and_partial_states_say_what_is(view: EpisodesView, qtbot: QtBot) -> None:
    assert "Nothing is open" in words_on(view)
    view.set_loading("Reading MoTIF: 1,240 episodes")
    assert words_on(view) == "LoadingRows"
    view.set_loading("")
    view.set_counts(0, 965)
    assert words_on(view) == "No episode matches 965 episodes are open; the filter leaves none."
    view.set_filter("app:none")
    with qtbot.waitSignal(view.filter_changed) as told:
        view._no_match.pressed.emit("clear")
    assert told.args == [""]
    view.set_partial(12, 495)
    assert "12 of 495 skipped" in view._partial.words()
    with qtbot.waitSignal(view.problems_requested):
        qtbot.mouseClick(view._partial, Qt.MouseButton.LeftButton)


def test_the_order_is_told_once(view: EpisodesView, qtbot: QtBot) -> None:
    view.set_counts(10, 10)
    with qtbot.waitSignal(view.order_changed) as told:
        qtbot.keyClick(view.sorting._button, Qt.Key.Key_Right)
    assert told.args == [ListOrder(EpisodeSort.GOAL)]
    with qtbot.assertNotEmitted(view.order_changed):
        view.set_order(ListOrder(EpisodeSort.FIRST_WRONG))


def test_a_hit_is_painted_as_a_dot_in_the_themes_colour(view: EpisodesView, qtbot: QtBot) -> None:
    view.set_counts(10, 10)
    qtbot.waitUntil(lambda: view.model.peek(0) is not None)
    row = view.list.visualRect(view.model.index(0, 0))
    picture = view.list.viewport().grab(row).toImage()
    colours = {picture.pixelColor(x, y).name() for x in range(picture.width()) for y in range(picture.height())}
    now = theme.current()
    assert {QColor(now.hit).name(), QColor(now.warn).name()} <= colours
