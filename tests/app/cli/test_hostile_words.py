"""Words of data that steer a terminal come to nothing in tables, messages and progress, and unchanged out of JSON."""

from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path

import pytest

from stepscope.app.cli.output import print_json, table, tell
from stepscope.app.cli.progress import bar, counting
from stepscope.core.plain_text import safe
from stepscope.core.progress import Progress

HOSTILE = (
    "\x1b[2J\x1b]0;owned\x07\x9b31m \x1b]8;;file:///etc/passwd\x1b\\link\x1b]8;;\x1b\\ "
    "\u202egpj.exe\u2066 \u200bhid\u200bden \U000e0041\U000e0042 two\nstepscope: forged\r[bold red]\u2028end\x7f\x85"
)
OWN_SEQUENCES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
"""What rich sends to a terminal to draw with: colours, the cursor, lines wiped."""


@pytest.fixture
def hostile(recordings: Path) -> Path:
    """The two recordings of the other tests; every text of the first is hostile."""
    form = recordings / "1" / "episode.json"
    document = json.loads(form.read_text())
    document["goal"] = document["app"] = HOSTILE
    document["id"] = f"lamp {HOSTILE}"
    document["asks"][0]["question"] = document["asks"][0]["answer"] = HOSTILE
    form.write_text(json.dumps(document))
    return recordings.rename(recordings.with_name(f"data {HOSTILE.replace('/', '-')}"[:80]))


def plain(text: str) -> bool:
    return safe(text, keep_lines=True) == text


def test_no_command_lets_them_through(cli, hostile, store) -> None:
    episode = f"lamp {HOSTILE}"
    said = [
        ("inspect", hostile),
        ("inspect", hostile, "--episodes"),
        ("episode", hostile, episode),
        ("episode", hostile, "nothing like it"),
        ("episode", hostile, HOSTILE),
        ("asks", hostile),
        ("annotate", hostile, episode, "--note", HOSTILE, "--tag", "a tag \x1b[5m\u202e", "--author", HOSTILE),
        ("annotations", hostile),
        ("inspect", hostile / HOSTILE.replace("/", "-")),
        ("inspect", hostile, "--filter", HOSTILE),
        ("inspect", hostile, "--format", HOSTILE),
        ("evaluate", HOSTILE, hostile),
        ("score", HOSTILE, hostile),
        (HOSTILE,),
        ("--" + HOSTILE,),
        ("presets", "delete", HOSTILE),
        ("campaign", "new", HOSTILE, "--instructions", HOSTILE),
        ("campaign", "list"),
        ("campaign", "show", HOSTILE),
        ("campaign", "show", f"no {HOSTILE}"),
        ("runs", "show", HOSTILE),
        ("runs", "list", "--store", f"sqlite:///{hostile}/{HOSTILE[:9]}/none.db"),
        ("recordings", "export", hostile, hostile.with_name("out"), "--format", "motif"),
    ]
    for words in said:
        ended = cli(*words)
        assert plain(ended.out), words
        assert plain(ended.err), words
        assert not any(line.startswith(("stepscope: forged", "end")) for line in (ended.out + ended.err).split("\n"))
        if ended.status == 2:
            assert ended.line.startswith("stepscope: ")


def test_json_says_what_the_data_says_in_plain_characters(cli, hostile, store) -> None:
    episode = f"lamp {HOSTILE}"
    shown = cli("episode", hostile, episode, "--json")
    assert plain(shown.out) and shown.json["goal"] == HOSTILE and shown.json["id"] == episode
    listed = cli("inspect", hostile, "--episodes", "--json")
    assert plain(listed.out) and episode in listed.json["ids"]
    cli("annotate", hostile, episode, "--note", HOSTILE.strip())
    told = cli("annotations", hostile, "--json")
    assert plain(told.out) and [one["value"] for one in told.json["annotations"]] == [HOSTILE.strip()]


def test_a_stream_of_ascii_gets_ascii(monkeypatch) -> None:
    stream = io.TextIOWrapper(raw := io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", stream)
    print_json({"goal": f"Köln 😀 {HOSTILE}"})
    stream.flush()
    assert json.loads(raw.getvalue().decode("ascii")) == {"goal": f"Köln 😀 {HOSTILE}"}


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_gets_only_our_own_sequences(monkeypatch) -> None:
    screen = Terminal()
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setattr(sys, "stdout", screen)
    monkeypatch.setattr(sys, "stderr", screen)
    table([HOSTILE, "n"], [[HOSTILE, 1], ["[bold]x[/bold]", 2]], numbers=[HOSTILE])
    tell(f"stepscope: {HOSTILE}")
    with counting(f"Reading [bold]{HOSTILE}", "episodes") as count:
        count(1)
    with bar(f"Evaluating [link=file:///x]{HOSTILE}") as show:
        show(Progress(1, 2), HOSTILE)
    drawn = OWN_SEQUENCES.sub("", screen.getvalue()).replace("\r", "")
    assert plain(drawn)
    assert "[bold]x[/bold]" in drawn and "Reading [bold]" in drawn and "[link=file:///x]" in drawn
    assert not any(sequence in screen.getvalue() for sequence in ("\x1b[2J", "\x1b[31m", "\x1b]"))


def test_a_remark_is_one_line(capsys) -> None:
    tell("stepscope: first\nstepscope: forged\r\n  and more")
    assert capsys.readouterr().err == "stepscope: first stepscope: forged and more\n"
