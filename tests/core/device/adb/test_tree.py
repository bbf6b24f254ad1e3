"""UI trees by `uiautomator dump`: where it writes, what it says instead, and how often it is asked."""

from __future__ import annotations

import threading

import pytest

from stepscope.core.device.adb.tree import Dumper
from stepscope.core.device.device import DeviceLost, DeviceTimeout, UITreeUnavailableError
from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.geometry import Box, Size
from stepscope.core.errors import SourceError

SIZE = Size(1080, 2400)
XML = b"<?xml version='1.0' ?><hierarchy rotation=\"0\"><node/></hierarchy>"
TREE = UITree(elements=(UIElement(0, Box(0, 0, 1, 1, SIZE)),), origin=TreeOrigin.DUMP, size=SIZE)
TO_US = b"UI hierchary dumped to: /dev/tty\n"


class FakeLink:
    """Answers in turn; the last one again and again."""

    def __init__(self, *answers: bytes | Exception) -> None:
        self.answers = list(answers)
        self.commands: list[str] = []

    def run(self, command: str, *, seconds: float, limit: int) -> bytes:
        self.commands.append(command)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer


def dumper(link: FakeLink, parsed: list[bytes] | None = None) -> Dumper:
    def parse(xml: bytes, size: Size) -> UITree:
        if parsed is not None:
            parsed.append(xml)
        assert size == SIZE
        if b"<node/>" not in xml:
            raise SourceError("broken XML: line 1")
        return TREE

    closed = threading.Event()
    closed.set()  # waits are over at once
    return Dumper(link, parse, closed)  # type: ignore[arg-type]


def test_straight_to_us() -> None:
    link, parsed = FakeLink(XML + TO_US), list[bytes]()
    assert dumper(link, parsed).tree(SIZE) is TREE
    assert parsed == [XML], "the tool's own sentence is not handed on"
    assert link.commands == ["uiautomator dump /dev/tty"]


def test_by_a_file_where_that_does_not_work_and_from_then_on() -> None:
    path = b"/data/local/tmp/stepscope-window.xml"
    link = FakeLink(TO_US, b"UI hierchary dumped to: " + path, XML, b"UI hierchary dumped to: " + path, XML)
    made = dumper(link)
    assert made.tree(SIZE) is TREE
    assert made.tree(SIZE) is TREE
    dump = f"uiautomator dump {path.decode()}"
    assert link.commands == ["uiautomator dump /dev/tty", *[dump, f"cat {path.decode()}; rm -f {path.decode()}"] * 2]


def test_a_failure_is_tried_again() -> None:
    link = FakeLink(b"ERROR: could not get idle state.\n", XML + TO_US)
    assert dumper(link).tree(SIZE) is TREE
    assert len(link.commands) == 2


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (b"ERROR: could not get idle state.\n", "does not come to rest"),
        (b"ERROR: null root node returned by UiTestAutomationBridge.\n", "gives no UI tree"),
        (XML[:40], "cut off"),
        (b"Killed\n", "Killed"),
        (b"", "says nothing"),
        (b"\xff\xfe\0garbage", "gives no UI tree"),
    ],
)
def test_no_tree_in_words(answer: bytes, words: str) -> None:
    with pytest.raises(UITreeUnavailableError, match=words):
        dumper(FakeLink(answer)).tree(SIZE)


def test_a_tree_that_cannot_be_read() -> None:
    with pytest.raises(UITreeUnavailableError, match="broken XML"):
        dumper(FakeLink(b"<?xml?><hierarchy>milk</hierarchy>")).tree(SIZE)


def test_time_and_loss() -> None:
    with pytest.raises(DeviceTimeout, match="no UI tree came within 20 s"):
        dumper(FakeLink(DeviceTimeout("late"))).tree(SIZE)
    with pytest.raises(DeviceLost):
        dumper(FakeLink(DeviceLost("gone"))).tree(SIZE)
