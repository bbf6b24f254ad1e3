"""Folders of trained models from strangers: a card whose config fits nothing, files that are none."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("onnxruntime")

from stepscope.app.services import own_models
from stepscope.core import limits
from stepscope.core.errors import UserError
from stepscope.models.learned import predictor
from stepscope.models.learned.card import read_card
from stepscope.models.learned.model_folders import TrainedModel, shipped_folder
from stepscope.models.learned.recipes import recipe

pytestmark = pytest.mark.needs("torch")


class Nothing:
    """In the place of the encoders."""

    fingerprint = ""
    computed_by = "tests"
    gives_sequences = False


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(predictor, "load_features", lambda *_, **__: Nothing())
    place = tmp_path / "feasibility"
    shutil.copytree(shipped_folder() / "feasibility-mlp", place)
    change(place, features="")
    yield place
    limits.choose({})


def change(folder: Path, config: dict[str, Any] | None = None, **told: object) -> None:
    file = folder / "card.json"
    form = json.loads(file.read_text("utf-8"))
    file.write_text(json.dumps({**form, **told, "config": {**form["config"], **(config or {})}}), "utf-8")


def load(folder: Path, runtime: Any = "torch") -> Any:
    trained = TrainedModel(folder, read_card(folder))
    return predictor.load(trained, recipe(trained.card.recipe), device="cpu", runtime=runtime)


def test_as_it_was_written_it_loads(folder: Path) -> None:
    load(folder).close()


@pytest.mark.parametrize(
    "config",
    [
        {"shapes": {"goal": [[1 << 40], "float32"]}},
        {"shapes": {"goal": [[-1], "float32"]}},
        {"shapes": {"goal": [[384], "no number"]}},
        {"shapes": {"goal": 5}},
        {"shapes": []},
        {"shapes": {}},
        {"cover_mean": "text"},
        {"cover_mean": [[1, 2], [3]]},
        {"cover_spread": None},
    ],
)
def test_a_config_that_fits_nothing(config: dict[str, Any], folder: Path) -> None:
    change(folder, config)
    with pytest.raises(UserError, match="its config does not fit its recipe") as caught:
        load(folder)
    assert caught.value.place == str(folder / "card.json")


def test_a_config_of_another_length_names_the_weights(folder: Path) -> None:
    change(folder, {"cover_mean": [0.0] * 1000})
    with pytest.raises(UserError, match="does not fit feasibility-mlp") as caught:
        load(folder)
    assert caught.value.place == str(folder / "weights.safetensors")


@pytest.mark.skipif(sys.platform == "win32", reason="needs pipes and links as POSIX has them")
def test_taking_in_waits_for_no_pipe_and_copies_no_hostile_graph(folder: Path) -> None:
    change(folder, name="mine")
    (folder / "model.onnx").write_bytes(b"<html>")
    with pytest.raises(UserError, match=r"model\.onnx: is no model that can be loaded"):
        own_models.take_in(folder)
    (folder / "weights.safetensors").unlink()
    os.mkfifo(folder / "weights.safetensors")
    with pytest.raises(UserError, match="this is no file"):
        own_models.take_in(folder)


def test_taking_in_leaves_room_on_the_disk(folder: Path) -> None:
    change(folder, name="mine")
    limits.choose({"disk-kept-free": 1 << 52})
    with pytest.raises(UserError, match="the disk is too full for it"):
        own_models.take_in(folder)
    limits.choose({})
    taken = own_models.take_in(folder)
    try:
        assert taken.weights.is_file() and taken.onnx.is_file()
    finally:
        own_models.remove("mine")
