"""Text on its way to a phone: through its shell, through `input text`, by scrcpy, by a keyboard for adb."""

from __future__ import annotations

import base64
import shlex
import subprocess
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.device.adb import text as typing
from stepscope.core.device.adb.link import quoted
from stepscope.core.device.adb.text import KEYBOARD, TextInjector, input_words, pieces
from stepscope.core.device.device import DeviceError

ASCII = st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=1)
NASTY = ["'", '"', "`id`", "$(id)", "; id;", "a && b", "%s", "% s", "%%s", "\\n", "-x", "*", "~", "a  b", "ss%s%", "#"]


def typed_by_android(argument: str) -> str:
    """`InputShellCommand.sendText`: a percent sign and an s behind it become one space."""
    characters, escaped, at = list(argument), False, 0
    while at < len(characters):
        if escaped:
            escaped = False
            if characters[at] == "s":
                characters[at] = " "
                at -= 1
                del characters[at]
        if characters[at] == "%":
            escaped = True
        at += 1
    return "".join(characters)


@given(st.lists(ASCII | st.sampled_from(NASTY), min_size=1).map("".join))
def test_input_text_types_what_was_meant(text: str) -> None:
    arguments = list(input_words(text))
    assert "".join(map(typed_by_android, arguments)) == text
    assert not any(" " in argument for argument in arguments)


@given(st.lists(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])), min_size=1, max_size=30))
def test_nothing_gets_out_of_its_word_in_a_shell(texts: list[str]) -> None:
    """A POSIX shell hands over exactly the words, and runs nothing else."""
    words = [*texts, *NASTY]
    line = f"input() {{ printf '%s\\0' \"$@\"; }}; {quoted('input', 'text', *words)}"
    done = subprocess.run(["sh", "-c", line], capture_output=True, check=True)
    assert done.stderr == b""
    assert done.stdout.decode().split("\0")[:-1] == ["text", *words]


def test_pieces() -> None:
    assert list(pieces("a b\r\nc\td\n\ne")) == ["a b", "\n", "c", "\t", "d", "\n", "\n", "e"]
    assert list(pieces("")) == []


class FakeControl:
    def __init__(self) -> None:
        self.done: list[tuple[str, str]] = []

    def text(self, words: str) -> None:
        self.done.append(("text", words))

    def paste(self, words: str) -> None:
        self.done.append(("paste", words))


class FakePhone:
    """`text` and `input` as the link and the hands have them; keeps what was asked."""

    def __init__(self, keyboards: str = "com.x/.Ime", refuses: bool = False) -> None:
        self.done: list[str] = []
        self.keyboards, self.current, self.refuses = keyboards, "com.x/.Ime", refuses

    def text(self, command: str) -> str:
        self.done.append(command)
        if command == "ime list -s":
            return self.keyboards
        if command.startswith("ime set") and not self.refuses:
            self.current = command.removeprefix("ime set ")
        return self.current if "default_input_method" in command else ""

    def input(self, *words: str) -> None:
        self.done.append(quoted("input", *words))

    def typist(self, running: FakeControl | None = None, started: FakeControl | None = None) -> TextInjector:
        closed = threading.Event()
        closed.set()  # waits are over at once
        press = lambda key: self.done.append(f"press {key}")  # noqa: E731
        return TextInjector(self, lambda start: running or (started if start else None), press, self.input, closed)  # type: ignore[arg-type]


def test_ascii_by_input() -> None:
    phone = FakePhone()
    phone.typist().type("it's $5\nok\t!")
    assert phone.done == ["input text 'it'\"'\"'s%s$5'", "press enter", "input text ok", "press tab", "input text '!'"]


def test_scrcpy_where_it_runs() -> None:
    phone, control = FakePhone(), FakeControl()
    phone.typist(control).type("plain\nGrüße 🙂")
    assert control.done == [("text", "plain"), ("paste", "Grüße 🙂")]
    assert phone.done == ["press enter"]


def test_scrcpy_is_started_for_other_scripts_only() -> None:
    phone, control = FakePhone(), FakeControl()
    phone.typist(started=control).type("plain")
    assert control.done == []
    phone.typist(started=control).type("日本")
    assert control.done == [("paste", "日本")]


def test_the_keyboard_for_adb_is_put_in_front_and_back() -> None:
    phone = FakePhone(f"com.x/.Ime\n{KEYBOARD}")
    phone.typist().type("نص; rm -rf /")
    message = base64.b64encode("نص; rm -rf /".encode()).decode()
    assert [shlex.split(line)[-1] for line in phone.done if "broadcast" in line] == [message]
    assert phone.current == "com.x/.Ime"


def test_a_phone_that_keeps_its_keyboard() -> None:
    phone = FakePhone(f"com.x/.Ime\n{KEYBOARD}", refuses=True)
    with pytest.raises(DeviceError, match="does not change its keyboard"):
        phone.typist().type("é")
    assert not any("broadcast" in line for line in phone.done)


def test_no_way_for_other_scripts() -> None:
    with pytest.raises(DeviceError, match="only ASCII") as told:
        FakePhone().typist().type("é")
    assert "ADBKeyBoard" in told.value.hint


@pytest.mark.parametrize("text", ["a\x07b", "\x1b[31m", "\x7f", "half \ud83d", "x" * (typing.LENGTH_LIMIT + 1)])
def test_what_cannot_be_typed_is_refused_whole(text: str) -> None:
    phone = FakePhone()
    with pytest.raises(DeviceError):
        phone.typist().type(text)
    assert phone.done == []
