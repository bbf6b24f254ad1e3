"""GUI-Odyssey: `annotations/<episode id>.json`, `screenshots/` and `splits/*_split.json` side by side.

Places are thousandths of the screenshot's width and height, also those of `sam2_bbox` [left, top, right, bottom], and
become its pixels. Both releases are read: the first writes each click twice and has neither boxes nor instructions of
steps. Facts: Lu et al., "GUIOdyssey", ICCV 2025 (arXiv:2406.08451); github.com/OpenGVLab/GUI-Odyssey
(introduction.md, data/format_converter.py, the evaluation's action matching). Checked on a fixture only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from stepscope.core.domain.action import Action, Finish, FinishStatus
from stepscope.core.domain.episode import (
    Episode,
    EpisodeSummary,
    Feasibility,
    FeasibilityLabel,
    InfeasibilityReason,
    Observation,
    Picture,
    Platform,
    Step,
    summarise,
)
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import SourceError
from stepscope.core.frozen import dataclass
from stepscope.core.sources.files import check_steps, mapping_of, read_json, safe_join, shortened, text_of
from stepscope.core.sources.findings import Findings
from stepscope.core.sources.folders import FolderSource
from stepscope.core.sources.gui_odyssey_actions import step_action
from stepscope.core.sources.screens import common_size, find_picture
from stepscope.core.sources.sniffers.gui_odyssey import FORMAT, locate

_FALLBACK = Size(1080, 2400)
"""Used where neither a picture nor the device names a size; places are fractions of it all the same."""
_LARGEST = 100_000


def read_episode(path: Path, episode_id: str) -> Episode:
    """One annotation file with its screenshots; SourceError when it has no list of steps."""
    return _read(path, episode_id, with_pictures=True)


def outline(path: Path, episode_id: str) -> EpisodeSummary:
    """The index row from the annotation alone; screens are those that it names."""
    episode = _read(path, episode_id, with_pictures=False)
    return replace(summarise(episode), screens=len(episode.steps))


def _read(path: Path, episode_id: str, with_pictures: bool) -> Episode:
    form = read_json(path)
    if not isinstance(form, dict) or not isinstance(form.get("steps"), list):
        raise SourceError("this is no annotation: it has no list of steps", place=path, field="steps")
    path = path.absolute()
    check_steps(len(form["steps"]), path)
    findings = Findings(episode_id, _root(path))
    steps = _steps(form, path, findings, with_pictures)
    _check_counts(form, path, findings)
    task = mapping_of(form.get("task_info"))
    goal = text_of(task.get("instruction")) or text_of(task.get("task"))
    if not goal:
        findings.add("there is no instruction", field="goal", file=path)
    return Episode(
        id=episode_id,
        format="gui_odyssey",
        platform=Platform.ANDROID,
        goal=goal,
        steps=steps,
        app=_apps(task.get("app")),
        feasibility=_feasibility(steps),
        splits=_splits_of(path, text_of(task.get("category")), findings),
        problems=findings.as_tuple(),
    )


def _root(path: Path) -> Path:
    """The data set's folder: the one that holds `annotations`, whatever that is called."""
    return path.absolute().parent.parent


def _steps(form: Mapping[str, Any], path: Path, findings: Findings, with_pictures: bool) -> tuple[Step, ...]:
    forms = [mapping_of(item) for item in form["steps"]]
    pictures: list[Picture | None] = [
        _picture(path, fields.get("screenshot"), index, findings) if with_pictures else None
        for index, fields in enumerate(forms)
    ]
    default = common_size(pictures) or _device_size(form.get("device_info")) or _FALLBACK
    steps = []
    for index, (fields, picture) in enumerate(zip(forms, pictures, strict=True)):
        size = picture.size if picture else default
        action = _action(fields, size, index, path, findings)
        instruction = text_of(fields.get("low_level_instruction")) or None
        steps.append(Step(index, Observation(size, picture), action, instruction))
    return tuple(steps)


def _action(fields: Mapping[str, Any], size: Size, index: int, path: Path, findings: Findings) -> Action | None:
    try:
        action, note = step_action(fields, size)
    except ValueError as error:
        findings.add(str(error), step=index, field="action", file=path)
        return None
    if note:
        findings.add(note, step=index, field="sam2_bbox", file=path)
    return action


def _picture(path: Path, name: object, index: int, findings: Findings) -> Picture | None:
    """The step's screenshot, in `screenshots` or in one of the folders `data_*` that it is delivered in."""
    if not isinstance(name, str) or not name:
        findings.add("the step names no screenshot", step=index, field="screenshot", file=path)
        return None
    folder = next((folder for folder in _picture_folders(path) if _holds(folder, name)), _root(path) / "screenshots")
    return find_picture(folder, name, index, findings)


def _picture_folders(path: Path) -> Iterator[Path]:
    for base in (_root(path) / "screenshots", path.parent / "screenshots"):
        if changed := _changed(base):
            yield base
            yield from _delivered_in(base, changed)
    yield path.parent


def _changed(folder: Path) -> int:
    """When the folder last changed; 0 where there is none."""
    try:
        return folder.stat().st_mtime_ns if folder.is_dir() else 0
    except OSError:
        return 0


@lru_cache(maxsize=8)
def _delivered_in(folder: Path, changed: int) -> tuple[Path, ...]:
    return tuple(sorted(place for place in folder.glob("data_*") if place.is_dir() and not place.is_symlink()))


def _holds(folder: Path, name: str) -> bool:
    try:
        return safe_join(folder, name).is_file()
    except (SourceError, OSError):
        return False


def _device_size(form: object) -> Size | None:
    fields = mapping_of(form)
    width, height = fields.get("w"), fields.get("h")
    if type(width) is int and type(height) is int and 0 < width <= _LARGEST and 0 < height <= _LARGEST:
        return Size(width, height)
    return None


def _check_counts(form: Mapping[str, Any], path: Path, findings: Findings) -> None:
    """What the file says of itself beside what is in it: signs of a cut or edited file."""
    stated, found = form.get("step_length"), len(form["steps"])
    if type(stated) is int and stated != found:
        findings.add(f"step_length says {shortened(str(stated))}, there are {found} steps", field="steps", file=path)
    named = form.get("episode_id")
    if isinstance(named, str) and named != identify(path):
        findings.add(f"the file says that it is episode {shortened(text_of(named))!r}", field="episode_id", file=path)
    for index, fields in enumerate(map(mapping_of, form["steps"])):
        number = fields.get("step")
        if type(number) is int and number != index:
            findings.add(f"this step is numbered {shortened(str(number))}", step=index, field="step", file=path)


def _apps(names: object) -> str | None:
    """The apps of the task, in its order: episodes of this data set lead through several."""
    found = [text_of(name) for name in names] if isinstance(names, list) else [text_of(names)]
    return ", ".join(name for name in found if name) or None


def _feasibility(steps: tuple[Step, ...]) -> Feasibility:
    """The annotator's last word; without one, no label."""
    last = steps[-1].action if steps else None
    if not isinstance(last, Finish):
        return Feasibility()
    if last.status is FinishStatus.IMPOSSIBLE:
        return Feasibility(FeasibilityLabel.INFEASIBLE, InfeasibilityReason.IMPOSSIBLE)
    return Feasibility(FeasibilityLabel.FEASIBLE)


def _splits_of(path: Path, category: str, findings: Findings) -> tuple[str, ...]:
    """`random/train`, `task/test` … by the split files, then `category/…`."""
    splits = splits_in(_root(path) / "splits")
    for error in splits.broken:
        findings.add_error(error, field="splits")
    named = splits.of.get(identify(path), ())
    return (*named, f"category/{category}") if category else named


def identify(path: Path) -> str:
    """The file's name without suffix, which is the episode's id."""
    return path.stem


def open_gui_odyssey(path: Path) -> FolderSource:
    """The data set's root, its `annotations` or one annotation file; ids are the 16-digit names as text."""
    return FolderSource(FORMAT.name, path, locate=locate, identify=identify, load=read_episode, outline=outline)


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
        files = sorted((file for file in folder.glob(f"*{_END}") if file.is_file()), key=_partition_order)
        changed = tuple(file.stat().st_mtime_ns for file in files)
    except OSError:
        return Splits({})
    return _read_splits(tuple(files), changed)


@lru_cache(maxsize=4)
def _read_splits(files: tuple[Path, ...], changed: tuple[int, ...]) -> Splits:
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


def _partition_order(file: Path) -> tuple[int, str]:
    """The paper's order of partitions, others behind."""
    name = file.name.removesuffix(_END)
    return (_PARTITIONS.index(name) if name in _PARTITIONS else len(_PARTITIONS), name)
