"""Android's keys by our names (android.view.KeyEvent)."""

from __future__ import annotations

from stepscope.core.device.device import DeviceError

CODES = {
    "home": 3, "back": 4, "call": 5, "end_call": 6, "up": 19, "down": 20, "left": 21, "right": 22, "centre": 23,
    "volume_up": 24, "volume_down": 25, "power": 26, "camera": 27, "tab": 61, "space": 62, "enter": 66, "backspace": 67,
    "menu": 82, "notifications": 83, "search": 84, "play_pause": 85, "page_up": 92, "page_down": 93, "escape": 111,
    "delete": 112, "move_home": 122, "move_end": 123, "volume_mute": 164, "recents": 187, "sleep": 223, "wake": 224,
    "cut": 277, "copy": 278, "paste": 279,
}  # fmt: skip
_OTHER_NAMES = {
    "app_switch": "recents", "overview": "recents", "del": "backspace", "forward_del": "delete", "return": "enter",
    "esc": "escape", "dpad_up": "up", "dpad_down": "down", "dpad_left": "left", "dpad_right": "right",
    "dpad_center": "centre", "wakeup": "wake", "volumeup": "volume_up", "volumedown": "volume_down",
    "mute": "volume_mute", "end": "move_end",
}  # fmt: skip
LAST_CODE = 400
ALLOW_HINT = (
    "Some makers want more than USB debugging: allow “USB debugging (security settings)” in the developer options."
)


def code(name: str) -> int:
    """Android's number for a key of our name, of Android's ("KEYCODE_TAB"), or a number. Raises DeviceError."""
    plain = name.strip().lower().removeprefix("keycode_").replace(" ", "_").replace("-", "_")
    known = CODES.get(_OTHER_NAMES.get(plain, plain))
    if known is not None:
        return known
    if len(plain) == 1 and plain.isascii() and plain.isalpha():
        return 29 + ord(plain) - ord("a")
    if plain.isdecimal() and plain.isascii() and int(plain[:6]) <= LAST_CODE:
        return int(plain)
    raise DeviceError(
        f"there is no key called {name!r}", hint=f"Known are {', '.join(CODES)}, letters, digits, numbers."
    )
