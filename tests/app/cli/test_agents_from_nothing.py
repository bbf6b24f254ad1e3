"""From nothing to a table of all rules, by commands alone: a checkpoint and a server, each tried on one screen and
evaluated in two settings, a run in the wrong space found and mended without asking."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from stepscope.app.services.provenance import SAMPLE
from stepscope.core.domain.action import action_point
from stepscope.core.domain.episode import EpisodeSummary
from stepscope.core.sources.registry import open_source
from tests.models.chat.answering import answering
from tests.models.chat.conftest import ring  # noqa: F401 - a fixture
from tests.models.chat.faults import completion
from tests.models.checkpoints.conftest import knowing, tiny  # noqa: F401 - fixtures
from tests.models.checkpoints.teaching import ANSWER, put_short_adapter

from .conftest import Cli

pytestmark = [
    pytest.mark.chain,
    pytest.mark.needs("torch", "transformers", "torchvision", "openai"),
    pytest.mark.skipif(not any(SAMPLE.glob("*/episode.json")), reason="the sample is not made here"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning"),
]

EPISODES = 8


def _answers() -> dict[str, str]:
    """What a model in thousandths would answer, by the instruction of each step of the sample that has a place."""
    source, found = open_source(SAMPLE), {}
    for summary in source.scan():
        assert isinstance(summary, EpisodeSummary)
        for step in source.read(summary.id).steps:
            point = None if step.action is None else action_point(step.action)
            if point is not None and step.instruction:
                at = [round(1000 * point.x / point.size.width), round(1000 * point.y / point.size.height)]
                call = {"name": "mobile_use", "arguments": {"action": "click", "coordinate": at}}
                found[step.instruction] = f"<tool_call>\n{json.dumps(call)}\n</tool_call>"
    return found


@pytest.fixture
def asked() -> list[str]:
    """The questions that came to the server."""
    return []


@pytest.fixture
def url(asked: list[str]) -> Iterator[str]:
    """A server that knows the sample by its instructions, and says its places in thousandths."""
    answers = _answers()
    wait = '<tool_call>\n{"name": "mobile_use", "arguments": {"action": "wait", "time": 1}}\n</tool_call>'

    def answer(body: Any) -> str:
        words = json.dumps(body["messages"], ensure_ascii=False)
        asked.append(words)
        known = [one for one in answers if f"What to do now: {one}" in words]
        return completion(answers[max(known, key=len)] if known else wait)

    with answering(answer, "Qwen2.5-VL-7B") as address:
        yield address


def test_from_a_folder_and_a_server_to_a_table_of_all_rules(
    cli: Cli, knowing: Path, url: str, asked: list[str], real_data_or_none: Path | None, tmp_path: Path  # noqa: F811
) -> None:  # fmt: skip
    put_short_adapter()
    local = cli("models", "add", knowing, "--name", "mine", "--adapter", "short", "--json")
    served = cli("models", "add", url, "--name", "lab", "--yes", "--json")
    assert (local.status, served.status) == (0, 0), local.err + served.err

    tried = cli("agents", "try", "local:mine", "--device", "cpu", "--json").json
    assert tried["raw"] == ANSWER and tried["action"]["kind"] == "tap"
    tried = cli("agents", "try", "served:lab/Qwen2.5-VL-7B", "--json").json
    assert tried["spaces"] and len(asked) == 1

    def evaluated(data: Path, model: str, *more: str) -> list[Any]:
        ended = cli("evaluate", "automation", data, "--model", model, "--protocol", "android_control",
                    "--device", "cpu", "--instructions", "both", "--json", *more)  # fmt: skip
        assert ended.status == 0, ended.err
        both = ended.json
        assert [one["model"].endswith("instructions=hidden") for one in both] == [False, True]
        return both

    data = [SAMPLE] + ([real_data_or_none / "aitz_coat"] if real_data_or_none is not None else [])
    for folder in data:
        shown, _hidden = evaluated(folder, "local:mine", "--limit", "1")
        wrong = cli("runs", "show", shown["run"], "--show", "wrong", "--json").json
        assert wrong["items"] and all(item["raw"] == ANSWER for item in wrong["items"] if "raw" in item)
    shown, hidden = evaluated(SAMPLE, "served:lab", "--limit", str(EPISODES))
    assert hidden["metrics"]["step_accuracy"] <= shown["metrics"]["step_accuracy"] < 0.5

    before = len(asked)
    found = cli("agents", "diagnose", shown["run"], "--json").json
    assert found["winner"] == "thousand" and found["points"] >= 20
    mended = cli("agents", "diagnose", shown["run"], "--read", "thousand", "--json").json
    assert len(asked) == before, "nothing is asked again"
    best = found["spaces"][0]
    assert mended["metrics"]["step_accuracy"] == pytest.approx(best["step_accuracy"]) and best["difference"] > 0.3

    table = tmp_path / "rules.csv"
    assert cli("runs", "rescore", mended["run"], "--all", "-o", table).status == 0
    rows = list(csv.reader(table.read_text().splitlines()))
    assert {"OS-Atlas's scorer", "AgentCPM-GUI's scorer", "GUI-R1's scorer"} <= {
        cell.partition(", ")[2] for row in rows for cell in row
    }
