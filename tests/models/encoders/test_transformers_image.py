"""Encoders of pictures, and of texts and pictures, out of folders of transformers: the library's own numbers."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stepscope.core.errors import UserError
from stepscope.core.lazy import lazy_module
from stepscope.models.encoders import transformers_image, transformers_joint, transformers_text

torch = lazy_module("torch")
transformers = lazy_module("transformers")
pytestmark = pytest.mark.needs("torch", "transformers", "torchvision")

TEXTS = ("open the settings", "ok", "turn off the alarm that rings at seven, please")


def by_library(folder: Path, screens: list[Any], method: str = "__call__") -> Any:
    """What the library alone gives of the pictures, its processor's own way from bytes to numbers."""
    processor = transformers.AutoImageProcessor.from_pretrained(folder)
    model = transformers.AutoModel.from_pretrained(folder).eval()
    pixels = torch.cat([processor(one, return_tensors="pt")["pixel_values"] for one in screens])
    with torch.inference_mode():
        return getattr(model, method)(pixel_values=pixels)


def seen(encoder: Any, screens: list[Any]) -> Any:
    return np.stack(encoder.embed([encoder.prepared(one) for one in screens]))


def test_dinov2_sees_what_transformers_sees(dinov2: Path, screens: list[Any]) -> None:
    wanted = by_library(dinov2, screens)
    pooled = transformers_image.load(dinov2, device="cpu")
    tokens = transformers_image.load(dinov2, device="cpu", output="tokens")
    assert seen(pooled, screens) == pytest.approx(wanted.pooler_output.numpy(), abs=1e-5)
    assert seen(tokens, screens) == pytest.approx(wanted.last_hidden_state.numpy(), abs=1e-5)
    assert (pooled.size, pooled.sequence, tokens.size, tokens.sequence) == (24, False, 24, True)
    assert seen(tokens, screens).shape == (3, 1 + 4 * 4, 24)
    prepared = pooled.prepared(screens[0])
    assert prepared.shape == (32, 32, 3)
    assert prepared.dtype == np.uint8
    assert pooled.embed([]) == []


def test_a_pooler_without_weights_is_not_asked(vit_classifier: Path, screens: list[Any]) -> None:
    wanted = by_library(vit_classifier, screens).last_hidden_state[:, 0].numpy()
    found = seen(transformers_image.load(vit_classifier, device="cpu"), screens)
    assert found == pytest.approx(wanted, abs=1e-5)
    again = seen(transformers_image.load(vit_classifier, device="cpu"), screens)
    assert np.array_equal(found, again)


def test_convolutional_networks_have_places(convnext: Path, screens: list[Any]) -> None:
    wanted = by_library(convnext, screens)
    found = seen(transformers_image.load(convnext, device="cpu", output="tokens"), screens)
    maps = wanted.last_hidden_state.numpy()
    assert found == pytest.approx(maps.reshape(3, maps.shape[1], -1).transpose(0, 2, 1), abs=1e-5)
    pooled = seen(transformers_image.load(convnext, device="cpu"), screens)
    assert pooled == pytest.approx(wanted.pooler_output.numpy(), abs=1e-5)


@pytest.mark.parametrize("family", ["clip_folder", "siglip_folder"])
def test_texts_and_pictures_in_one_space(family: str, screens: list[Any], request: pytest.FixtureRequest) -> None:
    folder: Path = request.getfixturevalue(family)
    views = transformers_joint.load_views(folder, device="cpu")
    pictures = by_library(folder, screens, "get_image_features").pooler_output.numpy()
    assert seen(views, screens) == pytest.approx(pictures / np.linalg.norm(pictures, axis=1)[:, None], abs=1e-5)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModel.from_pretrained(folder).eval()
    texts = transformers_joint.load_texts(folder, device="cpu")
    tokens = transformers_joint.load_texts(folder, device="cpu", output="tokens")
    padding: Any = "max_length" if family == "siglip_folder" else False  # as SigLIP was trained
    for text, found, states in zip(TEXTS, texts.embed(TEXTS), tokens.embed(TEXTS), strict=True):
        given = tokenizer(text, truncation=True, padding=padding, max_length=30, return_tensors="pt")
        words = int(tokenizer(text, truncation=True, max_length=30, return_tensors="pt")["input_ids"].shape[1])
        with torch.inference_mode():
            wanted = model.get_text_features(**given).pooler_output[0].numpy()
            last = model.text_model(**given).last_hidden_state[0].numpy()
        assert found == pytest.approx(wanted / np.linalg.norm(wanted), abs=1e-5)
        assert states == pytest.approx(last[:words], abs=1e-5)
    assert texts.size == views.size == pictures.shape[1]
    places = transformers_joint.load_views(folder, device="cpu", output="tokens")
    assert places.sequence
    assert seen(places, screens).shape[2] == 24


def test_a_line_of_a_screen_does_not_take_the_memory_of_a_wall(dinov2: Path) -> None:
    """Its short side becomes 40 pixels, its long one would become 43,200."""
    line = np.zeros((1, 1080, 3), np.uint8)
    line[:, 500:580] = 255
    encoder = transformers_image.load(dinov2, device="cpu")
    assert np.array_equal(encoder.prepared(line), encoder.prepared(line[:, 532:548]))
    assert encoder.prepared(line.transpose(1, 0, 2)).shape == (32, 32, 3)


def test_a_folder_of_the_other_kind_is_told(clip_folder: Path, bert: Path, dinov2: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="reads texts too") as caught:
        transformers_image.load(clip_folder, device="cpu")
    assert "transformers-joint" in caught.value.hint
    with pytest.raises(UserError, match="no model of texts and pictures"):
        transformers_joint.load_texts(bert, device="cpu")
    with pytest.raises(UserError, match="its image processor cannot be loaded"):
        transformers_image.load(bert, device="cpu")
    with pytest.raises(UserError, match="its tokenizer cannot be loaded"):
        transformers_text.load(dinov2, device="cpu")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"auto_map": {"AutoImageProcessor": "evil.Evil"}}, "auto_map"),
        ({"image_processor_type": "NoSuchProcessor"}, "its image processor cannot be loaded"),
        ({"do_center_crop": False}, "pictures of several sizes"),
        ({"crop_size": {"height": 4, "width": 4}}, "does not work on a picture"),
        ({"image_mean": "grey"}, "how bytes become numbers|cannot be loaded"),
    ],
)
def test_a_processor_that_cannot_be_used(dinov2: Path, tmp_path: Path, change: dict[str, Any], words: str) -> None:
    folder = tmp_path / "folder"
    shutil.copytree(dinov2, folder)
    file = folder / "preprocessor_config.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), **change}))
    with pytest.raises(UserError, match=words) as caught:
        transformers_image.load(folder, device="cpu")
    assert caught.value.place.startswith(str(folder))
