"""What Android's own commands print, taken apart. Nothing here talks to a device; what is not understood is None or "".

The forms are those of Android 7 to 16 (`dumpsys display`, `dumpsys activity`, `dumpsys window`, `wm`, `getprop`, `pm`).
"""

from __future__ import annotations

import re

from stepscope.core.device.device import ScreenGeometry
from stepscope.core.domain.geometry import Size

MODEL = "ro.product.model"
MAKER = "ro.product.manufacturer"
RELEASE = "ro.build.version.release"
SDK = "ro.build.version.sdk"

# None of these may look far from many places: a device may answer with megabytes made to be slow.
_PROPERTY = re.compile(r"^\[([^\]\n]{1,200})\]: \[(.*)\]\r?$", re.MULTILINE)
_SIZE = r"(\d{1,5})\s?x\s?(\d{1,5})"
_WM = re.compile(rf"^(Physical|Override) size:[ \t]*{_SIZE}", re.MULTILINE)
_DENSITY = re.compile(r"^(Physical|Override) density:[ \t]*(\d{1,5})", re.MULTILINE)
_DISPLAY = re.compile(r"mOverrideDisplayInfo=DisplayInfo\{(.{1,8000})")
_REAL = re.compile(rf"\breal {_SIZE}")
_ROTATION = re.compile(r"\brotation (\d)\b")
_STATE = re.compile(r"\bstate ([A-Z_]+)")
_ORIENTATION = re.compile(r"(?:SurfaceOrientation|mCurrentOrientation|orientation)[:=]\s?(\d)\b")
_OFF = ("OFF", "DOZE", "DOZE_SUSPEND")
_SCREEN_OFF = re.compile(r"mScreenState=OFF|mState=OFF|\bstate OFF")
_COMPONENT = r"([A-Za-z0-9_.]{1,200}/[A-Za-z0-9_.$]{1,300})"
_FRONT = (
    ("ResumedActivity", re.compile(rf"ResumedActivity\s*[:=]\s*ActivityRecord\{{[^}}]*?\s{_COMPONENT}")),
    ("mCurrentFocus=", re.compile(rf"mCurrentFocus=Window\{{[^}}]*?\s{_COMPONENT}\}}")),
    ("mFocusedApp=", re.compile(rf"mFocusedApp=.*?ActivityRecord\{{[^}}]*?\s{_COMPONENT}")),
)
_PLACES, _AHEAD = 20, 500
"""So many places that begin as a line about the front activity are looked at, so far ahead: real ones are 2 and 200."""
_PACKAGE = re.compile(r"^package:(?:.*=)?([A-Za-z0-9_.]+)[ \t\r]*$", re.MULTILINE)
_LAUNCHABLE = re.compile(rf"^[ \t]*{_COMPONENT}[ \t\r]*$", re.MULTILINE)


def properties(listing: str) -> dict[str, str]:
    """The lines `[name]: [value]` of `getprop`."""
    return dict(_PROPERTY.findall(listing))


def physical_size(words: str) -> Size | None:
    """The size of `wm size` that holds: the override, else the physical one; upright."""
    found = {kind: (int(width), int(height)) for kind, width, height in _WM.findall(words)}
    pair = found.get("Override") or found.get("Physical")
    return Size(*pair) if pair and min(pair) > 0 else None


def density(words: str) -> str:
    """Dots per inch of `wm density`, the override first."""
    found = dict(_DENSITY.findall(words))
    return found.get("Override") or found.get("Physical") or ""


def screen(display: str) -> ScreenGeometry | None:
    """The screen as `dumpsys display` tells of it: its size is that of the pictures, as they are turned."""
    info = _DISPLAY.search(display)
    real = _REAL.search(info[1]) if info else None
    if info is None or real is None or min(int(real[1]), int(real[2])) <= 0:
        return None
    turn, state = _ROTATION.search(info[1]), _STATE.search(info[1])
    on = state[1] not in _OFF if state else not is_off(display)
    return ScreenGeometry(Size(int(real[1]), int(real[2])), int(turn[1]) % 4 if turn else 0, on)


def rotation(words: str) -> int | None:
    """Quarter turns out of `dumpsys input` or `dumpsys display` of other forms."""
    match = _ORIENTATION.search(words)
    return int(match[1]) % 4 if match else None


def is_off(words: str) -> bool:
    """Whether a display is said to be off."""
    return _SCREEN_OFF.search(words) is not None


def turned(upright: Size, quarters: int) -> Size:
    """The size of a screen turned by quarters."""
    return Size(upright.height, upright.width) if quarters % 2 else upright


def front(words: str) -> str:
    """`package/activity` in front, its class name whole; "" where the words do not tell."""
    for mark, pattern in _FRONT:
        place = -1
        for _ in range(_PLACES):
            place = words.find(mark, place + 1)
            if place < 0:
                break
            if match := pattern.match(words[place : place + _AHEAD]):
                return whole_component(match[1])
    return ""


def whole_component(component: str) -> str:
    """`com.x/.Main` as `com.x/com.x.Main`."""
    package, _slash, name = component.partition("/")
    return f"{package}/{package}{name}" if name.startswith(".") else component


def packages(listing: str) -> tuple[str, ...]:
    """The names of `pm list packages`."""
    return tuple(_PACKAGE.findall(listing))


def components(listing: str) -> tuple[str, ...]:
    """The lines of `cmd package query-activities --brief` or `resolve-activity --brief` that name an activity."""
    return tuple(_LAUNCHABLE.findall(listing))
