"""Episodes in Navi-plus's layout: one JSON file of records, the pictures, and the keys by which they are read again.

The released data's keys are not published; those that the paper's prompts name (figures 7 and 8) are used as they
stand there, the others are ours, and `stepscope-keys.json` says which is which.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from stepscope.core.domain.action import (
    Action,
    Finish,
    FinishStatus,
    PressKey,
    Scroll,
    action_end,
    action_point,
    action_target,
    action_text,
)
from stepscope.core.domain.ambiguous_task import AmbiguousTask
from stepscope.core.domain.episode import Ask, Episode, Picture, Step
from stepscope.core.domain.geometry import Box, Point
from stepscope.core.errors import SourceError
from stepscope.core.imaging.probe import probe_bytes
from stepscope.core.sources.ambiguous_episodes import ambiguous_episode
from stepscope.core.sources.files import text_of
from stepscope.core.sources.recording_writer import picture_bytes
from stepscope.core.sources.sniffers.navi_plus_keys import KEYS_FILE

RECORDS_FILE, IMAGES = "navi-plus.jsonl", "images"
KEYS: dict[str, Any] = {
    "keys": {
        "id": "episode_id",
        "original_task": "Full Task",
        "ambiguous_task": "Rephrased Incomplete Task Description",
        "asks": "QA Pairs",
        "ask.step": "step",
        "ask.question": "Follow Up Question",
        "ask.answer": "Human Answer",
        "ask.kind": "kind",
        "ask.instruction": "Selected Step to Exclude",
        "steps": "steps",
        "step.image": "image",
        "step.width": "width",
        "step.height": "height",
        "step.instruction": "Step Instruction",
        "step.action": "Step Action Code",
        "action.kind": "kind",
        "action.point": "point",
        "action.to": "to",
        "action.box": "box",
        "action.text": "text",
        "action.direction": "direction",
        "action.element": "Red Bbox Content",
        "app": "app",
        "platform": "platform",
        "split": "split",
    },
    "coordinates": "pixels",
    "box": "edges",
    "first_step": 0,
    "image_folder": IMAGES,
}
_SUFFIXES = {"png": ".png", "jpeg": ".jpg", "webp": ".webp"}
_KINDS = {"ask": "ASK", "say": "SAY", "finish": "COMPLETE"}


class NaviPlusWriter:
    """Writes into a folder that is there and empty; `close` ends it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._images: dict[bytes, str] = {}
        (folder / IMAGES).mkdir()
        self._records = (folder / RECORDS_FILE).open("w", encoding="utf-8", newline="\n")
        keys = json.dumps(KEYS, ensure_ascii=False, indent=1)
        (folder / KEYS_FILE).write_text(keys, encoding="utf-8")

    def add(self, task: AmbiguousTask, episode: Episode, name: str = "") -> None:
        """Write the task with its episode under this id, its own without one. Raises SourceError for a picture that
        cannot be read."""
        whole = ambiguous_episode(task, episode, name)
        form = navi_plus_record(task, whole, [self._image(step.observation.screenshot) for step in whole.steps])
        self._records.write(json.dumps(form, ensure_ascii=False).encode("utf-8", "replace").decode() + "\n")

    def close(self) -> None:
        self._records.close()

    def _image(self, picture: Picture | None) -> str | None:
        """The file under which the picture lies now; equal ones lie there once."""
        if picture is None:
            return None
        data = picture_bytes(picture)
        if data not in self._images:
            name = f"{len(self._images):06}{_SUFFIXES[probe_bytes(data, picture.path).kind]}"
            try:
                (self._folder / IMAGES / name).write_bytes(data)
            except OSError as error:
                raise SourceError(f"cannot be written: {error.strerror}", place=self._folder / IMAGES / name) from error
            self._images[data] = name
        return self._images[data]


def navi_plus_record(task: AmbiguousTask, episode: Episode, images: Iterable[str | None]) -> dict[str, Any]:
    """The record of an ambiguous episode, which has its ASK steps."""
    instructions = {reading.index: reading.instruction for reading in task.readings}
    pieces = sorted(task.pieces, key=lambda piece: piece.step)
    pairs = [
        _pair(ask, instructions.get(piece.step, ""), piece.value)
        for ask, piece in zip(episode.asks, pieces, strict=False)
    ]
    return {
        "episode_id": episode.id,
        "platform": episode.platform.value,
        "app": episode.app or "",
        "split": episode.splits[0] if episode.splits else "",
        "Full Task": task.original,
        "Rephrased Incomplete Task Description": task.goal,
        "QA Pairs": pairs,
        "steps": [_step(step, image) for step, image in zip(episode.steps, images, strict=True)],
    }


def _pair(ask: Ask, instruction: str, value: str) -> dict[str, Any]:
    return {
        "step": ask.step,
        "Selected Step to Exclude": instruction,
        "Overlapping Information": value,
        "Follow Up Question": ask.question,
        "Human Answer": ask.answer,
        "kind": ask.kind,
    }


def _step(step: Step, image: str | None) -> dict[str, Any]:
    size = step.observation.size
    form = {"image": image, "width": size.width, "height": size.height, "Step Instruction": step.instruction}
    return form | {"Step Action Code": None if step.action is None else _action(step.action)}


def _action(action: Action) -> dict[str, Any]:
    target, point, end = action_target(action), action_point(action), action_end(action)
    found: dict[str, Any] = {"kind": _KINDS.get(action.kind, action.kind)}
    if isinstance(action, Finish) and action.status is FinishStatus.IMPOSSIBLE:
        found["kind"] = "IMPOSSIBLE"
    if point is not None:
        found["point"] = _place(point)
    if end is not None:
        found["to"] = _place(end)
    if target is not None:
        found |= {"Red Bbox Content": text_of(target.text), "box": None if target.box is None else _edges(target.box)}
    words = action.key if isinstance(action, PressKey) else action_text(action)
    if words is not None:
        found["text"] = str(words)
    if isinstance(action, Scroll):
        found["direction"] = action.direction.value
    return found


def _place(point: Point) -> list[float]:
    return [point.x, point.y]


def _edges(box: Box) -> list[float]:
    return [box.left, box.top, box.right, box.bottom]
