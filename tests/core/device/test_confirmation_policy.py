"""What always asks: whole words in every script, wherever they lie under the finger, however they are written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.device.confirmation_policy import DEFAULT_WORDS, ConfirmationPolicy
from stepscope.core.domain.action import (
    Action,
    AskUser,
    DoubleTap,
    Drag,
    Finish,
    Hover,
    LongPress,
    OpenApp,
    PressKey,
    Say,
    Scroll,
    Select,
    Swipe,
    Tap,
    Target,
    Type,
    Wait,
)
from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.geometry import Box, Direction, Point, Size

SIZE = Size(100, 200)
HERE, THERE = Point(50, 50, SIZE), Point(50, 150, SIZE)
TOUCHES = (
    Tap(HERE), LongPress(HERE), DoubleTap(HERE), Hover(HERE), Swipe(HERE, THERE), Swipe(THERE, HERE),
    Drag(HERE, THERE), Drag(THERE, HERE), Type("x", HERE), Select("x", HERE),
    Tap(None, Target(Box(0, 40, 100, 60, SIZE))),
)  # fmt: skip


def screen(*elements: UIElement) -> UITree:
    root = UIElement(0, Box(0, 0, 100, 200, SIZE))
    return UITree((root, *elements), TreeOrigin.DUMP, SIZE)


def button(text: str = "", *, description: str = "", id: str = "", index: int = 1, parent: int = 0) -> UIElement:
    return UIElement(
        index,
        Box(0, 40, 100, 60, SIZE),
        parent,
        text=text,
        content_description=description,
        resource_id=id,
        clickable=parent == 0,
    )


def asked(action: Action, *elements: UIElement, guard: ConfirmationPolicy | None = None, app: str = "") -> bool:
    return bool((guard or ConfirmationPolicy()).reasons(action, screen(*elements), app))


@pytest.mark.parametrize("action", TOUCHES)
@pytest.mark.parametrize(
    "element",
    [
        button("Buy now"),
        button("OK", description="Pay"),
        button(id="com.example:id/btn_delete_all"),
        button(id="sendBtn"),
    ],
)
def test_words_under_the_finger_ask_whatever_the_touch(action: Action, element: UIElement) -> None:
    assert asked(action, element)
    assert not asked(action, button("Kettle", description="Steel", id="com.example:id/item_title"))


def test_words_inside_what_takes_the_touch() -> None:
    """A row that is touched at its picture sends what its label says."""
    row = UIElement(1, Box(0, 40, 100, 60, SIZE), 0, clickable=True)
    label = UIElement(2, Box(60, 45, 95, 55, SIZE), 1, text="Send")
    assert asked(Tap(Point(10, 50, SIZE)), row, label)


def test_words_elsewhere_do_not_ask() -> None:
    assert not asked(Tap(THERE), button("Buy now"))
    assert not asked(Scroll(Direction.DOWN, HERE), button("Buy now"))


@pytest.mark.parametrize(
    "text",
    [
        "DELETE", "Delete…", "delete-all", "Check out", "check  OUT!", "Ｂｕｙ", "de\u200blete", "Löschen", "LOSCHEN",
        "Supprimer le compte", "desinstaller", "立即购买", "削除する", "결제하기", "حذف", "Удалить", "BuyNow",
        "pay2win",
    ],
)  # fmt: skip
def test_writings_of_a_word(text: str) -> None:
    assert asked(Tap(HERE), button(text))


@pytest.mark.parametrize(
    "text", ["Border", "Buyer's guide to nothing", "Sender", "Undeleted", "Payload", "Check", "Out"]
)
def test_parts_of_words_do_not_ask(text: str) -> None:
    assert not asked(
        Tap(HERE), button(text), guard=ConfirmationPolicy(("order", "buy", "send", "delete", "pay", "check out"))
    )


def test_what_the_action_itself_says() -> None:
    assert asked(Type("please transfer 20"))
    assert asked(OpenApp("Pay"))
    assert asked(PressKey("delete"))
    assert asked(Tap(THERE, Target(Box(0, 140, 100, 160, SIZE), "Remove")))
    assert not asked(Type("kettle"))


def test_enter_sends_what_has_the_focus() -> None:
    field = UIElement(1, Box(0, 40, 100, 60, SIZE), 0, text="Send to Anna", editable=True, focused=True)
    assert asked(PressKey("enter"), field)
    assert asked(PressKey("KEYCODE_ENTER"), field)
    assert not asked(PressKey("back"), field)


def test_apps() -> None:
    guard = ConfirmationPolicy((), ("com.example.Bank", "Bank"))
    assert guard.reasons(PressKey("back"), screen(), "com.example.bank/.Main") == (
        "“com.example.bank” is an app that always asks",
    )
    assert asked(OpenApp("bank"), guard=guard)
    assert not asked(Tap(HERE), button("Pay"), guard=guard, app="com.example.banking")


def test_without_a_tree_touches_ask_and_nothing_else() -> None:
    guard = ConfirmationPolicy(())
    for action in TOUCHES:
        assert guard.reasons(action, None) == ("The screen has no UI tree: what lies under the finger is not known",)
    for other in (PressKey("back"), Scroll(Direction.UP, HERE), Wait(), OpenApp("Clock"), Type("tea")):
        assert guard.reasons(other, None) == ()


def test_what_does_nothing_on_the_device_never_asks() -> None:
    for action in (Wait(), AskUser("Pay?"), Say("I will delete it"), Finish()):
        assert ConfirmationPolicy().reasons(action, None, "x") == ()


def test_a_deep_tree_costs_no_stack() -> None:
    chain = [UIElement(n, Box(0, 40, 100, 60, SIZE), n - 1, clickable=n == 1) for n in range(1, 3000)]
    chain.append(UIElement(3000, Box(0, 40, 100, 60, SIZE), 2999, text="Buy"))
    assert asked(Tap(HERE), *chain)


_AROUND = st.text(st.characters(categories=["Zs", "Po"]), max_size=3).map(lambda text: text + " ")


@given(
    word=st.sampled_from(DEFAULT_WORDS),
    before=_AROUND,
    after=_AROUND,
    change=st.sampled_from([str, str.upper, str.title, str.casefold]),
    field=st.sampled_from(["text", "content_description", "child"]),
    action=st.sampled_from(TOUCHES),
)
def test_no_default_word_is_touched_unasked(word, before, after, change, field, action) -> None:  # type: ignore[no-untyped-def]
    said = before + change(word) + " " + after
    if field == "child":
        assert asked(action, button(), button(said, parent=1, index=2))
    else:
        names = {"text": said} if field == "text" else {"text": "", "description": said}
        assert asked(action, button(**names))


@given(st.text(max_size=40), st.text(max_size=40))
def test_any_text_can_be_looked_at(text: str, word: str) -> None:
    guard = ConfirmationPolicy((word,))
    assert isinstance(guard.reasons(Tap(HERE), screen(button(text, id=text))), tuple)
