"""`stepscope agents`: adapters, and raw outputs as actions."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from .conftest import Cli

NAMES = [
    "ui-tars-1.0",
    "ui-tars-1.5",
    "qwen2-vl",
    "qwen2.5-vl",
    "qwen3-vl",
    "os-atlas-pro",
    "aguvis",
    "uground",
    "showui",
    "seeclick",
    "cogagent",
    "gui-r1",
    "infigui-r1",
    "agentcpm-gui",
    "os-genesis",
    "ui-venus",
    "gui-owl-1",
    "gui-owl-1.5",
    "opencua",
    "claude-computer",
    "openai-computer",
    "gemini-computer",
    "internvl",
    "spiritsight",
    "json",
]


def lines(file: Path, *records: Any) -> str:
    file.write_text("".join(json.dumps(one) + "\n" for one in records))
    return str(file)


def test_all_adapters_of_the_contract_are_listed(cli: Cli) -> None:
    found = cli("agents", "list", "--json").json
    assert sorted(one["name"] for one in found) == sorted(NAMES)
    assert {key for one in found for key in one} == {"name", "title", "space", "platform", "source", "version"}
    assert {one["name"]: one["space"] for one in found}["ui-tars-1.5"] == "resized"
    assert all({*one["platform"]} <= {"android", "web", "desktop"} for one in found)
    assert "UI-TARS 1.5" in cli("agents", "list").out


def test_an_adapter_says_what_it_reads(cli: Cli) -> None:
    found = cli("agents", "info", "agentcpm-gui", "--json").json
    assert found["scroll"] == "finger" and found["resize"]["rule"] == "long_side" and "POINT" in found["actions"]
    assert found["prompt"]["version"] == "1" and found["writes"]["back"] == '{"PRESS":"BACK"}'
    assert found["file"].endswith("agentcpm-gui.toml")
    told = cli("agents", "info", "agentcpm-gui").out
    assert "finger" in told and "prompt, version 1:" in told and "<Question>{goal}</Question>" in told


def test_raw_outputs_become_actions(cli: Cli, tmp_path: Path) -> None:
    file = lines(
        tmp_path / "raw.jsonl",
        {"id": "a", "raw": "Action: click(start_box='(546,1204)')"},
        {"id": 7, "raw": "Action: scroll(start_box='(500,800)', end_box='(500,200)')", "sent": [1000, 1000]},
        {"id": "c", "raw": "I do not know."},
        {"id": "d", "raw": "Action: type(content='hi\\n')", "sent": None},
    )
    ended = cli("agents", "parse", "--adapter", "ui-tars-1.5", "--size", "1080x2400", file)
    assert ended.status == 0 and ended.err == ""
    one, two, three, four = map(json.loads, ended.out.splitlines())
    assert one["id"] == "a" and one["actions"][0]["point"] == [540, 1200] and one["said"] == [[546, 1204]]
    assert one["space"] == "resized" and one["problem"] is None
    swipe = two["actions"][0]
    assert two["id"] == 7 and (swipe["kind"], swipe["point"], swipe["to"], swipe["direction"]) == (
        "swipe", [540, 1920], [540, 480], "up",
    )  # fmt: skip
    assert three["actions"] == [] and three["problem"] == "no action of UI-TARS 1.5 is in the answer"
    assert [action["kind"] for action in four["actions"]] == ["type", "press_key"]


def test_the_size_and_the_space_can_be_told(cli: Cli, tmp_path: Path) -> None:
    file = lines(tmp_path / "raw.jsonl", {"id": 1, "raw": {"action": "left_click", "coordinate": [50, 50]}})
    ask = ("agents", "parse", "--adapter", "claude-computer", "--size", "1080x2400")
    assert json.loads(cli(*ask, "--sent", "100x100", file).out)["actions"][0]["point"] == [540, 1200]
    original = json.loads(cli(*ask, "--space", "original", file).out)
    assert original["actions"][0]["point"] == [50, 50] and original["space"] == "original"


def test_lines_come_from_a_pipe(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.TextIOWrapper(io.BytesIO(b'\xef\xbb\xbf{"id": 1, "raw": "(500, 500)"}\n\n{"id": 2, "raw": "(0, 0)"}'))
    monkeypatch.setattr(sys, "stdin", stream)
    ended = cli("agents", "parse", "--adapter", "uground", "--size", "1080x2400", "-")
    assert [json.loads(line)["actions"][0]["point"] for line in ended.out.splitlines()] == [[540, 1200], [0, 0]]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{", "raw.jsonl:2: the line is not JSON"),
        ("[1]", "raw.jsonl:2: the line is not an object"),
        ('{"raw": "a"}', "raw.jsonl:2: id is missing"),
        ('{"id": 1}', "raw.jsonl:2: raw is missing"),
        ('{"id": 1, "raw": 5}', "raw.jsonl:2: raw is neither"),
        ('{"id": 1, "raw": "a", "sent": [1]}', "raw.jsonl:2: sent "),
        ('{"id": 1, "raw": "a", "sent": [true, 5]}', "raw.jsonl:2: sent "),
    ],
)
def test_bad_lines_are_told_by_line_and_field(cli: Cli, tmp_path: Path, line: str, told: str) -> None:
    file = tmp_path / "raw.jsonl"
    file.write_text('{"id": 0, "raw": "(500, 500)"}\n' + line + "\n")
    ended = cli("agents", "parse", "--adapter", "uground", "--size", "1080x2400", str(file))
    assert ended.status == 2 and told in ended.line
    assert len(ended.out.splitlines()) == 1  # what came before it was read


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--adapter", "nobody", "--size", "1x1"), "there is no adapter 'nobody'"),
        (("--adapter", "json", "--size", "wide"), "--size 'wide' is no size"),
        (("--adapter", "json", "--size", "0x5"), "--size '0x5' is no size"),
        (("--adapter", "json", "--size", "1x1", "--sent", "5"), "--sent '5' is no size"),
        (("--adapter", "json", "--size", "1x1", "--space", "inches"), "--space 'inches' is none"),
        (("--adapter", "qwen2.5-vl", "--size", "1x900"), "more than 200 times as long as wide"),
    ],
)
def test_bad_options_are_told(cli: Cli, tmp_path: Path, options: tuple[str, ...], told: str) -> None:
    ended = cli("agents", "parse", *options, lines(tmp_path / "raw.jsonl", {"id": 1, "raw": "(0, 0)"}))
    assert ended.status == 2 and told in ended.line


def test_a_file_that_is_not_there(cli: Cli, tmp_path: Path) -> None:
    ended = cli("agents", "parse", "--adapter", "json", "--size", "1x1", str(tmp_path / "nothing.jsonl"))
    assert ended.status == 2 and "nothing.jsonl" in ended.line


def test_a_broken_adapter_of_ones_own_is_told(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STEPSCOPE_HOME", str(tmp_path))
    folder = tmp_path / "config" / "agents"
    folder.mkdir(parents=True)
    (folder / "mine.toml").write_text("title = ")
    ended = cli("agents", "list", "--json")
    assert ended.status == 0 and len(ended.json) == len(NAMES) and "mine.toml" in ended.line
