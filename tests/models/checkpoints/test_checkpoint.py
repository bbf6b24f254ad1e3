"""Folders of checkpoints: what they tell, what is refused, and the list of those that were added."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from stepscope.core.errors import UsageError, UserError
from stepscope.models import registry
from stepscope.models.checkpoints import checkpoint
from stepscope.models.checkpoints.checkpoint import Checkpoint, name_of
from stepscope.models.checkpoints.facts import is_checkpoint, look

CONFIG = {
    "model_type": "qwen2_5_vl",
    "architectures": ["Qwen2_5_VLForConditionalGeneration"],
    "vision_config": {"depth": 2},
    "dtype": "bfloat16",
}


def folder(place: Path, **changes: Any) -> Path:
    """A folder in which everything is that is looked at; `changes` by the file's name, None: not there."""
    files: dict[str, Any] = {
        "config.json": json.dumps(CONFIG),
        "preprocessor_config.json": "{}",
        "chat_template.jinja": "{{ messages }}",
        "model.safetensors": "x" * 10,
        "README.md": "---\nlicense: apache-2.0\nbase_model: x\n---\n# Card",
    }
    place.mkdir(parents=True, exist_ok=True)
    for name, text in (files | {key.replace("__", "."): value for key, value in changes.items()}).items():
        if text is not None:
            (place / name).write_text(text)
    return place


def test_a_folder_tells_what_it_is(tmp_path: Path) -> None:
    found = look(folder(tmp_path / "My Model"))
    assert is_checkpoint(found.folder) and not is_checkpoint(tmp_path)
    assert (found.family, found.architecture) == ("qwen2_5_vl", "Qwen2_5_VLForConditionalGeneration")
    assert (found.licence, found.bytes, found.dtype, found.code) == ("apache-2.0", 10, "bfloat16", False)
    assert name_of(found.folder) == "My-Model"


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"config__json": None}, "has no config.json"),
        ({"config__json": "{"}, "config.json: cannot be read"),
        ({"config__json": json.dumps({**CONFIG, "architectures": ["BertModel"]})}, "(BertModel) sees no pictures"),
        ({"config__json": json.dumps({**CONFIG, "num_hidden_layers": 99999})}, "network of 99,999 layers"),
        ({"preprocessor_config__json": None}, "has no processor (preprocessor_config.json or processor_config.json)"),
        ({"chat_template__jinja": None}, "lacks a chat template"),
        ({"model__safetensors": None}, "has no weights"),
        ({"model__safetensors": None, "pytorch_model__bin": "x"}, "pickled weights only"),
    ],
)
def test_what_is_wrong_with_a_folder_is_told(tmp_path: Path, changes: dict[str, Any], why: str) -> None:
    place = tmp_path / "model"
    with pytest.raises(UserError) as caught:
        look(folder(place, **changes))
    assert why in str(caught.value) and str(place) in str(caught.value)


def test_a_template_in_a_config_is_one_too(tmp_path: Path) -> None:
    text = json.dumps({"chat_template": "{{ messages }}"})
    assert look(folder(tmp_path / "m", chat_template__jinja=None, tokenizer_config__json=text))


def test_code_of_its_own_is_named(tmp_path: Path) -> None:
    config = json.dumps({**CONFIG, "auto_map": {"AutoModel": "modeling.Mine"}})
    assert look(folder(tmp_path / "m", config__json=config)).code


@pytest.mark.parametrize(
    ("names", "why"),
    [
        ((), "has no adapter_config.json"),
        (("adapter_config.json",), "has no adapter_model.safetensors"),
        (("adapter_config.json", "adapter_model.bin"), "pickled weights only"),
    ],
)
def test_what_is_wrong_with_an_adapter_is_told(tmp_path: Path, names: tuple[str, ...], why: str) -> None:
    lora = tmp_path / "lora"
    lora.mkdir()
    for name in names:
        (lora / name).write_text('{"r": 8}')
    with pytest.raises(UserError, match=why):
        look(folder(tmp_path / "m"), lora)


def test_they_are_kept_by_name_and_forgotten(tmp_path: Path) -> None:
    one = Checkpoint("mine", str(folder(tmp_path / "m")), adapter="qwen2.5-vl", batch=2)
    checkpoint.add(one)
    with pytest.raises(UsageError, match="There is a checkpoint 'mine' already"):
        checkpoint.add(one)
    checkpoint.add(Checkpoint("mine", one.folder), replaces=True)
    assert checkpoint.find("mine").batch == 1
    with pytest.raises(UsageError, match="no checkpoint 'mind'") as caught:
        checkpoint.find("mind")
    assert "mine" in str(caught.value)
    info = registry.model_info("local:mine#automation?adapter=json")
    assert info.title == "mine · Plain JSON" and info.weights == "present" and info.runtime == "torch"
    assert {"local:mine", "local:mine#automation", "local:mine#ask"} <= registry.registry([]).models.keys()
    checkpoint.remove("mine")
    assert checkpoint.load() == ()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "cannot be read"),
        ("[]", "is no list of checkpoints"),
        ('{"format": 1, "checkpoints": [{"name": "x"}]}', "[checkpoint 1]?: Checkpoint is not complete"),
        ('{"format": 1, "checkpoints": [{"name": "x", "folder": "y", "dtype": "int3"}]}', "dtype of Checkpoint is"),
        ('{"format": 1, "checkpoints": [{"name": "a/b", "folder": "y"}]}', "cannot be the name"),
    ],
)
def test_a_broken_list_is_told_and_the_other_models_are_there(text: str, why: str) -> None:
    file = checkpoint.LIST.file
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    with pytest.raises(UserError, match=why):
        checkpoint.load()
    found = registry.registry([])
    assert "text-match" in found.models and any("checkpoints.json" in one.message for one in found.problems)


def test_one_whose_folder_is_gone_is_absent(tmp_path: Path) -> None:
    checkpoint.add(Checkpoint("gone", str(tmp_path / "nowhere")))
    info = registry.model_info("local:gone#automation")
    assert info.weights == "absent" and "is not there any more" in info.weights_from
    with pytest.raises(UserError, match=r"has no config\.json"):
        registry.load("local:gone#automation")
