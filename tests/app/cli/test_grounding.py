"""Grounding from the command line: a list like ScreenSpot's, an agent behind a server, and predictions of others."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stepscope.core.imaging.draw import encode_png
from stepscope.models.chat import servers
from tests.models.chat.conftest import ring, stage  # noqa: F401 - fixtures
from tests.models.chat.faults import Act, Stage, completion

from .conftest import Cli

SPOTS: list[dict[str, Any]] = [
    {"img_filename": "a.png", "bbox": [28, 28, 56, 28], "instruction": "close the window", "data_type": "icon",
     "data_source": "windows"},
    {"img_filename": "a.png", "bbox": [140, 280, 56, 56], "instruction": "the word Next", "data_type": "text",
     "data_source": "android"},
]  # fmt: skip
REFUSED = {"id": "moon", "image_path": "a.png", "instruction": "the moon", "box_type": "refusal"}


@pytest.fixture
def spots(tmp_path: Path) -> Path:
    folder = tmp_path / "spots"
    (folder / "images").mkdir(parents=True)
    (folder / "images" / "a.png").write_bytes(encode_png(np.full((588, 280, 3), 200, np.uint8)))
    (folder / "screenspot_desktop.json").write_text(json.dumps(SPOTS))
    (folder / "refusals.json").write_text(json.dumps([REFUSED]))
    return folder


def test_what_rules_and_the_reference_make_of_it(cli: Cli, spots: Path) -> None:
    whole = cli("evaluate", "grounding", spots, "--model", "reference", "--json").json
    assert (whole["protocol"], whole["n"], whole["metrics"]["micro_accuracy"]) == ("grounding", 3, 1.0)
    assert whole["metrics"]["refusal_accuracy"] == whole["metrics"]["icon_accuracy"] == 1.0
    assert cli("evaluate", "grounding", spots, "--model", "template").status == 2


@pytest.mark.needs("openai")
def test_an_agent_is_asked_where_in_its_own_words(cli: Cli, spots: Path, stage: Stage) -> None:  # noqa: F811
    """UI-Venus's grounding answers: pixels of the picture, and [-1, -1] where there is nothing."""
    answers = {"the moon": "[-1, -1]", "close the window": "[56, 42]", "the word Next": "[10, 10]"}
    stage.plays(*(Act(completion(answers[name])) for name in ("the moon", "close the window", "the word Next")))
    servers.add(stage.server(model="UI-Venus-7B", parallel=1))
    ended = cli("evaluate", "grounding", spots, "--model", "served:lab", "--json")
    form = ended.json
    assert form["model"] == "served:lab/UI-Venus-7B#grounding" and form["errors"] == 0, ended.err
    assert form["metrics"]["micro_accuracy"] == pytest.approx(2 / 3)
    assert (form["metrics"]["refusal_accuracy"], form["metrics"]["text_accuracy"]) == (1.0, 0.0)
    asked = [str(body["messages"]) for body in stage.bodies]
    assert all("[-1, -1]" in one and "Description:" in one for one in asked) and len(asked) == 3
    assert sum("close the window" in one for one in asked) == 1
    found = cli("agents", "diagnose", form["run"], "--json").json
    spaces = {one["space"]: one["right"] for one in found["spaces"]}
    assert (found["points"], spaces["adapter"], spaces["thousand"]) == (2, 1, 0)


@pytest.mark.needs("openai")
def test_without_words_of_its_own_it_is_asked_to_tap(cli: Cli, spots: Path, stage: Stage) -> None:  # noqa: F811
    said = '<tool_call>\n{"name": "mobile_use", "arguments": {"action": "click", "coordinate": [56, 42]}}\n</tool_call>'
    stage.plays(Act(completion(said)))
    servers.add(stage.server(model="Qwen2.5-VL-7B", parallel=1))
    form = cli("evaluate", "grounding", spots, "--model", "served:lab", "--json").json
    assert form["metrics"]["desktop_accuracy"] == 1.0 and form["metrics"]["micro_accuracy"] == pytest.approx(1 / 3)
    assert sum("Tap what this describes: the moon" in str(body["messages"]) for body in stage.bodies) == 1


def test_predictions_of_others_and_records(cli: Cli, spots: Path, tmp_path: Path) -> None:
    lines = [
        {"episode": "screenspot_desktop:1", "step": 0, "action": {"kind": "tap", "point": [28, 28]}},
        {"episode": "screenspot_desktop:2", "step": 0, "action": {"kind": "tap", "point": [0, 0]}},
        {"episode": "moon", "step": 0, "action": {"kind": "finish", "status": "impossible"}},
    ]
    file = tmp_path / "p.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)))
    form = cli("evaluate", "grounding", spots, "--predictions", file, "--json").json
    assert form["metrics"]["micro_accuracy"] == pytest.approx(2 / 3)
    again = {
        one["rule"]: one["metrics"] for one in cli("runs", "rescore", form["run"], "--all", "--json").json["rules"]
    }
    assert again["grounding"]["micro_accuracy"] == pytest.approx(2 / 3)
    assert again["grounding-strict"]["micro_accuracy"] == pytest.approx(1 / 3), "its point is the corner of the box"
    shown = cli("runs", "show", form["run"], "--json").json["items"]
    assert {one["why"] for one in shown} >= {"Inside the box.", "Nothing is meant, and it refused."}
    records = tmp_path / "r.jsonl"
    records.write_text(json.dumps({"id": 1, "reference": [28, 28, 84, 56], "prediction": [28, 28]}))
    loose = cli("score", "grounding", records, "--json").json
    strict = cli("score", "grounding", records, "--set", "edges=strict", "--json").json
    assert (loose["metrics"]["micro_accuracy"], strict["metrics"]["micro_accuracy"]) == (1.0, 0.0)
