"""Tokenizers of strangers: what would let texts grow to no end, or end the process, is told before."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("tokenizers")

from stepscope.core import limits
from stepscope.core.errors import UserError
from stepscope.models.encoders import sentences
from stepscope.models.encoders.sentences import ModelFiles, SentenceEncoder, in_folder

FORM: dict[str, Any] = {
    "version": "1.0",
    "truncation": None,
    "padding": None,
    "added_tokens": [],
    "normalizer": None,
    "pre_tokenizer": {"type": "Whitespace"},
    "post_processor": None,
    "decoder": None,
    "model": {"type": "WordLevel", "vocab": {"[UNK]": 0, "a": 1}, "unk_token": "[UNK]"},
}


class Network:
    """In the place of the session: as many vectors as tokens."""

    weights, version, inputs = "0", "none", ("input_ids", "attention_mask")
    shape = 4

    def __init__(self, *_: object, **__: object) -> None:
        self.device = type("Device", (), {"kind": "cpu"})()

    def run(self, ids: Any, _mask: Any) -> list[Any]:
        return [np.ones((*ids.shape, 4) if self.shape else ids.shape, np.float32)]


@pytest.fixture(autouse=True)
def network(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(sentences, "OnnxRuntime", Network)
    yield
    limits.choose({})


def encoder(file: Path, **changed: object) -> SentenceEncoder:
    if changed or not file.exists():
        file.write_text(json.dumps({**FORM, **changed}), encoding="utf-8")
    return SentenceEncoder(ModelFiles("a test's", file, file.with_name("model.onnx")))


def refused(file: Path, words: str, **changed: object) -> None:
    with pytest.raises(UserError, match=words) as caught:
        encoder(file, **changed).embed(["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab"])
    assert caught.value.place == str(file)


def test_a_plain_one_gives_rows(tmp_path: Path) -> None:
    assert encoder(tmp_path / "tokenizer.json").embed(["a b", "a"]).shape == (2, 4)


def replacing(content: str, **pattern: str) -> dict[str, Any]:
    return {"type": "Replace", "pattern": pattern or {"String": "a"}, "content": content}


def sequence(*steps: dict[str, Any]) -> dict[str, Any]:
    return {"type": "Sequence", "normalizers": steps}


@pytest.mark.parametrize(
    "steps",
    [
        sequence(*[replacing("aa")] * 40),
        sequence(*[replacing("a" * 100)] * 2),
        sequence(*[sequence(*[replacing("aaaaaaaaaa")] * 5)] * 5),
        replacing("x" * 1_000_000, Regex=""),
        {"type": "Prepend", "prepend": "x" * 1_000_000},
    ],
)
def test_texts_that_grow_at_every_step(steps: dict[str, Any], tmp_path: Path) -> None:
    refused(tmp_path / "tokenizer.json", "a text would grow more than 1,000 times", normalizer=steps)


def test_steps_of_public_tokenizers_are_none_of_these(tmp_path: Path) -> None:
    steps = sequence(
        {"type": "Prepend", "prepend": "\u2581"},
        replacing("\u2581", String=" "),
        replacing("\u2581", Regex=" {2,}"),
        replacing('"', String="``"),
        {"type": "NFKC"},
    )
    assert encoder(tmp_path / "tokenizer.json", normalizer=steps).embed(["a b"]).shape == (1, 4)


def test_a_table_of_characters_that_claims_too_much_does_not_end_the_process(tmp_path: Path) -> None:
    for packed in ("/////////////////////w==", "AAAA", "?"):
        steps = {"type": "Precompiled", "precompiled_charsmap": packed}
        refused(tmp_path / "tokenizer.json", "its steps cannot be read", normalizer=steps)


@pytest.mark.parametrize(
    "changed",
    [
        {"model": {"type": "WordLevel", "vocab": {"b": 0}, "unk_token": "[UNK]"}},
        {"pre_tokenizer": {"type": "FixedLength", "length": 0}},
        {
            "pre_tokenizer": {
                "type": "Split",
                "pattern": {"Regex": "(a+)+$"},
                "behavior": "Isolated",
                "invert": False,
            }
        },
    ],
)
def test_what_breaks_on_a_text_is_told_with_the_file(changed: dict[str, Any], tmp_path: Path) -> None:
    refused(tmp_path / "tokenizer.json", "the tokenizer cannot", **changed)


def test_texts_that_are_no_tokenizer(tmp_path: Path) -> None:
    file = tmp_path / "tokenizer.json"
    limits.choose({"json-nodes": 100_000, "model-tokenizer-bytes": 1 << 20})
    for text in ("", "<html>", "[" * 100_000, '{"version":' + "9" * 500_000 + "}", "[1]", '{"version":"1.0"}'):
        file.write_text(text, encoding="utf-8")
        refused(file, "is no model that can be loaded|the tokenizer cannot be loaded")
    file.write_text("[" + "0," * 200_000 + "0]", encoding="utf-8")
    refused(file, "more than 100,000 values.*--limit-json-nodes")
    file.write_text(" " * (1 << 21), encoding="utf-8")
    refused(file, r"this tokenizer has more than 1 MB\..*--limit-model-tokenizer-bytes 2MB")


@pytest.mark.skipif(sys.platform == "win32", reason="needs pipes and links as POSIX has them")
def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "device").symlink_to("/dev/zero")
    for name in ("pipe", "device"):
        refused(tmp_path / name, "this is no file")


@pytest.mark.parametrize("told", [2**70, -1, 0, 10**9])
def test_a_number_of_tokens_that_no_model_takes_is_as_if_not_told(told: int, tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text(json.dumps(FORM), encoding="utf-8")
    (tmp_path / "model.onnx").touch()
    (tmp_path / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": told}), encoding="utf-8")
    assert in_folder(tmp_path).max_tokens == 256


def test_a_network_that_is_none_of_sentences(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Network, "shape", 0)
    with pytest.raises(UserError, match="does not answer with a vector for each token") as caught:
        encoder(tmp_path / "tokenizer.json").embed(["a"])
    assert caught.value.place == str(tmp_path / "model.onnx")
    monkeypatch.setattr(Network, "inputs", ("pixels",))
    with pytest.raises(UserError, match="wants 'pixels', which no text has"):
        encoder(tmp_path / "tokenizer.json")
