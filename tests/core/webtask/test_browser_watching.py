"""A page that somebody looks at tells of itself, and takes hands and keys."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import TypeVar

import pytest

from stepscope.core.domain.geometry import Box, Size
from stepscope.core.webtask.actions import CaptureScreen
from stepscope.core.webtask.browser import Browser, OpenPage
from stepscope.core.webtask.events import (
    DialogShown,
    DropDownOpened,
    FrameDrawn,
    KeyPress,
    Mouse,
    PageChanged,
    PageEvent,
    PageProcessEnded,
    PageSubmitted,
    Pointing,
    RequestBlocked,
    TextCopied,
    TextInput,
    Wheel,
)
from stepscope.core.webtask.page import VIEWPORT, PageSource
from tests.core.webtask.conftest import until

KEY_A, KEY_DOWN, KEY_RETURN, ALT = 0x41, 0x01000015, 0x01000004, 0x08000000
KEY_C, KEY_X, CONTROL = 0x43, 0x58, 0x04000000
"""Qt's numbers."""
HTML = """<!doctype html><meta charset="utf-8"><body style="margin:0;background:red">
<style>* { box-sizing: border-box } .at { position: absolute; left: 0; width: 200px; height: 50px; margin: 0 }</style>
<form onsubmit="if (this.f.value === 'wrong') return false">
<input class="at" name="f" style="top:0" oninput="document.body.style.background = 'blue'">
<select class="at" name="s" style="top:50px"><option value="a">Apple</option><option value="b">Bee</option></select>
<input class="at" style="top:100px" type="submit"></form>
<input class="at" name="n" style="top:150px" required form="other"><form id="other">
<button class="at" style="top:200px">send</button></form>
<a class="at" style="top:250px;display:block" href="http://far.example/">away</a>
<button class="at" style="top:300px" onclick="alert('hello')">say</button>
<button class="at" style="top:350px" onclick="for (;;) {}">hang</button>
<button class="at" style="top:400px" onclick="document.querySelector('input').select(); document.execCommand('copy');
document.title = 'took'">take</button>
<button class="at" style="top:450px" onclick="for (let i = 0; i < 100000; i++) clearTimeout(i);
document.body.style.background = 'green'">stop</button>
<script>for (const form of document.forms) form.checkValidity()</script><div style="height:3000px"></div>"""

T = TypeVar("T", bound=PageEvent)


class Watched:
    """A browser whose page is watched, and what it told."""

    def __init__(self) -> None:
        self.heard: list[PageEvent] = []
        self.came = threading.Condition()
        self.browser = Browser(heard=self._hear)
        self.browser.start()
        self.browser.watch(True)
        self.page: OpenPage = self.open()

    def open(self) -> OpenPage:
        self.page = self.browser.open(PageSource("test", HTML, ("f", "s")))
        return self.page

    def _hear(self, event: PageEvent) -> None:
        with self.came:
            self.heard.append(event)
            self.came.notify_all()

    def expect(self, kind: type[T], fits: Callable[[T], bool] = lambda _event: True, seconds: float = 10.0) -> T:
        """The first event of this kind that fits, once it came."""

        def found() -> T | None:
            return next((one for one in self.heard if isinstance(one, kind) and fits(one)), None)

        with self.came:
            assert self.came.wait_for(found, seconds), self.heard
            one = found()
        assert one is not None
        return one

    def click(self, x: float, y: float) -> None:
        for what in ("move", "press", "release"):
            self.browser.send(Mouse(what, x, y))  # type: ignore[arg-type]

    def press(self, key: int, text: str = "", modifiers: int = 0) -> None:
        self.browser.send(KeyPress("press", key, text, modifiers))
        self.browser.send(KeyPress("release", key, text, modifiers))

    def corner(self) -> tuple[int, ...]:
        """The picture's colour in the lower left corner: red, green, blue."""
        shot = self.browser.ring.newest()
        return () if shot is None else tuple(int(part) for part in shot.pixels[-1, 0, 2::-1])


@pytest.fixture(scope="module")
def one_watched() -> Iterator[Watched]:
    watched = Watched()
    yield watched
    watched.browser.close()


@pytest.fixture
def watched(one_watched: Watched) -> Watched:
    one_watched.open()
    one_watched.heard.clear()
    return one_watched


def test_pictures_come_whenever_the_page_looks_otherwise(watched: Watched) -> None:
    until(lambda: watched.corner() == (255, 0, 0))
    watched.click(100, 25)
    watched.press(KEY_A, "a")
    until(lambda: watched.corner() == (0, 0, 255))
    shot = watched.browser.ring.newest()
    assert shot is not None
    assert shot.pixels.shape == (VIEWPORT.height, VIEWPORT.width, 4)
    assert watched.expect(FrameDrawn, lambda event: event.number == shot.number)


def test_who_watches_does_not_see_by_what_a_picture_is_known(watched: Watched) -> None:
    """The page looks the same all the time, so that there is no new picture of it."""
    until(lambda: watched.corner() == (255, 0, 0))
    watched.page.do(CaptureScreen())
    before = watched.browser.ring.newest()
    for _ in range(10):
        watched.page.do(CaptureScreen())
    after = watched.browser.ring.newest()
    assert before is not None and after is not None
    assert after.number == before.number


def test_what_is_typed_is_told_with_all_fields(watched: Watched) -> None:
    watched.click(100, 25)
    watched.press(KEY_A, "a")
    watched.browser.send(TextInput("é漢"))
    look = watched.expect(PageChanged, lambda event: event.look.values["f"] == "aé漢").look
    assert look.values == {"f": "aé漢", "s": "a", "n": ""}
    assert look.fields[0].box == Box(0, 0, 200, 50, look.size)


def test_who_looks_right_after_typing_sees_the_last_letter(watched: Watched) -> None:
    watched.click(100, 25)
    for letter in "to the last letter":
        watched.press(ord(letter.upper()), letter)
    watched.browser.send(TextInput("é漢"))
    assert watched.page.look().values["f"] == "to the last letteré漢"


def test_scrolling_is_told(watched: Watched) -> None:
    watched.browser.send(Wheel(600, 500, 0, 240))
    assert watched.expect(PageChanged, lambda event: event.look.scroll.y > 0).look.scroll.y == 240


def test_a_list_that_is_pressed_is_told_and_does_not_open_by_itself(watched: Watched) -> None:
    watched.click(100, 75)
    opened = watched.expect(DropDownOpened)
    assert (opened.field, [(one.value, one.label, one.chosen) for one in opened.options]) == (
        "s", [("a", "Apple", True), ("b", "Bee", False)],
    )  # fmt: skip
    assert (opened.box.left, opened.box.top, opened.box.right, opened.box.bottom) == (0, 50, 200, 100)
    watched.heard.clear()
    watched.press(KEY_DOWN, modifiers=ALT)
    assert watched.expect(DropDownOpened).field == "s"
    watched.press(KEY_DOWN)
    watched.expect(PageChanged, lambda event: event.look.values["s"] == "b")


def test_the_submit_button_tells_the_values_and_the_page_stands(watched: Watched) -> None:
    watched.click(100, 25)
    watched.press(KEY_A, "a")
    watched.click(100, 125)
    assert watched.expect(PageSubmitted).values == {"f": "a", "s": "a", "n": ""}
    assert watched.page.look().values["f"] == "a"
    assert watched.page.blocked == ()
    watched.heard.clear()
    watched.click(100, 25)
    watched.press(KEY_RETURN, "\r")  # as forms are sent by the keyboard
    assert watched.expect(PageSubmitted).values["f"] == "a"


def test_a_page_that_does_not_let_itself_be_submitted_is_not(watched: Watched) -> None:
    watched.click(100, 25)
    watched.browser.send(TextInput("wrong"))
    watched.click(100, 125)
    watched.click(100, 225)  # and one whose field must be filled in says so, once
    watched.expect(DialogShown)
    watched.page.look()
    assert watched.page.dialogs == ("Please fill in this field.",)
    assert not [one for one in watched.heard if isinstance(one, PageSubmitted)]


def test_the_shape_of_the_mouse_is_told(watched: Watched) -> None:
    watched.browser.send(Mouse("move", 100, 25, "none"))
    assert watched.expect(Pointing, lambda event: "Beam" in event.shape).shape == "IBeamCursor"
    watched.browser.send(Mouse("move", 100, 275, "none"))
    assert watched.expect(Pointing, lambda event: "Hand" in event.shape).shape == "PointingHandCursor"


def test_what_is_copied_is_told(watched: Watched) -> None:
    watched.click(100, 25)
    watched.browser.send(TextInput("tea & “cake”"))
    watched.expect(PageChanged, lambda event: event.look.values["f"] == "tea & “cake”")
    watched.press(KEY_A, "\x01", CONTROL)
    watched.press(KEY_C, "\x03", CONTROL)
    assert watched.expect(TextCopied).text == "tea & “cake”"
    watched.press(KEY_X, "\x18", CONTROL)
    watched.expect(PageChanged, lambda event: event.look.values["f"] == "")


def test_what_a_page_copies_by_itself_is_its_own(watched: Watched) -> None:
    watched.click(100, 25)
    watched.browser.send(TextInput("taken"))
    watched.click(100, 425)
    until(lambda: watched.page.look().title == "took")
    watched.click(100, 25)
    watched.browser.send(TextInput("given"))
    watched.press(KEY_A, "\x01", CONTROL)
    watched.press(KEY_C, "\x03", CONTROL)
    assert "given" in watched.expect(TextCopied).text  # the first that is told


def test_a_page_that_ends_all_timers_still_tells_what_changes(watched: Watched) -> None:
    watched.click(100, 25)
    watched.press(KEY_A, "a")
    watched.click(100, 475)
    until(lambda: watched.corner() == (0, 128, 0))
    watched.click(100, 25)
    watched.browser.send(TextInput("b"))
    told = watched.expect(PageChanged, lambda event: len(event.look.values["f"]) == 2)
    assert sorted(told.look.values["f"]) == ["a", "b"]


def test_what_is_refused_and_what_is_said_is_told(watched: Watched) -> None:
    watched.click(100, 275)
    assert watched.expect(RequestBlocked).request.url == "http://far.example/"
    watched.click(100, 325)
    assert watched.expect(DialogShown).words == "hello"
    assert watched.page.dialogs == ("hello",)


def test_another_size_is_drawn_at_once(watched: Watched) -> None:
    try:
        watched.browser.resize(Size(700, 500), 1.0)
        until(lambda: watched.browser.ring.newest().pixels.shape == (500, 700, 4))  # type: ignore[union-attr]
        told = watched.expect(PageChanged, lambda event: event.look.viewport != VIEWPORT)
        assert told.look.viewport == Size(700, 500)
    finally:
        watched.browser.resize(VIEWPORT, 1.0)


def test_who_does_not_look_is_told_nothing(watched: Watched) -> None:
    watched.browser.watch(False)
    watched.page.look()
    watched.heard.clear()
    watched.click(100, 25)
    watched.press(KEY_A, "a")
    until(lambda: watched.page.look().values["f"] == "a")
    assert watched.heard == []
    watched.browser.watch(True)
    watched.expect(FrameDrawn)


def test_a_page_that_hangs_under_the_hand_is_ended(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stepscope.core.webtask.browser.ANSWER_SECONDS", 1.0)
    watched.click(100, 375)
    assert "runs without end" in watched.expect(PageProcessEnded).why
    assert watched.browser.pid is None
    watched.heard.clear()
    watched.open()  # still watched
    watched.expect(FrameDrawn)
    until(lambda: watched.corner() == (255, 0, 0))
