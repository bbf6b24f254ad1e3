"""The rows over a page and the page together: task, instance, whose answers, network, actions, layers."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QSlider, QSpinBox, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from stepscope.app.gui.shell.theme import apply_theme
from stepscope.widgets.common import Badge
from stepscope.widgets.theme import Theme
from stepscope.widgets.webtask import ORACLE, PEOPLE, PERSON, YOU, BlockedHost, Runner, WebTaskCentre
from stepscope.widgets.webtask.notices import NOTHING, OWN_FILES
from tests.widgets.webtask.page_parts import blank, colour_at, heard, key, marks, seen, shown

pytestmark = pytest.mark.usefixtures("themed")

Key = Qt.Key
NORTHSTAR, PELICAN = Runner("run-1", "Northstar 7B", 0), Runner("run-2", "Pelican", 1)
RUNNERS = (PERSON, NORTHSTAR, PELICAN, PEOPLE)
FONTS = BlockedHost("fonts.test", ("style", "font"), 3, "https://fonts.test/css?family=Open")
FILES = BlockedHost("", ("document",), 1, "file:///etc/passwd")


@pytest.fixture
def make(qtbot: QtBot) -> Callable[..., WebTaskCentre]:
    def made(width: int = 900, height: int = 600) -> WebTaskCentre:
        centre = WebTaskCentre()
        shown(qtbot, centre, (width, height))
        centre.set_task("Formalize sentence", 4, 32)
        centre.set_runners(RUNNERS, YOU)
        centre.view.show_picture(blank())
        centre.set_marks(marks())
        return centre

    return made


@pytest.fixture
def centre(make: Callable[..., WebTaskCentre]) -> WebTaskCentre:
    return make()


def turn(widget: QWidget) -> None:
    place = QPointF(widget.rect().center())
    event = QWheelEvent(
        place, widget.mapToGlobal(place), QPoint(), QPoint(0, -120), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(widget, event)


# Task and instance


def test_the_row_names_the_task_and_which_of_its_pages_is_open(centre: WebTaskCentre) -> None:
    assert centre.title.name.text() == "Formalize sentence"
    assert centre.title.spin.text() == "4 of 32"
    assert centre.view.accessibleName() == "Page of Formalize sentence"


def test_a_number_that_is_typed_is_told_once_it_is_whole(centre: WebTaskCentre) -> None:
    told = heard(centre.title.instance_chosen)
    spin = centre.title.spin
    spin.setFocus()
    spin.selectAll()
    QTest.keyClicks(spin, "17")
    assert told == []
    QTest.keyClick(spin, Key.Key_Return)
    assert told == [(17,)]
    key(spin, Key.Key_Up)
    assert told == [(17,), (18,)]


def test_what_the_program_shows_is_not_told(centre: WebTaskCentre) -> None:
    told = [heard(signal) for signal in (centre.title.instance_chosen, centre.title.runner_chosen)]
    moved = heard(centre.tools.position_wanted)
    centre.set_task("Ethics", 2, 5)
    centre.set_runners(RUNNERS, ORACLE)
    centre.set_actions(3, 9)
    assert told == [[], []]
    assert moved == []


def test_paging_keys_in_the_number_are_the_windows(centre: WebTaskCentre) -> None:
    told = heard(centre.title.instance_chosen)
    key(centre.title.spin, Key.Key_PageDown)
    assert told == []
    assert centre.title.spin.value() == 4


def test_a_task_with_one_page_has_nothing_to_choose(centre: WebTaskCentre) -> None:
    centre.set_task("Own template", 1, 1)
    assert centre.title.spin.text() == "1 of 1"
    assert not centre.title.spin.isEnabled()


def test_without_a_task_there_is_a_sentence_and_what_helps(centre: WebTaskCentre) -> None:
    folder, sample, other = heard(centre.open_wanted), heard(centre.sample_wanted), heard(centre.other_wanted)
    centre.set_task("")
    assert centre.is_empty
    assert not centre.title.isVisible()
    for button in centre.empty.findChildren(QAbstractButton):
        button.click()
    assert (sample, folder, other) == ([()], [()], [])
    assert not centre.view.has_picture

    centre.set_none("MoTIF", "Own & pages")
    assert centre.is_empty and centre.elsewhere.words() == "MoTIF has no web tasks Open too: Own & pages."
    centre.elsewhere.findChildren(QAbstractButton)[0].click()
    assert other == [()]


# Whose answers


def test_choosing_a_run_is_told_and_leaves_nothing_to_submit(centre: WebTaskCentre) -> None:
    told = heard(centre.title.runner_chosen)
    assert centre.title.submit.isVisible()
    centre.title.answer_source.button("run-1").click()
    assert told == [("run-1",)]
    assert not centre.title.submit.isVisible()
    assert not centre.title.reset.isVisible()
    assert centre.title.run.property("primary") is True


def test_hands_reach_the_page_only_for_the_persons_own_answers(centre: WebTaskCentre) -> None:
    assert centre.view.is_live
    assert centre.tools.state_words() == "live"
    centre.set_runners(RUNNERS, "run-1")
    assert not centre.view.is_live
    centre.set_runners(RUNNERS, YOU)
    assert centre.view.is_live


def test_marks_have_the_colour_of_whose_answers_are_shown(centre: WebTaskCentre) -> None:
    """The first number lies left of and above its box, which begins at (100, 50) of the page."""
    found = []
    for runner in RUNNERS:
        centre.set_runners(RUNNERS, runner.key)
        place = centre.view.tags[0].place
        found.append(colour_at(seen(centre.view), round(place.left()) + 3, round(place.center().y())))
    assert found == [PERSON.colour, "#FFB020", "#FF77B7", PEOPLE.colour]


def test_runs_are_named_for_a_screen_reader(centre: WebTaskCentre) -> None:
    assert centre.title.answer_source.button("run-2").accessibleName() == "Run B, Pelican"
    assert centre.title.answer_source.button(ORACLE).accessibleName() == "Oracle"


def test_arrows_choose_the_next_one(centre: WebTaskCentre, qtbot: QtBot) -> None:
    told = heard(centre.title.runner_chosen)
    button = centre.title.answer_source.button(YOU)
    centre.activateWindow()
    button.setFocus()
    qtbot.waitUntil(button.hasFocus)
    QTest.keyClick(button, Key.Key_Right)
    assert told == [("run-1",)]


def test_buttons_tell_what_is_wanted(centre: WebTaskCentre) -> None:
    title = centre.title
    said = [heard(signal) for signal in (title.submit_wanted, title.reset_wanted, title.run_wanted)]
    for button in (title.submit, title.reset, title.run):
        button.click()
    assert said == [[()], [()], [()]]
    title.set_buttons(submit=False)
    title.submit.click()
    assert said[0] == [()]


# Network


def test_the_badge_tells_how_far_a_page_reaches(centre: WebTaskCentre) -> None:
    badge = centre.title.badge
    assert badge.accessibleName() == "network off"
    centre.set_hosts([FONTS, FILES])
    assert badge.accessibleName() == "network off, 4 requests refused"
    centre.set_hosts([BlockedHost("a.test", allowed=True), BlockedHost("b.test", ("image",), 2, "u", True), FILES])
    assert badge.accessibleName() == "2 hosts allowed, 1 request refused"


def test_hosts_are_allowed_and_forbidden_one_by_one(centre: WebTaskCentre) -> None:
    told = heard(centre.host_allowed)
    centre.set_hosts([FONTS])
    centre.title.badge.click()
    panel = centre.title.hosts
    assert panel.isVisible()
    assert all(word in panel.words() for word in ("fonts.test", "3 requests, style, font", FONTS.url))
    assert panel.button("fonts.test").text() == "Allow"
    panel.button("fonts.test").click()
    centre.set_hosts([BlockedHost("fonts.test", ("style", "font"), 3, FONTS.url, True)])
    assert panel.isVisible(), "the list stays open"
    panel.button("fonts.test").click()
    assert told == [("fonts.test", True), ("fonts.test", False)]
    key(panel, Key.Key_Escape)
    assert not panel.isVisible()


def test_files_of_this_machine_are_never_allowed(centre: WebTaskCentre) -> None:
    centre.set_hosts([FILES])
    assert OWN_FILES in centre.title.hosts.words()
    assert centre.title.hosts.button("") is None


def test_an_address_that_pages_cannot_be_let_out_to_is_only_told(centre: WebTaskCentre) -> None:
    """An IPv6 address has no name that the browser could be told."""
    centre.set_hosts([BlockedHost("::1", ("image",), 1, "http://[::1]/x"), FONTS])
    panel = centre.title.hosts
    assert not panel.button("::1").isEnabled()
    assert "IPv4" in panel.button("::1").toolTip()
    assert panel.button("fonts.test").isEnabled()


def test_where_nothing_was_refused_the_list_says_so(centre: WebTaskCentre) -> None:
    assert NOTHING in centre.title.hosts.words()


# Actions


def test_buttons_and_slider_scrub_through_the_actions(centre: WebTaskCentre) -> None:
    centre.set_runners(RUNNERS, "run-1")
    centre.set_actions(6, 9)
    tools, told = centre.tools, heard(centre.tools.position_wanted)
    assert tools.position_words() == "Action 6 of 9"
    assert tools.state_words() == "after action 6"
    tools.previous.click()
    tools.next.click()
    tools.first.click()
    assert tools.state_words() == "as loaded"
    assert not tools.previous.isEnabled()
    tools.slider.setFocus()
    QTest.keyClick(tools.slider, Key.Key_Right)
    QTest.keyClick(tools.slider, Key.Key_End)
    assert [done for (done,) in told] == [5, 6, 0, 1, 9]
    assert tools.state_words() == "as left"
    assert not tools.next.isEnabled()
    tools.step(1)
    assert len(told) == 5


def test_a_wheel_over_slider_or_number_changes_nothing(centre: WebTaskCentre) -> None:
    centre.set_actions(6, 9)
    told = [heard(centre.tools.position_wanted), heard(centre.title.instance_chosen)]
    turn(centre.tools.slider)
    turn(centre.title.spin)
    assert told == [[], []]


def test_without_actions_there_is_nothing_to_step_through(centre: WebTaskCentre) -> None:
    assert not centre.tools.slider.isVisible()
    centre.set_actions(0, 3)
    assert centre.tools.slider.isVisible()


def test_a_page_that_is_opened_says_so_until_it_is_there(centre: WebTaskCentre) -> None:
    centre.set_lost("gone")
    centre.set_busy("Opening page…")
    assert centre.tools.state_words() == "Opening page…"
    assert not centre.view.is_lost
    assert not centre.view.takes_hands
    centre.set_busy("")
    assert centre.tools.state_words() == "live"
    assert centre.view.takes_hands


def test_reload_is_wanted_from_the_lost_page(centre: WebTaskCentre) -> None:
    wanted = heard(centre.reload_wanted)
    centre.set_lost("The page did not answer.")
    centre.view.lost.pressed.emit("reload")
    assert wanted == [()]


# Layers and zoom


def test_chips_show_and_hide_what_lies_over_the_page(centre: WebTaskCentre) -> None:
    told = heard(centre.tools.layers_changed)
    centre.tools.toggle_elements()
    centre.tools.toggle_fields()
    assert told == [(True, True), (False, True)]
    assert centre.view.tags == ()
    centre.set_runners(RUNNERS, "run-2")
    assert centre.tools.layers == (False, True)
    centre.tools.fields.click()
    assert len(centre.view.tags) == 2


def test_the_zoom_is_told(centre: WebTaskCentre) -> None:
    centre.view.set_zoom(0.67)
    words = [label.text() for label in centre.tools.findChildren(QLabel)]
    assert "67 %" in words


def test_the_row_says_when_keys_go_to_the_page(centre: WebTaskCentre) -> None:
    centre.view.enter()
    assert any("Keys go to the page" in label.text() for label in centre.tools.findChildren(QLabel))
    centre.view.leave()
    assert not any("Keys go to the page" in label.text() for label in centre.tools.findChildren(QLabel))


# Room


@pytest.mark.parametrize("percent", [80, 100, 150, 200])
@pytest.mark.parametrize("width", [360, 520, 743, 1100])
@pytest.mark.parametrize("who", [YOU, "run-1"])
def test_nothing_is_cut_or_covered_at_any_width_and_text_size(
    make: Callable[..., WebTaskCentre], qtbot: QtBot, qapp: QApplication, percent: int, width: int, who: str
) -> None:
    apply_theme(qapp, Theme.dark(), percent)
    centre = make(width)
    centre.set_runners(RUNNERS, who)
    centre.set_actions(6, 9)
    centre.set_hosts([FONTS])
    with contextlib.suppress(TimeoutError):
        qtbot.waitUntil(lambda: not _misfits(centre.title) + _misfits(centre.tools), timeout=300)
    assert _misfits(centre.title) + _misfits(centre.tools) == []


def _misfits(row: QWidget) -> list[str]:
    """What of a row's parts is cut, beside it, or under another."""
    parts = [part for kind in (QAbstractButton, QSpinBox, QSlider, Badge) for part in row.findChildren(kind)]
    seen = [part for part in dict.fromkeys(parts) if part.isVisible() and part.window() is row.window()]
    places = [part.rect().translated(part.mapTo(row, QPoint())) for part in seen]
    names = [f"{type(part).__name__} {part.accessibleName()}" for part in seen]
    found = [f"{names[i]} is beside the row" for i, place in enumerate(places) if not row.rect().contains(place)]
    found += [
        f"{names[i]} is cut: {part.width()} of {part.sizeHint().width()}"
        for i, part in enumerate(seen)
        if not isinstance(part, QSpinBox | QSlider | QToolButton) and part.width() < part.sizeHint().width() - 1
    ]
    return found + [
        f"{names[i]} lies on {names[j]}" for i in range(len(seen)) for j in range(i) if places[i].intersects(places[j])
    ]
