"""Recordings in Stepscope's own format, read back as episodes: `episode.json`, pictures and UI trees in one folder.

The format is this project's; docs/formats/recording.md describes it and `recording_writer` writes it. A recording may
come from a stranger as well: names inside it stay inside its folder and a broken part costs that part only.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from stepscope.core.domain.action import Action
from stepscope.core.domain.elements import UITree
from stepscope.core.domain.episode import (
    STEP_INDEX,
    Ask,
    Episode,
    EpisodeSummary,
    Feasibility,
    FeasibilityLabel,
    InfeasibilityReason,
    Observation,
    Picture,
    Platform,
    Problem,
    Step,
    is_step_index,
    summarise,
)
from stepscope.core.domain.geometry import Size
from stepscope.core.domain.wire import action_from_json
from stepscope.core.errors import SourceError
from stepscope.core.sources.files import (
    check_steps,
    mapping_of,
    parse_json,
    read_json,
    read_text,
    safe_join,
    shortened,
    text_of,
)
from stepscope.core.sources.findings import Findings
from stepscope.core.sources.folders import FolderSource
from stepscope.core.sources.recording_tree import tree_from_json
from stepscope.core.sources.screens import find_picture
from stepscope.core.sources.sniffers.recording import EPISODE_FILE, FORMAT, MARK, locate

VERSION = 1


def read_recording(folder: Path, episode_id: str | None = None) -> Episode:
    """The recording in `folder`, under its own id or the one given.

    Raises SourceError when `episode.json` is no recording, of a newer version, or lacks what every episode has.
    """
    form = recording_form(folder)
    findings = Findings(episode_id or _text(form, "id"), folder)
    return _episode(form, folder, findings, Parts(folder, findings))


def outline(folder: Path, episode_id: str) -> EpisodeSummary:
    """The recording's index row from `episode.json` alone; errors as those of `read_recording`."""
    form = recording_form(folder)
    findings = Findings(episode_id, folder)
    parts = Parts(folder, findings, count_only=True)
    episode = _episode(form, folder, findings, parts)
    return replace(summarise(episode), screens=parts.pictures, checked=False)


def _episode(form: Mapping[str, Any], folder: Path, findings: Findings, parts: Parts) -> Episode:
    steps = form.get("steps")
    if not isinstance(steps, list):
        raise SourceError("steps must be a list", place=folder / EPISODE_FILE, field="steps")
    check_steps(len(steps), folder / EPISODE_FILE)
    kept: dict[int, Step] = {}
    for place, item in enumerate(steps):
        step = _step_or_finding(place, item, parts, findings)
        if step is not None and kept.setdefault(step.index, step) is not step:
            told = f"step left out: another one has its index {step.index}"
            findings.add(told, step=place, field="steps", file=EPISODE_FILE)
    old = form.get("problems")
    return Episode(
        id=findings.episode,
        format="recording",
        platform=_platform(form, folder),
        goal=_text(form, "goal"),
        steps=tuple(kept.values()),
        app=_optional_text(form, "app"),
        feasibility=_feasibility(form.get("feasibility"), findings),
        asks=_asks(form.get("asks"), findings),
        splits=_splits(form),
        original_goal=_optional_text(form, "original_goal"),
        problems=(*_recorded_problems(old, findings.episode), *findings.as_tuple()),
    )


def recording_meta(folder: Path) -> Mapping[str, Any]:
    """The recording's free `meta` object (device, recorder, original format …)."""
    return mapping_of(recording_form(folder).get("meta"))


def _splits(form: Mapping[str, Any]) -> tuple[str, ...]:
    """The splits; `split` is the one that the first recordings had."""
    found = form.get("splits")
    several = [text_of(name) for name in found] if isinstance(found, list) else []
    return tuple(name for name in (*several, _text(form, "split")) if name)


def recording_form(folder: Path) -> Mapping[str, Any]:
    """`episode.json` as it stands. Raises SourceError when it is no recording, or one of a newer version."""
    path = safe_join(folder, EPISODE_FILE)
    text = read_text(path)
    form = parse_json(text, path)
    if "\\u" in text:
        form = _writable(form, path)
    if not isinstance(form, dict) or form.get("format") != MARK:
        raise SourceError(f"this is no recording: its format is not {MARK!r}", place=path, field="format")
    version = form.get("version")
    if type(version) is not int or version < 1:
        said = shortened(repr(version))
        raise SourceError(f"version must be a number from 1, not {said}", place=path, field="version")
    if version > VERSION:
        raise SourceError(
            f"the recording has version {version}, this Stepscope reads up to {VERSION}",
            place=path,
            field="version",
            hint="Update Stepscope to open it.",
        )
    return form


def _writable(form: Any, path: Path) -> Any:
    """The form with its lone surrogates made readable: escapes can bring them into any text, and no file can hold
    them."""
    try:
        text = json.dumps(form, ensure_ascii=False)
    except RecursionError as error:
        raise SourceError("JSON that cannot be read: nested too deeply", place=path) from error
    clean = text_of(text)
    return form if clean == text else json.loads(clean)


def _text(form: Mapping[str, Any], field: str) -> str:
    value = form.get(field, "")
    if not isinstance(value, str):
        raise SourceError(f"{field} must be text", place=EPISODE_FILE, field=field)
    return text_of(value)


def _optional_text(form: Mapping[str, Any], field: str) -> str | None:
    return None if form.get(field) is None else _text(form, field)


def _platform(form: Mapping[str, Any], folder: Path) -> Platform:
    try:
        return Platform(str(form.get("platform")))
    except ValueError as error:
        words = ", ".join(Platform)
        raise SourceError(f"platform must be one of {words}", place=folder / EPISODE_FILE, field="platform") from error


def _feasibility(form: object, findings: Findings) -> Feasibility:
    if form is None:
        return Feasibility()
    fields = mapping_of(form)
    label, reason, questions = fields.get("label"), fields.get("reason"), fields.get("follow_up", [])
    try:
        return Feasibility(
            None if label is None else FeasibilityLabel(label),
            None if reason is None else InfeasibilityReason(reason),
            tuple(map(text_of, questions if isinstance(questions, list) else [])),
        )
    except ValueError:
        findings.add("feasibility has words that are not known", field="feasibility", file=EPISODE_FILE)
        return Feasibility()


def _asks(form: object, findings: Findings) -> tuple[Ask, ...]:
    asks = []
    for item in form if isinstance(form, list) else []:
        fields = mapping_of(item)
        step, question, answer = fields.get("step"), fields.get("question"), fields.get("answer")
        if is_step_index(step) and isinstance(question, str) and isinstance(answer, str):
            asks.append(Ask(step, question, answer, text_of(fields.get("kind"))))
        else:
            findings.add("an ask needs step, question and answer", field="asks", file=EPISODE_FILE)
    return tuple(asks)


def _recorded_problems(form: object, episode: str) -> tuple[Problem, ...]:
    """Problems that were known when the recording was written, such as a gap while the device was away."""
    problems = []
    for item in form if isinstance(form, list) else []:
        fields = mapping_of(item)
        message, step, field, file = (fields.get(name) for name in ("message", "step", "field", "file"))
        if isinstance(message, str):
            number = step if is_step_index(step) else None
            words = [text if isinstance(text, str) else "" for text in (field, file)]
            problems.append(Problem(message, episode, number, words[0], words[1]))
    return tuple(problems)


def _step_or_finding(place: int, form: object, parts: Parts, findings: Findings) -> Step | None:
    fields = mapping_of(form)
    index = fields.get("index", place)
    try:
        if not is_step_index(index):
            raise ValueError(f"index must be {STEP_INDEX}")
        return _step(index, fields, parts, findings)
    except (ValueError, OverflowError) as error:
        findings.add(f"step left out: {error}", step=place, field="steps", file=EPISODE_FILE)
        return None


def _step(index: int, fields: Mapping[str, Any], parts: Parts, findings: Findings) -> Step:
    size = size_from_json(fields.get("size"), "size")
    observation = Observation(
        size=size,
        screenshot=parts.picture(index, fields.get("screenshot")),
        tree=parts.tree(index, fields.get("tree")),
        time=_time(fields.get("time")),
        activity=_plain(fields, "activity") or "",
    )
    action: Action | None = None
    if fields.get("action") is not None:
        try:
            action = action_from_json(fields["action"], size)
        except (ValueError, OverflowError) as error:
            findings.add(str(error), step=index, field="action", file=EPISODE_FILE)
    return Step(index, observation, action, _plain(fields, "instruction"))


def size_from_json(value: object, field: str) -> Size:
    """[width, height] in whole pixels, or ValueError."""
    if not isinstance(value, list) or len(value) != 2 or any(type(number) is not int for number in value):
        raise ValueError(f"{field} must be [width, height] in pixels")
    return Size(value[0], value[1])


def _plain(fields: Mapping[str, Any], name: str) -> str | None:
    value = fields.get(name)
    if value is not None and not isinstance(value, str):
        raise ValueError(f"{name} must be text")
    return None if value is None else text_of(value)


def _time(value: object) -> float | None:
    if value is None:
        return None
    if type(value) not in (int, float) or not abs(value) < 1e12:  # type: ignore[arg-type]
        raise ValueError("time must be seconds since the start")
    return float(value)  # type: ignore[arg-type]


def identify(folder: Path) -> str:
    """The recording's own id; the folder's name when it cannot be read or has none."""
    try:
        return _text(recording_form(folder), "id") or folder.absolute().name
    except SourceError:
        return folder.absolute().name


def open_recording(path: Path) -> FolderSource:
    """One recording, or a folder of any depth that holds recordings."""
    return FolderSource(FORMAT.name, path, locate=locate, identify=identify, load=read_recording, outline=outline)


@dataclass
class Parts:
    """Opens the files of one recording, each once however many steps name it; what cannot be read becomes a finding of
    each of its steps.

    `count_only`: nothing is opened, the pictures that are there are counted.
    """

    folder: Path
    findings: Findings
    count_only: bool = False
    pictures: int = 0
    _there: dict[str, bool] = field(default_factory=dict)
    _trees: dict[str, UITree | SourceError] = field(default_factory=dict)

    def picture(self, index: int, name: object) -> Picture | None:
        if name is None:
            return None
        if not isinstance(name, str):
            self.findings.add("screenshot must be a file's name", step=index, field="screenshot")
        elif not self.count_only:
            return find_picture(self.folder, name, index, self.findings)
        else:
            self._count(index, name)
        return None

    def _count(self, index: int, name: str) -> None:
        try:
            if name not in self._there:
                self._there[name] = safe_join(self.folder, name).is_file()
            self.pictures += self._there[name]
        except SourceError as error:
            self.findings.add_error(error, step=index, field="screenshot")
        except OSError as error:
            self.findings.add(f"cannot be read: {error.strerror}", step=index, field="screenshot")

    def tree(self, index: int, name: object) -> UITree | None:
        """The step's tree; steps that name one file share one. Raises SourceError as `Findings.tree`."""
        if name is None or self.count_only:
            return None
        if not isinstance(name, str):
            self.findings.add("tree must be a file's name", step=index, field="tree")
            return None
        found = self._trees.get(name)
        if found is None:
            found = self._trees[name] = self._read(name)
            if isinstance(found, UITree):
                return self.findings.tree(found, step=index, field="tree", file=name)
        if isinstance(found, UITree):
            return found
        self.findings.add_error(found, step=index, field="tree")
        return None

    def _read(self, name: str) -> UITree | SourceError:
        try:
            return tree_from_json(read_json(safe_join(self.folder, name)))
        except SourceError as error:
            return error.with_traceback(None)
        except (ValueError, OverflowError) as error:
            return SourceError(str(error), place=shortened(name))
