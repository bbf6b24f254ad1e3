"""Limits on the command line, and their page in the documentation."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from stepscope.app.cli.main import run
from stepscope.app.services.limit_options import take
from stepscope.app.services.limit_page import page
from stepscope.core import limits
from stepscope.core.errors import UsageError


@pytest.fixture(autouse=True)
def usual_limits(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv(limits.VARIABLE, raising=False)
    limits.choose({})
    yield
    limits.choose({})


def test_limits_are_taken_out_of_the_arguments_wherever_they_stand() -> None:
    words = [
        "--limit-json-nodes",
        "7M",
        "inspect",
        "x",
        "--limit-page-memory=3GB",
        "--limit",
        "5",
        "--",
        "--limit-x",
        "1",
    ]
    assert take(words) == ["inspect", "x", "--limit", "5", "--", "--limit-x", "1"]
    assert limits.chosen_limits() == {"json-nodes": 7_000_000, "page-memory": 3 << 30}


def test_limits_of_the_environment_stay_beside_those_of_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    limits.choose({"file-records": 9, "json-nodes": 3})
    take(["--limit-json-nodes", "4"])
    assert limits.chosen_limits() == {"file-records": 9, "json-nodes": 4}


@pytest.mark.parametrize("words", [["--limit-nothing", "3"], ["--limit-json-nodes"], ["--limit-json-nodes", "much"]])
def test_what_is_no_limit_is_bad_usage_in_one_line(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(UsageError):
        take(words)
    assert run(["formats", *words]) == 2
    said = capsys.readouterr()
    assert said.out == "" and said.err.count("\n") == 1 and said.err.startswith("stepscope: ")


def test_the_command_tells_the_figures_in_force(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["limits", "--json", "--limit-json-nodes", "7M"]) == 0
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    assert rows["json-nodes"]["value"] == 7_000_000 != rows["json-nodes"]["usual"]
    assert rows.keys() == limits.LIMITS.keys()
    assert run(["limits"]) == 0
    assert "7,000,000 (raised)" in capsys.readouterr().out


def test_the_page_in_the_documentation_is_of_today() -> None:
    """Made anew by `python -m stepscope.app.services.limit_page docs/limits.md`."""
    assert (Path(__file__).parents[3] / "docs" / "limits.md").read_text("utf-8") == page()
