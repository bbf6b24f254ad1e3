"""Android in the Zoo (AITZ, CoAT): one JSON list of steps per episode, pictures beside it.

Lists inside a step are JSON in JSON. Touch and lift are (y, x) in fractions, (-1, -1) where there is no gesture; the
detector's boxes are (y, x, height, width) in pixels of the picture. Actions carry AITW's numbers. Checked against a
real episode. Facts: Zhang et al., arXiv:2403.02713, github.com/IMNearth/CoAT; Rawles et al., arXiv:2307.10088 (AITW).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any

from stepscope.core.domain.action import Action
from stepscope.core.domain.elements import TreeOrigin, UITree
from stepscope.core.domain.episode import Episode, EpisodeSummary, Observation, Picture, Platform, Step, summarise
from stepscope.core.domain.geometry import Size
from stepscope.core.domain.wire import numbers
from stepscope.core.errors import SourceError
from stepscope.core.sources.aitw_actions import (
    Place,
    action_without_place,
    edges,
    feasibility_of,
    gesture,
    in_order,
    is_gesture,
    place_of,
)
from stepscope.core.sources.files import check_steps, parse_json, read_json, shortened, text_of
from stepscope.core.sources.findings import Findings
from stepscope.core.sources.folders import FolderSource
from stepscope.core.sources.look import Listing
from stepscope.core.sources.screens import common_size, find_picture
from stepscope.core.sources.sniffers.aitz import FORMAT, beginning, locate
from stepscope.core.sources.tree_builder import Placement, TreeBuilder

_FALLBACK = Size(270, 600)
"""Size of AITZ's pictures, used where a whole episode has none."""

_SPLITS = ("train", "validation", "val", "test")
_ID = re.compile(rb'"episode_id"\s*:\s*"?([^",}\s]+)')
_NAME = re.compile(r"[A-Z_]+-\d+\.json")


def read_episode(path: Path, episode_id: str) -> Episode:
    """The episode in the JSON file at `path`; SourceError when it is not a list of steps."""
    findings = Findings(episode_id, path.parent, file=path)
    records = _records(path, findings)
    pictures = [_picture(path.parent, record, index, findings) for index, record in records]
    default = common_size(pictures) or _FALLBACK
    steps = tuple(
        _step(index, record, picture, picture.size if picture else default, findings)
        for (index, record), picture in zip(records, pictures, strict=True)
    )
    return Episode(
        id=episode_id,
        format="aitz",
        platform=Platform.ANDROID,
        goal=_goal(records),
        steps=steps,
        feasibility=feasibility_of(steps),
        splits=_splits(path),
        problems=findings.as_tuple(),
    )


def outline(path: Path, episode_id: str) -> EpisodeSummary:
    """The episode's index row without its pictures and trees; errors as those of `read_episode`."""
    findings = Findings(episode_id, path.parent, file=path)
    records = _records(path, findings)
    steps = []
    for index, record in records:
        steps.append(Step(index, Observation(_FALLBACK), _action_or_finding(index, record, _FALLBACK, None, findings)))
    episode = Episode(
        id=episode_id,
        format="aitz",
        platform=Platform.ANDROID,
        goal=_goal(records),
        steps=tuple(steps),
        feasibility=feasibility_of(tuple(steps)),
        splits=_splits(path),
        problems=findings.as_tuple(),
    )
    screens = sum(_has_picture(path.parent, record) for _, record in records)
    return replace(summarise(episode), screens=screens, checked=False)


def _records(path: Path, findings: Findings) -> list[tuple[int, dict[str, Any]]]:
    """The episode's steps as recorded, with their numbers; SourceError when the file is not a list of steps."""
    form = read_json(path)
    records = [record for record in form if isinstance(record, dict)] if isinstance(form, list) else []
    if not records:
        raise SourceError("no JSON list of steps", place=path)
    check_steps(len(records), path)
    if len(records) < len(form):
        findings.add(f"{len(form) - len(records)} of {len(form)} steps are no objects", file=path)
    ids, length = [record.get("step_id") for record in records], records[0].get("episode_length")
    return in_order(records, ids, length, findings, path)


def _goal(records: list[tuple[int, dict[str, Any]]]) -> str:
    return next((goal for _, record in records if (goal := text_of(record.get("instruction")))), "")


def _picture(folder: Path, record: Mapping[str, Any], index: int, findings: Findings) -> Picture | None:
    name = _picture_name(record)
    if not name:
        findings.add("no picture is named", step=index, field="screenshot")
        return None
    return find_picture(folder, name, index, findings)


def _has_picture(folder: Path, record: Mapping[str, Any]) -> bool:
    name = _picture_name(record)
    try:
        return bool(name) and (folder / name).is_file()
    except OSError:
        return False


def _picture_name(record: Mapping[str, Any]) -> str:
    """The recorded path's last name; the picture is beside the JSON (the paths are those of the authors' machine)."""
    recorded = text_of(record.get("image_path")) or text_of(record.get("image_full_path"))
    return PurePosixPath(recorded.replace("\\", "/")).name


def _step(index: int, record: Mapping[str, Any], picture: Picture | None, size: Size, findings: Findings) -> Step:
    tree = _tree(record, index, size, findings)
    action = _action_or_finding(index, record, size, tree, findings)
    instruction = text_of(record.get("coat_action_desc")) or None
    return Step(index, Observation(size, picture, tree), action, instruction)


def _action_or_finding(
    index: int, record: Mapping[str, Any], size: Size, tree: UITree | None, findings: Findings
) -> Action | None:
    try:
        return _action(record, size, tree)
    except ValueError as error:
        findings.add(str(error), step=index, field="action")
        return None


def _action(record: Mapping[str, Any], size: Size, tree: UITree | None) -> Action:
    kind = record.get("result_action_type")
    if type(kind) is not int:
        raise ValueError(f"result_action_type {shortened(repr(kind))} is no number")
    if not is_gesture(kind):
        return action_without_place(kind, text_of(record.get("result_action_text")))
    return gesture(_place(record, "result_touch_yx"), _place(record, "result_lift_yx"), size, tree)


def _place(record: Mapping[str, Any], field: str) -> Place:
    """A recorded "[y, x]" in fractions as (x, y); ValueError where there is none."""
    y, x = numbers(_nested(record.get(field), field), 2, field)
    return place_of(y, x, field)


def _nested(value: object, field: str) -> object:
    """A value that is JSON inside a JSON string, or already plain; ValueError where it is broken."""
    if not isinstance(value, str):
        return value
    try:
        return parse_json(value)
    except SourceError as error:
        raise ValueError(f"{field}: {error.message}") from error


def _tree(record: Mapping[str, Any], index: int, size: Size, findings: Findings) -> UITree | None:
    """The detector's boxes as a flat tree; None with a finding when the three lists cannot be read."""
    lists = []
    for field in ("ui_positions", "ui_text", "ui_types"):
        try:
            value = _nested(record.get(field), field)
            if not isinstance(value, list):
                raise ValueError(f"{field} is no list")
        except ValueError as error:
            findings.add(str(error), step=index, field="view_hierarchy")
            return None
        lists.append(value)
    if len({len(value) for value in lists}) > 1:
        counts = ", ".join(str(len(value)) for value in lists)
        findings.add(
            f"ui_positions, ui_text and ui_types differ in length ({counts}): the shortest counts",
            step=index,
            field="view_hierarchy",
        )
    builder = TreeBuilder(TreeOrigin.DETECTOR, Placement(size))
    for position, text, kind in zip(*lists, strict=False):
        builder.add(-1, _edges(position), text=text_of(text), class_name=text_of(kind))
    reading = builder.finish()
    return findings.tree(reading.tree, reading.notes, step=index)


def _edges(position: object) -> list[float] | None:
    """(y, x, height, width) as [left, top, right, bottom]."""
    try:
        return edges(*numbers(position, 4, "ui_positions"))
    except ValueError:
        return None


def _splits(path: Path) -> tuple[str, ...]:
    """The nearest folder above that is called like a split, `<split>/<subset>/<SUBSET>-<episode id>/`."""
    above = path.absolute().parent.parts[-3:]
    return next(((name,) for name in reversed(above) if name in _SPLITS), ())


def identify(path: Path) -> str:
    """The episode id, read from the file's beginning; the file's name where there is none."""
    match = _ID.search(beginning(path))
    if match is None:
        return path.stem
    try:
        return text_of(json.loads(b'"' + match[1] + b'"'))
    except (ValueError, RecursionError):
        return path.stem


def _locate_named(listing: Listing) -> Iterator[Path]:
    """The files of episodes, and empty files that are called like one, so that they are told."""
    yield from locate(listing)
    for name in listing.files_ending(".json"):
        if _NAME.fullmatch(name) and listing.is_empty(name):
            yield listing.folder / name


def open_aitz(path: Path) -> FolderSource:
    """The data set's root, a split, a subset or one episode's folder; ids are AITW's episode numbers as text."""
    return FolderSource(FORMAT.name, path, locate=_locate_named, identify=identify, load=read_episode, outline=outline)
