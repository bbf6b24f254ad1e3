"""Presets: kept as they were, an entry that makes no sense costs only itself."""

import json
from pathlib import Path

import pytest

from stepscope.app.services.presets import Preset, Presets, load_presets, save_presets
from stepscope.core.domain.prediction import Task
from stepscope.core.errors import UserError

ONE = Preset(
    Task.FEASIBILITY,
    "never-feasible",
    "feasibility",
    (("a", "1"),),
    "",
    "test",
    "app:x",
    3,
    7,
    "cpu",
    "onnx",
    2,
    "both",
)


def test_they_come_back_as_they_were(tmp_path: Path) -> None:
    file = tmp_path / "new" / "presets.json"
    assert load_presets(file) == Presets({}, {})
    kept = Presets({}, {}).with_named("mine", ONE).with_named("b", Preset()).with_last(ONE)
    save_presets(kept, file)
    assert load_presets(file) == kept
    assert list(load_presets(file).named) == ["mine", "b"]
    assert [path.name for path in file.parent.iterdir()] == ["presets.json"]


@pytest.mark.parametrize(
    "bad",
    [
        None,
        3,
        {"task": "juggling"},
        {"model": 3},
        {"limit": 0},
        {"seed": -1},
        {"seed": True},
        {"options": [1]},
        {"seed": 2**31},
        {"limit": 2**63},
        {"per_app": 10**400},
        {"limit": 1.0},
        {"instructions": True},
    ],
)
def test_a_bad_entry_costs_only_itself(tmp_path: Path, bad: object) -> None:
    file = tmp_path / "presets.json"
    file.write_text(json.dumps({"named": {"bad": bad, "good": {"model": "random", "further": 1}}, "last": []}))
    assert load_presets(file).named == {"good": Preset(model="random")}


@pytest.mark.parametrize("text", ["", "{", "\xff"])
def test_a_broken_file_is_told_and_left_alone(tmp_path: Path, text: str) -> None:
    file = tmp_path / "presets.json"
    file.write_text(text, "latin-1")
    with pytest.raises(UserError, match="the presets cannot be read"):
        load_presets(file)
    assert file.read_text("latin-1") == text
