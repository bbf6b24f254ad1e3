"""What files and folders tell of themselves; what is no model that can be added, with the reason and the way out."""

from __future__ import annotations

import json
import pickle
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from stepscope.core.errors import UserError
from stepscope.core.lazy import lazy_module
from stepscope.models.own import transformers_folder
from stepscope.models.own.draft import drafted, questions, with_answer
from stepscope.models.own.facts import FileFacts, is_trained, look
from stepscope.models.own.manifest import parse
from stepscope.models.own.predictor import load
from stepscope.models.runtimes.runtime import TensorFact
from tests.models.own.forms import episode, observation

if TYPE_CHECKING:
    import torch
    import transformers
else:
    torch, transformers = lazy_module("torch"), lazy_module("transformers")

heavy = pytest.mark.needs("torch", "transformers")
light = pytest.mark.needs("onnx", "onnxruntime")


# Refused ------------------------------------------------------------------------------------------------------------


class Bomb:
    """Would write a file where it was unpickled."""

    def __init__(self, place: Path) -> None:
        self.place = place

    def __reduce__(self) -> Any:
        return Path.touch, (self.place,)


@pytest.mark.parametrize("name", ["weights.pkl", "model.onnx", "pytorch_model.bin"])
def test_a_pickle_is_refused_unread_with_the_way_to_convert_it(tmp_path: Path, name: str):
    file = tmp_path / name
    file.write_bytes(pickle.dumps(Bomb(tmp_path / "written")))
    with pytest.raises(UserError, match=r"holds pickled weights.*Convert it where you trust it.*save_file.*export"):
        look(file)
    assert not (tmp_path / "written").exists()


def test_a_state_dict_of_torchs_is_refused(tmp_path: Path):
    with zipfile.ZipFile(tmp_path / "net.pt", "w") as archive:
        archive.writestr("net/data.pkl", pickle.dumps({}))
        archive.writestr("net/version", "3")
    with pytest.raises(UserError, match="holds pickled weights"):
        look(tmp_path / "net.pt")


@pytest.mark.needs("torch")
def test_an_exported_program_is_refused_because_torch_unpickles_parts_of_it(tmp_path: Path):
    file = tmp_path / "net.pt2"
    torch.export.save(torch.export.export(torch.nn.Linear(2, 1), (torch.zeros(1, 2),)), file)
    with pytest.raises(UserError, match=r"is an exported program.*torch\.onnx\.export\(torch\.export\.load"):
        look(file)
    # The reason, tried: example inputs that torch cannot read with weights_only are unpickled as they are.
    hostile = tmp_path / "hostile.pt2"
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(hostile, "w") as new:
        for one in old.infolist():
            data = old.read(one)
            if "sample_inputs" in one.filename:
                inner = tmp_path / "inner.pt"
                torch.save(((Bomb(tmp_path / "written"),), {}), inner)
                data = inner.read_bytes()
            new.writestr(one.filename, data)
    with suppress(Exception):  # what it makes of what was unpickled does not matter
        torch.export.load(hostile)
    assert (tmp_path / "written").exists()


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("m.onnx", b"", "is empty"),
        ("m.onnx.part", b"x", "is half a download"),
        ("m.onnx", b"version https://git-lfs.github.com/spec/v1\noid sha256:1", "pointer of Git LFS"),
        ("m.gguf", b"GGUF\x03", "page:local/m.gguf"),
        ("m.safetensors", b"\x10" + bytes(30), "holds weights and no network"),
        ("m.onnx", b"<!DOCTYPE html>", "is a text and no model"),
        ("m.pt", b"PK\x03\x04" + bytes(40), "cut off or damaged"),
        ("m.onnx", bytes(range(200)), "is no model that can be loaded"),
    ],
)
def test_what_is_no_model(tmp_path: Path, name: str, data: bytes, words: str):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(UserError) as raised:
        look(tmp_path / name)
    assert words in str(raised.value)
    assert str(raised.value).startswith(str(tmp_path / name))


def test_folders_without_one_model(tmp_path: Path):
    with pytest.raises(UserError, match="has no model in it"):
        look(tmp_path)
    for name in ("a.onnx", "b.onnx"):
        (tmp_path / name).write_bytes(b"x")
    with pytest.raises(UserError, match=r"several models in it. Name one of them: a\.onnx, b\.onnx"):
        look(tmp_path)
    with pytest.raises(UserError, match="is not there"):
        look(tmp_path / "c.onnx")
    (tmp_path / "card.json").write_text("{}")
    assert is_trained(tmp_path) and not is_trained(tmp_path / "a.onnx")


# ONNX ---------------------------------------------------------------------------------------------------------------


@light
def test_what_an_onnx_file_tells_is_filled_in(onnx_file):
    nodes = [("ReduceMean", ["image"], ["m"], {"axes": [1, 2], "keepdims": 0}), ("Softmax", ["m"], ["p"], {"axis": 1})]
    words = {"labels": '["feasible", "infeasible"]', "license": "Apache-2.0", "stepscope.task": "feasibility"}
    file = onnx_file(nodes, [("image", ["n", 16, 8, 3])], [("p", ["n", 3])], words=words)
    form = drafted(look(file))
    assert (form["task"], form["licence"], form["name"], form["runtime"]) == (
        "feasibility", "Apache-2.0", "net", "onnx",
    )  # fmt: skip
    image, output = form["inputs"][0], form["outputs"][0]
    assert (image["layout"], image["width"], image["height"], image["dtype"]) == ("nhwc", 8, 16, "float32")
    assert (output["reading"], output["labels"], output["positive"]) == (
        "probabilities", ["feasible", "infeasible"], "infeasible",
    )  # fmt: skip
    assert [one.field for one in questions(form)] == ["inputs.image.values"]


@light
def test_half_of_an_onnx_file(brightness):
    file = brightness()
    file.write_bytes(file.read_bytes()[:-20])
    with pytest.raises(UserError, match=r"net\.onnx: .*cut off|net\.onnx: is no model"):
        look(file)


def told(*inputs: TensorFact, outputs: tuple[TensorFact, ...] = (TensorFact("p", "float32", (None, 2)),),
         **more: Any) -> FileFacts:  # fmt: skip
    return FileFacts(Path("/nowhere/net.onnx"), "onnx", (), "", inputs, outputs, **more)


@pytest.mark.parametrize(
    ("fact", "holds", "field", "value"),
    [
        (TensorFact("x", "float32", (None, 3, 32, 24)), "screen", "width", 24),
        (TensorFact("x", "uint8", (None, 32, 24, 3)), "screen", "scale", 1.0),
        (TensorFact("x", "float32", (1, 1, 8, 8)), "screen", "colours", "grey"),
        (TensorFact("input_ids", "int64", (None, None)), "text", "padding", "longest"),
        (TensorFact("attention_mask", "int64", (None, 32)), "text", "part", "mask"),
        (TensorFact("x", "float32", (None, 12, 4)), "elements", "count", 12),
        (TensorFact("pixel_values"), "screen", "layout", "nchw"),
    ],
)
def test_what_an_input_holds_is_told_by_its_shape(fact: TensorFact, holds: str, field: str, value: Any):
    (found,) = drafted(told(fact), "automation")["inputs"]
    assert (found["holds"], found[field]) == (holds, value)


def test_questions_come_once_and_end():
    form = drafted(told(TensorFact("a.b", "float32", (None, 3, None, None)), TensorFact("y")))
    assert [one.field for one in questions(form)] == ["task"]
    form = drafted(told(TensorFact("a.b", "float32", (None, 3, None, None)), TensorFact("y")), "automation")
    asked = []
    answers = {"inputs.y.holds": "text", "inputs.y.tokenizer": "t.json", "inputs.a.b.width": "8",
               "inputs.a.b.height": "8"}  # fmt: skip
    while left := questions(form):
        asked.append(left[0].field)
        answer = answers.get(left[0].field) or left[0].usual or left[0].choices[0]
        form = with_answer(form, left[0].field, answer)
        if left[0].field == "inputs.y.holds":
            form = with_answer(form, "inputs.y.length", "16")
    assert len(set(asked)) == len(asked)
    assert {"inputs.a.b.width", "inputs.a.b.values", "inputs.y.text", "outputs.p.reading"} <= set(asked)
    manifest = parse(form, "m")
    assert manifest.screen.width == 8 and manifest.texts[0].text == "instruction"


@pytest.mark.parametrize("field", ["inputs.z.width", "outputs.q.reading", "inputs.x.values"])
def test_an_answer_to_what_there_is_not(field: str):
    form = drafted(told(TensorFact("x", "float32", (None, 3, 8, 8))), "automation")
    with pytest.raises(ValueError, match=r"there is no|is none of"):
        with_answer(form, field, "?")


# transformers -------------------------------------------------------------------------------------------------------


@pytest.fixture
def text_folder(tmp_path: Path) -> Callable[..., Path]:
    """A tiny BERT that tells two classes apart, saved by transformers, with a tokenizer of whole words."""

    def made(**config: Any) -> Path:
        torch.manual_seed(0)
        chosen = transformers.BertConfig(vocab_size=12, hidden_size=8, num_hidden_layers=1, num_attention_heads=2,
            intermediate_size=16, max_position_embeddings=32, id2label={0: "feasible", 1: "infeasible"},
            label2id={"feasible": 0, "infeasible": 1}, **config)  # fmt: skip
        folder = tmp_path / "tiny-bert"
        transformers.BertForSequenceClassification(chosen).save_pretrained(folder)
        words = {word: place for place, word in enumerate(["[PAD]", "[UNK]", "buy", "a", "lamp"])}
        form = {"version": "1.0", "truncation": None, "padding": None, "added_tokens": [],
                "normalizer": {"type": "Lowercase"}, "pre_tokenizer": {"type": "Whitespace"}, "post_processor": None,
                "decoder": None, "model": {"type": "WordLevel", "vocab": words, "unk_token": "[UNK]"}}  # fmt: skip
        (folder / "tokenizer.json").write_text(json.dumps(form))
        (folder / "README.md").write_text("---\nlicense: mit\n---\n")
        return folder

    return made


@heavy
def test_a_text_classifier_gives_transformers_own_numbers(text_folder, own_model):
    folder = text_folder()
    form = drafted(look(folder), "feasibility")
    assert (form["licence"], form["name"], [one.field for one in questions(form)]) == ("mit", "tiny-bert", [])
    assert form["outputs"][0]["positive"] == "infeasible"
    predictor = load(own_model(**form), device="cpu")
    goals = ["Buy a lamp", "Buy a very red lamp"]
    rows = [predictor.prepare(episode(observation(), goal=goal)) for goal in goals]
    found = [one.answer.score for one in predictor.predict_batch(rows)]
    predictor.close()
    theirs = transformers.PreTrainedTokenizerFast(tokenizer_file=str(folder / "tokenizer.json"), pad_token="[PAD]")
    network = transformers.AutoModelForSequenceClassification.from_pretrained(folder, local_files_only=True).eval()
    with torch.inference_mode():
        logits = network(**theirs(goals, padding=True, return_tensors="pt", return_token_type_ids=True)).logits
    assert found == pytest.approx(torch.softmax(logits, 1)[:, 1].tolist(), abs=1e-5)


@heavy
def test_a_picture_classifier_gives_transformers_own_numbers(tmp_path: Path, own_model, picture):
    torch.manual_seed(0)
    config = transformers.ViTConfig(hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16,
        image_size=16, patch_size=8, id2label={0: "no", 1: "yes"}, label2id={"no": 0, "yes": 1})  # fmt: skip
    folder = tmp_path / "tiny-vit"
    transformers.ViTForImageClassification(config).save_pretrained(folder)
    processor = transformers.ViTImageProcessorPil(
        size={"height": 16, "width": 16}, image_mean=[0.5] * 3, image_std=[0.5] * 3, resample=3
    )
    processor.save_pretrained(folder)
    form = drafted(look(folder), "feasibility")
    assert [one.field for one in questions(form)] == ["outputs.logits.positive"]
    form = with_answer(form, "outputs.logits.positive", "yes")
    pixels = np.random.default_rng(1).integers(0, 256, (200, 100, 3), dtype=np.uint8)
    predictor = load(own_model(**form), device="cpu")
    found = predictor.predict(episode(observation(picture(pixels=pixels)))).answer.score
    predictor.close()
    network = transformers.AutoModelForImageClassification.from_pretrained(folder, local_files_only=True).eval()
    with torch.inference_mode():
        logits = network(**processor(pixels, return_tensors="pt")).logits
    assert found == pytest.approx(torch.softmax(logits, 1)[0, 1].item(), abs=1e-5)


def folder_of(tmp_path: Path, config: Any, *files: str) -> Path:
    (tmp_path / "config.json").write_text(config if isinstance(config, str) else json.dumps(config))
    for name in files:
        (tmp_path / name).write_bytes(b"x")
    return tmp_path


BERT = {"architectures": ["BertForSequenceClassification"], "model_type": "bert"}


@pytest.mark.parametrize(
    ("config", "files", "words"),
    [
        ("{", (), "config.json: cannot be read"),
        ("[]", (), "config.json: is no table"),
        ({}, (), "its architecture is not named"),
        ({"architectures": ["LlamaForCausalLM"]}, (), "its architecture is LlamaForCausalLM, which gives no classes"),
        ({"architectures": [7]}, (), "its architecture is"),
        ({**BERT, "auto_map": {"AutoModel": "x.Y"}}, ("model.safetensors",), "asks for code of its own"),
        ({**BERT, "quantization_config": {}}, ("model.safetensors",), "has packed weights"),
        (BERT, ("pytorch_model.bin",), "pytorch_model.bin: holds pickled weights"),
        (BERT, (), "has no model.safetensors"),
    ],
)
def test_folders_that_are_refused(tmp_path: Path, config: Any, files: tuple[str, ...], words: str):
    with pytest.raises(UserError) as raised:
        look(folder_of(tmp_path, config, *files))
    assert words in str(raised.value)


@heavy
@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda folder: _halved(folder / "model.safetensors"), "tiny-bert"),
        (lambda folder: _changed(folder, architectures=["RobertaForSequenceClassification"], model_type="roberta"),
         "its weights are not those of RobertaForSequenceClassification"),
        (lambda folder: _changed(folder, hidden_size=16), "tiny-bert"),
        (lambda folder: _changed(folder, hidden_size="many"), "tiny-bert"),
        (lambda folder: _changed(folder, model_type="nothing-known"), "tiny-bert"),
    ],
)  # fmt: skip
def test_weights_of_another_network(text_folder, own_model, change: Any, words: str):
    folder = text_folder()
    form = drafted(look(folder), "feasibility") | {"sha256": ""}
    change(folder)
    with pytest.raises(UserError) as raised:
        load(own_model(**form), device="cpu")
    assert words in str(raised.value)


def _halved(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:1000])


def _changed(folder: Path, **changes: Any) -> None:
    file = folder / "config.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), **changes}))


@pytest.mark.parametrize(
    ("config", "labels"),
    [
        ({}, ("LABEL_0", "LABEL_1")),
        ({"id2label": {"0": "a", "1": "b"}}, ("a", "b")),
        ({"num_labels": 3}, ("LABEL_0", "LABEL_1", "LABEL_2")),
    ],
)
def test_labels(tmp_path: Path, config: Any, labels: tuple[str, ...]):
    assert transformers_folder.look(folder_of(tmp_path, {**BERT, **config}, "model.safetensors")).labels == labels


def test_what_is_said_of_a_texts_ids_holds_for_its_mask():
    form = drafted(told(*(TensorFact(one, "int64", (None, None)) for one in ("input_ids", "attention_mask"))), "ask")
    asked = [one.field for one in questions(form)]
    assert [one for one in asked if "inputs" in one] == ["inputs.input_ids.text", "inputs.input_ids.tokenizer"]
    form = with_answer(with_answer(form, "inputs.input_ids.text", "screen"), "inputs.input_ids.tokenizer", "t.json")
    mask = form["inputs"][1]
    assert (mask["text"], mask["tokenizer"], mask["part"]) == ("screen", "t.json", "mask")
    assert not [one.field for one in questions(form) if "inputs" in one.field]
    pairs = drafted(told(*(TensorFact(one, "int64", (None, 4)) for one in ("a", "b"))), "ordering")
    pairs = with_answer(pairs, "inputs.b.text", "other step")
    assert [one["text"] for one in pairs["inputs"]] == ["step", "other step"]
