"""OS-Genesis' synthesised AndroidWorld instructions: one JSON list of {episode_id, step_id, app_name, task_name,
instruction}.

Each row is an instruction that was written from one step of an exploration. The rows of an exploration are one episode
without screens, its steps numbered by `step_id`. Checked against the released list. Facts: Sun et al., "OS-Genesis",
arXiv:2412.19723; github.com/OS-Copilot/OS-Genesis (`collection/aw_instructions.json`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import Any

from stepscope.core.domain.episode import (
    LAST_STEP,
    Episode,
    EpisodeSummary,
    Observation,
    Platform,
    Problem,
    Step,
    is_step_index,
    summarise,
)
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import SourceError
from stepscope.core.sources.files import check_steps, mapping_of, read_json, text_of
from stepscope.core.sources.findings import Findings, problem_of
from stepscope.core.sources.shards import ShardSource
from stepscope.core.sources.sniffers.os_genesis import FORMAT, locate

_NO_SCREEN = Size(1080, 2400)
"""Frame of steps without a screen: AndroidWorld's emulator."""
_HOME = "Home"

_ExplorationRow = Mapping[str, Any]


def outline(path: Path) -> Iterator[EpisodeSummary | Problem]:
    """A row for each exploration, in order of first appearance; `place` is its id in the list."""
    explorations, others = _read(path)
    for name, rows in explorations.items():
        try:
            yield summarise(_episode(rows, path, name), name)
        except SourceError as error:
            yield problem_of(error, path.parent, name)
    if others:
        yield Problem(f"{others} items are no instructions of an exploration", field="episode_id", file=str(path))


def load(path: Path, place: str, episode_id: str) -> Episode:
    """The exploration with the id `place`."""
    rows = _read(path)[0].get(place)
    if rows is None:
        raise SourceError("the list no longer has this exploration", place=path)
    return _episode(rows, path, episode_id)


def _read(path: Path) -> tuple[dict[str, list[_ExplorationRow]], int]:
    """Rows by exploration, and how many items are none."""
    form = read_json(path)
    if not isinstance(form, list):
        raise SourceError("no JSON list of instructions", place=path)
    explorations: dict[str, list[_ExplorationRow]] = {}
    others = 0
    for item in form:
        name = text_of(mapping_of(item).get("episode_id"))
        if name:
            explorations.setdefault(name, []).append(item)
        else:
            others += 1
    return explorations, others


def _episode(rows: list[_ExplorationRow], path: Path, episode_id: str) -> Episode:
    check_steps(len(rows), path, "step_id")
    findings = Findings(episode_id, path.parent)
    steps: dict[int, Step] = {}
    last = LAST_STEP - len(rows)  # behind the last one there is room for all that have none
    given = [number if is_step_index(number := row.get("step_id")) and number <= last else None for row in rows]
    spare = count(1 + max((number for number in given if number is not None), default=-1))
    for row, number in zip(rows, given, strict=True):
        if number is None or number in steps:
            findings.add("a row has no step_id of its own and comes last", field="step_id", file=path)
            number = next(spare)
        words = text_of(row.get("instruction"))
        if not words:
            findings.add("a row has no instruction", step=number, field="instruction", file=path)
        steps[number] = Step(number, Observation(_NO_SCREEN), None, words or None)
    apps = [app for row in rows if (app := text_of(row.get("app_name")))]
    return Episode(
        id=episode_id,
        format="os_genesis",
        platform=Platform.ANDROID,
        goal=next((task for row in rows if (task := text_of(row.get("task_name")))), ""),
        steps=tuple(steps[number] for number in sorted(steps)),
        app=next((app for app in apps if app != _HOME), apps[0] if apps else None),
        problems=findings.as_tuple(),
    )


def open_os_genesis(path: Path) -> ShardSource:
    """A folder with the list, or the list; ids are those of the explorations."""
    return ShardSource(FORMAT.name, path, locate=locate, outline=outline, load=load)
