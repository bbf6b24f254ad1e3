"""A tuned checkpoint on its way: the adapters that were kept while it learned, each a model of its own,
`local:NAME@MOVES`.

They lie in the tuning's folder, in `snapshots.new` until it is over and in `snapshots` then, each in a folder that is
named by its moves and that is there whole or not at all.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import orjson

from stepscope.core.errors import UsageError, UserError
from stepscope.core.settings import user_data_dir
from stepscope.models.checkpoints import checkpoint as checkpoints
from stepscope.models.checkpoints.checkpoint import SNAPSHOT_MARK, Checkpoint

CARD = "stepscope-tuning.json"
_OLD, _FRESH, _HALF = "snapshots", "snapshots.new", "half"


def tuning_folder(name: str) -> Path:
    """Where the tuning of this name keeps what it learns; may not exist."""
    return user_data_dir() / "checkpoint-tuning" / name


def keep_snapshot(work: Path, moves: int, write: Callable[[Path], None]) -> None:
    """Let the adapter after so many moves be written into a folder of its own, in the place of one that is there."""
    half, folder = work / _FRESH / _HALF, work / _FRESH / _named(moves)
    shutil.rmtree(half, ignore_errors=True)
    half.mkdir(parents=True)
    write(half)
    shutil.rmtree(folder, ignore_errors=True)
    half.replace(folder)


def put_in_place(work: Path) -> None:
    """The tuning is over: its snapshots take the place of those of the one before, which are gone also where it has
    none."""
    shutil.rmtree(work / _OLD, ignore_errors=True)
    if (work / _FRESH).is_dir():
        shutil.rmtree(work / _FRESH / _HALF, ignore_errors=True)
        (work / _FRESH).replace(work / _OLD)


def forget_snapshots(work: Path) -> None:
    """Drop those of a tuning that is not over."""
    shutil.rmtree(work / _FRESH, ignore_errors=True)


def snapshots_of(name: str) -> dict[int, Path]:
    """The folders of a finished tuning's snapshots by their moves, in order."""
    folders = (one for one in (tuning_folder(name) / _OLD).glob("*") if one.name.isdecimal())
    return {int(one.name): one for one in sorted(folders)}


def base_name(name: str) -> str:
    """The name of the checkpoint that a snapshot is of; any other name as it is."""
    return name.partition(SNAPSHOT_MARK)[0]


def named_snapshot(name: str, moves: int) -> str:
    return f"{name}{SNAPSHOT_MARK}{moves}"


def find(name: str) -> Checkpoint:
    """The checkpoint of this name, or the snapshot NAME@MOVES of one. Raises UsageError for one that there is not."""
    plain, mark, moves = name.partition(SNAPSHOT_MARK)
    kept = checkpoints.find(plain)
    if not mark:
        return kept
    known = snapshots_of(plain)
    folder = known.get(int(moves)) if moves.isdecimal() else None
    if folder is None:
        there = ", ".join(f"{one:,}" for one in known) or "none was kept (--snapshots)"
        raise UsageError(f"There is no snapshot {moves!r} of {plain}.", hint=f"Moves with one: {there}.")
    whole = kept.folder if kept.lora else _base_folder(plain)
    return replace(kept, name=named_snapshot(plain, int(moves)), folder=whole, lora=str(folder))


def _base_folder(name: str) -> str:
    """The folder that a tuned checkpoint was made of whose adapter was merged into a copy. Raises UserError."""
    card = tuning_folder(name) / "adapter" / CARD
    try:
        return str(orjson.loads(card.read_bytes())["base"]["folder"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UserError("does not tell what it was tuned from.", place=card, hint="Tune it again.") from error


def _named(moves: int) -> str:
    return f"{moves:07d}"
