"""Choices for evaluations under a name, and the last one of each task. They hold for whatever data is open.

One JSON file in the user's settings, shared by window and command line. A file that cannot be read is left alone and
reported; an entry that makes no sense costs only itself.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

from stepscope.core.domain.largest_number import LARGEST_NUMBER
from stepscope.core.domain.prediction import Task
from stepscope.core.drafts import reason, write_whole
from stepscope.core.errors import UsageError, UserError
from stepscope.core.frozen import dataclass
from stepscope.core.own_files import read_json
from stepscope.core.settings import user_config_dir

FILE_NAME = "presets.json"


@dataclass(frozen=True, slots=True)
class Preset:
    """The settings of an evaluation, less its data. `predictions` is a file's path, `limit` counts episodes and
    `per_app` those of each app. `instructions` are given, hidden or both (`evaluation.by_instructions`). `cluster` is
    the address of one that works on it, "" for this computer, with so many `workers` at the most."""

    task: Task = Task.AUTOMATION
    model: str = ""
    protocol: str = ""
    options: tuple[tuple[str, str], ...] = ()
    predictions: str = ""
    split: str = ""
    filter: str = ""
    limit: int | None = None
    seed: int = 0
    device: str = "auto"
    runtime: str = "auto"
    per_app: int | None = None
    instructions: str = "given"
    cluster: str = ""
    workers: int | None = None


@dataclass(frozen=True, slots=True)
class Presets:
    """`named` in the order in which they were saved; `last` by task."""

    named: Mapping[str, Preset]
    last: Mapping[Task, Preset]

    def preset(self, name: str) -> Preset:
        """Raises UsageError when there is none of that name."""
        if name not in self.named:
            known = ", ".join(self.named) or "none so far"
            raise UsageError(f"There is no preset {name!r}.", hint=f"Presets: {known}.")
        return self.named[name]

    def with_named(self, name: str, preset: Preset) -> Presets:
        return replace(self, named={**self.named, name: preset})

    def without(self, name: str) -> Presets:
        self.preset(name)
        return replace(self, named={other: preset for other, preset in self.named.items() if other != name})

    def with_last(self, preset: Preset) -> Presets:
        return replace(self, last={**self.last, preset.task: preset})


def presets_file() -> Path:
    """Where presets are kept, among the user's settings; may not exist yet."""
    return user_config_dir() / FILE_NAME


def load_presets(path: Path | None = None) -> Presets:
    """What is stored; nothing where there is no file. Raises UserError when the file cannot be read."""
    file = path or presets_file()
    try:
        form = read_json(file)
    except FileNotFoundError:
        return Presets({}, {})
    except (OSError, ValueError) as error:
        hint = "Correct the file or delete it."
        raise UserError(f"the presets cannot be read: {error}", place=file, hint=hint) from error
    found = {name: _preset(one) for name, one in _mapping(form, "named").items()}
    last = [_preset(one) for one in _mapping(form, "last").values()]
    named = {name: preset for name, preset in found.items() if preset is not None}
    return Presets(named, {preset.task: preset for preset in last if preset is not None})


def save_presets(presets: Presets, path: Path | None = None) -> None:
    """All at once: a crash leaves the old file or the new one. Raises UserError."""
    file = path or presets_file()
    form = {
        "named": {name: asdict(preset) for name, preset in presets.named.items()},
        "last": {task.value: asdict(preset) for task, preset in presets.last.items()},
    }
    try:
        write_whole(file, json.dumps(form, indent=1, ensure_ascii=True).encode())
    except OSError as error:
        hint = "Make room, or check that the folder can be written."
        raise UserError(f"the presets cannot be saved: {reason(error)}", place=file, hint=hint) from error


def _mapping(form: Any, name: str) -> dict[str, Any]:
    part = form.get(name) if isinstance(form, dict) else None
    return part if isinstance(part, dict) else {}


def _preset(form: Any) -> Preset | None:
    """The preset of an entry, None for one that is none."""
    if not isinstance(form, dict):
        return None
    values = {field.name: form[field.name] for field in fields(Preset) if field.name in form}
    try:
        values["task"] = Task(values.get("task", Task.AUTOMATION))
        values["options"] = tuple((str(name), str(value)) for name, value in values.get("options", ()))
    except (ValueError, TypeError):
        return None
    texts = all(isinstance(values.get(name, ""), str) for name in _TEXTS)
    seed, limits = values.get("seed", 0), [values.get(name) for name in ("limit", "per_app", "workers")]
    numbers = _is_number(seed, 0) and all(one is None or _is_number(one, 1) for one in limits)
    return Preset(**values) if texts and numbers else None


def _is_number(value: object, least: int) -> bool:
    return type(value) is int and least <= value <= LARGEST_NUMBER


_TEXTS = ("model", "protocol", "predictions", "split", "filter", "device", "runtime", "instructions", "cluster")
