"""Keys to the device, input methods, the keyboard alone, drops."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication, QInputMethodEvent, QKeyEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from stepscope.core.domain.geometry import Direction, Point
from stepscope.widgets.live.mirror import MirrorView
from stepscope.widgets.live.mirror.keyboard import TYPING_MS
from stepscope.widgets.live.mirror.walk import next_stop, relative, stops
from tests.widgets.live.mirror.conftest import MENU, SCREEN, frame, tree_of
from tests.widgets.live.mirror.test_painting import seen
from tests.widgets.live.mirror.test_touching import heard
from tests.widgets.screen.hands import click, is_kept, let_go, press

CONTROL, ALT, SHIFT = (
    Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ShiftModifier,
)  # fmt: skip
PLAIN = Qt.KeyboardModifier.NoModifier
Key = Qt.Key


def letter(view: MirrorView, text: str, held: Qt.KeyboardModifier = PLAIN) -> None:
    QApplication.sendEvent(view, QKeyEvent(QEvent.Type.KeyPress, 0, held, text))


@pytest.fixture
def typing(view: MirrorView) -> MirrorView:
    """Keys go to the device."""
    view.set_keys_mode(True)
    return view


def told(view: MirrorView) -> list[tuple[str, object]]:
    """What is typed, pasted and pressed, in its order."""
    said: list[tuple[str, object]] = []
    view.text_typed.connect(lambda text: said.append(("text", text)))
    view.text_pasted.connect(lambda text: said.append(("paste", text)))
    view.key_pressed.connect(lambda key: said.append(("key", key)))
    return said


def test_letters_go_as_one_text_before_the_key_behind_them(typing: MirrorView) -> None:
    said = told(typing)
    for character in "Öl's & „x“":
        letter(typing, character)
    assert said == []
    press(typing, Key.Key_Return)
    assert said == [("text", "Öl's & „x“"), ("key", "enter")]


def test_letters_go_once_typing_rests(typing: MirrorView, qtbot: QtBot) -> None:
    with qtbot.waitSignal(typing.text_typed, timeout=20 * TYPING_MS) as came:
        for character in "oil":
            letter(typing, character)
    assert came.args == ["oil"]


@pytest.mark.parametrize(
    ("key", "name"),
    [
        (Key.Key_Backspace, "del"), (Key.Key_Delete, "forward_del"), (Key.Key_Left, "dpad_left"),
        (Key.Key_Tab, "tab"), (Key.Key_Home, "move_home"), (Key.Key_Enter, "enter"), (Key.Key_PageDown, "page_down"),
    ],
)  # fmt: skip
def test_keys_have_androids_words(typing: MirrorView, key: Qt.Key, name: str) -> None:
    said = told(typing)
    press(typing, key)
    assert said == [("key", name)]


def test_alt_gr_writes_and_ctrl_does_not(typing: MirrorView) -> None:
    said = told(typing)
    letter(typing, "@", CONTROL | ALT)
    letter(typing, "a", CONTROL)
    press(typing, Key.Key_Return)
    assert said == [("text", "@"), ("key", "enter")]


def test_ctrl_v_pastes_all_lines_at_once(typing: MirrorView) -> None:
    said = told(typing)
    QGuiApplication.clipboard().setText("two\nlines 🙂")
    letter(typing, "a")
    press(typing, Key.Key_V, CONTROL)
    assert said == [("text", "a"), ("paste", "two\nlines 🙂")]


@pytest.mark.parametrize("text", ["🙂", "配送方法", "한글", "नमस्ते"])
def test_what_an_input_method_commits_is_text(typing: MirrorView, text: str) -> None:
    said = told(typing)
    composed = QInputMethodEvent("pei", [])
    QApplication.sendEvent(typing, composed)
    assert said == []
    assert typing._keyboard.composed == "pei"
    event = QInputMethodEvent("", [])
    event.setCommitString(text)
    QApplication.sendEvent(typing, event)
    assert said == [("text", text)]
    assert typing._keyboard.composed == ""


def test_an_input_method_is_asked_only_in_keys_mode(view: MirrorView) -> None:
    enabled = Qt.InputMethodQuery.ImEnabled
    assert view.inputMethodQuery(enabled) is False
    view.set_keys_mode(True)
    assert view.inputMethodQuery(enabled) is True
    assert view.testAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled)


def test_esc_leaves_keys_mode_and_what_was_typed_is_sent(typing: MirrorView) -> None:
    said, modes = told(typing), heard(typing.keys_mode_changed)
    letter(typing, "x")
    press(typing, Key.Key_Escape)
    assert (said, modes, typing.keys_mode) == ([("text", "x")], [(False,)], False)
    letter(typing, "y")
    press(typing, Key.Key_Return)
    assert said == [("text", "x")]


def test_no_shortcut_takes_a_bare_key_in_keys_mode(typing: MirrorView) -> None:
    assert all(is_kept(typing, key) for key in (Key.Key_H, Key.Key_Return, Key.Key_Escape, Key.Key_Space))
    override = QKeyEvent(QEvent.Type.ShortcutOverride, Key.Key_K, CONTROL | SHIFT)
    override.ignore()
    QApplication.sendEvent(typing, override)
    assert not override.isAccepted()  # Ctrl+Shift+K leaves the mode too
    typing.set_keys_mode(False)
    assert not is_kept(typing, Key.Key_H)
    assert not is_kept(typing, Key.Key_Return)  # Enter approves while no crosshair is there


def test_an_amber_frame_says_where_the_keys_go(view: MirrorView) -> None:
    """Around the body: 22 − 6 − 4 is 12 above the picture, two pixels wide."""
    amber = [0x4C, 0xC9, 0xF2]
    assert seen(view)[12, 200, :3].tolist() != amber
    view.set_keys_mode(True)
    rows = [y for y in range(22) if seen(view)[y, 200, :3].tolist() == amber]
    assert rows == [11, 12]


def test_a_touch_comes_behind_what_was_typed_before(typing: MirrorView, qtbot: QtBot) -> None:
    said = told(typing)
    letter(typing, "a")
    typing.tapped.connect(lambda point: said.append(("tap", point)))
    with qtbot.waitSignal(typing.tapped):
        click(typing, QPointF(200, 322))
    assert said == [("text", "a"), ("tap", Point(544, 1200, SCREEN))]


def test_arrows_lead_from_element_to_element_and_enter_taps(view: MirrorView) -> None:
    view.set_tree(MENU)
    chosen, taps = heard(view.element_chosen), heard(view.tapped)
    for key in (Key.Key_Down, Key.Key_Down, Key.Key_Down, Key.Key_Right):
        press(view, key)
    assert [index for (index,) in chosen] == [1, 2, 3, 4]
    press(view, Key.Key_Right)  # nothing lies there: it stays
    press(view, Key.Key_Return)
    assert taps == [(Point(810, 1500, SCREEN),)]
    assert view.accessibleDescription() == "Right, Button, 4 of 4."


def test_a_tree_that_is_read_again_leaves_the_crosshair_on_its_element(view: MirrorView) -> None:
    view.set_tree(MENU)
    for key in (Key.Key_Down, Key.Key_Down):
        press(view, key)
    head = ("Banner", 40, 100, 1040, 300)
    view.set_tree(tree_of(head, ("Standard", 40, 800, 1040, 1000), ("Express", 40, 1000, 1040, 1200)))
    assert view.place_words() == "Express, Button, 3 of 3."
    view.set_tree(tree_of(head))
    assert view.place_words() == "x 540, y 1100."


def test_arrows_with_ctrl_and_alt_go_along_the_tree(view: MirrorView) -> None:
    view.set_tree(MENU)
    chosen = heard(view.element_chosen)
    press(view, Key.Key_Down)
    for key in (Key.Key_Right, Key.Key_Left, Key.Key_Up, Key.Key_Down):
        press(view, key, CONTROL | ALT)
    assert [index for (index,) in chosen] == [1, 2, 1, 0, 1]


def test_every_touch_has_a_key(view: MirrorView) -> None:
    view.set_tree(MENU)
    press(view, Key.Key_Down)
    at = Point(540, 900, SCREEN)
    longs, doubles, swipes, scrolls = map(heard, (view.long_pressed, view.double_tapped, view.swiped, view.scrolled))
    press(view, Key.Key_Return, SHIFT)
    press(view, Key.Key_Return, CONTROL)
    press(view, Key.Key_Left, SHIFT)
    press(view, Key.Key_PageDown)
    press(view, Key.Key_PageUp)
    assert (longs, doubles) == ([(at,)], [(at,)])
    assert swipes == [(at, Point(0, 900, SCREEN), 300)]
    assert scrolls == [(Direction.DOWN, at), (Direction.UP, at)]


def test_without_a_tree_arrows_go_by_a_twentieth(view: MirrorView) -> None:
    taps = heard(view.tapped)
    for key in (Key.Key_Down, Key.Key_Down, Key.Key_Right):
        press(view, key)
    press(view, Key.Key_Enter)
    assert taps == [(Point(598.4, 240, SCREEN),)]


def test_the_crosshair_keeps_enter_and_esc_and_gives_them_back(view: MirrorView) -> None:
    view.set_tree(MENU)
    press(view, Key.Key_Down)
    assert is_kept(view, Key.Key_Return)
    assert is_kept(view, Key.Key_Escape)
    press(view, Key.Key_Escape)
    assert not is_kept(view, Key.Key_Return)


def test_f_fits_and_plus_and_minus_zoom(view: MirrorView) -> None:
    press(view, Key.Key_Plus)
    assert view.viewport.zoom == pytest.approx(344 / 1088)
    press(view, Key.Key_Minus)
    press(view, Key.Key_Minus)
    assert view.viewport.zoom == pytest.approx(216 / 1088)
    press(view, Key.Key_F)
    assert view.viewport.is_whole


def test_space_that_is_let_go_pans_no_more(view: MirrorView) -> None:
    press(view, Key.Key_Space)
    assert view.cursor().shape() == Qt.CursorShape.OpenHandCursor
    let_go(view, Key.Key_Space)
    assert view.cursor().shape() == Qt.CursorShape.ArrowCursor


def test_an_apk_is_taken_and_anything_else_left_to_the_window(
    make_view: Callable[..., MirrorView], tmp_path: Path
) -> None:
    view = make_view(shown=frame())
    dropped = heard(view.apk_dropped)
    for name, taken in (("shop.apk", True), ("Shop 2.APK", True), ("episodes.zip", False), ("apk", False)):
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(tmp_path / name))])
        rest = (Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, PLAIN)
        enters = QDragEnterEvent(QPoint(10, 10), *rest)
        QApplication.sendEvent(view, enters)
        assert enters.isAccepted() is taken, name
        if taken:
            QApplication.sendEvent(view, QDropEvent(QPointF(10, 10), *rest))
    assert dropped == [(str(tmp_path / "shop.apk"),), (str(tmp_path / "Shop 2.APK"),)]


def test_what_stops_the_crosshair() -> None:
    assert [element.text for element in stops(MENU)] == ["Standard", "Express", "Left", "Right"]


def test_the_nearest_that_way_is_ahead_rather_than_aside() -> None:
    start = Point(270, 1500, SCREEN)
    found = [next_stop(MENU, start, way) for way in (Direction.RIGHT, Direction.UP, Direction.DOWN)]
    assert [one.text if one else None for one in found] == ["Right", "Express", None]


def test_relatives_of_a_root_are_its_children_and_nobody_beside() -> None:
    assert relative(MENU, 0, Direction.UP) is None
    assert relative(MENU, 0, Direction.LEFT) is None
    assert [one.index if (one := relative(MENU, 0, Direction.DOWN)) else None] == [1]
