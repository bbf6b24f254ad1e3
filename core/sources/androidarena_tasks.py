"""AndroidArena's lists of tasks: one YAML file an app, `tasks: [{instruction, constrains, action_seq}]`.

A row is a task without screens. Some tasks come with a reference solution, Python lines for uiautomator2 such as
`d.xpath('//*[@text="13"]').click()`: they are read as actions by pattern and never run. Checked against the real lists.
Facts: arXiv:2402.06596 and github.com/AndroidArenaAgent (`agents/tasks.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from stepscope.core.domain.action import Action, LongPress, OpenApp, PressKey, Scroll, Tap, Target, Type
from stepscope.core.domain.episode import Episode, EpisodeSummary, Observation, Platform, Problem, Step, summarise
from stepscope.core.domain.geometry import Direction, Size
from stepscope.core.errors import SourceError
from stepscope.core.limits import BYTES, exceeded, limit, written_figure
from stepscope.core.sources.files import mapping_of, read_text, shortened, text_of
from stepscope.core.sources.findings import Findings
from stepscope.core.sources.shards import ShardSource
from stepscope.core.sources.sniffers.androidarena_tasks import FORMAT, locate

_NO_SCREEN = Size(320, 640)
"""Frame of steps that have neither screen nor place: that of the released runs' screenshots."""

_LINE = re.compile(r"d\.(\w{1,20})\((['\"])(.*?)\2\)(?:\.(\w{1,20})\((?:(['\"])(.*)\5)?\))?", re.DOTALL)
_BY_ID = re.compile(r'//\*\[@resource-id="([^"]*)"\]')
_BY_TEXT = re.compile(r'//\*\[@text="([^"]*)"\]')
_SCROLLS = {"up": Direction.DOWN, "down": Direction.UP, "left": Direction.RIGHT, "right": Direction.LEFT}
"""A swipe's finger moves against the view."""


def outline(path: Path) -> Iterator[EpisodeSummary | Problem]:
    """A row for each task; a problem for an item that is none."""
    form = _read(path)
    for number, item in enumerate(_tasks(form, path)):
        if not text_of(mapping_of(item).get("instruction")):
            yield Problem(f"task {number} has no instruction", field="goal", file=str(path))
            continue
        yield summarise(_episode(form, item, path, f"{path.stem}-{number}"), str(number))


def load(path: Path, place: str, episode_id: str) -> Episode:
    """The task that stands at `place`, its number from 0."""
    form = _read(path)
    items = _tasks(form, path)
    if not place.isdecimal() or len(place) > 9 or int(place) >= len(items):
        raise SourceError("the list no longer has this task", place=path, record=shortened(place))
    return _episode(form, mapping_of(items[int(place)]), path, episode_id)


def _episode(form: Mapping[str, Any], item: Mapping[str, Any], path: Path, episode_id: str) -> Episode:
    findings = Findings(episode_id, path.parent)
    lines = item.get("action_seq")
    steps = []
    for index, line in enumerate(lines if isinstance(lines, list) else []):
        action: Action | None = None
        try:
            action = action_of(text_of(line))
        except ValueError as error:
            findings.add(str(error), step=index, field="action", file=path)
        steps.append(Step(index, Observation(_NO_SCREEN), action))
    kind = text_of(form.get("type"))
    return Episode(
        id=episode_id,
        format=FORMAT.name,
        platform=Platform.ANDROID,
        goal="\n".join(filter(None, (text_of(item.get("instruction")), text_of(item.get("constrains"))))),
        steps=tuple(steps),
        splits=(kind,) if kind else (),
        problems=findings.as_tuple(),
    )


def action_of(line: str) -> Action:
    """The action of one uiautomator2 line; ValueError for one that is not known."""
    match = _LINE.fullmatch(line.strip())
    if match is not None:
        call, argument, then, text = match[1], match[3], match[4], match[6]
        if call == "app_start" and not then:
            return OpenApp(argument)
        if call == "press" and not then:
            return PressKey(argument)
        if call == "swipe_ext" and not then and argument in _SCROLLS:
            return Scroll(_SCROLLS[argument])
        if call == "xpath" and then == "set_text":
            return Type(text or "", None, _target(argument))
        if call == "xpath" and then in ("click", "long_click") and text is None:
            return (Tap if then == "click" else LongPress)(None, _target(argument))
    raise ValueError(f"{shortened(line)!r} is not known")


def _target(xpath: str) -> Target:
    """The element that the path names by one attribute; else the whole path as its id."""
    by_id, by_text = _BY_ID.fullmatch(xpath), _BY_TEXT.fullmatch(xpath)
    if by_text:
        return Target(None, by_text[1])
    return Target(None, "", by_id[1] if by_id else xpath)


def _tasks(form: Mapping[str, Any], path: Path) -> list[Any]:
    items = form.get("tasks")
    if not isinstance(items, list):
        raise SourceError("no list of tasks", place=path, field="tasks")
    return items


def _read(path: Path) -> Mapping[str, Any]:
    """The file as lists, mappings and texts: nothing in it is made into anything else, numbers and dates neither."""
    import yaml

    text = read_text(path)
    most = limit("yaml-bytes")
    if len(text) > most:
        raise exceeded("yaml-bytes", f"the list is larger than {written_figure(BYTES, most)}", place=path)
    try:
        form = yaml.load(text, Loader=yaml.BaseLoader)
    except yaml.YAMLError as error:
        where = getattr(error, "problem_mark", None)
        line = f" at line {where.line + 1}" if where else ""
        raise SourceError(f"broken YAML{line}", place=path) from error
    except (RecursionError, ValueError, TypeError) as error:
        raise SourceError("YAML that cannot be read", place=path) from error
    return mapping_of(form)


def open_androidarena_tasks(path: Path) -> ShardSource:
    """A folder of lists or one list; ids are the file's name and the task's number from 0."""
    return ShardSource(FORMAT.name, path, locate=locate, outline=outline, load=load)
