"""Programs that look at the screen and touch it: `screencap`, `screenrecord`, `uiautomator`, `input`."""

from __future__ import annotations

import os
import random
import time

import numpy as np
from lxml import etree

from stepscope.core.domain.action import Drag, LongPress, PressKey, Swipe, Tap, Type
from stepscope.core.domain.elements import UITree
from stepscope.core.domain.geometry import Size
from stepscope.core.imaging.opencv import cv2
from tests.device_side.encoder import even
from tests.device_side.keys import key_name
from tests.device_side.phone import Phone
from tests.device_side.shell import Run
from tests.device_side.video import Meter, pictures

LONG_PRESS_MS = 500
TIME_LIMIT_SECONDS = 180


def screencap(run: Run, words: list[str]) -> int:
    data = png(run.phone)
    if run.phone.faults.cut_png is not None:
        data = data[: run.phone.faults.cut_png]
    files = [word for word in words if not word.startswith("-")]
    if files:
        run.phone.files[files[-1]] = data
    else:
        run.out(data)
    return 0


def png(phone: Phone) -> bytes:
    ok, data = cv2.imencode(".png", np.ascontiguousarray(phone.picture()[:, :, ::-1]), [cv2.IMWRITE_PNG_COMPRESSION, 1])
    assert ok
    return data.tobytes()


def screenrecord(run: Run, words: list[str]) -> int:
    """Bare H.264 on the output (`-`), or into a file. A turned screen lies between bars; a screen at rest sends
    nothing."""
    options = dict(word[2:].partition("=")[::2] for word in words if word.startswith("--") and "=" in word)
    for name in ("time-limit", "size", "bit-rate"):
        if f"--{name}" in words:
            options[name] = words[words.index(f"--{name}") + 1]
    phone = run.phone
    if phone.faults.video_garbage:
        _garbage(run)
        return 0
    if phone.faults.screenrecord_says is not None:
        run.out(phone.faults.screenrecord_says)
        return 1
    size = even(phone.size)
    if "size" in options:
        width, height = map(int, options["size"].split("x"))
        size = Size(width, height)
    seconds = min(TIME_LIMIT_SECONDS, float(options.get("time-limit", 0)) or TIME_LIMIT_SECONDS)
    end = _Deadline(seconds)
    meter, kept = Meter(phone), bytearray()
    write = run.out if words[-1] == "-" else kept.extend
    rate = int(options.get("bit-rate", "8000000").replace("M", "000000"))
    for packet in pictures(phone, size, lambda: run.gone() or end.over(), rate, True):
        data, over = meter.pass_on(packet.data)
        write(data)
        if over:
            break
    if words[-1] != "-":
        phone.files[words[-1]] = bytes(kept)
    return 0


class _Deadline:
    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def over(self) -> bool:
        return time.monotonic() >= self._end


def _garbage(run: Run) -> None:
    """Half of it looks like the starts of NAL units."""
    chance = random.Random(1)
    while not run.gone():
        run.out(b"\0\0\0\1" + bytes([chance.randrange(256)]) + os.urandom(chance.randrange(1, 30_000)))


def uiautomator(run: Run, words: list[str]) -> int:
    if words[:1] != ["dump"]:
        run.complain(f"Error: unknown command: {words[:1]}")
        return 1
    faults = run.phone.faults
    if faults.dump_seconds:
        run.pause(faults.dump_seconds)
    problem = faults.failed_dump()
    if problem:
        run.complain(problem)
        return 0
    data = dump(run.phone.screens.tree(run.phone.turned), run.phone.rotation)
    if faults.dump_cut is not None:
        data = data[: faults.dump_cut]
    files = [word for word in words[1:] if not word.startswith("-")]
    name = files[0] if files else "/sdcard/window_dump.xml"
    if name in ("/dev/tty", "/dev/stdout", "/proc/self/fd/1"):
        if not faults.no_terminal:
            run.out(data)
    else:
        run.phone.files[name] = data
    run.say(f"UI hierchary dumped to: {name}")
    return 0


def dump(tree: UITree, rotation: int) -> bytes:
    """The tree as `uiautomator` writes it."""
    root = etree.Element("hierarchy", rotation=str(rotation))
    nodes: list[etree._Element] = []
    for element in tree:
        parent = nodes[element.parent] if element.parent >= 0 else root
        box = element.box
        values = {
            "index": str(len(parent)),
            "text": element.text,
            "resource-id": element.resource_id,
            "class": element.class_name,
            "package": element.package,
            "content-desc": element.content_description,
            "bounds": f"[{box.left:.0f},{box.top:.0f}][{box.right:.0f},{box.bottom:.0f}]",
        }
        flags = {
            "checkable": element.checkable, "checked": element.checked, "clickable": element.clickable,
            "enabled": element.enabled, "focusable": element.editable, "focused": element.focused,
            "scrollable": element.scrollable, "long-clickable": element.long_clickable, "password": element.password,
            "selected": element.selected,
        }  # fmt: skip
        values |= {name: str(flag).lower() for name, flag in flags.items()}
        nodes.append(etree.SubElement(parent, "node", {k: _printable(v) for k, v in values.items()}))
    return b"<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>" + etree.tostring(root, encoding="utf-8")


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() or c == "\n" else "." for c in text)


def touch_input(run: Run, words: list[str]) -> int:
    phone = run.phone
    if phone.faults.no_touch:
        run.complain(
            "java.lang.SecurityException: Injecting input events requires the caller to have the INJECT_EVENTS"
        )
        return 255
    while words and (words[0] in ("touchscreen", "keyboard", "mouse", "-d", "dpad", "touchpad")):
        words = words[2:] if words[0] == "-d" else words[1:]
    what, rest = (words[0], words[1:]) if words else ("", [])
    try:
        if what == "tap":
            phone.perform(Tap(phone.point(float(rest[0]), float(rest[1]))))
        elif what in ("swipe", "draganddrop"):
            _swipe(run, what, list(map(float, rest)))
        elif what == "text":
            return _text(run, rest[0])
        elif what == "keyevent":
            for code in (word for word in rest if not word.startswith("--")):
                phone.perform(PressKey(key_name(code)))
        else:
            run.complain(
                f"Error: Unknown command: {what}\nUsage: input [<source>] [-d DISPLAY_ID] <command> [<arg>...]"
            )
            return 255
    except (IndexError, ValueError) as error:
        run.complain(f"Error: Invalid arguments for command: {what} ({error})")
        return 255
    return 0


def _swipe(run: Run, what: str, numbers: list[float]) -> None:
    x, y, to_x, to_y = numbers[:4]
    milliseconds = numbers[4] if numbers[4:] else 300
    run.pause(milliseconds / 1000)
    phone = run.phone
    start, end = phone.point(x, y), phone.point(to_x, to_y)
    if what == "draganddrop":
        phone.perform(Drag(start, end))
    elif abs(x - to_x) + abs(y - to_y) < 8:
        phone.perform(LongPress(start) if milliseconds >= LONG_PRESS_MS else Tap(start))
    else:
        phone.perform(Swipe(start, end))


def _text(run: Run, text: str) -> int:
    """`%s` is a space; what no key of the virtual keyboard has brings the program down."""
    text = text.replace("%s", " ")
    if not text.isascii():
        run.complain(
            "Exception occurred while executing 'text':\njava.lang.NullPointerException: Attempt to get length of null "
            "array\n\tat com.android.server.input.InputShellCommand.sendText(InputShellCommand.java:390)"
        )
        return 255
    run.phone.perform(Type(text))
    return 0
