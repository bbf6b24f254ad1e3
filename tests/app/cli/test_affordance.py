"""Element affordance from the command line: rules on the sample, predictions of others, records, what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from stepscope.app.services.provenance import SAMPLE

from .conftest import Cli

METRICS = ("macro_f1", "macro_ap", "micro_f1", "screen_accuracy", "done_recall", "tap_precision", "check_ap")


def test_the_rules_on_the_sample_and_their_answers_again(cli: Cli, tmp_path: Path) -> None:
    asked = ("evaluate", "affordance", SAMPLE, "--filter", "app:shop", "--json")
    by_class, taps = (cli(*asked, "--model", name).json for name in ("class-prior", "tap-everything"))
    assert by_class["protocol"] == taps["protocol"] == "affordance" and by_class["n"] == taps["n"] > 0
    assert set(METRICS) <= set(by_class["metrics"])
    assert taps["metrics"]["tap_recall"] == 1.0 and taps["metrics"]["type_precision"] is None
    assert taps["metrics"]["tap_precision"] < by_class["metrics"]["tap_precision"]
    assert by_class["metrics"]["macro_f1"] > taps["metrics"]["macro_f1"]
    out = tmp_path / "said.jsonl"
    assert cli("runs", "export", by_class["run"], "--format", "jsonl", "--output", out).status == 0
    line = json.loads(out.read_text().splitlines()[1])
    assert set(line) >= {"episode", "step", "affordance"}
    again = cli(*asked, "--predictions", out).json
    assert again["metrics"] == by_class["metrics"] and again["n"] == by_class["n"]


def test_records_are_scored(cli: Cli, tmp_path: Path) -> None:
    """One screen: tap right on 0, long press too many there, scroll missed on 1."""
    record = {"episode": "e", "step": 0, "reference": {"0": ["tap"], "1": ["scroll"]},
              "prediction": {"0": {"tap": 0.9, "long_press": 0.5}, "1": []}}  # fmt: skip
    file = tmp_path / "records.jsonl"
    file.write_text(json.dumps(record) + "\n")
    values = cli("score", "affordance", file, "--json").json["metrics"]
    assert (values["tap_f1"], values["scroll_f1"], values["long_press_f1"]) == (1.0, 0.0, 0.0)
    assert values["macro_f1"] == 0.5 and values["micro_f1"] == 0.5, "long press does not occur: 1 of 2; 2 / (2 + 1 + 1)"
    assert values["screen_accuracy"] == 0.0 and values["done_recall"] is None
    file.write_text(json.dumps({**record, "reference": {"0": ["hover"]}}) + "\n")
    ended = cli("score", "affordance", file)
    assert ended.status == 2 and "records.jsonl:1" in ended.err and "'hover' is none of tap" in ended.err


def test_what_the_task_is_not_for(cli: Cli, tmp_path: Path) -> None:
    wrong = cli("evaluate", "affordance", SAMPLE, "--model", "text-match")
    assert wrong.status == 2 and "text-match" in wrong.err
    lines = tmp_path / "bad.jsonl"
    lines.write_text('{"episode": "settings-larch-house", "step": 0, "affordance": {"0": ["fly"]}}\n')
    ended = cli("evaluate", "affordance", SAMPLE, "--predictions", lines)
    assert ended.status == 2 and "'fly' is none of tap" in ended.err


@pytest.mark.parametrize("arguments", [("--without", "words"), ("--without", "tree", "--without", "pictures")])
def test_a_training_cannot_do_without_everything(cli: Cli, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    ended = cli("models", "train", "affordance", "--data", tmp_path, *arguments)
    assert ended.status == 2 and ended.err.count("\n") == 1
