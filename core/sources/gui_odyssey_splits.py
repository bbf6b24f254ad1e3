"""GUI-Odyssey's split files: `splits/<partition>_split.json`, {part: [names of annotation files]}."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from stepscope.core.errors import SourceError
from stepscope.core.sources.files import read_json, text_of

_PARTITIONS = ("random", "task", "device", "app")
_END = "_split.json"


@dataclass(frozen=True, slots=True)
class Splits:
    """`partition/part` words by episode id; `broken` says of each file that could not be read why."""

    of: Mapping[str, tuple[str, ...]]
    broken: tuple[SourceError, ...] = ()


def splits_in(folder: Path) -> Splits:
    """All split files of the folder, read again when one of them has changed; none where there is no folder."""
    try:
        files = sorted((file for file in folder.glob(f"*{_END}") if file.is_file()), key=_order)
        changed = tuple(file.stat().st_mtime_ns for file in files)
    except OSError:
        return Splits({})
    return _read(tuple(files), changed)


@lru_cache(maxsize=4)
def _read(files: tuple[Path, ...], changed: tuple[int, ...]) -> Splits:
    found: dict[str, list[str]] = {}
    broken = []
    for file in files:
        try:
            parts = read_json(file)
            if not isinstance(parts, dict):
                raise SourceError("a split file must be an object of lists", place=file)
        except SourceError as error:
            broken.append(error)
            continue
        partition = text_of(file.name.removesuffix(_END))
        for part, names in parts.items():
            for name in names if isinstance(names, list) else ():
                if isinstance(name, str):
                    found.setdefault(name.removesuffix(".json"), []).append(f"{partition}/{text_of(part)}")
    return Splits({name: tuple(words) for name, words in found.items()}, tuple(broken))


def _order(file: Path) -> tuple[int, str]:
    """The paper's order of partitions, others behind."""
    name = file.name.removesuffix(_END)
    return (_PARTITIONS.index(name) if name in _PARTITIONS else len(_PARTITIONS), name)
