"""`stepscope models tune-curve`: a small checkpoint is tuned at two ranks and measured on the way."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from stepscope.core.evaluation.runs import EvaluationRun
from stepscope.models.checkpoints import checkpoint
from stepscope.models.checkpoints.lora_settings import LoraStep
from stepscope.models.checkpoints.lora_training import LoraTraining
from tests.models.checkpoints.conftest import loud  # noqa: F401 - a fixture

pytestmark = [
    pytest.mark.usefixtures("store", "added"),
    pytest.mark.needs("torch", "transformers", "torchvision", "peft"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning"),
]
ASKED = "local:loud?prompt=sentence&inputs=words&tokens=16"
QUICK = (
    "--ranks",
    "1,2",
    "--every",
    2,
    "--epochs",
    2,
    "--batch",
    1,
    "--rate",
    0.005,
    "--test-limit",
    1,
    "--device",
    "cpu",
)


@pytest.fixture
def added(loud: Path) -> None:  # noqa: F811 - the fixture
    checkpoint.add(checkpoint.Checkpoint("loud", str(loud)), replaces=True)


@pytest.mark.chain
def test_a_stopped_curve_goes_on_and_is_drawn_with_its_numbers(
    cli: Any, recordings: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "curve"
    wanted = ("models", "tune-curve", ASKED, "--data", recordings, "--test", recordings, "--name", "gain", "--out", out)
    moved: list[int] = []
    run, begin = LoraTraining.run_in_parts, EvaluationRun.updates
    begun: list[str] = []

    def counted(self: Any, examples: Any, token: Any) -> Any:
        for move in run(self, examples, token):
            moved.extend([move.step] * isinstance(move, LoraStep))
            yield move

    def stopped_at_the_third(self: Any) -> Any:
        begun.append(self.spec.model)
        for update in begin(self):
            yield update
            if len(begun) == 3:
                raise KeyboardInterrupt

    monkeypatch.setattr(LoraTraining, "run_in_parts", counted)
    monkeypatch.setattr(EvaluationRun, "updates", stopped_at_the_third)
    assert cli(*wanted, *QUICK).status == 130
    assert moved == [1, 2, 3, 4] and [one.partition("?")[0] for one in begun] == [
        "local:loud", "local:gain-r1@2", "local:gain-r1@4",
    ]  # fmt: skip
    assert not out.exists()
    ended = cli(*wanted, *QUICK, "--json")
    assert ended.status == 0, ended.err
    assert moved == [1, 2, 3, 4, 1, 2, 3, 4], "the first rank is not tuned again"
    again = [one.partition("?")[0] for one in begun[3:]]
    assert again == ["local:gain-r1@4", "local:gain-r2@2", "local:gain-r2@4"]
    points = ended.json["points"]
    assert [(one["rank"], one["moves"], one["epochs"]) for one in points] == [
        (None, 0, 0.0), (1, 2, 1.0), (1, 4, 2.0), (2, 2, 1.0), (2, 4, 2.0),
    ]  # fmt: skip
    assert ended.json["learned_from"] == 1 and "1 of the 1 episodes that are measured on were learned from" in ended.err
    listed = {one["run"] for one in cli("runs", "list", "--json").json}
    assert {one["run"] for one in points} <= listed
    assert json.loads((out / "curve.json").read_text())["points"] == points
    rows = list(csv.DictReader((out / "curve.csv").open(encoding="utf-8")))
    assert {row["metric"] for row in rows} == set(points[0]["metrics"]) and len(rows) == 5 * len(points[0]["metrics"])
    svg = (out / "curve.svg").read_text()
    assert svg.startswith("<svg") and svg.count("<polyline") == 2 and "rank 2, 4 moves" in svg
    done = cli(*wanted, *QUICK)
    assert done.status == 0 and len(moved) == 8 and len(begun) == 6, "nothing is done again"
    assert "local:loud" in done.out and "rank" in done.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--ranks", "16,x"), "are no ranks"),
        (("--ranks", "16,16"), "needs ranks, each once"),
        (("--ranks", "0"), "rank cannot be 0"),
        (("--every", 0), "--every"),
        (("--protocol", "nothing"), "nothing"),
        (("--test-split", "nowhere"), "nowhere"),
    ],
)
def test_what_cannot_be(cli: Any, recordings: Path, tmp_path: Path, arguments: tuple[Any, ...], words: str) -> None:
    ended = cli("models", "tune-curve", ASKED, "--data", recordings, "--test", recordings, "--name", "x", "--out",
                tmp_path / "out", *arguments)  # fmt: skip
    assert ended.status == 2 and words in ended.err
