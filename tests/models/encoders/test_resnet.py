"""torchvision's ResNets: its own numbers on random weights, for every output."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stepscope.core.errors import UsageError, UserError
from stepscope.core.lazy import lazy_module
from stepscope.models.encoders import resnet

torch = lazy_module("torch")
torchvision = lazy_module("torchvision")
safetensors_torch = lazy_module("safetensors.torch")
pytestmark = pytest.mark.needs("torch", "torchvision")

MEAN, STD = [0.485, 0.456, 0.406], [0.229, 0.224, 0.225]
LOADERS = {18: resnet.load_18, 50: resnet.load_50, 152: resnet.load_152}


def random_model(depth: int) -> Any:
    """torchvision's network; its norms are random too, as they are after training."""
    torch.manual_seed(depth)
    model = torchvision.models.get_model(f"resnet{depth}", weights=None)
    for module in model.modules():
        if isinstance(module, torch.nn.BatchNorm2d):
            module.running_mean.normal_(0, 0.1)
            module.running_var.uniform_(0.5, 1.5)
    return model.eval()


@pytest.fixture(scope="module")
def weights_18(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("resnet") / "resnet18-f37072fd.pth"
    torch.save(random_model(18).state_dict(), file)
    return file


def normalised(pixels: Any) -> Any:
    return torchvision.transforms.Normalize(MEAN, STD)(pixels)


@pytest.mark.parametrize("depth", [18, 50, pytest.param(152, marks=pytest.mark.chain)])
def test_the_same_numbers_as_torchvision(depth: int, tmp_path: Path, screens: list[Any]) -> None:
    model = random_model(depth)
    file = tmp_path / "resnet.safetensors"
    safetensors_torch.save_file(model.state_dict(), file)
    encoder = LOADERS[depth](file, device="cpu")
    prepared = [encoder.prepared(one) for one in screens]
    model.fc = torch.nn.Identity()
    pixels = torch.stack([torch.from_numpy(one.copy()).permute(2, 0, 1) / 255 for one in prepared])
    with torch.inference_mode():
        wanted = model(normalised(pixels)).numpy()
    found = np.stack(encoder.embed(prepared))
    assert found == pytest.approx(wanted, rel=1e-5, abs=1e-5 * float(np.abs(wanted).max()))
    assert encoder.size == resnet.SIZES[depth] == wanted.shape[1]
    assert prepared[0].shape == (224, 224, 3)


def test_the_last_map_is_a_sequence_of_49_places(weights_18: Path, screens: list[Any]) -> None:
    encoder = resnet.load_18(weights_18, device="cpu", output="map")
    prepared = encoder.prepared(screens[0])
    (found,) = encoder.embed([prepared])
    model = random_model(18)
    body = torch.nn.Sequential(*list(model.children())[:-2])
    with torch.inference_mode():
        maps = body(normalised(torch.from_numpy(prepared.copy()).permute(2, 0, 1)[None] / 255))[0].numpy()
    assert found.shape == (49, 512)
    assert encoder.sequence
    assert found == pytest.approx(maps.reshape(512, 49).T, rel=1e-4, abs=1e-5 * float(np.abs(maps).max()))
    (pooled,) = resnet.load_18(weights_18, device="cpu").embed([prepared])
    assert found.mean(axis=0) == pytest.approx(pooled, rel=1e-4, abs=1e-5)


def test_ten_crops_are_those_of_torchvision(weights_18: Path, screens: list[Any]) -> None:
    from PIL import Image

    functional = torchvision.transforms.functional
    model = random_model(18)
    model.fc = torch.nn.Identity()
    encoder = resnet.load_18(weights_18, device="cpu", output="ten-crop")
    found = encoder.embed([encoder.prepared(one) for one in screens])
    for pixels, vector in zip(screens, found, strict=True):
        crops = functional.ten_crop(functional.resize(Image.fromarray(pixels), 256), 224)
        batch = torch.stack([normalised(functional.to_tensor(one)) for one in crops])
        with torch.inference_mode():
            wanted = model(batch).mean(0).numpy()
        assert vector == pytest.approx(wanted, rel=1e-4, abs=1e-5 * float(np.abs(wanted).max()))


def test_the_tag_says_how_pictures_are_made_ready(weights_18: Path, tmp_path: Path) -> None:
    file = tmp_path / "fifty.pth"
    torch.save(random_model(50).state_dict(), file)
    first = resnet.load_50(file, device="cpu")
    second = resnet.load_50(file, device="cpu", tag="IMAGENET1K_V2")  # its short side is 232, not 256
    assert first.fingerprint != second.fingerprint
    assert '"side": 256' in first.fingerprint
    assert '"side": 232' in second.fingerprint
    with pytest.raises(UsageError, match="no weights 'IMAGENET1K_V2' of ResNet-18"):
        resnet.load_18(weights_18, device="cpu", tag="IMAGENET1K_V2")


def test_depths_are_told_by_the_names_of_weights() -> None:
    for depth in (18, 50, 152):
        assert resnet.depth_of(torchvision.models.get_model(f"resnet{depth}", weights=None).state_dict()) == depth
    for name in ("resnet34", "resnet101", "mobilenet_v2"):
        assert resnet.depth_of(torchvision.models.get_model(name, weights=None).state_dict()) is None


def test_other_weights_are_refused(weights_18: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="holds no weights of ResNet-50") as caught:
        resnet.load_50(weights_18, device="cpu")
    assert caught.value.place == str(weights_18)
    half = tmp_path / "half.pth"
    half.write_bytes(weights_18.read_bytes()[:100_000])
    with pytest.raises(UserError, match="no model that can be loaded"):
        resnet.load_18(half, device="cpu")
    with pytest.raises(UserError, match="the model file is not there"):
        resnet.load_18(tmp_path / "gone.pth", device="cpu")
