"""A trained network as a folder, read back in both runtimes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from stepscope.core.domain.prediction import Task
from stepscope.core.errors import UserError
from stepscope.core.lazy import lazy_module
from stepscope.models.learned.card import ModelCard, read_card
from stepscope.models.learned.head import in_onnx, in_torch, load_head
from stepscope.models.learned.model_folders import TrainedModel
from stepscope.models.training.save import export, save, save_weights, shapes_of
from tests.full_disk import files_of_at_most
from tests.models.training.toy import Toy, toy_data

torch = lazy_module("torch")
pytestmark = pytest.mark.needs("torch", "onnxscript")


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> TrainedModel:
    torch.manual_seed(0)
    config = {"shapes": shapes_of(toy_data(5, 0).examples)}
    card = ModelCard("toy", Task.FEASIBILITY, "toy", "1", config, "none", "")
    return save(Toy(), "toy", Toy().network(config).state_dict(), tmp_path_factory.mktemp("models") / "toy", card)


def test_torch_and_onnx_agree_at_any_batch_and_length(trained: TrainedModel) -> None:
    data = toy_data(200, 3)
    first, second = in_torch(trained, Toy(), "cpu"), in_onnx(trained, Toy(), "cpu")
    for size in (1, 2, 7):
        for at in range(0, 200, size):
            inputs = Toy().collate(data.examples[at : at + size])
            assert np.abs(first.run(*inputs)[0] - second.run(*inputs)[0]).max() < 1e-4


def test_weights_and_networks_are_written_whole_or_told(trained: TrainedModel, tmp_path: Path) -> None:
    state = {"one": torch.zeros(1000)}
    with files_of_at_most(100), pytest.raises(UserError, match="cannot be written: the disk is full"):
        save_weights(state, tmp_path)
    with files_of_at_most(100), pytest.raises(UserError, match="cannot be written: the disk is full"):
        export(trained, Toy(), tmp_path / "toy.onnx")
    assert list(tmp_path.iterdir()) == []


def test_the_card_comes_back(trained: TrainedModel) -> None:
    assert read_card(trained.folder) == trained.card


def test_the_faster_runtime_is_remembered(
    trained: TrainedModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STEPSCOPE_HOME", str(tmp_path))
    inputs = Toy().collate(toy_data(4, 0).examples)
    _, name = load_head(trained, Toy(), inputs, device="cpu")
    assert name in ("torch", "onnx")
    (memory,) = tmp_path.rglob("runtimes.json")
    other = {"torch": "onnx", "onnx": "torch"}[name]
    memory.write_text(memory.read_text().replace(f'"{name}"', f'"{other}"'))
    assert load_head(trained, Toy(), inputs, device="cpu")[1] == other


def test_other_weights_than_the_cards_are_refused(trained: TrainedModel, tmp_path: Path) -> None:
    folder = tmp_path / "toy"
    folder.mkdir()
    for file in trained.folder.iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    (folder / "weights.safetensors").write_bytes(b"nonsense")
    with pytest.raises(UserError, match="is not the file of its card"):
        in_torch(TrainedModel(folder, trained.card), Toy(), "cpu")
    other = replace(trained.card, weights="0" * 64)
    with pytest.raises(UserError, match="exported from other weights"):
        in_onnx(TrainedModel(trained.folder, other), Toy(), "cpu")
    old = replace(trained.card, recipe_version="0")
    with pytest.raises(UserError, match="was trained by version 0"):
        load_head(TrainedModel(trained.folder, old), Toy(), (), device="cpu")


def test_an_exported_file_names_no_folder_of_the_machine(trained: TrainedModel) -> None:
    assert str(Path(__file__).parents[3]).encode() not in trained.onnx.read_bytes()
    assert b"site-packages" not in trained.onnx.read_bytes()
