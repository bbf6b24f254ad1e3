"""The checkpoints that a person has added, in a JSON file among the settings: folders of image-text-to-text models."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal

from stepscope.core.drafts import advice, reason, write_whole
from stepscope.core.errors import UsageError, UserError
from stepscope.core.own_files import read_json
from stepscope.core.scoring.names import did_you_mean
from stepscope.core.settings import user_config_dir
from stepscope.core.typed_forms import dataclass_of

FILE_NAME = "checkpoints.json"
FORMAT = 1
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
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


def load(file: Path | None = None) -> tuple[Checkpoint, ...]:
    """The checkpoints in the order they were added; none where there is no file. Raises UserError naming file and
    entry."""
    file = file or checkpoints_file()
    try:
        form = read_json(file)
    except FileNotFoundError:
        return ()
    except (OSError, ValueError) as error:
        raise UserError(f"cannot be read: {error}", place=file, hint="Repair it, or delete it.") from error
    entries = form.get("checkpoints") if isinstance(form, dict) and form.get("format") == FORMAT else None
    if not isinstance(entries, list):
        raise UserError("is no list of checkpoints that this version reads.", place=file, hint="Delete it.")
    return tuple(_read(entry, file, number) for number, entry in enumerate(entries, start=1))


def add(checkpoint: Checkpoint, *, replaces: bool = False) -> None:
    """Keep it, its paths from the root. Raises UsageError for a name that is in use."""
    folder, lora = str(Path(checkpoint.folder).expanduser().resolve()), checkpoint.lora
    kept = replace(checkpoint, folder=folder, lora=str(Path(lora).expanduser().resolve()) if lora else "")
    known = load()
    if any(one.name == kept.name for one in known):
        if not replaces:
            hint = "Give it another --name, or --replace the other."
            raise UsageError(f"There is a checkpoint {kept.name!r} already.", hint=hint)
        _save([kept if one.name == kept.name else one for one in known])
    else:
        _save([*known, kept])


def remove(name: str) -> Checkpoint:
    """Forget it; its files stay. Raises UsageError for an unknown name."""
    found = find(name)
    _save([one for one in load() if one != found])
    return found


def find(name: str) -> Checkpoint:
    """Raises UsageError naming the nearest."""
    known = {one.name: one for one in load()}
    if name not in known:
        names = f"{did_you_mean(name, known)}Checkpoints: {', '.join(known)}." if known else "None was added yet."
        raise UsageError(f"There is no checkpoint {name!r}.", hint=f"{names} Add one: stepscope models add FOLDER.")
    return known[name]


def checkpoints_file() -> Path:
    """Where they are kept, among the user's settings; may not exist yet."""
    return user_config_dir() / FILE_NAME


def _save(checkpoints: Sequence[Checkpoint]) -> None:
    form = {"format": FORMAT, "checkpoints": [asdict(one) for one in checkpoints]}
    file = checkpoints_file()
    try:
        write_whole(file, f"{json.dumps(form, indent=1, ensure_ascii=False)}\n".encode("utf-8", "surrogateescape"))
    except OSError as error:
        raise UserError(f"cannot be written: {reason(error)}", place=file, hint=advice(error)) from error


def _read(entry: Any, file: Path, number: int) -> Checkpoint:
    try:
        return dataclass_of(Checkpoint, entry)
    except (ValueError, UsageError) as error:
        raise UserError(
            f"{error}", place=file, record=f"checkpoint {number}", hint="Repair it, or delete it."
        ) from error
