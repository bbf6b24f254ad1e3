"""Writing recordings so that a crash leaves either a whole recording or none.

`RecordingWriter` takes steps one by one as a device session gives them: pictures and trees go to disk at once and
`episode.json`, the only file that makes a folder a recording, is replaced as a whole. `write_recording` writes a whole
episode into a temporary folder and renames it.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stepscope.core.domain.action import Action, action_end, action_point, action_target
from stepscope.core.domain.elements import UITree
from stepscope.core.domain.episode import Encoding, Episode, Observation, Picture, Slice, Step
from stepscope.core.domain.wire import action_to_json, episode_to_json
from stepscope.core.drafts import advice, reason
from stepscope.core.errors import SourceError, UsageError
from stepscope.core.imaging.parts import picture_file, raw_pixels
from stepscope.core.imaging.probe import probe_bytes
from stepscope.core.lazy import lazy_module
from stepscope.core.sources.files import mapping_of, read_bytes
from stepscope.core.sources.recording import VERSION, recording_form
from stepscope.core.sources.recording_tree import tree_to_json
from stepscope.core.sources.sniffers.recording import EPISODE_FILE, MARK
from stepscope.core.sources.whole_folder import whole_folder

if TYPE_CHECKING:
    from stepscope.core.imaging import draw
else:
    draw = lazy_module("stepscope.core.imaging.draw")

_PARTS = (("screens", "screenshot"), ("trees", "tree"))
"""The folders of a step's files and the fields that name them."""
_SUFFIXES = {"png": ".png", "jpeg": ".jpg", "webp": ".webp"}


class RecordingWriter:
    """A recording that grows in `folder` (made if missing, must not hold a recording). One thread at a time.

    `durable` waits until each file is on the disk, so that even a power cut leaves what was saved; without it only a
    process that dies leaves that, and writing takes a tenth of the time.
    """

    def __init__(self, folder: Path, meta: Mapping[str, Any] | None = None, *, durable: bool = True) -> None:
        if (folder / EPISODE_FILE).exists():
            raise UsageError("there is a recording already", place=folder, hint="Choose another folder.")
        self.folder = folder
        self._durable = durable
        self._meta = dict(meta or {})
        self._steps: list[dict[str, Any]] = []
        self._dropped: list[dict[str, Any]] = []
        self._names: dict[tuple[str, str], str] = {}
        self._last_picture: tuple[Picture, str] | None = None
        self._last_tree: tuple[UITree, str] | None = None
        _make_folder(folder)

    @classmethod
    def reopen(cls, folder: Path, *, durable: bool = True) -> RecordingWriter:
        """Go on with the recording in `folder` as it was saved. Raises SourceError where it cannot be read."""
        form = recording_form(folder)
        steps = form.get("steps")
        if not isinstance(steps, list) or not all(isinstance(step, dict) for step in steps):
            raise SourceError("steps must be a list of objects", place=folder / EPISODE_FILE, field="steps")
        writer = cls.__new__(cls)
        writer.folder, writer._durable, writer._meta = folder, durable, dict(mapping_of(form.get("meta")))
        writer._steps, writer._dropped = list(steps), []
        writer._last_picture = writer._last_tree = None
        kept = ((part, step.get(key)) for step in steps for part, key in _PARTS)
        writer._names = {(part, f"kept {name}"): name for part, name in kept if isinstance(name, str)}
        return writer

    @property
    def meta(self) -> dict[str, Any]:
        """What `save` writes under `meta`; may be changed."""
        return self._meta

    def add(self, step: Step, picture: bytes | None = None) -> None:
        """Store one step's picture and tree.

        `picture` is an encoded PNG, JPEG or WebP; without it the step's own file is copied. Raises SourceError for a
        picture that is broken or missing, ValueError when the action lies on another size than the observation.
        """
        seen = step.observation
        name = self._picture(step.index, seen.screenshot, picture)
        tree = None
        if seen.tree is not None:
            tree = self._tree(step.index, seen.tree)
        self._steps.append(_step_form(step, name, tree))
        self._dropped.clear()

    def _picture(self, index: int, seen: Picture | None, data: bytes | None) -> str | None:
        """The name under which a picture lies; the file of the step before is known again without reading it anew."""
        if data is None and seen is not None:
            last, name = self._last_picture or (None, "")
            if last == seen and name in self._names.values():
                return name
            name = self._stored_picture(index, picture_bytes(seen), seen.path)
            self._last_picture = seen, name
            return name
        return None if data is None else self._stored_picture(index, data, seen.path if seen else "")

    def _stored_picture(self, index: int, data: bytes, place: Path | str) -> str:
        return self._store("screens", index, _SUFFIXES[probe_bytes(data, place).kind], data)

    def _tree(self, index: int, tree: UITree) -> str:
        """The name under which a tree lies; the one of the step before is known again without writing it anew."""
        last, name = self._last_tree or (None, "")
        if last is not tree or name not in self._names.values():
            name = self._store("trees", index, ".json", _encoded(tree_to_json(tree), compact=True))
            self._last_tree = tree, name
        return name

    def picture_of(self, index: int) -> Path | None:
        """Where the picture of the step added as number `index` (from 0) lies, None where there is none."""
        name = self._steps[index].get("screenshot") if 0 <= index < len(self._steps) else None
        return self.folder / name if isinstance(name, str) else None

    def amend(self, step: Step) -> None:
        """The last step's action and words become those of `step`; its picture and tree stay. ValueError as `add`."""
        last = self._steps[-1]
        self._steps[-1] = _step_form(step, last.get("screenshot"), last.get("tree"))

    def drop(self) -> None:
        """Take back the last step. Its files stay until `tidy`, so that `restore` can bring it again."""
        self._dropped.append(self._steps.pop())

    def restore(self) -> None:
        """Bring back the step that was taken back last; not after another was added."""
        self._steps.append(self._dropped.pop())

    def tidy(self) -> None:
        """Remove pictures and trees that no step names: those of steps that were taken back, and what a process that
        died was writing. Files that cannot be removed are left."""
        self._dropped.clear()
        named = {step.get(key) for step in self._steps for _part, key in _PARTS}
        for part, _key in _PARTS:
            inside = self.folder / part
            if inside.is_symlink() or not inside.is_dir():
                continue
            for path in inside.iterdir():
                if f"{part}/{path.name}" not in named:
                    with suppress(OSError):
                        path.unlink()
        self._names = {key: name for key, name in self._names.items() if name in named}

    def save(self, episode: Episode) -> None:
        """Write `episode.json` for the steps added so far.

        Everything else is taken from `episode`, whose own steps are not looked at. May be called after every step and
        again with the final words.
        """
        form = {
            "format": MARK,
            "version": VERSION,
            **_header(episode),
            "meta": self._meta,
            "steps": self._steps,
        }
        _replace_file(self.folder / EPISODE_FILE, _encoded(form), self._durable)

    def _store(self, folder: str, index: int, suffix: str, data: bytes) -> str:
        """Put `data` under a new name, or find the name under which the same bytes lie already."""
        key = (folder, hashlib.sha256(data).hexdigest())
        if key in self._names:
            return self._names[key]
        _make_folder(self.folder / folder)
        taken = set(self._names.values())
        name = f"{folder}/{max(index, 0):04}{suffix}"
        repeat = 1
        while name in taken:
            repeat += 1
            name = f"{folder}/{max(index, 0):04}-{repeat}{suffix}"
        _replace_file(self.folder / name, data, self._durable)
        self._names[key] = name
        return name


def write_recording(
    episode: Episode, folder: Path, *, meta: Mapping[str, Any] | None = None, overwrite: bool = False
) -> Path:
    """Write `episode` as a recording into `folder` and return it; pictures are copied, equal ones once.

    The folder appears whole or not at all. Raises UsageError when it exists and is not empty (unless `overwrite`),
    SourceError when a picture is missing or the disk refuses. The original format's name is kept in `meta`.
    """
    with whole_folder(folder, overwrite=overwrite) as draft:
        writer = RecordingWriter(draft, {"source_format": episode.format, **(meta or {})})
        for step in episode.steps:
            writer.add(step)
        writer.save(episode)
    return folder


def picture_bytes(picture: Picture) -> bytes:
    """A picture as a PNG, JPEG or WebP file, wherever it lies. Raises SourceError."""
    if picture.part is None:
        return read_bytes(picture.path)
    if isinstance(picture.part, Slice) and picture.part.encoding is Encoding.RGB:
        return draw.encode_png(raw_pixels(picture, picture.part))
    return picture_file(picture)


def _header(episode: Episode) -> dict[str, Any]:
    form = episode_to_json(replace(episode, steps=()))
    return {
        "id": form["id"],
        "platform": form["platform"],
        "goal": form["goal"],
        "app": form["app"],
        "feasibility": form["feasibility"],
        "asks": form["asks"],
        "splits": form["splits"],
        "original_goal": form["original_goal"],
        "problems": [
            {"message": problem.message, "step": problem.step, "field": problem.field, "file": problem.file}
            for problem in episode.problems
        ],
    }


def _step_form(step: Step, screenshot: str | None, tree: str | None) -> dict[str, Any]:
    seen = step.observation
    if step.action is not None:
        _check_frame(step.action, seen)
    return {
        "index": step.index,
        "instruction": step.instruction,
        "time": seen.time,
        "size": [seen.size.width, seen.size.height],
        "screenshot": screenshot,
        "tree": tree,
        "activity": seen.activity,
        "action": action_to_json(step.action) if step.action is not None else None,
    }


def _check_frame(action: Action, seen: Observation) -> None:
    target = action_target(action)
    places = (action_point(action), action_end(action), target.box if target else None)
    for place in places:
        if place is not None and place.size != seen.size:
            raise ValueError(f"the action lies on {place.size}, its observation on {seen.size}")


def _encoded(form: object, *, compact: bool = False) -> bytes:
    """JSON as UTF-8; what no file can hold (lone surrogates) becomes a question mark."""
    separators = (",", ":") if compact else (",", ": ")
    text = json.dumps(form, ensure_ascii=False, allow_nan=False, indent=None if compact else 1, separators=separators)
    return text.encode("utf-8", errors="replace")


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SourceError(f"the folder cannot be made: {reason(error)}", place=folder, hint=advice(error)) from error


def _replace_file(path: Path, data: bytes, durable: bool) -> None:
    """Write beside and rename, so that a reader sees the old file or the new one."""
    draft = path.with_name(f".{path.name}.partial")
    try:
        with draft.open("wb") as stream:
            stream.write(data)
            if durable:
                stream.flush()
                os.fsync(stream.fileno())
        draft.replace(path)
    except OSError as error:
        with suppress(OSError):
            draft.unlink()
        raise SourceError(f"cannot be written: {reason(error)}", place=path, hint=advice(error)) from error
