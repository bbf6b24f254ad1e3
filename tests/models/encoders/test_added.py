"""Encoders that a person added: recognised, listed, refused once they changed."""

from __future__ import annotations

import hashlib
import json
import shutil
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.errors import UnavailableError, UsageError, UserError
from stepscope.core.lazy import lazy_module
from stepscope.models.encoders import added, families, registry
from stepscope.models.encoders.encoder import EncoderKind
from stepscope.models.encoders.families import FAMILIES
from stepscope.models.encoders.licence_words import licence_of
from stepscope.models.encoders.recognise import tensor_shapes

torch = lazy_module("torch")
torchvision = lazy_module("torchvision")
icon_network = lazy_module("stepscope.models.encoders.icon_network")
own_weights = lazy_module("stepscope.models.encoders.own_weights")


def tensors(file: Path, **shapes: tuple[int, ...]) -> Path:
    """A safetensors file of zeros, made by hand."""
    header, at = {}, 0
    for name, shape in shapes.items():
        size = 4
        for one in shape:
            size *= one
        header[name] = {"dtype": "F32", "shape": list(shape), "data_offsets": [at, at + size]}
        at += size
    whole = json.dumps(header).encode()
    file.write_bytes(struct.pack("<Q", len(whole)) + whole + bytes(at))
    return file


def text_folder(folder: Path, **config: Any) -> Path:
    """A folder as transformers writes one for texts: enough to be recognised, not to be loaded."""
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps({"model_type": "bert", "hidden_size": 16, **config}))
    (folder / "tokenizer.json").write_text("{}")
    tensors(folder / "model.safetensors", a=(2, 3))
    return folder


def test_an_encoder_is_added_with_all_that_is_known_of_it(tmp_path: Path) -> None:
    folder = text_folder(tmp_path / "My BERT (v2)")
    (folder / "README.md").write_text("---\nlanguage: en\nlicense: apache-2.0\n---\n# BERT\n")
    found = added.add(folder)
    one = found.encoder
    assert found.taken_for == "texts of transformers (bert)"
    assert (one.name, one.family, one.size, one.licence) == ("my-bert-v2", "transformers-text", 16, "apache-2.0")
    assert one.files == ("model.safetensors", "config.json", "tokenizer.json")
    files = [folder / name for name in one.files]
    assert one.bytes == sum(len(file.read_bytes()) for file in files)
    lines = "".join(f"{file.name} {hashlib.sha256(file.read_bytes()).hexdigest()}\n" for file in files)
    assert one.sha256 == hashlib.sha256(lines.encode()).hexdigest()
    assert added.load() == (one,)
    info = registry.encoder_info("my-bert-v2")
    assert (info.kind, info.outputs, info.added) == (EncoderKind.TEXT, ("pooled", "cls", "tokens"), True)
    assert (info.weights, info.weights_from, info.sha256) == ("present", str(folder), one.sha256)
    assert list(registry.encoders()) == ["minilm", "mobilenet-v2", "ui-elements", "my-bert-v2"]
    again = added.add(folder).encoder
    assert again.name == "my-bert-v2-2"
    added.remove("my-bert-v2")
    assert [one.name for one in added.load()] == ["my-bert-v2-2"]
    assert (folder / "model.safetensors").is_file()


def test_names_that_cannot_be(tmp_path: Path) -> None:
    folder = text_folder(tmp_path / "bert")
    added.add(folder, "mine")
    for name in ("mine", "minilm"):
        with pytest.raises(UsageError, match="already"):
            added.add(folder, name, taken=("minilm",))
    for name in ("a+b", "a:tokens", "../x", "", "A"):
        if name:
            with pytest.raises(UsageError, match="cannot be the name"):
                added.add(folder, name)
    with pytest.raises(UsageError, match="No encoder 'mien' was added") as caught:
        added.remove("mien")
    assert "mine" in caught.value.hint


def test_what_lies_there_tells_the_family(tmp_path: Path) -> None:
    words = tmp_path / "words.vec"
    words.write_text("2 12\nthe " + " ".join(["0.1"] * 12) + "\nof " + " ".join(["0.2"] * 12) + "\n")
    glove = tmp_path / "glove.txt"
    glove.write_text("\n".join(f"{word} " + " ".join(["-0.5"] * 50) for word in ("the", "of")))
    own = tmp_path / "own.bin"
    own.write_bytes(struct.pack("<iii", 793_712_314, 12, 100) + bytes(100))
    eighteen = {f"layer{layer}.{block}.conv1.weight": (1,) for layer in (1, 2, 3, 4) for block in (0, 1)}
    resnet = tensors(tmp_path / "resnet.safetensors", **eighteen)
    clip = tensors(tmp_path / "clip.safetensors", **{"visual.proj": (4, 2), "logit_scale": (1,)})
    joint = text_folder(tmp_path / "joint", model_type="siglip", text_config={"hidden_size": 24})
    image = text_folder(tmp_path / "image", model_type="dinov2")
    (image / "tokenizer.json").rename(image / "preprocessor_config.json")
    hub = tmp_path / "hub"
    hub.mkdir()
    (hub / "open_clip_config.json").write_text(json.dumps({"model_cfg": {"embed_dim": 8}}))
    wanted = {
        words: ("fasttext", 12), own: ("fasttext", 100), glove: ("glove", 50), resnet: ("resnet-18", 512),
        clip: ("clip", 0), joint: ("transformers-joint", 24), image: ("transformers-image", 16), hub: ("clip", 8),
    }  # fmt: skip
    for path, (family, size) in wanted.items():
        found = families.recognised(path)
        assert found is not None, path
        assert (found[0].name, found[1].size) == (family, size)
    (tmp_path / "notes.txt").write_text("nothing of the kind\nat all\n")
    for path in (tmp_path / "notes.txt", tensors(tmp_path / "other.safetensors", a=(1,)), tmp_path):
        assert families.recognised(path) is None
        with pytest.raises(UsageError, match="nothing that is known as an encoder") as caught:
            added.add(path)
        assert "--as" in caught.value.hint
    for path in (words, own, glove):
        assert added.add(path).encoder.files == (".",)


def test_a_person_may_say_what_it_is(tmp_path: Path) -> None:
    file = tmp_path / "vectors.txt"
    file.write_text("one 1 2 3\ntwo 4 5 6\n")  # too few numbers to be told
    found = added.add(file, family="glove")
    assert (found.encoder.family, found.taken_for) == ("glove", "word vectors of GloVe, as you say")
    with pytest.raises(UsageError, match="no family 'glov'") as caught:
        added.add(file, family="glov")
    assert "glove" in caught.value.hint
    with pytest.raises(UsageError, match="glove has no option 'tag'"):
        added.add(file, family="glove", options={"tag": "x", "architecture": ""})
    with pytest.raises(UserError, match="there is nothing"):
        added.add(tmp_path / "gone")


def test_weights_that_went_or_changed_are_told_and_refused(tmp_path: Path) -> None:
    folder = text_folder(tmp_path / "bert")
    one = added.add(folder).encoder
    weights = folder / "model.safetensors"
    kept = weights.read_bytes()
    weights.write_bytes(kept[:-1] + b"\x01")  # as long as before: only its content tells
    assert registry.encoder_info("bert").weights == "present"
    with pytest.raises(UserError, match="has changed since it was added") as caught:
        registry.load_texts("bert", device="cpu")
    assert one.sha256 in str(caught.value)
    assert len(set(_digests(str(caught.value)))) == 2
    weights.write_bytes(kept + b"\0")
    assert registry.encoder_info("bert").weights == "absent"
    with pytest.raises(UnavailableError, match="has changed since it was added"):
        registry.find("bert", "")
    weights.write_bytes(kept)
    (folder / "special_tokens_map.json").write_text("{}")  # decides how texts are taken apart, and is new
    with pytest.raises(UserError, match="has changed"):
        added.check(one)
    shutil.rmtree(folder)
    info = registry.encoder_info("bert")
    assert (info.weights, "is gone" in info.weights_from) == ("absent", True)
    with pytest.raises(UnavailableError, match="is gone"):
        registry.load_texts("bert", device="cpu")


def _digests(text: str) -> list[str]:
    return [word.strip(",.") for word in text.split() if len(word.strip(",.")) == 64]


def test_pickles_and_code_are_refused_before_anything_is_added(tmp_path: Path) -> None:
    folder = text_folder(tmp_path / "code", auto_map={"AutoModel": "evil.Evil"})
    with pytest.raises(UserError, match="auto_map"):
        added.add(folder)
    pickled = text_folder(tmp_path / "pickled")
    (pickled / "model.safetensors").rename(pickled / "pytorch_model.bin")
    with pytest.raises(UserError, match="pickled weights only"):
        added.add(pickled)
    assert added.load() == ()


@pytest.mark.needs("torch", "transformers")
def test_an_added_encoder_is_loaded_by_its_name_and_output(bert: Path, dinov2: Path) -> None:
    added.add(bert, "my-bert")
    added.add(dinov2, "my-dino")
    (usual,) = registry.load_texts("my-bert", device="cpu")
    (tokens,) = registry.load_texts("my-bert:tokens", device="cpu")
    assert (usual.size, usual.sequence, tokens.sequence) == (16, False, True)
    (view,) = registry.load_views("my-dino", device="cpu")
    assert view.size == 24
    with pytest.raises(UsageError, match="has no output 'last'"):
        registry.load_texts("my-bert:last", device="cpu")
    with pytest.raises(UsageError, match="reads no texts"):
        registry.load_texts("my-dino", device="cpu")
    with pytest.raises(UsageError, match="reads no pictures"):
        registry.load_views("my-bert", device="cpu")


def test_word_vectors_are_loaded_by_their_name(tmp_path: Path) -> None:
    file = tmp_path / "words.vec"
    file.write_text("2 3\nopen 1 0 0\nclose 0 1 0\n")
    added.add(file)
    (encoder,) = registry.load_texts("words", device="cpu")
    (tokens,) = registry.load_texts("words:tokens", device="cpu")
    assert (encoder.size, encoder.sequence, tokens.sequence) == (3, False, True)
    assert tokens.embed(["open close"])[0].tolist() == [[1, 0, 0], [0, 1, 0]]


@pytest.mark.needs("torch", "safetensors")
def test_what_was_trained_here_is_recognised_in_its_folder_too(tmp_path: Path) -> None:
    classifier = icon_network.IconNetwork(2, 0.5, 0.25)
    config = {"version": 1, "classes": ["back", "close"], "mean": 0.5, "deviation": 0.25}
    for file in (tmp_path / "mine" / "icons.safetensors", tmp_path / "other.safetensors"):
        own_weights.write_weights(file, "stepscope.icons", classifier.state_dict(), config)
    one = added.add(tmp_path / "mine").encoder
    assert (one.family, one.size, one.files) == ("icons", 128, ("icons.safetensors",))
    assert added.add(tmp_path / "other.safetensors").encoder.sha256 == one.sha256
    (encoder,) = registry.load_views("mine", device="cpu")
    assert encoder.size == 128
    assert registry.encoder_info("mine").kind is EncoderKind.ICON
    tree = tmp_path / "screen2vec.safetensors"
    own_weights.write_weights(tree, "stepscope.screen2vec", {}, {"version": 1, "text_size": 384})
    found = families.recognised(tree)
    assert found is not None
    assert (found[0].name, found[0].kind, found[1].size) == ("screen2vec", EncoderKind.TREE, 384)


@pytest.mark.needs("torch", "transformers", "torchvision")
def test_several_are_put_together_and_their_vectors_are_kept(bert: Path, clip_folder: Path, tmp_path: Path) -> None:
    """Of a text 16 numbers and 12, of a picture 12; a second time from the cache, under fingerprints and no names."""
    from stepscope.core.domain.episode import Picture
    from stepscope.core.domain.geometry import Size
    from stepscope.core.imaging.draw import encode_png
    from stepscope.models.features.cache import FeatureCache
    from stepscope.models.features.vectors import load_features

    added.add(bert, "my-bert")
    added.add(clip_folder, "my-clip")
    file = tmp_path / "screen.png"
    file.write_bytes(encode_png(np.full((96, 48, 3), 200, np.uint8)))
    kept = FeatureCache(tmp_path / "vectors.db")
    features = load_features("my-bert+my-clip", "my-clip", device="cpu", kept=kept)
    (view,) = features.views_of(Picture(file, Size(48, 96)))
    vectors = features.vectors(["open"], [view])
    assert (features.text_size, features.view_size) == (28, 12)
    assert vectors.text("open").shape == (28,)
    added.remove("my-bert")
    added.add(bert, "renamed")
    again = load_features("renamed+my-clip", "my-clip", device="cpu", kept=kept)
    assert again.fingerprint == features.fingerprint
    (second,) = again.views_of(Picture(file, Size(48, 96)))
    assert second is not None
    assert second.pixels == (None,)  # known: not even prepared
    assert np.array_equal(again.vectors(["open"], [second]).text("open"), vectors.text("open"))
    kept.close()


@pytest.mark.needs("torch", "torchvision", "open_clip")
def test_options_are_kept_and_reach_the_loader(tmp_path: Path) -> None:
    file = tmp_path / "resnet50.pth"
    torch.save(torchvision.models.get_model("resnet50", weights=None).state_dict(), file)
    one = added.add(file, options={"tag": "IMAGENET1K_V2"}).encoder
    assert (one.family, one.size, one.options) == ("resnet-50", 2048, {"tag": "IMAGENET1K_V2"})
    (encoder,) = registry.load_views("resnet50:map", device="cpu")
    assert '"side": 232' in encoder.fingerprint
    clip = tensors(tmp_path / "clip.safetensors", **{"visual.proj": (4, 2), "logit_scale": (1,)})
    with pytest.raises(UsageError, match="does not tell which architecture"):
        added.add(clip)
    with pytest.raises(UsageError, match="no architecture 'ViT-B-23'"):
        added.add(clip, options={"architecture": "ViT-B-23"})
    assert added.add(clip, options={"architecture": "ViT-B-32"}).encoder.options == {"architecture": "ViT-B-32"}


def test_every_family_has_its_loaders() -> None:
    for one in FAMILIES.values():
        assert bool(one.texts) == (one.kind in (EncoderKind.TEXT, EncoderKind.JOINT)), one.name
        assert bool(one.views) == (one.kind in (EncoderKind.IMAGE, EncoderKind.JOINT, EncoderKind.ICON)), one.name
        assert one.outputs[0] == "pooled"


def test_a_list_that_is_broken_is_told_in_one_sentence_and_stops_nothing_else(own_home: Path) -> None:
    file = added.list_file()
    file.parent.mkdir(parents=True)
    good = {"name": "a", "family": "glove", "path": "/x", "sha256": "0" * 64, "bytes": 1, "files": ["."]}
    for text, words in (
        ("{", "cannot be read"),
        ("[]", "no list of encoders"),
        (json.dumps({"format": 2, "encoders": []}), "no list of encoders"),
        (json.dumps({"format": 1, "encoders": [7]}), "not complete"),
        (json.dumps({"format": 1, "encoders": [{**good, "bytes": "1"}]}), "bytes of AddedEncoder"),
        (json.dumps({"format": 1, "encoders": [{**good, "extra": 1}]}), "no 'extra'"),
        (json.dumps({"format": 1, "encoders": [{**good, "sha256": "no"}]}), "cannot be"),
        (json.dumps({"format": 1, "encoders": [{**good, "options": {"tag": 1}}]}), "options"),
        (json.dumps({"format": 1, "encoders": [good, good]}), "two encoders have one name"),
    ):
        file.write_text(text)
        with pytest.raises(UserError, match=words) as caught:
            registry.encoders()
        assert caught.value.place == str(file)
        assert registry.encoder_info("minilm").name == "minilm"
    file.write_text(json.dumps({"format": 1, "encoders": [{**good, "family": "of-tomorrow"}]}))
    assert "unknown to this version" in registry.encoders()["a"].weights_from


@given(data=st.binary(max_size=200), ending=st.sampled_from([".safetensors", ".bin", ".vec", ".txt"]))
def test_no_file_breaks_the_recognition(tmp_path: Path, data: bytes, ending: str) -> None:
    file = tmp_path / f"any{ending}"
    file.write_bytes(data)
    try:
        families.recognised(file)
    except UserError as error:
        assert str(file) in str(error)


@pytest.mark.parametrize("header", [b"[]", b'{"a": 7}', b'{"a": {"shape": 3}}', b"{" * 5000])
def test_headers_that_are_none(tmp_path: Path, header: bytes) -> None:
    file = tmp_path / "broken.safetensors"
    file.write_bytes(struct.pack("<Q", len(header)) + header)
    with pytest.raises(UserError, match="no model that can be loaded"):
        tensor_shapes(file)


def test_licences_are_what_the_files_beside_the_weights_say(tmp_path: Path) -> None:
    assert licence_of(tmp_path) == ""
    (tmp_path / "config.json").write_text('{"license": "bsd-3-clause"}')
    assert licence_of(tmp_path) == "bsd-3-clause"
    (tmp_path / "LICENSE").write_text("                     Apache License\n              Version 2.0, January 2004\n")
    assert licence_of(tmp_path) == "Apache-2.0"
    (tmp_path / "README.md").write_text("---\nlicense: other\nlicense_name: research-only\n---\n")
    assert licence_of(tmp_path) == "research-only"
    (tmp_path / "README.md").write_text("no head\nlicense: mit\n")
    assert licence_of(tmp_path) == "Apache-2.0"
    (tmp_path / "LICENSE").write_text("For research only.\nMore words.")
    assert licence_of(tmp_path) == "For research only."
    assert licence_of(tmp_path / "config.json") == ""
