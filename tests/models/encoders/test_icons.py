"""The icon classifier: it learns drawn shapes, is the same by seed and after being written, and keeps nothing half."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from stepscope.core.errors import UsageError, UserError
from stepscope.core.imaging.parts import Pixels
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken
from stepscope.models.encoders import icon_training
from stepscope.models.encoders.icon_samples import IconSample
from stepscope.models.encoders.icon_training import IconEpoch, train_icons
from stepscope.models.encoders.icons import FILE_NAME, KEY, load

torch = lazy_module("torch")
safetensors = lazy_module("safetensors.torch")
pytestmark = pytest.mark.needs("torch")


def drawn(kind: str, rng: np.random.Generator) -> Pixels:
    """A shape of any colour on a ground of another, at any place and of any size from 24 to 64 pixels."""
    side = int(rng.integers(24, 65))
    ground, ink = ((rng.integers(190, 256, 3), rng.integers(0, 90, 3)) if rng.random() < 0.5 else
                   (rng.integers(0, 60, 3), rng.integers(170, 256, 3)))  # fmt: skip
    colour = tuple(int(value) for value in ink)
    pixels = np.full((side, side, 3), ground, np.uint8)
    x, y = (int(side * rng.uniform(0.42, 0.58)) for _ in range(2))
    reach, thick = int(side * rng.uniform(0.22, 0.36)), max(2, side // 12)
    if kind == "add":
        cv2.line(pixels, (x - reach, y), (x + reach, y), colour, thick)
        cv2.line(pixels, (x, y - reach), (x, y + reach), colour, thick)
    elif kind == "menu":
        for line in (-reach, 0, reach):
            cv2.line(pixels, (x - reach, y + line), (x + reach, y + line), colour, thick)
    elif kind == "search":
        cv2.circle(pixels, (x, y), reach * 2 // 3, colour, thick)
        cv2.line(pixels, (x + reach // 2, y + reach // 2), (x + reach, y + reach), colour, thick)
    else:  # play
        corners = [(x - reach, y - reach), (x - reach, y + reach), (x + reach, y)]
        cv2.fillPoly(pixels, [np.array(corners, np.int32)], colour)
    return pixels


def shapes(count: int, seed: int) -> list[IconSample]:
    rng = np.random.default_rng(seed)
    return [IconSample(drawn(kind, rng), kind) for _ in range(count) for kind in ("add", "menu", "search", "play")]


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[IconEpoch]]:
    folder = tmp_path_factory.mktemp("icons")
    return folder, list(train_icons(shapes(60, 0), folder, seed=3, epochs=12, device="cpu"))


def test_it_tells_shapes_that_it_never_saw(trained: tuple[Path, list[IconEpoch]]) -> None:
    folder, epochs = trained
    encoder = load(folder, device="cpu")
    fresh = shapes(50, 99)
    told = encoder.kinds([encoder.prepared(one.pixels) for one in fresh])
    assert np.mean([kind == one.kind for kind, one in zip(told, fresh, strict=True)]) > 0.95
    assert [one.epoch for one in epochs] == list(range(12))
    assert epochs[-1].loss < epochs[0].loss / 3
    assert epochs[-1].accuracy is not None and epochs[-1].accuracy > 0.9
    assert (folder / FILE_NAME).stat().st_size < 3_000_000


def test_icons_of_one_kind_are_nearer_than_others(trained: tuple[Path, list[IconEpoch]]) -> None:
    encoder = load(trained[0], device="cpu")
    fresh = shapes(20, 7)
    vectors = encoder.embed([encoder.prepared(one.pixels) for one in fresh])
    assert vectors.shape == (80, encoder.size)
    lengths = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    likeness = lengths @ lengths.T
    same = np.array([[one.kind == other.kind for other in fresh] for one in fresh])
    assert likeness[same].mean() > likeness[~same].mean() + 0.2


def test_a_vector_is_the_layer_before_the_classes(trained: tuple[Path, list[IconEpoch]]) -> None:
    encoder = load(trained[0] / FILE_NAME, device="cpu")
    prepared = [encoder.prepared(one.pixels) for one in shapes(4, 5)]
    state = safetensors.load_file(trained[0] / FILE_NAME)
    logits = encoder.embed(prepared) @ state["classes.weight"].numpy().T + state["classes.bias"].numpy()
    assert encoder.kinds(prepared) == [encoder.classes[place] for place in logits.argmax(1)]
    assert encoder.classes == ("add", "menu", "play", "search")
    assert encoder.embed([]).shape == (0, encoder.size)
    assert encoder.embed(prepared[:1]) == pytest.approx(encoder.embed(prepared)[:1], abs=1e-5)


def test_what_is_written_gives_the_same_vectors_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept: dict[str, torch.Tensor] = {}
    monkeypatch.setattr(icon_training, "write_weights", lambda file, key, state, config: kept.update(state))
    list(train_icons(shapes(6, 0), tmp_path, epochs=1, device="cpu"))
    monkeypatch.undo()
    list(train_icons(shapes(6, 0), tmp_path, epochs=1, device="cpu"))
    from stepscope.models.encoders.icon_network import IconNetwork

    config = config_of(tmp_path / FILE_NAME)
    network = IconNetwork(4, config["mean"], config["deviation"])
    network.load_state_dict(kept)
    network.eval()
    encoder = load(tmp_path, device="cpu")
    prepared = [encoder.prepared(one.pixels) for one in shapes(3, 1)]
    with torch.inference_mode():
        wanted = network(torch.from_numpy(np.stack(prepared)))[0].numpy()
    assert encoder.embed(prepared) == pytest.approx(wanted, abs=1e-6)


def test_seed_and_samples_decide_the_weights(tmp_path: Path) -> None:
    names = ("first", "again", "other")
    for name, seed in zip(names, (1, 1, 2), strict=True):
        list(train_icons(shapes(6, 0), tmp_path / name, seed=seed, epochs=2, device="cpu"))
    first, again, other = (load(tmp_path / name, device="cpu") for name in names)
    assert first.fingerprint == again.fingerprint != other.fingerprint


def test_a_cancelled_training_leaves_nothing(tmp_path: Path) -> None:
    token = CancelToken()
    found = []
    for epoch in train_icons(shapes(6, 0), tmp_path / "new", epochs=5, device="cpu", token=token):
        found.append(epoch)
        token.cancel()
    assert len(found) == 1
    assert not (tmp_path / "new").exists()


def test_a_training_that_is_cancelled_keeps_what_was_there(trained: tuple[Path, list[IconEpoch]]) -> None:
    before = (trained[0] / FILE_NAME).read_bytes()
    token = CancelToken()
    token.cancel()
    assert list(train_icons(shapes(6, 0), trained[0], device="cpu", token=token)) == []
    assert (trained[0] / FILE_NAME).read_bytes() == before
    assert [one.name for one in trained[0].iterdir()] == [FILE_NAME]


def test_samples_of_one_kind_teach_nothing(tmp_path: Path) -> None:
    for samples in ([], shapes(3, 0)[::4]):
        with pytest.raises(UserError, match="two are needed"):
            list(train_icons(samples, tmp_path, device="cpu"))


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(UserError, match="cannot be written"):
        list(train_icons(shapes(3, 0), tmp_path / "file" / "below", epochs=1, device="cpu"))


def rewritten(place: Path, change: Callable[[dict[str, torch.Tensor], dict[str, Any]], None]) -> None:
    """The file with tensors and configuration changed."""
    state, config = safetensors.load_file(place), config_of(place)
    change(state, config)
    safetensors.save_file(state, place, metadata={KEY: json.dumps(config)})


def config_of(place: Path) -> dict[str, Any]:
    """What stands beside the tensors of a file."""
    from safetensors import safe_open

    with safe_open(place, "pt") as stream:
        return dict(json.loads(stream.metadata()[KEY]))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda state, config: config.update(version=2), "not of version 1"),
        (lambda state, config: config.pop("classes"), "what it says of itself cannot be"),
        (lambda state, config: config.update(classes=["one"]), "two classes or more"),
        (lambda state, config: config.update(classes=["a"] * 4), "no names of their own"),
        (lambda state, config: config.update(classes=[1, 2, 3, 4]), "no names of their own"),
        (lambda state, config: config.update(classes=list("abc")), "its tensors do not fit"),
        (lambda state, config: config.update(mean="dark"), "what it says of itself cannot be"),
        (lambda state, config: config.update(deviation=0), "no mean or no deviation"),
        (lambda state, config: config.update(mean=float("nan")), "no mean or no deviation"),
        (lambda state, config: state.pop("vector.bias"), "its tensors do not fit"),
        (lambda state, config: state["vector.bias"].fill_(float("nan")), "what is no number"),
    ],
)
def test_files_that_cannot_be(
    trained: tuple[Path, list[IconEpoch]], tmp_path: Path,
    change: Callable[[dict[str, torch.Tensor], dict[str, Any]], None], words: str,
) -> None:  # fmt: skip
    place = tmp_path / FILE_NAME
    place.write_bytes((trained[0] / FILE_NAME).read_bytes())
    rewritten(place, change)
    with pytest.raises(UserError, match=words) as caught:
        load(tmp_path, device="cpu")
    assert caught.value.place == str(place)


def test_what_is_no_such_file(trained: tuple[Path, list[IconEpoch]], tmp_path: Path) -> None:
    whole = (trained[0] / FILE_NAME).read_bytes()
    pickle = tmp_path / "icons.pt"
    torch.save({"vector.bias": torch.zeros(2)}, pickle)
    other = tmp_path / "other.safetensors"
    safetensors.save_file({"x": torch.zeros(2)}, other)
    for place, words in ((tmp_path, "is not there"), (pickle, "end in .safetensors"), (other, "does not say that")):
        with pytest.raises(UserError, match=words):
            load(place, device="cpu")
    for length in (0, 4, 100, len(whole) - 1):
        (tmp_path / FILE_NAME).write_bytes(whole[:length])
        with pytest.raises(UserError) as caught:
            load(tmp_path, device="cpu")
        assert caught.value.place == str(tmp_path / FILE_NAME)
    with pytest.raises(UsageError, match="no output 'tokens'"):
        load(trained[0], device="cpu", output="tokens")
