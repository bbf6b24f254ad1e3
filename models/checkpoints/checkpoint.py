"""The checkpoints that a person has added, in a JSON file among the settings: folders of image-text-to-text models."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from stepscope.core.errors import UsageError, UserError
from stepscope.core.frozen import dataclass
from stepscope.core.own_lists import OwnList
from stepscope.core.typed_forms import dataclass_of

SNAPSHOT_MARK = "@"
"""Stands before the moves after which a tuned checkpoint was looked at on its way: see `snapshots`."""
_NAME = re.compile(rf"[A-Za-z0-9][A-Za-z0-9._-]{{0,79}}(?:{SNAPSHOT_MARK}\d{{1,7}})?")
_MOST_AT_ONCE = 64


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """`folder` holds model and processor, `lora` an adapter of peft ("": none). `dtype` auto: bfloat16 on a GPU, else
    the checkpoint's own. `attention` is the library's implementation, auto its own choice. `batch`: questions at once.
    `code`: the folder's own Python code may run. `adapter`: how the model is asked and read ("": by its name).

    Raises UsageError for a name or a number that cannot be.
    """

    name: str
    folder: str
    lora: str = ""
    dtype: Literal["auto", "float32", "float16", "bfloat16"] = "auto"
    attention: Literal["auto", "eager", "sdpa", "flash_attention_2"] = "auto"
    batch: int = 1
    code: bool = False
    adapter: str = ""

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            hint = "Use letters, digits, -, _ and ., at most 80."
            raise UsageError(f"{self.name!r} cannot be the name of a checkpoint.", hint=hint)
        if not 1 <= self.batch <= _MOST_AT_ONCE:
            raise UsageError(f"{self.batch} questions at once cannot be.", hint=f"Give 1 to {_MOST_AT_ONCE}.")


def name_of(folder: Path) -> str:
    """A name for a checkpoint in this folder."""
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", folder.resolve().name).strip("-._")
    return plain[:80] or "checkpoint"


def check_name(name: str) -> None:
    """Raises UsageError for a name under which none can be kept."""
    if SNAPSHOT_MARK in name:
        hint = f"{SNAPSHOT_MARK} stands for a tuned checkpoint on its way: choose a name without it."
        raise UsageError(f"{name!r} cannot be the name of a checkpoint.", hint=hint)
    Checkpoint(name, "")


def add(checkpoint: Checkpoint, *, replaces: bool = False) -> None:
    """Keep it, its paths from the root. Raises UsageError for a name that is in use or cannot be."""
    check_name(checkpoint.name)
    folder, lora = str(Path(checkpoint.folder).expanduser().resolve()), checkpoint.lora
    kept = replace(checkpoint, folder=folder, lora=str(Path(lora).expanduser().resolve()) if lora else "")
    LIST.add(kept, replace=replaces)


def _read(entry: Any, file: Path, number: int) -> Checkpoint:
    try:
        return dataclass_of(Checkpoint, entry)
    except (ValueError, UsageError) as error:
        raise UserError(
            f"{error}", place=file, record=f"checkpoint {number}", hint="Repair it, or delete it."
        ) from error


LIST = OwnList(
    "checkpoint", "checkpoints", _read, "Add one: stepscope models add FOLDER.",
    "Give it another --name, or --replace the other.",
)  # fmt: skip
load, remove, find = LIST.load, LIST.remove, LIST.find
"""Those that a person has added: see `OwnList`. Their files stay where they are."""
