"""The walk of an agent that asks by commands alone: ambiguous tasks out of the sample, three reviewed, a tiny
checkpoint fine-tuned on those that stand, evaluated beside two baselines under all four settings, its question answered
on the simulated phone, and table and data written. The same in the window: tests/app/gui/test_walk_of_asking.py.
"""

from __future__ import annotations

import csv
import io
import sys
from pathlib import Path
from typing import Any

import pytest

from stepscope.app.services.provenance import SAMPLE
from stepscope.app.services.worker import predicting_worker
from stepscope.core.sources.recording import read_recording
from stepscope.models.agents.adapter import own_folder
from tests.app.cli.test_tuned_asking import CODES
from tests.models.checkpoints.conftest import loud  # noqa: F401 - a fixture

pytestmark = [
    pytest.mark.chain,
    pytest.mark.timeout(1200),
    pytest.mark.xdist_group("simulated phone"),
    pytest.mark.usefixtures("store"),
    pytest.mark.needs("torch", "transformers", "torchvision", "peft"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning"),
]
MORE_CODES = """\
long_press = "LONG_PRESS({x}, {y})"
home = "HOME()"
finish = "DONE()"

[asks]"""
STANDS, WORDED, FALLS = "home-tea-timer", "messages-pin-hamza", "clock-pasta-timer"
GOAL, QUESTION = "Start the timer and leave me on the home screen", "Which timer do you mean?"
QUICK = ("--rank", 16, "--rate", 0.005, "--batch", 1, "--epochs", 60, "--dropout", 0, "--device", "cpu")
AGENT = "local:asking#ask?tokens=40"
BASELINES = ("never-ask?actor=text-match", "always-ask?actor=text-match")


def put_short_codes() -> None:
    """An adapter of one's own whose questions are short, so that little is to be computed."""
    own_folder().mkdir(parents=True, exist_ok=True)
    (own_folder() / "codes.toml").write_text(CODES.replace("[asks]", MORE_CODES, 1))


def test_from_the_sample_to_an_agent_that_asks(
    cli: Any,
    loud: Path,  # noqa: F811 - a fixture
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    put_short_codes()

    def done(*words: object) -> Any:
        ended = cli(*words)
        assert ended.status == 0, (words, ended.err)
        return ended

    made = done("ambiguous", "make", SAMPLE, "--json").json
    assert (made["made"], made["tasks"], made["infeasible"], made["asking_already"]) == (36, 29, 9, 7)
    tasks = {one["episode_id"]: one["id"] for one in done("ambiguous", "list", SAMPLE, "--json").json}
    review = ("ambiguous", "review", SAMPLE, "--reviewer", "ana")
    done(*review, "--accept", tasks[STANDS])
    done(*review, "--edit", tasks[WORDED], "--goal", "Keep something at the top of my messages, please")
    done(*review, "--reject", tasks[FALLS], "--note", "Nobody would ask this")
    data = tmp_path / "tasks"
    assert "2 tasks" in done("ambiguous", "export", SAMPLE, "-o", data, "--accepted").out
    for layout, name in (("asks", "tasks.jsonl"), ("naviplus", "navi-plus")):
        done("ambiguous", "export", SAMPLE, "-o", tmp_path / name, "--as", layout, "--accepted")
        assert "2 episodes" in done("inspect", tmp_path / name).out

    done("models", "add", loud, "--name", "loud", "--adapter", "codes")
    named = ("--data", data, "--mixture", "full,ambiguous", "--preset", "navi-plus-3b", "--name", "asking")
    done("models", "tune", "local:loud#ask?tokens=40", *named, *QUICK)
    runs = [
        done("evaluate", "ask", data, "--model", model, "--device", "cpu", "--json").json["run"]
        for model in (AGENT, *BASELINES)
    ]
    found = done("runs", "asks", *runs, "--lanes", STANDS, "--json").json
    original, incomplete, _ask, dual = found["runs"][0]["settings"]
    assert (original["values"]["ssr"], dual["values"]["ssr"], dual["recovery"]) == (1.0, 1.0, 1.0)
    assert incomplete["values"]["ssr"] < 1
    assert found["outcomes"]["when_due"] == [STANDS, WORDED] and any(one["rescued"] for one in found["episodes"])
    assert [len(one["settings"]) for one in found["runs"]] == [4, 4, 4]
    never, always = (one["settings"][3]["values"]["asks"] for one in found["runs"][1:])
    assert never == 0 < always
    table = tmp_path / "table.csv"
    done("runs", "asks", *runs, "--format", "csv", "-o", table)
    assert len(list(csv.reader(table.read_text("utf-8").splitlines()))) > 12
    done("runs", "asks", *runs, "--format", "latex", "-o", tmp_path / "table.tex")
    done("runs", "export", runs[0], "-o", tmp_path / "run.csv")

    try:
        monkeypatch.setattr(sys, "stdin", io.StringIO("Tea.\n"))
        acted = cli(
            "agents", "act", AGENT, "simulated", tmp_path / "acted", "--goal", GOAL, "--device", "cpu", "--json"
        )
    finally:
        predicting_worker().close()
    assert acted.json["questions"] >= 1, acted.err
    first = read_recording(tmp_path / "acted").asks[0]
    assert (first.question, first.answer) == (QUESTION, "Tea.")
