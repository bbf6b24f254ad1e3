"""The centre of the Live workspace: rows, strip, card, empty state, and the room that they find."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from stepscope.app.gui.shell.theme import apply_theme
from stepscope.core.domain.geometry import Box
from stepscope.core.domain.layers import Layer
from stepscope.widgets.live.mirror import ActionCandidate, LiveCentre, Proposal
from stepscope.widgets.live.mirror.spoken import proposal_words, screen_words
from stepscope.widgets.theme import Theme
from tests.widgets.live.mirror.conftest import MENU, SCREEN, frame
from tests.widgets.live.mirror.test_touching import heard

TARGET = Box(40, 800, 1040, 1400, SCREEN)
DELIVERY = Proposal(
    0, "Choose a delivery",
    (ActionCandidate("Standard", 0.41, Box(40, 800, 1040, 1000, SCREEN)), ActionCandidate("Express", 0.33),
    ActionCandidate("In store", 0.26)),
    0.6, TARGET, "Which delivery would you like?", 6,
)  # fmt: skip


def made(qtbot: QtBot, width: int = 876, height: int = 788) -> LiveCentre:
    centre = LiveCentre()
    qtbot.addWidget(centre)
    centre.resize(width, height)
    centre.show_device("Simulated phone")
    with qtbot.waitExposed(centre):
        centre.show()
    centre.view.show_frame(frame())
    return centre


@pytest.fixture
def centre(qtbot: QtBot, themed: object) -> LiveCentre:
    return made(qtbot)


def test_without_a_phone_it_offers_the_simulated_one(qtbot: QtBot, themed: object) -> None:
    centre = LiveCentre()
    qtbot.addWidget(centre)
    assert centre.is_empty
    assert centre.empty.words() == "No phone found."
    simulated, connect = heard(centre.simulated_wanted), heard(centre.connect_wanted)
    buttons = {button.text(): button for button in centre.empty.findChildren(QPushButton)}
    buttons["Use the simulated phone"].click()
    buttons["Connect…"].click()
    assert (simulated, connect) == ([()], [()])
    assert not centre.title.record.isEnabled()
    centre.show_device("Pixel 7")
    assert not centre.is_empty
    assert centre.title.record.isEnabled()


def test_the_title_row_tells_how_the_picture_comes(centre: LiveCentre) -> None:
    title = centre.title
    title.show_counts(59.6, 24.4, 1200)
    assert title.counts_words() == "60 fps, 24 ms behind, 1,200 skipped"
    title.show_counts(0.0, None, 0)
    assert title.counts_words() == "0 fps, – ms behind, 0 skipped"
    title.show_counts(None, None, 0)
    assert title.counts_words() == ""


def test_the_record_button_has_the_time_and_says_what_it_does(centre: LiveCentre) -> None:
    title = centre.title
    title.set_recording(42.9)
    assert (title.record.text(), title.record.accessibleName()) == ("Recording 0:42", "Stop recording")
    title.set_recording(125, paused=True)
    assert title.record.text() == "Paused 2:05"
    title.set_recording(None)
    assert (title.record.text(), title.record.toolTip()) == ("Record", "Record (R)")


def test_pausing_the_picture_pauses_the_view(centre: LiveCentre) -> None:
    toggled = heard(centre.title.pause_toggled)
    centre.title.pause.click()
    assert (centre.view.is_paused, toggled) == (True, [(True,)])
    centre.show_device("Pixel 7")  # another phone is live again
    assert (centre.view.is_paused, centre.title.pause.isChecked(), len(toggled)) == (False, False, 1)


def test_strip_buttons_have_names_shortcuts_and_signals(centre: LiveCentre) -> None:
    wanted = heard(centre.strip.wanted)
    for tool in ("back", "home", "recents", "rotate", "power", "shot"):
        centre.strip.button(tool).click()
    assert [tool for (tool,) in wanted] == ["back", "home", "recents", "rotate", "power", "shot"]
    shot, keys = centre.strip.button("shot"), centre.strip.button("keys")
    assert (shot.accessibleName(), shot.toolTip()) == ("Screenshot", "Screenshot (C)")
    assert keys.toolTip() == "Keys to the phone (Ctrl+Shift+K)"


def test_what_a_phone_cannot_do_is_not_offered(centre: LiveCentre) -> None:
    centre.strip.set_enabled(on=True, without=frozenset({"power"}))
    assert not centre.strip.button("power").isEnabled()
    assert centre.strip.button("rotate").isEnabled()


def test_keys_mode_is_the_same_in_strip_view_and_hint(centre: LiveCentre) -> None:
    centre.strip.button("keys").click()
    assert centre.view.keys_mode
    assert centre.tools.hint() == "Keys go to the phone. Esc ends it."
    centre.view.set_keys_mode(False)
    assert not centre.strip.button("keys").isChecked()
    assert centre.tools.hint() == "Right click: Back. Middle click: Home."


def test_chips_show_and_hide_layers(centre: LiveCentre) -> None:
    tree = centre.tools.chip(Layer.TREE)
    assert tree is not None
    assert not tree.isChecked()
    tree.click()
    assert Layer.TREE in centre.view.overlay.layers
    centre.tools.show_only(Layer.LABELS)
    assert centre.view.overlay.layers.shown == frozenset({Layer.LABELS})
    names = [chip.accessibleName() for chip in centre.tools._chips.values()]
    assert names == ["Agent proposal layer", "UI tree layer", "Labels layer"]


def test_predictors_beside_the_agent_have_their_letters(centre: LiveCentre) -> None:
    centre.tools.set_runs(("Text match", "Grounder"), agent=1)
    first, second = centre.tools.chip(Layer.RUN_A), centre.tools.chip(Layer.RUN_B)
    assert first is not None
    assert second is not None
    assert (first.row.text, second.row.text, second.row.key) == ("A", "Agent proposal", "3")


def test_the_card_says_what_becomes_of_the_proposal(centre: LiveCentre) -> None:
    centre.set_proposal(DELIVERY)
    card = centre.card
    assert card.isVisible()
    assert (card._limit.text(), card._outcome.text()) == ("Best 0.41, limit 0.60", "Asks instead")
    sure = Proposal(0, "Tap Pay", (ActionCandidate("Pay", 0.9),), 0.6, TARGET)
    centre.set_proposal(sure)
    assert (card._limit.text(), card._outcome.text()) == ("Best 0.90, limit 0.60", "Enter approves")
    centre.set_proposal(Proposal(0, "Tap Pay", (ActionCandidate("Pay", 0.9),), waits=False))
    assert (card._limit.text(), card._outcome.text()) == ("Best 0.90", "Acts on its own")
    centre.set_proposal(None)
    assert not card.isVisible()


def test_what_a_screen_reader_says(centre: LiveCentre) -> None:
    centre.set_tree(MENU)
    said = centre.view.accessibleDescription()
    assert said == "4 elements: Standard, Express, Left, Right."
    centre.set_tree_stale(True)
    assert centre.view.accessibleDescription().endswith("The tree is older than the picture.")
    centre.set_tree(MENU)
    centre.set_proposal(DELIVERY)
    assert centre.view.accessibleDescription() == said + (
        " Run A proposes: Choose a delivery. 1 Standard 0.41, 2 Express 0.33, 3 In store 0.26."
        " Best 0.41, limit 0.60: asks instead. It asks: Which delivery would you like?"
    )
    centre.set_notice("The screen is off")
    assert centre.view.accessibleDescription().startswith("The screen is off.")


def test_words_without_a_tree_or_without_words() -> None:
    assert screen_words(None) == "The picture of the phone; no UI tree of it yet."
    assert proposal_words(None) == ""


@pytest.mark.parametrize(
    ("width", "percent"),
    [(320, 80), (876, 80), (320, 100), (480, 100), (700, 100), (1400, 100), (520, 200), (876, 200), (1400, 200)],
)
def test_nothing_covers_the_phone_at_any_width_and_text_size(
    qtbot: QtBot, themed: QApplication, width: int, percent: int
) -> None:
    apply_theme(themed, Theme.dark(), percent)
    centre = made(qtbot, width)
    centre.set_proposal(DELIVERY)
    assert centre.width() == width
    view, picture = centre.view, centre.view.viewport.picture
    phone = (view.x() + picture.left, view.y() + picture.top, view.x() + picture.right, view.y() + picture.bottom)
    for other in (centre.strip, centre.card):
        place = other.geometry()
        beside = place.right() < phone[0] or place.left() >= phone[2] or place.bottom() < phone[1]
        assert beside or place.top() >= phone[3], other
        assert centre.stack.rect().contains(place), (other, place)
    apply_theme(themed, Theme.dark())


@pytest.mark.parametrize("width", [320, 876])
def test_what_has_found_its_place_rests(
    qtbot: QtBot, themed: object, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    """Arranging asks for no new arranging."""
    centre = made(qtbot, width)
    centre.set_proposal(DELIVERY)
    for _ in range(5):
        QApplication.processEvents()
    asked: list[None] = []
    monkeypatch.setattr(centre.stack, "arrange", lambda: asked.append(None))
    for _ in range(5):
        QApplication.processEvents()
    assert asked == []
    monkeypatch.undo()
    arrange = centre.stack.arrange
    monkeypatch.setattr(centre.stack, "arrange", lambda: (asked.append(None), arrange()))
    arrange()
    for _ in range(5):
        QApplication.processEvents()
    assert asked == []
