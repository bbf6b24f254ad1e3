"""Three small models as files with their manifests, to try `stepscope models add` with.

    python docs/examples/own_models/make_models.py FOLDER
    stepscope models add FOLDER/screen-feasibility
    stepscope evaluate feasibility PATH --model screen-feasibility

Their weights are drawn by chance or set by hand: they show how a file is added, and no score of theirs is a finding.
The first two need onnx, the third torch and transformers.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

SCREEN_FEASIBILITY = """\
format = 1
name = "screen-feasibility"
title = "Screen feasibility, an example"
task = "feasibility"
file = "model.onnx"
licence = "Apache-2.0"
runtime = "onnx"

[answer]
threshold = 0.5

[[inputs]]
name = "image"
holds = "screen"
which = "last"
width = 64
height = 64
fit = "squash"
colours = "rgb"
layout = "nchw"
dtype = "float32"
scale = 0.00392156862745098
mean = [0.485, 0.456, 0.406]
std = [0.229, 0.224, 0.225]

[[outputs]]
name = "chances"
means = "infeasible"
reading = "probabilities"
labels = ["feasible", "infeasible"]
positive = "infeasible"
"""

POINT_GROUNDER = """\
format = 1
name = "point-grounder"
title = "Point grounder, an example"
task = "automation"
file = "model.onnx"
licence = "Apache-2.0"
runtime = "onnx"

[[inputs]]
name = "pixels"
holds = "screen"
width = 64
height = 128
fit = "letterbox"
colours = "rgb"
layout = "nhwc"
dtype = "uint8"

[[outputs]]
name = "point"
means = "point"
reading = "unit"
"""

GOAL_CLASSIFIER = """\
format = 1
name = "goal-classifier"
title = "Goal classifier, an example"
task = "feasibility"
file = "."
licence = "Apache-2.0"
runtime = "transformers"

[[inputs]]
name = "input_ids"
holds = "text"
text = "goal"
pair = "screen"
tokenizer = "tokenizer.json"
length = 64
part = "ids"

[[inputs]]
name = "attention_mask"
holds = "text"
text = "goal"
pair = "screen"
tokenizer = "tokenizer.json"
length = 64
part = "mask"

[[outputs]]
name = "logits"
means = "infeasible"
reading = "logits"
labels = ["feasible", "infeasible"]
positive = "infeasible"
"""

WORDS = "[PAD] [UNK] [CLS] [SEP] set open find add play buy send a the to for alarm timer song bread music settings"
MANIFEST = "stepscope-model.toml"


def main() -> None:
    (target,) = map(Path, sys.argv[1:])
    screen_feasibility(target / "screen-feasibility")
    point_grounder(target / "point-grounder")
    try:
        goal_classifier(target / "goal-classifier")
    except ImportError as error:
        print(f"goal-classifier is left out: it needs {error.name}", file=sys.stderr)


def screen_feasibility(folder: Path) -> None:
    """A linear classifier over the screen in 8 × 8 fields: pooled, weighed, softmax."""
    from onnx import TensorProto, helper, numpy_helper

    weights = np.random.default_rng(0).normal(0, 0.1, (192, 2)).astype(np.float32)
    nodes = [
        helper.make_node("AveragePool", ["image"], ["fields"], kernel_shape=[8, 8], strides=[8, 8]),
        helper.make_node("Flatten", ["fields"], ["row"]),
        helper.make_node("MatMul", ["row", "weights"], ["logits"]),
        helper.make_node("Softmax", ["logits"], ["chances"], axis=1),
    ]
    image = helper.make_tensor_value_info("image", TensorProto.FLOAT, ["n", 3, 64, 64])
    chances = helper.make_tensor_value_info("chances", TensorProto.FLOAT, ["n", 2])
    graph = helper.make_graph(nodes, "g", [image], [chances], [numpy_helper.from_array(weights, "weights")])
    save(graph, folder, SCREEN_FEASIBILITY)


def point_grounder(folder: Path) -> None:
    """Where a screen is most colourful: the mean place, weighted by a softmax over how far its colours lie apart."""
    from onnx import TensorProto, helper, numpy_helper

    rows, columns = np.mgrid[0:128, 0:64].astype(np.float32)
    places = np.stack([(columns + 0.5) / 64, (rows + 0.5) / 128], axis=-1).reshape(-1, 2)
    nodes = [
        helper.make_node("Cast", ["pixels"], ["numbers"], to=TensorProto.FLOAT),
        helper.make_node("ReduceMax", ["numbers"], ["largest"], axes=[3], keepdims=0),
        helper.make_node("ReduceMin", ["numbers"], ["least"], axes=[3], keepdims=0),
        helper.make_node("Sub", ["largest", "least"], ["colourful"]),
        helper.make_node("Flatten", ["colourful"], ["row"]),
        helper.make_node("Div", ["row", "sharpness"], ["scores"]),
        helper.make_node("Softmax", ["scores"], ["shares"], axis=1),
        helper.make_node("MatMul", ["shares", "places"], ["point"]),
    ]
    pixels = helper.make_tensor_value_info("pixels", TensorProto.UINT8, ["n", 128, 64, 3])
    point = helper.make_tensor_value_info("point", TensorProto.FLOAT, ["n", 2])
    held = [numpy_helper.from_array(places, "places"), numpy_helper.from_array(np.float32(8), "sharpness")]
    save(helper.make_graph(nodes, "g", [pixels], [point], held), folder, POINT_GROUNDER)


def save(graph: object, folder: Path, manifest: str) -> None:
    """The graph as `model.onnx` and its manifest beside it."""
    import onnx

    folder.mkdir(parents=True, exist_ok=True)
    opset = onnx.helper.make_opsetid("", 13)
    onnx.save(onnx.helper.make_model(graph, opset_imports=[opset], ir_version=8), folder / "model.onnx")
    (folder / MANIFEST).write_text(manifest, encoding="utf-8")


def goal_classifier(folder: Path) -> None:
    """A BERT of one layer over a handful of words, as transformers saves it: safetensors, config, tokenizer."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification

    vocabulary = {word: place for place, word in enumerate(WORDS.split())}
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=64,
        id2label={0: "feasible", 1: "infeasible"},
        label2id={"feasible": 0, "infeasible": 1},
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer(vocabulary)), encoding="utf-8")
    (folder / MANIFEST).write_text(GOAL_CLASSIFIER, encoding="utf-8")


def tokenizer(vocabulary: dict[str, int]) -> dict[str, object]:
    """Whole words between BERT's signs, as a file of the library tokenizers."""
    signs = {word: {"id": word, "ids": [vocabulary[word]], "tokens": [word]} for word in ("[CLS]", "[SEP]")}
    first = {"Sequence": {"id": "A", "type_id": 0}}
    second = {"Sequence": {"id": "B", "type_id": 1}}
    begin, end = ({"SpecialToken": {"id": word, "type_id": 0}} for word in ("[CLS]", "[SEP]"))
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": {"type": "Lowercase"},
        "pre_tokenizer": {"type": "Whitespace"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [begin, first, end],
            "pair": [begin, first, end, second, end],
            "special_tokens": signs,
        },
        "decoder": None,
        "model": {"type": "WordLevel", "vocab": vocabulary, "unk_token": "[UNK]"},
    }


if __name__ == "__main__":
    main()
