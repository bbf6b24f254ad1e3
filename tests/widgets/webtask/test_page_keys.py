"""Keys, input methods and the clipboard: what goes to a page that somebody is in, and what stays with the window."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from stepscope.core.webtask.events import KeyPress as PageKey
from stepscope.core.webtask.events import TextInput, Wheel
from stepscope.widgets.webtask import PageView
from tests.widgets.webtask.page_parts import (
    ALT,
    CONTROL,
    PLAIN,
    SHIFT,
    blank,
    click,
    clipboard,
    compose,
    hands,
    heard,
    is_kept,
    key,
    let_go,
    page_view,
    shown,
)

pytestmark = pytest.mark.usefixtures("themed")

Key = Qt.Key


@pytest.fixture
def view(qtbot: QtBot) -> PageView:
    """600 × 400 pixels of a page, the first at (16, 16)."""
    return page_view(qtbot)


@pytest.fixture
def inside(view: PageView) -> PageView:
    """Keys go to the page."""
    view.enter()
    return view


def test_keys_go_to_the_page_after_a_click_into_it_until_esc(view: PageView) -> None:
    changes, said = heard(view.inside_changed), hands(view)
    key(view, Key.Key_A, "a")
    assert said == []
    click(view, 16 + 400, 16 + 350)
    said.clear()
    key(view, Key.Key_A, "A", SHIFT)
    let_go(view, Key.Key_A, "A", SHIFT)
    key(view, Key.Key_Escape)
    key(view, Key.Key_B, "b")
    assert said == [PageKey("press", Key.Key_A, "A", SHIFT.value), PageKey("release", Key.Key_A, "A", SHIFT.value)]
    assert changes == [(True,), (False,)]


def test_enter_goes_into_the_page_and_is_not_typed_there(view: PageView) -> None:
    said = hands(view)
    key(view, Key.Key_Return, "\r")
    let_go(view, Key.Key_Return, "\r")
    assert view.is_inside
    assert said == []


@pytest.mark.parametrize(
    ("code", "modifiers", "text"),
    [
        (Key.Key_A, PLAIN, "a"), (Key.Key_Q, SHIFT, "Q"), (Key.Key_PageDown, PLAIN, ""), (Key.Key_Space, PLAIN, " "),
        (Key.Key_Left, SHIFT, ""), (Key.Key_Left, CONTROL, ""), (Key.Key_A, CONTROL, "\x01"),
        (Key.Key_Z, CONTROL | SHIFT, "\x1a"), (Key.Key_At, CONTROL | ALT, "@"), (Key.Key_Return, PLAIN, "\r"),
        (Key.Key_Tab, PLAIN, "\t"), (Key.Key_Backtab, SHIFT, ""),
    ],
)  # fmt: skip
def test_the_page_has_the_keys_that_write_move_and_edit(
    inside: PageView, code: Qt.Key, modifiers: Qt.KeyboardModifier, text: str
) -> None:
    said = hands(inside)
    assert is_kept(inside, code, modifiers, text)
    key(inside, code, text, modifiers)
    assert said == [PageKey("press", int(code), text, modifiers.value)]


@pytest.mark.parametrize(
    ("code", "modifiers"),
    [
        (Key.Key_F6, PLAIN), (Key.Key_F5, PLAIN), (Key.Key_K, CONTROL), (Key.Key_Return, CONTROL),
        (Key.Key_Left, ALT), (Key.Key_1, CONTROL), (Key.Key_F, ALT),
    ],
)  # fmt: skip
def test_the_window_keeps_its_own_keys(inside: PageView, code: Qt.Key, modifiers: Qt.KeyboardModifier) -> None:
    said = hands(inside)
    assert not is_kept(inside, code, modifiers)
    key(inside, code, "", modifiers)
    assert said == []


def test_outside_the_page_bare_keys_are_the_windows(view: PageView) -> None:
    assert not is_kept(view, Key.Key_U, text="u")
    assert not is_kept(view, Key.Key_PageDown)
    assert is_kept(view, Key.Key_Down)
    assert is_kept(view, Key.Key_Return)


def test_up_and_down_go_from_field_to_field_and_scroll_there(view: PageView) -> None:
    names, said = heard(view.field_chosen), hands(view)
    for _again in range(4):
        key(view, Key.Key_Down)
    key(view, Key.Key_Up)
    assert [name for (name,) in names] == ["sentence", "reasons", "sure", "reasons"]
    assert said == [Wheel(300, 200, 0, 720)]


def test_shift_and_down_scroll_a_page_that_is_only_looked_at(view: PageView) -> None:
    view.set_live(False)
    said = hands(view)
    key(view, Key.Key_Down, modifiers=SHIFT)
    assert said == [Wheel(300, 200, 0, view.notch)]


def test_keys_that_are_down_are_let_go_when_the_page_is_left(inside: PageView) -> None:
    key(inside, Key.Key_A, "a")
    said = hands(inside)
    inside.leave()
    let_go(inside, Key.Key_A, "a")
    assert said == [PageKey("release", int(Key.Key_A), "a")]


def test_ctrl_tab_leaves_the_page_for_the_next_part_and_tab_does_not(qtbot: QtBot) -> None:
    room = QWidget()
    column, view, after = QVBoxLayout(room), PageView(), QPushButton("After")
    column.addWidget(view)
    column.addWidget(after)
    shown(qtbot, room, (700, 600))
    view.show_picture(blank())
    room.activateWindow()
    view.setFocus()
    qtbot.waitUntil(view.hasFocus)
    view.enter()
    said = hands(view)
    key(view, Key.Key_Tab, "\t")
    assert said == [PageKey("press", Key.Key_Tab, "\t")]
    assert view.hasFocus()
    key(view, Key.Key_Tab, "", CONTROL)
    assert not view.is_inside
    assert after.hasFocus()


def test_tab_passes_by_a_page_into_which_nobody_went(qtbot: QtBot) -> None:
    room = QWidget()
    column, view, after = QVBoxLayout(room), PageView(), QPushButton("After")
    column.addWidget(view)
    column.addWidget(after)
    shown(qtbot, room, (700, 600))
    view.show_picture(blank())
    room.activateWindow()
    view.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(view.hasFocus)
    key(view, Key.Key_Tab, "\t")
    assert after.hasFocus()


# Text


@pytest.mark.parametrize(
    ("code", "modifiers"),
    [(Key.Key_V, CONTROL), (Key.Key_V, CONTROL | SHIFT), (Key.Key_Insert, SHIFT)],
)
def test_pasting_sends_the_clipboards_text_whole(
    inside: PageView, code: Qt.Key, modifiers: Qt.KeyboardModifier
) -> None:
    said = hands(inside)
    with clipboard("two\nlines 🙂"):
        key(inside, code, "", modifiers)
    assert said == [TextInput("two\nlines 🙂")]


@pytest.mark.parametrize("text", ["🙂", "配送方法", "한글", "नमस्ते"])
def test_what_an_input_method_commits_is_written(inside: PageView, text: str) -> None:
    said = hands(inside)
    compose(inside, "pei")
    assert said == []
    assert inside._keyboard.composed == "pei"
    compose(inside, committed=text)
    assert said == [TextInput(text)]
    assert inside._keyboard.composed == ""


def test_an_input_method_is_asked_only_inside_the_page(view: PageView) -> None:
    enabled = Qt.InputMethodQuery.ImEnabled
    assert view.inputMethodQuery(enabled) is False
    view.enter()
    assert view.inputMethodQuery(enabled) is True
    assert view.testAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled)
    view.leave()
    assert not view.testAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled)
    said = hands(view)
    compose(view, committed="x")
    assert said == []
