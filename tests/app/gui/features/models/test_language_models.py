"""Language models that `lm-perplexity` asks, in the lists of models."""

from __future__ import annotations

import json
import struct
from pathlib import Path

from stepscope.app.gui.features.evaluate.evaluate_form_controller import model_choice
from stepscope.app.gui.features.models.adding_presenter import SHIPPED, listed_models
from stepscope.app.gui.features.models.presenter import model_rows
from stepscope.models.encoders import added
from stepscope.models.registry import registry

NAME = "lm-perplexity?weights=gpt2"


def test_each_is_a_model_of_stepscope_that_can_be_chosen(tmp_path: Path) -> None:
    folder = tmp_path / "gpt2"
    folder.mkdir()
    header = json.dumps({"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}).encode()
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(header)) + header + bytes(8))
    (folder / "config.json").write_text(json.dumps({"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"]}))
    (folder / "tokenizer.json").write_text("{}")
    assert "weights add FOLDER" in model_choice(registry([]).models["lm-perplexity"]).why_not
    added.add(folder)
    found = registry([])
    (row,) = (one for one in model_rows(found)[0] if one.name == NAME)
    assert (row.origin, row.removal, row.page) == ("Stepscope", "", "")
    (listed,) = (one for one in listed_models(found) if one.name == NAME)
    assert listed.group == SHIPPED
    choice = model_choice(found.models[NAME])
    assert (choice.why_not, choice.settings) == ("", ())
