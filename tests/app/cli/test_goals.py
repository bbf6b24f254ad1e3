"""`stepscope goals`: prompts, and exactly what a model would be sent."""

from __future__ import annotations

from pathlib import Path

import pytest

from stepscope.core.imaging.probe import probe_bytes
from stepscope.models.goal.prompts import SAMPLE, goal_prompt
from tests.app.cli.conftest import Cli

SAMPLES = str(SAMPLE)


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STEPSCOPE_HOME", str(tmp_path / "home"))


def test_prompts_are_listed_and_one_is_shown_whole(cli: Cli) -> None:
    listed = cli("goals", "prompts", "--json").json
    assert [(one["name"], one["answer"], one["own"]) for one in listed] == [
        ("step-by-step", "steps", False), ("sentence", "sentence", False),
    ]  # fmt: skip
    shown = cli("goals", "prompt", "sentence", "--json").json
    assert shown["words"]["user"] == "What was the goal? One imperative sentence." and Path(shown["file"]).is_file()
    assert "What was the goal? One imperative sentence." in cli("goals", "prompt", "sentence").out
    wrong = cli("goals", "prompt", "sentense")
    assert wrong.status == 2 and "Did you mean sentence?" in wrong.err


def test_a_copy_is_ones_own_and_asked_by_its_name(cli: Cli) -> None:
    made = cli("goals", "copy", "sentence", "mine", "--json").json
    assert made["own"] and made["version"] == "2" and goal_prompt("mine").title == "One sentence (mine)"
    file = Path(made["file"])
    file.write_text(file.read_text().replace("One imperative sentence.", "Ein Satz."))
    shown = cli("goals", "preview", "mine", SAMPLES, "--episode", "clock-tokyo", "--json").json
    assert shown["messages"][-1]["parts"][-1] == {"text": "What was the goal? Ein Satz."}
    file.write_text("title = 3")
    said = cli("goals", "prompts")
    assert said.status == 0 and "mine.toml" in said.err and "sentence" in said.out


def test_the_preview_is_what_is_sent_with_its_pictures(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "sent"
    shown = cli("goals", "preview", "sentence", SAMPLES, "--episode", "clock-tokyo", "-o", str(folder), "--json").json
    texts = [one.get("text", "picture") for one in shown["messages"][1]["parts"]]
    assert texts[:2] == ["Step 1: Tap “World”", "picture"] and texts[-3:-1] == ["At the end:", "picture"]
    assert shown["pictures"] == texts.count("picture") == len(shown["files"]) == 5
    size = probe_bytes(Path(shown["files"][0]).read_bytes()).size
    assert (size.width, size.height) == (461, 1024)
    letters = sum(len(part.get("text", "")) for one in shown["messages"] for part in one["parts"])
    assert shown["letters"] == letters and shown["tokens"] == round(letters / 4 + 5 * 461 * 1024 / 784)
    again = cli("goals", "preview", "sentence", SAMPLES, "-o", str(folder))
    assert again.status == 2 and "not an empty folder" in again.err


def test_what_cannot_be_shown_says_why(cli: Cli) -> None:
    assert cli("goals", "preview", "served:nowhere/m", SAMPLES).status == 2
    assert "no server 'nowhere'" in cli("goals", "preview", "served:nowhere/m", SAMPLES).err
    assert cli("goals", "preview", "sentence", SAMPLES, "--episode", "nobody").status == 2
    words = cli("goals", "preview", "sentence", SAMPLES, "--episode", "clock-tokyo")
    assert words.status == 0 and "5 pictures" in words.out and "<picture of 461 × 1024" in words.out
