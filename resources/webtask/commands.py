"""What the page process can be told to do, by the names of commands and of the actions of `core.webtask.actions`."""

from __future__ import annotations

import base64
import itertools
import math
import time
from typing import Any

import numpy as np
from PySide6.QtCore import Qt

from stepscope.core.device.frames import Pixels
from stepscope.core.domain.geometry import Size
from stepscope.core.webtask.actions import FARTHEST
from stepscope.core.webtask.page import MOST_PICTURE
from stepscope.resources.sample.steps import Steps
from stepscope.resources.webtask.surface import POLL_MS, Surface, SurfaceError, png

LARGEST = Size(1920, 1080)
"""What `maximize` makes of a smaller window: the usual desktop screen (ours)."""
_MODIFY = ("modify_text", "modify_checkbox", "modify_radio", "modify_select", "modify_range")
_BY_HAND = ("click", "type", "scroll")
"""Of the others, those that a page which was never drawn may not hear: of 120 turns of the wheel two were lost."""
_LOOKS_AT_NOTHING = ("wait_till_loaded", "scroll_to")
"""And those that need not wait until what was filled in before is drawn."""
_KEYS = {"\n": Qt.Key.Key_Return, "\r": Qt.Key.Key_Return, "\t": Qt.Key.Key_Tab, "\b": Qt.Key.Key_Backspace}
_TEXTS = {"\n": "\r"}

Rect = tuple[float, float, float, float]


class PageCommands:
    """`steps` gives the work of one command, run by the caller; its value can be written as JSON."""

    def __init__(self, surface: Surface) -> None:
        self._surface = surface
        self._modified = self._fresh = False

    def steps(self, order: dict[str, Any]) -> Steps:
        """Raises SurfaceError in words."""
        return (yield from getattr(self, f"do_{order['do']}")(order))

    # --- the page ------------------------------------------------------------------------------------------------

    def do_open(self, order: dict[str, Any]) -> Steps:
        self._modified = self._fresh = False
        self._surface.viewport, self._surface.scale = Size(*order["viewport"]), order["scale"]
        yield from self._surface.open(order["html"], order["load_seconds"])
        self._fresh = True

    def do_ping(self, order: dict[str, Any]) -> Steps:
        yield from self._surface.call("state")

    def do_look(self, order: dict[str, Any]) -> Steps:
        yield from self._settled()
        return (yield from self._surface.call("look", order["names"]))

    def do_tree(self, order: dict[str, Any]) -> Steps:
        yield from self._settled()
        return (yield from self._surface.call("tree"))

    def do_resize(self, order: dict[str, Any]) -> Steps:
        yield from self._surface.resize(Size(*order["viewport"]), order["scale"])

    # --- the action library ----------------------------------------------------------------------------------------

    def do_act(self, order: dict[str, Any]) -> Steps:
        """`{said, text, png}`, each where there is any; `png` in base64."""
        action = order["action"]
        name = action["do"]
        if name in _MODIFY:
            said = yield from self._surface.call("modify", action)
            self._modified = True
            return {"said": said}
        if name in _BY_HAND and self._fresh:
            self._fresh, self._modified = False, True
        if name not in _LOOKS_AT_NOTHING:
            yield from self._settled()
        return (yield from getattr(self, f"_{name}")(action))

    def _settled(self) -> Steps:
        """Wait until the page has taken in all hands and drawn what was filled in or scrolled: once for many fields,
        and only when somebody looks."""
        yield from self._surface.heard()
        if self._modified:
            self._modified = False
            yield from self._surface.settle()

    def _get_html(self, action: dict[str, Any]) -> Steps:
        if action["field"]:
            yield from self._surface.call("box", action["field"])
        return {"text": (yield from self._surface.call("html"))}

    def _capture_screen(self, action: dict[str, Any]) -> Steps:
        if action["part"] == "viewport":
            yield from self._surface.drawn()
            picture = self._surface.screen()
        elif action["part"] == "page":
            look = yield from self._surface.call("look", [])
            picture = yield from self._put_together((0, 0, *look["size"]))
        else:
            box = yield from self._surface.call("box", action["field"])
            if box is None:
                raise SurfaceError(f"Field “{action['field']}” is not drawn.")
            picture = yield from self._put_together(tuple(box))
        height, width = picture.shape[:2]
        return {"said": f"{width} × {height} pixels", "png": base64.b64encode(png(picture)).decode()}

    def _click(self, action: dict[str, Any]) -> Steps:
        (x, y), screen = _place(action), self._surface.viewport
        if not (0 <= x < screen.width and 0 <= y < screen.height):
            raise SurfaceError(f"({x:g}, {y:g}) is outside of the screen of {screen}.")
        self._surface.mouse("move", x, y)
        self._surface.mouse("press", x, y)
        self._surface.mouse("release", x, y)
        yield from self._surface.heard()
        yield from self._surface.settle()
        return {"said": f"at {x:g}, {y:g}"}

    def _type(self, action: dict[str, Any]) -> Steps:
        text = action["text"].replace("\r\n", "\n")
        focused = yield from self._surface.call("focused")
        for plain, part in _runs(text):
            if plain:
                self._press(part)
            else:
                self._surface.write(part)
            yield from self._surface.heard()
        yield from self._surface.settle()
        return {"said": f"{len(text)} characters" + ("" if focused else ", but no field had the focus")}

    def _scroll(self, action: dict[str, Any]) -> Steps:
        screen = self._surface.viewport
        middle, by = (screen.width / 2, screen.height / 2), _place(action)
        self._surface.wheel(*middle, *by)
        yield from self._surface.heard()
        yield from self._surface.settle()
        yield from self._surface.settle()
        x, y = yield from self._surface.call("at")
        return {"said": f"the page is at {x:g}, {y:g}"}

    def _maximize(self, action: dict[str, Any]) -> Steps:
        now = self._surface.viewport
        size = Size(max(now.width, LARGEST.width), max(now.height, LARGEST.height))
        yield from self._surface.resize(size, self._surface.scale)
        return {"said": str(size)}

    def _wait_till_loaded(self, action: dict[str, Any]) -> Steps:
        end = time.monotonic() + action["seconds"]
        field = action["field"]
        while True:
            complete = (yield from self._surface.call("state")) == "complete"
            if complete and (not field or (yield from self._surface.call("has", field))):
                break
            if time.monotonic() > end:
                what = f"has no field “{field}”" if complete else "is not loaded"
                raise SurfaceError(f"The page {what} after {action['seconds']:g} s.")
            yield self._surface.pause(POLL_MS)
        self._modified = True
        return {"said": "loaded"}

    def _scroll_to(self, action: dict[str, Any]) -> Steps:
        yield from self._surface.call("reveal", action["field"])
        self._modified = True
        x, y = yield from self._surface.call("at")
        return {"said": f"the page is at {x:g}, {y:g}"}

    # --- inside ----------------------------------------------------------------------------------------------------

    def _press(self, part: str) -> None:
        for letter in part:
            key = _KEYS.get(letter, ord(letter.upper()))
            for what in ("press", "release"):
                self._surface.key(what, int(key), _TEXTS.get(letter, letter))

    def _put_together(self, region: Rect) -> Steps:
        """The picture of a part of the page: of what is on the screen where that is all, else of several screens. What
        stays in its place on the screen is in the first only. The page stands where it stood when it is done."""
        look = yield from self._surface.call("look", [])
        at = look["scroll"]
        left, top = max(0, math.floor(region[0])), max(0, math.floor(region[1]))
        right, bottom = (
            min(math.ceil(region[2]), left + MOST_PICTURE.width),
            min(math.ceil(region[3]), top + MOST_PICTURE.height),
        )
        picture = np.zeros((max(1, bottom - top), max(1, right - left), 4), np.uint8)
        try:
            yield from self._fill(picture, left, top)
        finally:
            yield from self._surface.unmark()
            yield from self._surface.call("hold", False)
            yield from self._surface.call("scroll", at)
        return picture

    def _fill(self, picture: Pixels, left: int, top: int) -> Steps:
        height, width = picture.shape[:2]
        look = yield from self._surface.call("look", [])
        inner_x, inner_y = (max(2, math.floor(side)) for side in look["inner"])
        for number, (x, y) in enumerate(itertools.product(_starts(width, inner_x), _starts(height, inner_y))):
            # The mark of a new picture stands at the top left: from the second on that is of the one before.
            to = (left + x - (x > 0), top + y - (y > 0))
            at = yield from self._surface.drawn({"to": to, "alone": number == 1}, (left + x, top + y))
            from_x, from_y = left + x - round(at[0]), top + y - round(at[1])
            part = self._surface.screen()[from_y:inner_y, from_x:inner_x][: height - y, : width - x]
            picture[y : y + part.shape[0], x : x + part.shape[1]] = part


def _starts(length: int, screen: int) -> list[int]:
    """Where the parts of a picture begin: each after the first has one pixel of the screen less."""
    return [0, *range(screen, length, screen - 1)]


def _place(action: dict[str, Any]) -> tuple[float, float]:
    """Its numbers. Raises SurfaceError for those that are none, or beyond any page."""
    x, y = action["x"], action["y"]
    if not (abs(x) <= FARTHEST and abs(y) <= FARTHEST):
        raise SurfaceError(f"{action['do']} takes no number beyond {FARTHEST:,.0f}.")
    return x, y


def _runs(text: str) -> list[tuple[bool, str]]:
    """The text in parts that keys can write, and parts that they cannot."""
    runs: list[tuple[bool, str]] = []
    for letter in text:
        plain = letter in _KEYS or (letter.isascii() and letter.isprintable())
        if runs and runs[-1][0] == plain:
            runs[-1] = (plain, runs[-1][1] + letter)
        else:
            runs.append((plain, letter))
    return runs
