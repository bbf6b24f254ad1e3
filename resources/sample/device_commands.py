"""What the simulated phone can be told to do, by the names of the commands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt

from stepscope.resources.sample.live_phone import LivePhone
from stepscope.resources.sample.phone import PhoneError
from stepscope.resources.sample.steps import Steps

HOLD_MS, DOUBLE_TAP_MS = 650, 80
SWIPE_MS, DRAG_MS, WAIT_MS = 300, 700, 1000
SCROLL_SHARE = 0.5
"""How much of the screen a finger goes that scrolls."""
_MARGIN = 0.06
_KEYS = {
    "enter": Qt.Key.Key_Return,
    "backspace": Qt.Key.Key_Backspace,
    "delete": Qt.Key.Key_Delete,
    "tab": Qt.Key.Key_Tab,
    "escape": Qt.Key.Key_Escape,
    "left": Qt.Key.Key_Left,
    "right": Qt.Key.Key_Right,
    "up": Qt.Key.Key_Up,
    "down": Qt.Key.Key_Down,
    "move_home": Qt.Key.Key_Home,
    "move_end": Qt.Key.Key_End,
}
_CALLS = {
    "back": "stepscope.back() || stepscope.home()",
    "home": "stepscope.home()",
    "recents": "openRecents()",
    "page_up": "stepscope.scroll(null, -innerHeight / 2)",
    "page_down": "stepscope.scroll(null, innerHeight / 2)",
}
_POWER = ("power", "wake", "sleep")
_OTHER_NAMES = {
    "app_switch": "recents", "overview": "recents", "del": "backspace", "forward_del": "delete", "return": "enter",
    "esc": "escape", "dpad_up": "up", "dpad_down": "down", "dpad_left": "left", "dpad_right": "right",
    "end": "move_end", "wakeup": "wake",
}  # fmt: skip
"""Android's names, and what people call them."""


class ScreenOffError(PhoneError):
    """There is nothing to see or to touch."""

    kind = "off"

    def __init__(self) -> None:
        super().__init__("The screen is off. Press the power key to switch it on.")


class DeviceCommands:
    """`steps` gives the work of one command, run by the caller; its value can be written as JSON."""

    def __init__(self, repainted: Callable[[], object]) -> None:
        self.phone = LivePhone(repainted)
        self._seed, self._theme = 1, ""

    def screen(self) -> dict[str, Any]:
        size = self.phone.size
        return {"size": [size.width, size.height], "rotation": int(size.width > size.height), "on": self.phone.on}

    def steps(self, order: dict[str, Any]) -> Steps:
        """Raises PhoneError in words: what cannot be done, and what can."""
        work = getattr(self, f"do_{order.get('do')}", None)
        if work is None:
            raise PhoneError(f"there is no command {order.get('do')!r}")
        return (yield from work(order))

    # --- looking -------------------------------------------------------------------------------------------------

    def do_settle(self, order: dict[str, Any]) -> Steps:
        yield from self.phone.settle()

    def do_picture(self, order: dict[str, Any]) -> Steps:
        """Wait until what is drawn is no older than the call."""
        yield from self.phone.freshen()

    def do_tree(self, order: dict[str, Any]) -> Steps:
        self._check_on()
        return (yield from self.phone.tree())

    def do_apps(self, order: dict[str, Any]) -> Steps:
        return (yield from self.phone.apps())

    def do_foreground(self, order: dict[str, Any]) -> Steps:
        return (yield from self.phone.foreground())

    def do_state(self, order: dict[str, Any]) -> Steps:
        """The app's own account of itself: by it a goal's check tells whether it is reached."""
        return (yield from self.phone.state())

    # --- touching ------------------------------------------------------------------------------------------------

    def do_tap(self, order: dict[str, Any]) -> Steps:
        self._check_on()
        x, y = order["at"]
        yield from self.phone.press(x, y, order.get("ms") or 0)

    def do_long_press(self, order: dict[str, Any]) -> Steps:
        self._check_on()
        x, y = order["at"]
        yield from self.phone.press(x, y, order.get("ms") or HOLD_MS)

    def do_double_tap(self, order: dict[str, Any]) -> Steps:
        self._check_on()
        yield from self.phone.press(*order["at"])
        yield from self.phone.pause(DOUBLE_TAP_MS)
        yield from self.phone.press(*order["at"])

    def do_swipe(self, order: dict[str, Any]) -> Steps:
        self._check_on()
        yield from self.phone.move(tuple(order["at"]), tuple(order["to"]), order.get("ms") or SWIPE_MS)

    def do_drag(self, order: dict[str, Any]) -> Steps:
        self._check_on()
        yield from self.phone.move(tuple(order["at"]), tuple(order["to"]), order.get("ms") or DRAG_MS, HOLD_MS)

    def do_scroll(self, order: dict[str, Any]) -> Steps:
        """The finger goes against the way that the view goes."""
        self._check_on()
        size = self.phone.size
        x, y = order.get("at") or (size.width / 2, size.height / 2)
        way = order["way"]
        if way in ("up", "down"):
            y, to = finger_path(y, size.height, 1 if way == "up" else -1)
            start, end = (x, y), (x, to)
        else:
            x, to = finger_path(x, size.width, 1 if way == "left" else -1)
            start, end = (x, y), (to, y)
        yield from self.phone.move(start, end, order.get("ms") or SWIPE_MS)

    def do_type(self, order: dict[str, Any]) -> Steps:
        self._check_on()
        if order.get("at"):
            yield from self.phone.press(*order["at"])
        yield from self.phone.type_text(order["text"])

    def do_press_key(self, order: dict[str, Any]) -> Steps:
        name = str(order["key"]).strip().lower().removeprefix("keycode_").replace(" ", "_")
        name = _OTHER_NAMES.get(name, name)
        if name in _POWER:
            self.phone.power({"power": not self.phone.on, "wake": True, "sleep": False}[name])
        elif name not in _CALLS and name not in _KEYS:
            known = ", ".join([*_CALLS, *_KEYS, *_POWER])
            raise PhoneError(f"The simulated phone has no key “{order['key']}”. It has {known}.")
        else:
            self._check_on()
            if name in _CALLS:
                yield from self.phone.call(_CALLS[name])
            else:
                yield from self.phone.key(_KEYS[name])

    def do_wait(self, order: dict[str, Any]) -> Steps:
        yield from self.phone.pause(order.get("ms") or WAIT_MS)

    # --- the phone -----------------------------------------------------------------------------------------------

    def do_open_app(self, order: dict[str, Any]) -> Steps:
        """By title, package or short name."""
        self._check_on()
        wanted = str(order["app"]).strip().casefold()
        apps = yield from self.phone.apps()
        apps.append(["com.stepscope.sample.launcher", "Home"])
        for package, title in apps:
            if wanted in (package, title.casefold(), package.rsplit(".", 1)[-1]):
                yield from self.phone.launch(package.rsplit(".", 1)[-1])
                return
        known = ", ".join(sorted(title for _package, title in apps[:-1]))
        raise PhoneError(f"The simulated phone has no app “{order['app']}”. It has {known}.")

    def do_rotate(self, order: dict[str, Any]) -> Steps:
        yield from self.phone.rotate()

    def do_reset(self, order: dict[str, Any]) -> Steps:
        """Everything as it was at first; `seed`, `theme` (light, dark, or empty: the seed's own), `app`, `page`, and
        short ids of elements that the phone is then `without`."""
        self._seed, self._theme = order.get("seed", self._seed), order.get("theme", self._theme)
        query = {"seed": self._seed, "theme": self._theme}
        query |= {name: order.get(name, "") for name in ("page", "without")}
        self.phone.power(True)
        yield from self.phone.open(order.get("app", "launcher"), **{k: v for k, v in query.items() if v != ""})

    def _check_on(self) -> None:
        if not self.phone.on:
            raise ScreenOffError()


def finger_path(start: float, length: int, way: int) -> tuple[float, float]:
    """Start and end of a finger along an axis of `length` pixels; moved so that it has room."""
    low, high = length * _MARGIN, length * (1 - _MARGIN)
    travel = length * SCROLL_SHARE
    end = min(max(start + way * travel, low), high)
    if abs(end - start) < travel / 2:
        start = min(max(end - way * travel, low), high)
    return start, end
