"""Nothing that is typed into a password field gets into a recording, by whatever way it could."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.device.password_fields import BULLETS, PasswordFields, RedactedStep, blanked_picture
from stepscope.core.device.session import ScreenSnapshot
from stepscope.core.domain.action import OpenApp, PressKey, Tap, Target, Type
from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.geometry import Box, Point, Size

SIZE = Size(100, 200)
FIELD = Box(10, 20, 90, 40, SIZE)
LOGIN = Box(10, 50, 90, 70, SIZE)
KEY = Box(0, 150, 10, 170, SIZE)


def element(index: int, box: Box, **words: object) -> UIElement:
    return UIElement(index, box, 0 if index else -1, min(index, 1), package="org.app", **words)  # type: ignore[arg-type]


def screen(text: str = "", *, password: bool = True, focused: bool = True, keyboard: bool = False) -> ScreenSnapshot:
    """A password field, a button, and a key of the phone's keyboard where the tree has it."""
    elements = [
        element(0, Box(0, 0, 100, 200, SIZE)),
        element(1, FIELD, text=text, content_description="Password", resource_id="org.app:id/secret", editable=True,
                password=password, focused=focused, clickable=True),
        element(2, LOGIN, text="Log in", resource_id="org.app:id/login", clickable=True),
    ]  # fmt: skip
    if keyboard:
        elements.append(replace(element(3, KEY, text="q", clickable=True), package="org.keyboard"))
    return ScreenSnapshot(picture(), SIZE, UITree(tuple(elements), TreeOrigin.DUMP, SIZE), "org.app/.Login", 0.0, 0)


def picture() -> bytes:
    return cv2.imencode(".png", np.full((200, 100, 3), 255, np.uint8))[1].tobytes()


def pixels(data: bytes) -> np.ndarray:
    return cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)


def shown_by(kept: RedactedStep) -> bytes:
    assert kept.picture is not None
    data = kept.picture()
    assert data is not None
    return data


def typed(text: str) -> Type:
    return Type(text, None, Target(FIELD, "Password", "org.app:id/secret"))


def test_typed_text_becomes_bullets_of_one_length() -> None:
    for text in ("a", "a very long password indeed"):
        kept = PasswordFields().keep(screen(), typed(text))
        assert kept is not None
        assert kept.secret
        assert kept.action == Type(BULLETS, None, Target(FIELD, "Password", "org.app:id/secret"))


@pytest.mark.parametrize("action", [Type("hunter2"), Type("hunter2", Point(50, 30, SIZE)), typed("hunter2")])
def test_by_focus_by_place_and_by_target(action: Type) -> None:
    kept = PasswordFields().keep(screen(focused=action.point is None), action)
    assert kept is not None
    assert kept.secret


def test_the_tree_loses_the_text_and_the_picture_its_box() -> None:
    kept = PasswordFields().keep(screen("hunter2"), Tap(LOGIN.centre, Target(LOGIN, "Log in")))
    assert kept is not None
    assert kept.seen.tree is not None
    assert [one.text for one in kept.seen.tree] == ["", BULLETS, "Log in"]
    assert kept.action == Tap(LOGIN.centre, Target(LOGIN, "Log in"))
    shown = pixels(shown_by(kept))
    assert (shown[20:40, 10:90] == 128).all()
    assert (shown[:20] == 255).all()
    assert (shown[41:] == 255).all()
    assert kept.seen.picture == b""


def test_a_tap_on_the_filled_field_does_not_name_its_text() -> None:
    kept = PasswordFields().keep(screen("hunter2"), Tap(FIELD.centre, Target(FIELD, "hunter2", "org.app:id/secret")))
    assert kept is not None
    assert kept.action == Tap(FIELD.centre, Target(FIELD, BULLETS, "org.app:id/secret"))


def test_a_field_that_shows_its_text_on_purpose_stays_hidden() -> None:
    password_fields = PasswordFields()
    password_fields.keep(screen(), typed("hunter2"))
    kept = password_fields.keep(screen("hunter2", password=False), Tap(LOGIN.centre))
    assert kept is not None
    assert kept.seen.tree is not None
    assert kept.seen.tree.elements[1].text == BULLETS
    assert (pixels(shown_by(kept))[20:40, 10:90] == 128).all()


def test_what_was_typed_letter_by_letter_is_hidden_elsewhere_too() -> None:
    password_fields = PasswordFields()
    for letter in "hunter2":
        password_fields.keep(screen(), typed(letter))
    seen = screen()
    assert seen.tree is not None
    words = replace(seen.tree.elements[2], text="Your password is hunter2")
    kept = password_fields.keep(replace(seen, tree=replace(seen.tree, elements=(*seen.tree.elements[:2], words))), None)
    assert kept is not None
    assert kept.seen.tree is not None
    assert kept.seen.tree.elements[2].text == BULLETS


def test_keys_of_the_phones_own_keyboard_are_typing_too() -> None:
    in_tree = PasswordFields().keep(screen(keyboard=True), Tap(KEY.centre, Target(KEY, "q")))
    assert in_tree is not None
    assert in_tree.action == Type(BULLETS, None, Target(FIELD, "Password", "org.app:id/secret"))
    not_in_tree = PasswordFields().keep(screen(), Tap(KEY.centre))
    assert not_in_tree is not None
    assert not_in_tree.secret
    button = PasswordFields().keep(screen(keyboard=True), Tap(LOGIN.centre, Target(LOGIN, "Log in")))
    assert button is not None
    assert not button.secret


def test_without_a_tree_nothing_that_could_tell_is_kept() -> None:
    password_fields = PasswordFields()
    password_fields.keep(screen(focused=False), Tap(FIELD.centre, Target(FIELD, "Password")))
    bare = replace(screen(), tree=None)
    kept = password_fields.keep(bare, Type("hunter2"))
    assert kept is not None
    assert (kept.action, kept.picture, kept.seen.picture) == (Type(BULLETS), None, b"")
    assert password_fields.keep(bare, Tap(KEY.centre)) is None
    assert password_fields.keep(bare, PressKey("home")) is not None
    free = password_fields.keep(bare, Type("hello"))
    assert free is not None
    assert free.action == Type("hello")


def test_other_fields_and_screens_stay_as_they_are() -> None:
    password_fields = PasswordFields()
    seen = screen("hello", password=False)
    action = typed("hello")
    kept = password_fields.keep(seen, action)
    assert kept is not None
    assert kept.action is action
    assert kept.seen.tree is seen.tree
    assert shown_by(kept) is seen.picture
    bare = password_fields.keep(replace(seen, tree=None), OpenApp("Clock"))
    assert bare is not None
    assert shown_by(bare) is seen.picture


def test_a_picture_that_cannot_be_blanked_is_left_out() -> None:
    assert blanked_picture(b"no picture", [FIELD]) is None
    kept = PasswordFields().keep(replace(screen(), picture=b"no picture"), None)
    assert kept is not None
    assert kept.picture is not None
    assert kept.picture() is None


@given(st.lists(st.text("abcdefgh•1", min_size=1, max_size=8), min_size=1, max_size=5), st.data())
def test_no_password_ever_leaves(parts: list[str], data: st.DataObject) -> None:
    """Typed in any pieces, shown or hidden: neither action nor tree holds a piece that is long enough to tell."""
    password_fields, whole = PasswordFields(), ""
    for part in parts:
        shown = data.draw(st.booleans())
        kept = password_fields.keep(screen(whole, password=not shown or not whole), typed(part))
        whole += part
        assert kept is not None
        assert isinstance(kept.action, Type)
        assert kept.action.text == BULLETS
        assert kept.seen.tree is not None
        assert kept.seen.tree.elements[1].text in ("", BULLETS)
