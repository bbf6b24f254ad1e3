"""Both parts of CLIP models of open_clip, from a file and from a folder: open_clip's own numbers."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stepscope.core.errors import UsageError, UserError
from stepscope.core.lazy import lazy_module
from stepscope.models.encoders import clip
from stepscope.models.encoders.clip import load_texts, load_views

torch = lazy_module("torch")
open_clip = lazy_module("open_clip")
safetensors_torch = lazy_module("safetensors.torch")
pytestmark = pytest.mark.needs("torch", "open_clip", "transformers")

NAME, WITH_TOKENIZER = "Little-B-16", "Little-B-16-words"
TEXTS = ("open the settings", "ok", "turn off the alarm that rings at seven, please")
LITTLE = {
    "embed_dim": 16,
    "vision_cfg": {"image_size": 64, "layers": 2, "width": 64, "patch_size": 16},
    "text_cfg": {"context_length": 12, "vocab_size": 49408, "width": 8, "heads": 2, "layers": 1},
}


@pytest.fixture(scope="module", autouse=True)
def tiny_architecture(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Architectures small enough for tests, among open_clip's."""
    folder = tmp_path_factory.mktemp("architectures")
    (folder / f"{NAME}.json").write_text(json.dumps(LITTLE))
    far = {**LITTLE, "text_cfg": {**LITTLE["text_cfg"], "hf_tokenizer_name": "somebody/tokenizer"}}  # type: ignore[dict-item]
    (folder / f"{WITH_TOKENIZER}.json").write_text(json.dumps(far))
    open_clip.add_model_config(folder)


@pytest.fixture(scope="module")
def model(tiny_architecture: None) -> Any:
    torch.manual_seed(0)
    return open_clip.create_model(NAME).eval()


@pytest.fixture(scope="module", params=["tensors.safetensors", "state.pt"])
def weights(model: Any, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file: Path = tmp_path_factory.mktemp("weights") / request.param
    state = {name: value.clone() for name, value in model.state_dict().items()}
    if file.suffix == ".safetensors":
        safetensors_torch.save_file(state, file)
    else:
        torch.save(state, file)
    return file


@pytest.fixture
def folder(model: Any, tmp_path: Path) -> Path:
    """A folder as hubs keep models of open_clip, whose pictures are squashed."""
    squashed = {"mean": [0.5] * 3, "std": [0.25] * 3, "interpolation": "bilinear", "resize_mode": "squash"}
    (tmp_path / "hub").mkdir()
    (tmp_path / "hub" / clip.CONFIG).write_text(json.dumps({"model_cfg": LITTLE, "preprocess_cfg": squashed}))
    state = {name: value.clone() for name, value in model.state_dict().items()}
    safetensors_torch.save_file(state, tmp_path / "hub" / "open_clip_model.safetensors")
    return tmp_path / "hub"


def wanted_texts(model: Any) -> Any:
    with torch.inference_mode():
        return model.encode_text(open_clip.get_tokenizer(NAME)(list(TEXTS)), normalize=True).numpy()


def wanted_views(model: Any, prepared: list[Any], mean: Any, std: Any) -> Any:
    """What open_clip's model gives of pictures that are ready but for their numbers."""
    pixels = torch.stack([torch.from_numpy(one.copy()).permute(2, 0, 1) / 255 for one in prepared])
    mean, std = (torch.tensor(one).view(1, 3, 1, 1) for one in (mean, std))
    with torch.inference_mode():
        return model.encode_image((pixels - mean) / std, normalize=True).numpy()


def test_the_same_numbers_as_open_clip(model: Any, weights: Path, screens: list[Any]) -> None:
    texts = load_texts(weights, device="cpu", architecture=NAME)
    assert np.stack(texts.embed(TEXTS)) == pytest.approx(wanted_texts(model), abs=1e-5)
    views = load_views(weights, device="cpu", architecture=NAME)
    prepared = [views.prepared(one) for one in screens]
    wanted = wanted_views(model, prepared, open_clip.OPENAI_DATASET_MEAN, open_clip.OPENAI_DATASET_STD)
    assert np.stack(views.embed(prepared)) == pytest.approx(wanted, abs=1e-5)
    assert (texts.size, views.size, texts.sequence, views.sequence) == (16, 16, False, False)
    assert np.linalg.norm(views.embed(prepared)[0]) == pytest.approx(1, abs=1e-6)


def test_a_folder_says_its_architecture_and_how_pictures_are_made_ready(
    model: Any, folder: Path, screens: list[Any]
) -> None:
    assert np.stack(load_texts(folder, device="cpu").embed(TEXTS)) == pytest.approx(wanted_texts(model), abs=1e-5)
    views = load_views(folder, device="cpu")
    prepared = [views.prepared(one) for one in screens]
    wanted = wanted_views(model, prepared, [0.5] * 3, [0.25] * 3)
    assert np.stack(views.embed(prepared)) == pytest.approx(wanted, abs=1e-5)
    from PIL import Image

    squashed = np.asarray(Image.fromarray(screens[0]).resize((64, 64), Image.Resampling.BILINEAR))
    assert np.array_equal(prepared[0], squashed)


def test_a_tokenizer_of_transformers_lies_in_the_folder(folder: Path, bert: Path) -> None:
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(bert / name, folder / name)
    text = {**LITTLE["text_cfg"], "hf_tokenizer_name": "somebody/tokenizer"}  # type: ignore[dict-item]
    (folder / clip.CONFIG).write_text(json.dumps({"model_cfg": {**LITTLE, "text_cfg": text}}))
    found = load_texts(folder, device="cpu").embed(TEXTS)
    with torch.inference_mode():
        tokens = open_clip.get_tokenizer(f"local-dir:{folder}")(list(TEXTS))
        wanted = open_clip.create_model(f"local-dir:{folder}").eval().encode_text(tokens, normalize=True).numpy()
    assert np.stack(found) == pytest.approx(wanted, abs=1e-5)
    (folder / "tokenizer_config.json").write_text(json.dumps({"auto_map": {"AutoTokenizer": ["evil.Evil", None]}}))
    with pytest.raises(UserError, match="auto_map"):
        load_texts(folder, device="cpu")


def test_the_fingerprint_is_of_the_weights_and_not_of_names(weights: Path, tmp_path: Path) -> None:
    found = load_texts(weights, device="cpu", architecture=NAME).fingerprint
    other = tmp_path / f"other{weights.suffix}"
    shutil.copy(weights, other)
    assert load_texts(other, device="cpu", architecture=NAME).fingerprint == found
    assert str(weights.parent) not in found


def test_what_would_have_to_be_downloaded_or_run_is_refused(weights: Path, folder: Path) -> None:
    with pytest.raises(UsageError, match="does not tell which architecture") as caught:
        load_texts(weights, device="cpu")
    assert "--architecture" in caught.value.hint
    with pytest.raises(UserError, match="the tokenizer of Little-B-16-words would have to be downloaded"):
        load_texts(weights, device="cpu", architecture=WITH_TOKENIZER)
    text, vision = LITTLE["text_cfg"], LITTLE["vision_cfg"]
    for change, words in (
        ({"text_cfg": {**text, "hf_model_name": "roberta-base"}}, "would have to be downloaded"),  # type: ignore[dict-item]
        ({"vision_cfg": {**vision, "timm_model_name": "hf-hub:a/b"}}, "would have to be downloaded"),  # type: ignore[dict-item]
        ({"text_cfg": {**text, "tokenizer_kwargs": {"trust_remote_code": True}}}, "'trust_remote_code'"),  # type: ignore[dict-item]
        ({"vision_cfg": {**vision, "layers": 10**9}}, "1,000,000,000 layers"),  # type: ignore[dict-item]
        ({"text_cfg": 7}, "describes no CLIP model"),
    ):
        (folder / clip.CONFIG).write_text(json.dumps({"model_cfg": {**LITTLE, **change}}))
        for load in (load_texts, load_views):
            with pytest.raises(UserError, match=words) as refused:
                load(folder, device="cpu")
            assert refused.value.place == str(folder / clip.CONFIG)


def test_folders_without_weights_or_with_too_many(folder: Path) -> None:
    weights = folder / "open_clip_model.safetensors"
    shutil.copy(weights, folder / "a.safetensors")
    load_views(folder, device="cpu")  # the preferred name decides
    weights.rename(folder / "b.safetensors")
    with pytest.raises(UserError, match="has 2 files of weights"):
        load_views(folder, device="cpu")
    (folder / "b.safetensors").unlink()
    (folder / "a.safetensors").write_bytes(b"\x10" + bytes(40))
    with pytest.raises(UserError) as caught:
        load_views(folder, device="cpu")
    assert caught.value.place == str(folder / "a.safetensors")
    (folder / "a.safetensors").unlink()
    with pytest.raises(UserError, match="has no weights"):
        load_views(folder, device="cpu")
