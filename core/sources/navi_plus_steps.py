"""The steps of a Navi-plus sample: screenshots found and measured, actions in their pixels."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from stepscope.core.domain.action import Action
from stepscope.core.domain.episode import Observation, Picture, Platform, Step
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import SourceError
from stepscope.core.sources.files import safe_join, text_of
from stepscope.core.sources.navi_plus_actions import read_action
from stepscope.core.sources.navi_plus_sample import Reading, Record
from stepscope.core.sources.screens import common_size, find_picture
from stepscope.core.sources.sniffers.navi_plus_keys import Keys

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
