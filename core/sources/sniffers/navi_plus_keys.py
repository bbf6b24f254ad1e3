"""Where Navi-plus's records hold what: guesses at their keys, and a small file by which a person corrects them.

The data's keys are not published. The guesses are the paper's own words for things (the prompts of its appendix I name
"Full Task", "Rephrased Incomplete Task Description", "Selected Step to Exclude", "Follow Up Question", "Human Answer",
"Step Instruction" and "Step Action Code") and those of its two sources, AndroidControl and Mind2Web. Keys are compared
without regard to case, spaces, "_" and "-".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from stepscope.core.domain.episode import Platform
from stepscope.core.errors import SourceError
from stepscope.core.frozen import dataclass
from stepscope.core.sources.files import json_words, read_json, safe_join, shortened, text_of
from stepscope.core.sources.look import find_above

KEYS_FILE = "stepscope-keys.json"
HINT = f"Say where it lies in a file {KEYS_FILE} beside the data (docs/formats/navi_plus.md)."

Space = Literal["pixels", "thousandths", "fractions"]

_SPACES: tuple[Space, ...] = ("pixels", "thousandths", "fractions")
_PLAIN = re.compile(r"[\s_-]+")
_LISTED = 20
_LONGEST = 100
_USUAL_KEYS = 40

GUESSES: Mapping[str, tuple[str, ...]] = {
    "id": ("episode_id", "annotation_id", "task_id", "id"),
    "original_task": ("original_task", "full_task", "complete_task", "original_goal", "confirmed_task", "goal", "task"),
    "ambiguous_task": (
        "ambiguous_task", "rephrased_incomplete_task_description", "incomplete_task_description", "incomplete_task",
        "ambiguous_goal", "ambiguous_instruction", "simplified_task_description",
    ),
    "asks": ("asks", "qa_pairs", "qa", "follow_up_questions", "questions"),
    "ask.step": ("step", "step_id", "step_index", "index"),
    "ask.question": ("question", "follow_up_question", "ask", "q"),
    "ask.answer": ("answer", "human_answer", "say", "a"),
    "ask.kind": ("kind", "type"),
    "ask.instruction": ("selected_step_to_exclude", "selected_step"),
    "steps": ("steps", "actions", "trajectory", "episode"),
    "images": ("images", "screenshots", "image_paths"),
    "instructions": ("step_instructions", "instructions", "low_level_instructions"),
    "step.image": ("image", "screenshot", "image_path", "screenshot_path", "img"),
    "step.width": ("width", "image_width", "screenshot_width", "w"),
    "step.height": ("height", "image_height", "screenshot_height", "h"),
    "step.instruction": ("instruction", "step_instruction", "low_level_instruction"),
    "step.action": ("action", "step_action_code", "action_code", "operation"),
    "action.kind": ("action_type", "type", "kind", "op", "name", "action"),
    "action.point": ("point", "position", "coordinate", "coordinates", "click_point"),
    "action.to": ("to", "coordinate2", "end"),
    "action.x": ("x",),
    "action.y": ("y",),
    "action.box": ("box", "bbox", "bounding_box", "bounding_box_rect", "bounds"),
    "action.text": ("text", "value", "content", "question", "answer", "app_name", "key", "goal_status"),
    "action.direction": ("direction",),
    "action.element": ("element", "element_text", "red_bbox_content"),
    "app": ("app", "app_name", "website"),
    "platform": ("platform",),
    "split": ("split",),
}  # fmt: skip
"""Our names, and the keys under which a record may hold them; the first one that is there counts."""

_OPTIONS = ("keys", "platform", "coordinates", "box", "first_step", "image_folder", "image_prefix")


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys by which records are read. `paths` are a person's own; what they leave out is guessed.

    `first_step` is the number that the data give an episode's first step in asks. `image_prefix` is cut off the
    images' names, which are then looked for in `image_folder`.
    """

    paths: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    platform: Platform | None = None
    space: Space = "pixels"
    box_has_size: bool = False
    first_step: int = 0
    image_folder: Path | None = None
    image_prefix: str = ""

    def find(self, name: str, form: Mapping[str, Any]) -> Any:
        """What `form` holds under our `name`; None when nothing is there."""
        plain = _plain_keys(form)
        for path in self.names(name):
            key = path if path in form else plain.get(plain_name(path))
            value = form[key] if key is not None else at_path(form, path) if "." in path else NOTHING
            if value is not None and value is not NOTHING:
                return value
        return None

    def has(self, name: str, form: Mapping[str, Any]) -> bool:
        """Whether the key is there, be it null."""
        return any(at_path(form, path) is not NOTHING for path in self.names(name))

    def own_kind(self, step: Mapping[str, Any]) -> bool:
        """Whether a step is its own action: it names an action's kind beside its picture, in no object of its own."""
        name = "action.kind"
        return self.find(name, step) is not None if name in self.paths else at_path(step, "action_type") is not NOTHING

    def names(self, name: str) -> tuple[str, ...]:
        return self.paths.get(name) or GUESSES[name]


def is_step(record: Mapping[str, Any], keys: Keys) -> bool:
    """Whether the record is one step of an episode: no list of steps or pictures, but what a step has."""
    if any(isinstance(keys.find(name, record), list) for name in ("steps", "images")):
        return False
    return keys.own_kind(record) or any(keys.find(name, record) is not None for name in ("step.image", "step.action"))


NOTHING = object()
"""Stands for a key that is not there, as null is a value."""


def at_path(form: object, path: str) -> Any:
    """The value at a path of keys with dots between them; NOTHING where there is none.

    A key that is there as a whole, dots included, comes first. A number is an item of a list, counted from 0.
    """
    head, _, rest = path.partition(".")
    if isinstance(form, list):
        inside = head.isdecimal() and len(head) < 8 and int(head) < len(form)
        return _deeper(form[int(head)], rest) if inside else NOTHING
    if not isinstance(form, dict):
        return NOTHING
    whole = _matching(form, path)
    if whole is not None:
        return form[whole]
    key = _matching(form, head) if rest else None
    return NOTHING if key is None else at_path(form[key], rest)


def _deeper(form: object, rest: str) -> Any:
    return at_path(form, rest) if rest else form


def _matching(form: Mapping[str, Any], name: str) -> str | None:
    """The key called `name`: exactly, else without regard to case, spaces, "_" and "-"."""
    return name if name in form else _plain_keys(form).get(plain_name(name))


def _plain_keys(form: Mapping[str, Any]) -> Mapping[str, str]:
    """The object's keys by their plain names, the first of two that are alike; records share their keys."""
    keys = tuple(form)
    usual = len(keys) <= _USUAL_KEYS and sum(map(len, keys)) <= _USUAL_KEYS * _LONGEST
    return _plain_keys_of(keys) if usual else _plain_keys_of.__wrapped__(keys)


@lru_cache(maxsize=1024)
def _plain_keys_of(keys: tuple[str, ...]) -> Mapping[str, str]:
    return {plain_name(key): key for key in reversed(keys) if len(key) <= _LONGEST}


@lru_cache(maxsize=4096)
def plain_name(name: str) -> str:
    """A key without what keys are compared without: case, spaces, "_" and "-"."""
    return _PLAIN.sub("", name).lower()


def missing(name: str, form: Mapping[str, Any], keys: Keys, place: Path | str = "") -> SourceError:
    """Said of a record without something needed: what was looked for and which keys there are."""
    there = ", ".join(shortened(text_of(key)) for key in list(form)[:_LISTED]) or "none"
    more = f" and {len(form) - _LISTED} more" if len(form) > _LISTED else ""
    looked = ", ".join(map(repr, keys.names(name)))
    return SourceError(
        f"no {name} in the record: looked for {looked}; its keys are {there}{more}", place=place, field=name, hint=HINT
    )


def keys_for(folder: Path) -> Keys:
    """The keys file in the folder or one of the four above it; the guesses where there is none.

    Raises SourceError saying what is wrong with the file.
    """
    path = find_above(folder, KEYS_FILE)
    if path is None:
        return Keys()
    try:
        return _read(path, path.stat().st_mtime_ns)
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}", place=path) from error


@lru_cache(maxsize=8)
def _read(path: Path, changed: int) -> Keys:
    form = read_json(path)
    if not isinstance(form, dict):
        raise SourceError(f"the file must hold an object, not {json_words(form)}", place=path)
    for name in form:
        if name not in _OPTIONS:
            raise _wrong(path, name, f"{shortened(text_of(name))!r} is not known; there are {', '.join(_OPTIONS)}")
    box = _one_of(form, "box", ("edges", "size"), path)
    platform = _one_of(form, "platform", tuple(Platform), path)
    first = form.get("first_step", 0)
    if first not in (0, 1) or isinstance(first, bool):
        raise _wrong(path, "first_step", "first_step must be 0 or 1")
    return Keys(
        paths=_paths(form.get("keys", {}), path),
        platform=Platform(platform) if platform else None,
        space=next(space for space in _SPACES if space == (_one_of(form, "coordinates", _SPACES, path) or "pixels")),
        box_has_size=box == "size",
        first_step=int(first),
        image_folder=_folder(form, "image_folder", path),
        image_prefix=_text(form, "image_prefix", path),
    )


def _paths(form: object, path: Path) -> Mapping[str, tuple[str, ...]]:
    if not isinstance(form, dict):
        raise _wrong(path, "keys", f"keys must be an object, not {json_words(form)}")
    found = {}
    for name, value in form.items():
        if name not in GUESSES:
            raise _wrong(path, "keys", f"{shortened(text_of(name))!r} is not ours; there are {', '.join(GUESSES)}")
        listed = value if isinstance(value, list) else [value]
        if not listed or not all(isinstance(item, str) and item for item in listed):
            raise _wrong(path, "keys", f'keys.{name} must be a path such as "task.full", or a list of them')
        found[name] = tuple(map(text_of, listed))
    return found


def _one_of(form: Mapping[str, Any], name: str, words: tuple[str, ...], path: Path) -> str:
    value = form.get(name, "")
    if value != "" and value not in words:
        raise _wrong(path, name, f"{name} must be one of {', '.join(words)}, not {json_words(value)}")
    return str(value)


def _text(form: Mapping[str, Any], name: str, path: Path) -> str:
    value = form.get(name, "")
    if not isinstance(value, str):
        raise _wrong(path, name, f"{name} must be text, not {json_words(value)}")
    return text_of(value)


def _folder(form: Mapping[str, Any], name: str, path: Path) -> Path | None:
    """A folder below the file's own."""
    folder = _text(form, name, path)
    try:
        return safe_join(path.parent, folder) if folder else None
    except SourceError as error:
        raise _wrong(path, name, error.message) from error


def _wrong(path: Path, field: str, message: str) -> SourceError:
    return SourceError(message, place=path, field=field)
