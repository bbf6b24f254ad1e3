"""`stepscope webtask demonstrations`: solved pages of the train split as conversations to train on."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from stepscope.core.webtask.program import parse_program
from tests.app.cli.conftest import Cli

PAGE = """<p>${goal}</p><label><input type=radio name=good value=1> yes</label>
<label><input type=radio name=good value=0> no</label><label>Why <textarea name=why></textarea></label>"""
ROWS = [["Title", "goal", "Answer.good", "Answer.why"], ["Rate", "tea", "1", "it is hot"], ["Rate", "soup", "", ""]]


@pytest.fixture
def bench(tmp_path: Path) -> Path:
    for name in ("Rate it", "Held out"):
        folder = tmp_path / "data" / "tasks" / name
        folder.mkdir(parents=True)
        (folder / "template.html").write_text(PAGE)
        with (folder / "batch.csv").open("w", newline="") as stream:
            csv.writer(stream).writerows(ROWS)
    (tmp_path / "data" / "splits").mkdir()
    (tmp_path / "data" / "splits" / "train.txt").write_text("Rate it\n")
    (tmp_path / "data" / "splits" / "test.txt").write_text("Held out\n")
    return tmp_path / "data"


def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def test_pages_of_the_train_split_become_conversations(cli: Cli, bench: Path, tmp_path: Path) -> None:
    file = tmp_path / "train.jsonl"
    form = cli("webtask", "demonstrations", bench, "-o", file, "--json").json
    (line,) = lines(file)  # on the other page nobody filled anything in
    assert (form["demonstrations"], form["unreadable"]) == (1, [])
    assert (line["task"], line["field"]) == ("Rate it", None)
    system, user, assistant = line["messages"]
    assert "self.actions.modify_radio" in system["content"]
    assert "Fill in these fields: good (radio), why (textarea)" in user["content"]
    calls = parse_program(assistant["content"]).calls
    assert [(one.name, getattr(one, "value", "") or getattr(one, "text", "")) for one, _ in calls] == [
        ("modify_radio", "1"), ("modify_text", "it is hot"),
    ]  # fmt: skip


def test_field_by_field_and_of_any_split(cli: Cli, bench: Path, tmp_path: Path) -> None:
    file = tmp_path / "all.jsonl"
    cli("webtask", "demonstrations", bench, "-o", file, "--split", "", "--ask", "field", "--html", "relevant")
    assert sorted((line["task"], line["field"]) for line in lines(file)) == [
        ("Held out", "good"), ("Held out", "why"), ("Rate it", "good"), ("Rate it", "why"),
    ]  # fmt: skip


@pytest.mark.parametrize("wrong", [("--split", "none"), ("--html", "layout"), ("--ask", "twice")])
def test_what_there_is_not_is_told_and_leaves_no_file(
    cli: Cli, bench: Path, tmp_path: Path, wrong: tuple[str, str]
) -> None:
    file = tmp_path / "x.jsonl"
    ended = cli("webtask", "demonstrations", bench, "-o", file, *wrong)
    assert ended.status == 2 and not file.exists()
