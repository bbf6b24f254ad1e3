"""From a checkpoint of texts to an order: pretrained and trained by command, evaluated by a beam and exactly."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from stepscope.models.learned.card import read_card
from tests.models.ordering.conftest import step_words  # noqa: F401 - a fixture

pytestmark = [pytest.mark.chain, pytest.mark.needs("torch", "transformers")]


def manuals(folder: Path, count: int = 24) -> Path:
    """Procedures of a layout of their own: numbers that are to be counted up."""
    rows = []
    for place in range(count):
        steps = [f"Step {(place + one) % 7 + one}." for one in range(3 + place % 3)]
        rows.append(f'How to count {place},"{" ".join(steps)}",1')
    rows += ['How to do one thing,"Step 1.",1', 'How to repeat,"Step 2. Step 2. Step 2.",1']
    folder.mkdir()
    file = folder / "ordering_annotations.csv"
    file.write_text("goal,steps,ordered?\n" + "\n".join(rows) + "\n", "utf-8")
    return file


def test_pretrained_trained_and_asked_in_two_ways(
    cli: Any,
    step_words: Path,  # noqa: F811
    tmp_path: Path,
) -> None:
    data = manuals(tmp_path / "manuals")
    assert cli("weights", "add", step_words, "--name", "step-words").status == 0
    train = [
        "models",
        "train",
        "ordering",
        "--data",
        data,
        "--recipe",
        "berson",
        "--texts",
        "step-words",
        "--name",
        "mine",
    ]
    settings = "--without pictures --layers 1 --epochs 1 --pretrain 1 --batch 8 --workers 0 --device cpu"
    folds = "--train-split fold-1-of-2 --held-out-split fold-1-of-2 --validation-split"
    done = cli(*train, *settings.split(), *folds.split(), "", "--json")
    assert done.status == 0, done.err
    assert "pretraining, seed 0, epoch 1 of 1" in done.err and "seed 0, epoch 1 of 1" in done.err
    card = read_card(Path(done.json["folder"]))
    assert card.config["encoders"] == {"texts": "step-words", "views": ""}
    assert (card.config["without"], card.config["layers"]) == (["pictures"], 1)
    assert card.training["pretrain"] == 1
    assert not (Path(done.json["folder"]) / "model.onnx").exists()

    asked = ["evaluate", "ordering", data, "--split", "fold-1-of-2", "--json"]
    beam, exact = (cli(*asked, "--model", one).json for one in ("mine", "mine?search=exact"))
    assert beam["n"] == exact["n"] == done.json["held_out"]["n"]
    assert exact["model"] == "mine?search=exact" and exact["state"] == "done"
    # Of five steps a beam of 64 drops nothing that matters here.
    assert beam["metrics"] == pytest.approx(done.json["held_out"]["metrics"])
    run = cli("runs", "export", str(exact["run"]), "--format", "jsonl", "--output", tmp_path / "run.jsonl")
    assert run.status == 0, run.err
    assert "exact search" in (tmp_path / "run.jsonl").read_text("utf-8")

    out_of_folder = cli(*asked, "--model", f"{done.json['folder']}?search=exact").json
    assert out_of_folder["metrics"] == exact["metrics"]
    wrong = cli(*asked, "--model", "mine", "--runtime", "onnx")
    assert wrong.status == 2 and "runs in torch alone" in wrong.err

    wrong = cli(*train, "--objectives", "mlm")
    assert wrong.status == 2 and "those of a pretraining, and there is none" in wrong.err
    wrong = cli(*train, *settings.split(), "--objectives", "isp")
    assert wrong.status == 2 and "nothing to pretrain by" in wrong.err
    wrong = cli(*train, "--without", "texts,pictures")
    assert wrong.status == 2 and "Without texts and pictures there is nothing to look at." in wrong.err
    wrong = cli(*asked, "--model", "mine?beam=0")
    assert wrong.status == 2 and "beam cannot be '0'" in wrong.err
    wrong = cli("models", "export", "mine")
    assert wrong.status == 2 and "searches, and is no one graph" in wrong.err


def test_other_recipes_are_not_pretrained(cli: Any, tmp_path: Path) -> None:
    data = manuals(tmp_path / "manuals", 4)
    wrong = cli("models", "train", "ordering", "--data", data, "--recipe", "pairwise-pointer", "--pretrain", "1")
    assert wrong.status == 2 and "has no pretraining" in wrong.err
