"""AndroidWorld's results: `<Task>_<i>.pkl.gz`, a gzip pickle with a list of episodes, usually one.

An episode is a dict (goal, task_template, episode_data, is_successful, …); `episode_data` holds a list for each kind of
value, with one item a step. The kinds are the agents' own: M3A, T3A, SeeAct and the random agent are known. Pickles are
read as inert data (`core.archives.inert_pickle`), so AndroidWorld need not be there and nothing in them can run; a
screenshot is a place in the inflated file. Checked on fixtures only, made by pickling classes of the same names. Facts:
Rawles et al., "AndroidWorld", arXiv:2405.14573; github.com/google-research/android_world.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from stepscope.core.archives.budget import Budget
from stepscope.core.archives.inert_pickle import load_inert
from stepscope.core.archives.inflate import PIECE, InflateError, pieces
from stepscope.core.archives.opening import is_gzip, open_file
from stepscope.core.archives.pickle_stream import PickleError
from stepscope.core.domain.action import Action, OpenApp
from stepscope.core.domain.episode import (
    Episode,
    EpisodeSummary,
    Observation,
    Picture,
    Platform,
    Problem,
    Step,
    summarise,
)
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import SourceError
from stepscope.core.limits import exceeded, limit
from stepscope.core.sources.android_world_actions import action_of, reason_and_action
from stepscope.core.sources.android_world_values import (
    AndroidWorldScreen,
    fields_of,
    list_of,
    listed_screen,
    number_of,
    picture_of,
    screen_of,
)
from stepscope.core.sources.files import shortened, text_of
from stepscope.core.sources.findings import Findings
from stepscope.core.sources.screens import common_size
from stepscope.core.sources.shards import ShardSource
from stepscope.core.sources.sniffers.android_world import FORMAT, SUFFIXES, locate

_SCREENSHOTS = ("raw_screenshot", "before_screenshot", "screenshot")
_ELEMENTS = ("before_ui_elements", "before_element_list", "actionable_elements", "ui_elements")
_ACTIONS = ("action_output_json", "action", "converted_action")
_REASONS = ("action_reason", "action_description", "thinking")
_NOT_APPS = ("launcher", "systemui", "inputmethod")
_FALLBACK = Size(1080, 2400)
"""The emulator that AndroidWorld is run on, used where an episode has no screenshot."""
_FIELDS = 20
"""Values of an element (`UIElement` of android_env has 21)."""
_SUCCESS = 0.5
"""A run counts as a success above this (`suite_utils.py`)."""


def outline(path: Path) -> Iterator[EpisodeSummary | Problem]:
    """A row for each episode; nothing is kept but the row."""
    episodes, gzip = _read(path)
    for number, form in enumerate(episodes):
        if not form:
            yield Problem(f"item {number} is no episode", file=str(path))
            continue
        yield summarise(_episode(form, path, gzip, _id(form, path, number)), str(number))


def load(path: Path, place: str, episode_id: str) -> Episode:
    """The episode that stands at `place`, its number from 0."""
    episodes, gzip = _read(path)
    if not place.isdecimal() or len(place) > 9 or int(place) >= len(episodes) or not episodes[int(place)]:
        raise SourceError("the file no longer has this episode", place=path, record=shortened(place))
    return _episode(episodes[int(place)], path, gzip, episode_id)


def _read(path: Path) -> tuple[list[Mapping[str, Any]], bool]:
    """The episodes, and whether the file is gzip. An older kind of result has the list in a pair."""
    gzip = is_gzip(path)
    with open_file(path) as stream:
        try:
            budget = Budget(path, path.stat().st_size)
            data = budget.counted(pieces(stream)) if gzip else iter(lambda: stream.read(PIECE), b"")
            form = load_inert(data)
            if next(data, b""):  # reading to the end is what checks the gzip file's sum
                raise PickleError("there is more behind the pickle")
        except (PickleError, InflateError) as error:
            raise SourceError(str(error), place=path) from error
        except SourceError as error:
            raise SourceError(error.message, place=path, hint=error.hint) from error
        except OSError as error:
            raise SourceError(f"cannot be read: {error.strerror}", place=path) from error
    if isinstance(form, tuple) and form:
        form = form[0]
    episodes = [fields_of(item) for item in list_of(form)]
    if not any("episode_data" in episode for episode in episodes):
        raise SourceError("no list of episodes", place=path, field="episode_data")
    return [episode if "episode_data" in episode else {} for episode in episodes], gzip


def _id(form: Mapping[str, Any], path: Path, number: int) -> str:
    """Task and instance, as the file is called; else the file's name and the episode's number."""
    task, instance = text_of(form.get("task_template")), number_of(form.get("instance_id"))
    if task and instance is not None and instance.is_integer():
        return f"{task}_{int(instance)}"
    name = next((path.name.removesuffix(end) for end in SUFFIXES if path.name.endswith(end)), path.stem)
    return name if number == 0 else f"{name}-{number}"


def _episode(form: Mapping[str, Any], path: Path, gzip: bool, episode_id: str) -> Episode:
    findings = Findings(episode_id, path.parent)
    steps = _steps(form, path, gzip, findings)
    error = text_of(form.get("exception_info"))
    if error:
        last = error.strip().splitlines()[-1] if error.strip() else ""
        findings.add(f"the run was broken off: {shortened(last, 200)}", field="exception_info", file=path)
    return Episode(
        id=episode_id,
        format="android_world",
        platform=Platform.ANDROID,
        goal=text_of(form.get("goal")),
        steps=steps,
        app=_app(steps),
        splits=_splits(form, bool(error)),
        problems=findings.as_tuple(),
    )


def _steps(form: Mapping[str, Any], path: Path, gzip: bool, findings: Findings) -> tuple[Step, ...]:
    data = fields_of(form.get("episode_data"))
    lists = {name: list_of(values) for name, values in data.items() if isinstance(name, str)}
    count = max((len(values) for values in lists.values()), default=0)
    _check_size(lists, count)
    if any(0 < len(values) < count for values in lists.values()):
        findings.add("the lists of a step's values differ in length: which belong together is not sure", file=path)
    pictures = [_picture(_first(lists, _SCREENSHOTS, index), path, gzip, index, findings) for index in range(count)]
    default = common_size(pictures) or _FALLBACK
    return tuple(
        _step(lists, index, picture, picture.size if picture else default, path, findings)
        for index, picture in enumerate(pictures)
    )


def _check_size(lists: Mapping[str, Any], count: int) -> None:
    """Refuse what the steps would become: a pickle can name one long list, or one long text, in every step."""
    if count > limit("episode-steps"):
        raise exceeded("episode-steps", f"the episode has {count:,} steps")
    values = [value for several in lists.values() for value in several]
    if sum(len(list_of(value)) for value in values) > limit("pickle-values") // _FIELDS:
        raise exceeded("pickle-values", "the episode's screens have too many elements together")
    if sum(len(value) for value in values if isinstance(value, str)) > limit("json-bytes"):
        raise exceeded("json-bytes", "the episode's texts are too long together")


def _first(lists: Mapping[str, Any], names: tuple[str, ...], index: int) -> object:
    """The step's value of the first of `names` that has one."""
    return next((lists[name][index] for name in names if index < len(lists.get(name, ())) and lists[name][index]), None)


def _picture(value: object, path: Path, gzip: bool, step: int, findings: Findings) -> Picture | None:
    if value is None:
        return None
    try:
        return picture_of(value, path, gzip)
    except SourceError as error:
        findings.add_error(error, step=step, field="screenshot", file=path)
        return None
    except ValueError as error:
        findings.add(str(error), step=step, field="screenshot", file=path)
        return None


def _step(
    lists: Mapping[str, Any], index: int, picture: Picture | None, size: Size, path: Path, findings: Findings
) -> Step:
    elements = list_of(_first(lists, _ELEMENTS, index))
    prompt = text_of(_first(lists, ("action_prompt",), index))
    screen = screen_of(elements, size) if elements else listed_screen(prompt, size)
    tree = findings.tree(screen.tree, screen.notes, step=index, file=path)
    reason, written = reason_and_action(text_of(_first(lists, ("action_output",), index)))
    form = fields_of(_first(lists, _ACTIONS, index)) or written
    instruction = text_of(_first(lists, _REASONS, index)) or reason or None
    observation = Observation(size, picture, tree)
    return Step(index, observation, _action(form, screen, index, path, findings), instruction)


def _action(
    form: Mapping[str, Any], screen: AndroidWorldScreen, index: int, path: Path, findings: Findings
) -> Action | None:
    try:
        return action_of(form, screen)
    except ValueError as error:
        findings.add(str(error), step=index, field="action", file=path)
        return None


def _app(steps: tuple[Step, ...]) -> str | None:
    """The app that was opened first, else the package of most elements that is no part of the system."""
    opened = next((step.action.text for step in steps if isinstance(step.action, OpenApp) and step.action.text), None)
    counts: dict[str, int] = {}
    for element in (element for step in steps for element in step.observation.tree or ()):
        if element.package and not any(word in element.package for word in _NOT_APPS):
            counts[element.package] = counts.get(element.package, 0) + 1
    return opened or max(counts, key=lambda name: counts[name], default=None)


def _splits(form: Mapping[str, Any], broken: bool) -> tuple[str, ...]:
    success = number_of(form.get("is_successful"))
    agent = text_of(form.get("agent_name"))
    result = "error" if broken or success is None or success != success else "failure"
    if result == "failure" and success is not None and success > _SUCCESS:
        result = "success"
    return (f"result/{result}", *((f"agent/{agent}",) if agent else ()))


def open_android_world(path: Path) -> ShardSource:
    """A folder of results or one file; ids are the task's name and the instance's number."""
    return ShardSource(FORMAT.name, path, locate=locate, outline=outline, load=load)
