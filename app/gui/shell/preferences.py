"""What a person prefers: declared once, kept as JSON in the settings folder. Window geometry is Qt's own affair."""

from __future__ import annotations

import json
import logging
import re
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

from stepscope.core.domain.largest_number import LARGEST_NUMBER
from stepscope.core.drafts import reason, write_whole
from stepscope.core.errors import UserError
from stepscope.core.frozen import dataclass
from stepscope.core.own_files import read_json

log = logging.getLogger("stepscope")

TEXT_PERCENTS = (80, 90, 100, 110, 125, 150, 175, 200)
RECENT_LIMIT = 12
_LARGEST_LIMIT = 1 << 53
_TEXTS = (
    "recent",
    "recent_pinned",
    "list_parts",
    "addresses",
    "overlay_models",
    "asking_words",
    "asking_apps",
    "run_colours",
)
"""Preferences that are several texts."""


@dataclass(frozen=True, slots=True)
class Preferences:
    """`speed` is how many steps a second playback shows, or, `by_time`, how much faster than recorded; the
    timeline's columns are then as wide as their steps took. `cache_megabytes` bounds the decoded pictures; `device`
    is what new evaluations and trainings begin with. `annotator` is the name under which recordings are made, pages
    answered and procedures ordered, `addresses` are those of phones that were connected over the network. `agent` is
    the one that acts on devices, `overlay_models` are asked about the live screen. An agent asks before it touches
    what has one of `asking_words` (none: the usual ones), and in `asking_apps`, and may put `question_limit` questions
    of its own in a task. Web tasks' pages come in the data's
    order with `annotation_seed` -1, else shuffled by it; those that `annotation_enough` others have answered are left
    out (0: none), and what the workers of the data said is hidden until a page is submitted while `annotation_blind`.
    `recent` are data that were opened, the latest first, `recent_times` when each was (ISO 8601), `recent_pinned` those
    that stay. `start_page`: the page comes when nothing is open; `tour_step` is where the tour was left (0 to 6).
    `limits` are those figures of `core.limits` that are not the usual ones. `compact` rows lie closer; menus and tips
    fade unless `still`. `run_colours` are four "#RRGGBB" for runs A to D, none the usual ones, and marks are drawn at
    `mark_percent` of their usual size. `keys` are those that a person gave to commands instead of the usual ones."""

    theme: str = "system"
    text_percent: int = 100
    speed: float = 1.0
    by_time: bool = False
    neighbours: bool = True
    cache_megabytes: int = 512
    recent: tuple[str, ...] = ()
    recent_times: tuple[tuple[str, str], ...] = ()
    recent_pinned: tuple[str, ...] = ()
    start_page: bool = True
    tour_step: int = 0
    seen_sample_bar: bool = False
    device: str = "auto"
    list_parts: tuple[str, ...] = ("app", "steps", "label", "asks", "notes", "verdicts")
    list_groups: str = "none"
    saved_filters: tuple[tuple[str, str], ...] = ()
    annotator: str = ""
    addresses: tuple[str, ...] = ()
    agent: str = ""
    overlay_models: tuple[str, ...] = ()
    asking_words: tuple[str, ...] = ()
    asking_apps: tuple[str, ...] = ()
    question_limit: int = 5
    annotation_seed: int = -1
    annotation_enough: int = 0
    annotation_blind: bool = True
    limits: tuple[tuple[str, int], ...] = ()
    compact: bool = False
    still: bool = True
    run_colours: tuple[str, ...] = ()
    mark_percent: int = 100
    keys: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def with_recent(self, path: str, now: str = "") -> Preferences:
        """`path` put at the head of the recent list, opened `now`; what is pinned does not fall off its end."""
        others = [other for other in self.recent if other != path]
        free = [other for other in others if other not in self.recent_pinned]
        dropped = free[max(RECENT_LIMIT - 1 - (len(others) - len(free)), 0) :]
        recent = (path, *(other for other in others if other not in dropped))
        times = {**dict(self.recent_times), path: now} if now else dict(self.recent_times)
        kept = tuple((other, time) for other, time in times.items() if other in recent)
        return replace(self, recent=recent, recent_times=kept)

    def without_recent(self, path: str) -> Preferences:
        """`path` taken off the recent list, pinned or not."""
        return replace(
            self,
            recent=tuple(other for other in self.recent if other != path),
            recent_times=tuple(pair for pair in self.recent_times if pair[0] != path),
            recent_pinned=tuple(other for other in self.recent_pinned if other != path),
        )

    def with_moved(self, old: str, new: str) -> Preferences:
        """Recent data that lies elsewhere now: `new` takes the place of `old`, and its pin."""
        pinned = tuple(dict.fromkeys(new if other == old else other for other in self.recent_pinned))
        return replace(self.without_recent(old), recent_pinned=pinned)

    def recent_changes(self) -> dict[str, tuple[Any, ...]]:
        """What is kept of recent data, as the changes that make it another's."""
        return {"recent": self.recent, "recent_times": self.recent_times, "recent_pinned": self.recent_pinned}


def load_preferences(path: Path) -> Preferences:
    """The stored preferences; what is missing, of a wrong type or unreadable is as if never set."""
    try:
        stored = read_json(path)
    except FileNotFoundError:
        return Preferences()
    except (OSError, ValueError) as error:
        log.warning("%s cannot be read (%s): starting with the usual preferences", path, error)
        return Preferences()
    if not isinstance(stored, dict):
        return Preferences()
    usual = Preferences()
    known: dict[str, Any] = {}
    for field in fields(Preferences):
        value = stored.get(field.name)
        if field.name in _TEXTS and isinstance(value, list):
            value = tuple(str(entry) for entry in value)
        if field.name in ("saved_filters", "recent_times") and isinstance(value, list):
            value = tuple((str(pair[0]), str(pair[1])) for pair in value if isinstance(pair, list) and len(pair) == 2)
        if field.name == "limits" and isinstance(value, list):
            pairs = [pair for pair in value if isinstance(pair, list) and len(pair) == 2]
            value = tuple((str(name), number) for name, number in pairs if _is_limit(path, name, number))
        if field.name == "keys" and isinstance(value, list):
            value = tuple((str(pair[0]), tuple(map(str, pair[1]))) for pair in value if _is_keys(pair))
        if field.name == "run_colours" and not _are_colours(value):
            continue
        if type(value) is not type(getattr(usual, field.name)):
            continue
        # JSON has NaN, and numbers of any length.
        if isinstance(value, int | float) and not -LARGEST_NUMBER <= value <= LARGEST_NUMBER:
            log.warning("%s: %s is no number that can be: it is as usual", path, field.name)
            continue
        known[field.name] = value
    return replace(usual, **known)


def _is_keys(pair: object) -> bool:
    return isinstance(pair, list) and len(pair) == 2 and isinstance(pair[1], list)


def _are_colours(value: object) -> bool:
    return isinstance(value, tuple) and len(value) in (0, 4) and all(re.fullmatch("#[0-9A-Fa-f]{6}", c) for c in value)


def _is_limit(path: Path, name: object, number: object) -> bool:
    if type(number) is int and 0 < number <= _LARGEST_LIMIT:
        return True
    log.warning("%s: %s of limits is no number that can be: it is as usual", path, str(name)[:60])
    return False


def save_preferences(preferences: Preferences, path: Path) -> None:
    """Write all at once: a reader sees the old file or the new one. Raises UserError."""
    try:
        write_whole(path, json.dumps(asdict(preferences), indent=1).encode())
    except OSError as error:
        hint = "What you prefer holds until the window is closed. Make room, or check that the folder can be written."
        raise UserError(f"preferences cannot be saved: {reason(error)}", place=path, hint=hint) from error
