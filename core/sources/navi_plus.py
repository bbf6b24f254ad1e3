"""Navi-plus: tasks with something left out, and the question and answer that give it back.

Files of JSON records (JSON Lines, one list, one object a file). The paper tells what a sample holds, but its keys are
not published: `sniffers.navi_plus_keys` guesses, and a small file beside the data corrects it. Facts: Cheng et al.,
"Navi-plus", arXiv:2503.24180. Checked on a fixture only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from stepscope.core.domain.action import Action, AskUser, Say
from stepscope.core.domain.episode import (
    Ask,
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
from stepscope.core.sources.files import json_words, safe_join, text_of
from stepscope.core.sources.findings import Findings
from stepscope.core.sources.json_records import record_problem, span_at
from stepscope.core.sources.look import FolderScan, Listing
from stepscope.core.sources.navi_plus_actions import read_action
from stepscope.core.sources.navi_plus_sample import Reading, Record, Sample, find_samples, read_sample, record_id
from stepscope.core.sources.screens import common_size, find_picture
from stepscope.core.sources.shards import ShardSource
from stepscope.core.sources.sniffers.json_heads import SUFFIXES, first_record, locate_by_head
from stepscope.core.sources.sniffers.navi_plus import FORMAT, locate
from stepscope.core.sources.sniffers.navi_plus_keys import KEYS_FILE, Keys, keys_for, missing

_SPLIT = re.compile(r"(?:^|[_-])(train|val|validation|dev|test)$", re.IGNORECASE)


def read_episode(sample: Sample, keys: Keys, file: Path, episode_id: str, with_pictures: bool = True) -> Episode:
    """The sample's episode; SourceError when it has no original or no ambiguous task."""
    record = sample.first
    original, ambiguous = (_task(name, record, keys, file) for name in ("original_task", "ambiguous_task"))
    goal = ambiguous or original
    if not goal:
        raise SourceError("neither the original nor the ambiguous task has a text", place=file, field="original_task")
    reading = Reading(record, tuple(sample.steps(keys, file)), keys, file, Findings(episode_id, file.parent))
    platform = _platform(record, keys)
    steps = read_steps(reading, platform, with_pictures)
    return Episode(
        id=episode_id,
        format="navi_plus",
        platform=platform,
        goal=goal,
        steps=steps,
        app=text_of(keys.find("app", record)) or None,
        asks=read_asks(reading, steps),
        splits=_splits(record, keys, file),
        original_goal=original if original and original != goal else None,
        problems=reading.findings.as_tuple(),
    )


def _task(name: str, record: Mapping[str, Any], keys: Keys, file: Path) -> str:
    """A task's text; "" for null, which says that nothing is left out."""
    if not keys.has(name, record):
        raise missing(name, record, keys, file)
    value = keys.find(name, record)
    if value is not None and not isinstance(value, str):
        raise SourceError(f"{name} must be text, not {json_words(value)}", place=file, field=name)
    return text_of(value).strip()


def _platform(record: Mapping[str, Any], keys: Keys) -> Platform:
    """The person's word, else the record's, else the web where it names a website."""
    named = text_of(keys.find("platform", record)).lower()
    if keys.platform is not None:
        return keys.platform
    if named in tuple(Platform):
        return Platform(named)
    return Platform.WEB if "website" in record or "domain" in record else Platform.ANDROID


def _splits(record: Mapping[str, Any], keys: Keys, file: Path) -> tuple[str, ...]:
    """The record's own word, else the last one of the file's name."""
    named = text_of(keys.find("split", record))
    match = _SPLIT.search(file.stem)
    return (named,) if named else (match[1].lower(),) if match else ()


def _outline(file: Path) -> Iterator[EpisodeSummary | Problem]:
    """Index rows from the records alone; screens are those that they name."""
    keys = keys_for(file.parent)
    for sample in find_samples(file, keys):
        if isinstance(sample, Problem):
            yield sample
            continue
        name = record_id(sample.first, keys) or f"{file.stem}-{sample.span.number}"
        try:
            row = summarise(read_episode(sample, keys, file, name, with_pictures=False), sample.span.place)
        except SourceError as error:
            yield record_problem(error, sample.span, file)
            continue
        named = sum(keys.find("step.image", form) is not None for form in sample.steps(keys, file))
        yield replace(row, screens=named, checked=False)


def _load(file: Path, place: str, episode_id: str) -> Episode:
    return read_episode(read_sample(file, span_at(place)), keys_for(file.parent), file, episode_id)


def _any_objects(listing: Listing) -> Iterator[Path]:
    """Every JSON file of objects: for when somebody says that Navi-plus is here and nothing is known by its keys."""

    def known(name: str) -> bool:
        return name != KEYS_FILE and first_record(listing.head(name)) is not None

    return locate_by_head(listing, SUFFIXES, known)


def open_navi_plus(path: Path) -> ShardSource:
    """A file of samples or a folder with such files.

    Where none is known by its keys, every JSON file of objects is taken for one, so that its problems tell the keys.
    Raises SourceError for a keys file that is not understood.
    """
    keys_for(path if path.is_dir() else path.parent)
    found = locate if FolderScan(path).holds(locate) else _any_objects
    return ShardSource(FORMAT.name, path, locate=found, outline=_outline, load=_load)


_IMAGES = "images"
_LARGEST = 100_000
_PHONE = Size(1080, 2400)
_FALLBACK = {Platform.WEB: Size(1280, 720)}
"""Frames used where neither pictures nor the record name one: those of AndroidControl and of Mind2Web."""


def read_steps(reading: Reading, platform: Platform, with_pictures: bool) -> tuple[Step, ...]:
    """The sample's steps; the record may name the size of all screens."""
    forms, keys = reading.forms, reading.keys
    pictures = [_picture(form, index, reading) if with_pictures else None for index, form in enumerate(forms)]
    default = _size(reading.record, keys) or common_size(pictures) or _FALLBACK.get(platform, _PHONE)
    steps = []
    for index, (form, picture) in enumerate(zip(forms, pictures, strict=True)):
        size = picture.size if picture else _size(form, keys) or default
        instruction = text_of(keys.find("step.instruction", form)) or None
        steps.append(Step(index, Observation(size, picture), _action(form, index, size, reading), instruction))
    return tuple(steps)


def _action(form: Record, index: int, size: Size, reading: Reading) -> Action | None:
    try:
        return read_action(form, reading.keys, size)
    except ValueError as error:
        reading.findings.add(str(error), step=index, field="action", file=reading.file)
        return None


def _size(form: Record, keys: Keys) -> Size | None:
    width, height = keys.find("step.width", form), keys.find("step.height", form)
    if type(width) is int and type(height) is int and 0 < width <= _LARGEST and 0 < height <= _LARGEST:
        return Size(width, height)
    return None


def _picture(form: Record, index: int, reading: Reading) -> Picture | None:
    """The step's picture in the first folder that has it; none and no problem where the step names none."""
    keys, findings = reading.keys, reading.findings
    name = keys.find("step.image", form)
    if name is None:
        return None
    if not isinstance(name, str):
        findings.add("the picture's name must be text", step=index, field="screenshot", file=reading.file)
        return None
    name = text_of(name.removeprefix(keys.image_prefix))
    folders = tuple(_folders(reading.file, keys))
    folder = next((place for place in folders if _holds(place, name)), folders[0])
    return find_picture(folder, name, index, findings)


def _folders(file: Path, keys: Keys) -> Iterator[Path]:
    """Where pictures may lie: where the person says, else beside the file or beside its folder."""
    if keys.image_folder is not None:
        yield keys.image_folder
        return
    for base in (file.parent, file.parent.parent):
        yield base
        yield base / _IMAGES


def _holds(folder: Path, name: str) -> bool:
    try:
        return safe_join(folder, name).is_file()
    except (SourceError, OSError):
        return False


def read_asks(reading: Reading, steps: Sequence[Step]) -> tuple[Ask, ...]:
    """The sample's asks, each once.

    The list of questions counts where there is one. Else it is the question that the record names; for samples of one
    record a step, those that the steps name. Else the ASK actions, answered by the SAY that follows or by what lies
    beside the action.
    """
    listed = reading.keys.find("asks", reading.record)
    if isinstance(listed, list):
        forms = [item if isinstance(item, dict) else {} for item in listed]
        found = [_listed(number, form, steps, reading) for number, form in enumerate(forms)]
        return tuple(dict.fromkeys(ask for ask in found if ask is not None))
    by_step = any(form is reading.record for form in reading.forms)
    if not by_step and _question(reading.record, reading.keys):
        ask = _listed(0, reading.record, steps, reading)
        return (ask,) if ask is not None else ()
    return tuple(_asked(reading.forms, steps, reading.keys))


def _question(form: Record, keys: Keys) -> str:
    return text_of(keys.find("ask.question", form)).strip()


def _listed(number: int, form: Record, steps: Sequence[Step], reading: Reading) -> Ask | None:
    """One question with its answer; a finding and None where there is no question in it."""
    keys, findings = reading.keys, reading.findings
    question, answer = _question(form, keys), text_of(keys.find("ask.answer", form)).strip()
    if not question:
        findings.add(f"question {number} is left out: it has no text", field="asks", file=reading.file)
        return None
    step = _step_of(form, question, steps, keys)
    if step is None:
        stated = keys.find("ask.step", form)
        said = "it names no step" if stated is None else f"there is no step {json_words(stated)}"
        findings.add(f"question {number}: {said}; it is put at the first one", field="asks", file=reading.file)
        step = 0
    return Ask(step, question, answer, text_of(keys.find("ask.kind", form)))


def _step_of(form: Record, question: str, steps: Sequence[Step], keys: Keys) -> int | None:
    """The step that is named, else the one with this ASK or with the instruction that was left out of the task."""
    stated = keys.find("ask.step", form)
    if type(stated) is int:
        index = stated - keys.first_step
        return index if index >= 0 and (index < len(steps) or not steps) and index < 10**6 else None
    left_out = text_of(keys.find("ask.instruction", form)).strip()
    for step in steps:
        if isinstance(step.action, AskUser) and step.action.text == question:
            return step.index
    return next((step.index for step in steps if left_out and (step.instruction or "").strip() == left_out), None)


def _asked(forms: Sequence[Record], steps: Sequence[Step], keys: Keys) -> Iterator[Ask]:
    """The ASK actions; of records that all repeat their episode's question, the first one of each."""
    seen: set[tuple[str, str]] = set()
    for place, (form, step) in enumerate(zip(forms, steps, strict=True)):
        answer = text_of(keys.find("ask.answer", form)).strip()
        if isinstance(step.action, AskUser):
            following = steps[place + 1].action if place + 1 < len(steps) else None
            yield Ask(step.index, step.action.text, following.text if isinstance(following, Say) else answer)
            continue
        question = _question(form, keys)
        if question and answer and (question, answer) not in seen:
            seen.add((question, answer))
            yield Ask(step.index, question, answer, text_of(keys.find("ask.kind", form)))
