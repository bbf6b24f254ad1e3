"""ScreenSpot, its second version, ScreenSpot-Pro and lists like theirs: a picture, an expression, and the element that
it means, each an episode of one step.

`screenspot_{mobile,desktop,web}[_v2].json` has `img_filename`, `instruction`, `bbox` [left, top, width, height] in
pixels, `data_type` text or icon, `data_source`. ScreenSpot-Pro has `bbox` [left, top, right, bottom], known by its
`img_size`, and `ui_type`, `application`, `platform`, `group`, `id`. Copies whose four numbers lie within 0..1 are
[left, top, right, bottom] in fractions. OSWorld-G's `box_type` is `bbox`, or `refusal` where nothing is meant; its
polygons are not read. Pictures lie beside the lists or in a folder beside them. Checked on fixtures only. Facts: Cheng
et al., "SeeClick", ACL 2024; github.com/njucckevin/SeeClick (pretrain/screenspot_test.py); Li et al., "ScreenSpot-Pro",
2025; github.com/likaixin2000/ScreenSpot-Pro-GUI-Grounding (eval_screenspot_pro.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from stepscope.core.domain.action import Action, Finish, FinishStatus, Tap, Target
from stepscope.core.domain.episode import (
    Episode,
    EpisodeSummary,
    Feasibility,
    FeasibilityLabel,
    Observation,
    Picture,
    Platform,
    Problem,
    Step,
)
from stepscope.core.domain.geometry import Box, Size
from stepscope.core.errors import SourceError
from stepscope.core.sources.files import json_words, safe_join, text_of
from stepscope.core.sources.findings import Findings
from stepscope.core.sources.json_records import ByteSpan, find_records, read_record, record_problem, span_at
from stepscope.core.sources.screens import find_picture
from stepscope.core.sources.shards import ShardSource
from stepscope.core.sources.sniffers.screenspot import FORMAT, locate

_FOLDERS = ("", "images", "screenspot_imgs", "screenspotv2_image", "screenspot_v2_imgs")
"""Where the pictures are, beside a list or beside its folder."""
_UNKNOWN = Size(1920, 1080)
"""The screen where neither a picture nor the data has a size; a box in fractions is right on it all the same."""
_MOBILE = ("mobile", "android", "ios")
_DESKTOP = ("desktop", "windows", "macos", "linux")
_WEB = ("web",)
_EDGES = 4


def outline(path: Path) -> Iterator[EpisodeSummary | Problem]:
    """Index rows of a list, without pictures' sizes."""
    for span in find_records(path):
        if isinstance(span, Problem):
            yield span
            continue
        try:
            record = read_record(path, span)
        except SourceError as error:
            yield record_problem(error, span, path)
            continue
        findings = Findings("", path.parent)
        action = _action(record, _size_of(record) or _UNKNOWN, findings, path)
        yield EpisodeSummary(
            id=_id(record, span, path),
            goal=_goal(record, findings, path),
            app=text_of(record.get("application")) or None,
            platform=_platform(_surface(record, path)),
            steps=1,
            screens=1,
            actions=((action.kind, 1),) if action else (),
            splits=_splits(record, path),
            problems=findings.as_tuple(),
            place=span.place,
            checked=False,
        )


def load(path: Path, place: str, episode_id: str) -> Episode:
    """One expression as an episode of one step: a tap on the element, or that there is none."""
    span = span_at(place)
    record, findings = read_record(path, span), Findings(episode_id, path.parent)
    picture = _picture(record, path, findings)
    size = picture.size if picture else _size_of(record) or _UNKNOWN
    goal = _goal(record, findings, path)
    action = _action(record, size, findings, path)
    refused = isinstance(action, Finish)
    return Episode(
        id=episode_id,
        format=FORMAT.name,
        platform=_platform(_surface(record, path)),
        goal=goal,
        steps=(Step(0, Observation(size, picture), action, goal or None),),
        app=text_of(record.get("application")) or None,
        feasibility=Feasibility(FeasibilityLabel.INFEASIBLE) if refused else Feasibility(),
        splits=_splits(record, path),
        problems=findings.as_tuple(),
    )


def _id(record: Mapping[str, Any], span: ByteSpan, path: Path) -> str:
    return text_of(record.get("id")) or f"{path.stem}:{span.number}"


def _goal(record: Mapping[str, Any], findings: Findings, path: Path) -> str:
    goal = text_of(record.get("instruction"))
    if not goal:
        findings.add("there is no instruction", field="instruction", file=path)
    return goal


def _picture(record: Mapping[str, Any], path: Path, findings: Findings) -> Picture | None:
    name = text_of(record.get("img_filename")) or text_of(record.get("image_path"))
    if not name:
        findings.add("it names no picture", step=0, field="img_filename", file=path)
        return None
    for base in (path.parent, path.parent.parent):
        for folder in _FOLDERS:
            try:
                if safe_join(base / folder, name).is_file():
                    return find_picture(base / folder, name, 0, findings)
            except (SourceError, OSError):
                continue
    return find_picture(path.parent, name, 0, findings)


def _action(record: Mapping[str, Any], size: Size, findings: Findings, path: Path) -> Action | None:
    """The tap on the element; that nothing is meant; None with a finding where the box cannot be used."""
    kind = text_of(record.get("box_type"))
    if kind == "refusal":
        return Finish(FinishStatus.IMPOSSIBLE)
    field = "box_coordinates" if kind else "bbox"
    try:
        if kind not in ("", "bbox"):
            raise ValueError(f"a {kind} is not read, only boxes and refusals are")
        box = _box(record, field, size)
    except ValueError as error:
        findings.add(f"the element's box: {error}", step=0, field=field, file=path)
        return None
    return Tap(box.centre, Target(box))


def _box(record: Mapping[str, Any], field: str, size: Size) -> Box:
    """Raises ValueError."""
    numbers = record.get(field)
    if not isinstance(numbers, list) or len(numbers) != _EDGES:
        raise ValueError(f"four numbers are needed, not {json_words(numbers)}")
    if any(type(number) not in (int, float) for number in numbers):
        raise ValueError(f"numbers are needed, not {json_words(numbers)}")
    first, second, third, fourth = (float(number) for number in numbers)
    if max(first, second, third, fourth) <= 1.0:  # a copy in fractions
        edges = first * size.width, second * size.height, third * size.width, fourth * size.height
    elif _size_of(record) is not None and field == "bbox":  # ScreenSpot-Pro
        known = _size_of(record) or size
        across, down = size.width / known.width, size.height / known.height
        edges = first * across, second * down, third * across, fourth * down
    else:
        edges = first, second, first + third, second + fourth
    return Box(*edges, size)


def _size_of(record: Mapping[str, Any]) -> Size | None:
    """The picture's size as the data has it, None where it has none."""
    sides = record.get("img_size")
    if isinstance(sides, list) and len(sides) == 2 and all(type(side) is int and 0 < side < 1 << 20 for side in sides):
        return Size(*sides)
    return None


def _surface(record: Mapping[str, Any], path: Path) -> str:
    """mobile, desktop or web, by what the record says, else by the file's name (ours); "" where neither tells."""
    said = f"{text_of(record.get('data_source'))} {text_of(record.get('platform'))}".lower()
    for words in (said, path.stem.lower()):
        for surface, marks in (("mobile", _MOBILE), ("desktop", _DESKTOP), ("web", _WEB)):
            if any(mark in words for mark in marks):
                return surface
    return ""


def _platform(surface: str) -> Platform:
    """What is pointed at with a finger is Android's; anything else a page's: there is no third."""
    return Platform.ANDROID if surface == "mobile" else Platform.WEB


def _splits(record: Mapping[str, Any], path: Path) -> tuple[str, ...]:
    """`platform/mobile`, `type/icon`, `group/CAD`, as far as the data says."""
    surface = _surface(record, path) or "desktop"
    kind = (text_of(record.get("data_type")) or text_of(record.get("ui_type"))).lower()
    group = text_of(record.get("group"))
    found = [f"platform/{surface}"]
    found += [f"type/{kind}"] if kind in ("text", "icon") else []
    return (*found, f"group/{group}") if group else tuple(found)


def open_screenspot(path: Path) -> ShardSource:
    """A folder with lists, or one list."""
    return ShardSource(FORMAT.name, path, locate=locate, outline=outline, load=load)
