"""Android's key codes by number and name, as `input keyevent` and scrcpy take them."""

from __future__ import annotations

_CODES = {
    3: "HOME", 4: "BACK", 19: "DPAD_UP", 20: "DPAD_DOWN", 21: "DPAD_LEFT", 22: "DPAD_RIGHT", 23: "DPAD_CENTER",
    24: "VOLUME_UP", 25: "VOLUME_DOWN", 26: "POWER", 61: "TAB", 62: "SPACE", 66: "ENTER", 67: "DEL", 82: "MENU",
    92: "PAGE_UP", 93: "PAGE_DOWN", 111: "ESCAPE", 112: "FORWARD_DEL", 122: "MOVE_HOME", 123: "MOVE_END",
    187: "APP_SWITCH", 223: "SLEEP", 224: "WAKEUP", 279: "PASTE",
}  # fmt: skip
_OURS = {"APP_SWITCH": "recents"}


def key_name(code: str | int) -> str:
    """The key in our own words ("back", "enter", …), by Android's number or name ("4", "KEYCODE_BACK", "BACK").

    Raises ValueError for a name that Android does not know.
    """
    text = str(code).removeprefix("KEYCODE_")
    if text.isdigit():
        text = _CODES.get(int(text), f"keycode_{text}")
    elif text not in _CODES.values():
        raise ValueError(f"unknown key {code}")
    return _OURS.get(text, text.lower())
