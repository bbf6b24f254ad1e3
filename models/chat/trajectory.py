"""A trajectory as parts of a message: what was done, step by step, and the screens with the actions drawn on them.

The form is that of Berkovitch et al. 2024, appendices B, C and E: web actions as `[kind] name -> CLICK`, others in
plain words; the mark that the task is over is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from stepscope.core.domain.action import (
    Action,
    AskUser,
    DoubleTap,
    Finish,
    LongPress,
    Select,
    Tap,
    Type,
    action_point,
    action_target,
)
from stepscope.core.domain.elements import UIElement
from stepscope.core.domain.episode import Observation, Platform
from stepscope.core.evaluation.predictor import EpisodeRequest
from stepscope.core.frozen import dataclass
from stepscope.core.sources.procedures import action_words
from stepscope.models.chat.pictures import PAGE_SHARE, picture_url
from stepscope.models.chat.redaction import without_secret_words, without_secrets
from stepscope.models.chat.redaction_rules import NOTHING, Redaction, redaction_of
from stepscope.models.features.screens import screen_texts
from stepscope.models.goal.pieces import name_of

VERSION = "2"
"""Changes with what is told of the same trajectory."""
PICTURES, STEPS, TEXTS = 20, 100, 40
"""Screens that are sent and steps that are told (evenly out of a longer way, the last always), texts of the last
screen."""
SEEN = {
    Platform.WEB: "Each picture is the page before a step, cut around the element; a red box marks the element that "
    "was used.",
    Platform.ANDROID: "Each picture is the screen before a step; a blue plus marks where it was touched, a blue "
    "arrow a scroll or swipe.",
}
BLIND = "There are no pictures."
Inputs = Literal["both", "pictures", "words"]
_OPERATIONS = {Tap: "CLICK", LongPress: "CLICK", DoubleTap: "CLICK", Type: "TYPE", Select: "SELECT"}


@dataclass(frozen=True, slots=True)
class Telling:
    """How much of a trajectory is told. `inputs`: pictures, actions in words, or both; `last` so many of the last
    actions, 0 all; `pictures` at most, evenly out of more; `page`: the height of what is kept of a long web page, as a
    share of its width."""

    inputs: Inputs = "both"
    last: int = 0
    pictures: int = PICTURES
    page: float = PAGE_SHARE

    @property
    def blind(self) -> Telling:
        """The same for a model that is shown no pictures."""
        return replace(self, inputs="words")


USUAL = Telling()


@dataclass(frozen=True, slots=True)
class ToldTrajectory:
    """A trajectory as parts of a message. `platform` None: no pictures are among them. `steps` are those whose screens
    are shown, by their indices, in the order of the pictures; `told` of `there` steps are told."""

    parts: list[dict[str, Any]]
    platform: Platform | None
    steps: tuple[int, ...]
    told: int
    there: int

    @property
    def has_pictures(self) -> bool:
        return bool(self.steps)

    @property
    def seen(self) -> str:
        """What the pictures are, in words."""
        return BLIND if self.platform is None else SEEN.get(self.platform, "")

    def messages(self, system: str, parts: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        """Both messages; where there are no pictures the parts are one text, for models that know no other."""
        return [{"role": "system", "content": system}, {"role": "user", "content": content(parts)}]


def content(parts: Sequence[dict[str, Any]]) -> Any:
    """The parts as a message has them: one text where there is nothing else."""
    if any(part["type"] != "text" for part in parts):
        return list(parts)
    return "\n".join(part["text"] for part in parts if part["text"])


def trajectory(request: EpisodeRequest, telling: Telling = USUAL, *, in_words: bool = False) -> ToldTrajectory | None:
    """What was done, step by step; None for nothing, also where pictures alone are wanted and there are none.
    `in_words`: of an episode in words its own words are told. What a person's rules hide is left out. Raises
    SourceError for a broken picture, UserError where the rules cannot be read."""
    redaction = redaction_of(request.app)
    steps, there = _steps(request, telling.last)
    if not steps:
        return None
    shown = frozenset[int]() if telling.inputs == "words" else _evenly(len(steps), telling.pictures)
    parts: list[dict[str, Any]] = []
    pictured: list[int] = []
    for at, (number, place, seen, action) in enumerate(steps):
        own = request.words[place] if in_words and request.words else ""
        words = f"Step {number}: {own}" if own else _told(number, seen, action, request.platform, redaction)
        parts.append({"type": "text", "text": words if telling.inputs != "pictures" else words.partition(":")[0] + ":"})
        url = picture_url(seen, action, request.platform, telling.page, redaction) if at in shown else None
        if url:
            parts.append({"type": "image_url", "image_url": {"url": url}})
            pictured.append(place)
    if telling.inputs == "pictures" and not pictured:
        return None
    if not pictured:
        parts.append({"type": "text", "text": _last_screen(steps[-1][2], redaction)})
    return ToldTrajectory(parts, request.platform if pictured else None, tuple(pictured), len(steps), there)


def _steps(request: EpisodeRequest, last: int) -> tuple[list[tuple[int, int, Observation, Action | None]], int]:
    """What is told of a trajectory, each with its number from 1: all that is kept of it, the last actions and the last
    screen, or evenly spread steps of a longer one; and how many there are."""
    kept = [(number, *one) for number, one in enumerate(kept_steps(request.observations, request.actions), start=1)]
    there = len(kept)
    if last and kept:
        ends = kept[-1][3] is None  # the last screen, on which nothing was done, is no action
        kept = kept[-(last + ends) :]
    return [kept[place] for place in sorted(_evenly(len(kept), STEPS))], there


def kept_steps(
    observations: Sequence[Observation], actions: Sequence[Action | None]
) -> list[tuple[int, Observation, Action | None]]:
    """Place, screen and action of what was done, without questions and without the mark that the task is over, and the
    last screen."""
    pairs = list(zip(observations, actions, strict=True))
    last = len(pairs) - 1
    return [
        (place, seen, action if is_done(action) else None)
        for place, (seen, action) in enumerate(pairs)
        if place == last or is_done(action)
    ]


def is_done(action: Action | None) -> bool:
    """Whether something was done on the screen: no question, and not the mark that the task is over."""
    return action is not None and not isinstance(action, Finish | AskUser)


def _told(number: int, seen: Observation, action: Action | None, platform: Platform, redaction: Redaction) -> str:
    return "At the end:" if action is None else f"Step {number}: {step_words(seen, action, platform, redaction)}"


def step_words(seen: Observation, action: Action, platform: Platform, redaction: Redaction = NOTHING) -> str:
    """What was done, with the name of the element that was touched; a typed password in dots, and without what
    `redaction` hides. On the web as `[kind] name -> CLICK`, `-> TYPE: text` or `-> SELECT: option`, where one of these
    was done (paper, appendix E)."""
    seen, action = without_secret_words(seen, redaction), without_secrets(action, seen, redaction)
    if platform is Platform.WEB and type(action) in _OPERATIONS:
        return _web_words(seen, action)
    touches = isinstance(action, Tap | LongPress | DoubleTap)
    words, name = action_words(action), name_of(seen, action)[0] if touches else ""
    return words + (f" ({name})" if name and name not in words else "")


def _web_words(seen: Observation, action: Action) -> str:
    """Of an element without a known kind the brackets are left out, of one without a name the name (ours)."""
    name, element = name_of(seen, action)[0], _under(seen, action)
    target = action_target(action)
    name = " ".join((name or (target.text if target else "")).split())
    kind = (element.class_name if element is not None else "").rpartition(".")[2].lower()
    done = _OPERATIONS[type(action)]
    if isinstance(action, Type | Select):
        done += f": {action.text}"
    return " ".join(filter(None, (f"[{kind}]" if kind else "", name, "->", done)))


def _under(seen: Observation, action: Action) -> UIElement | None:
    """The element that was used, where the screen has a tree."""
    target, point = action_target(action), action_point(action)
    place = target.box.centre if target is not None and target.box is not None else point
    return seen.tree.target_at(place) if seen.tree is not None and place is not None else None


def _last_screen(seen: Observation, redaction: Redaction) -> str:
    texts = screen_texts(without_secret_words(seen, redaction), TEXTS)
    return f"On the last screen: {' · '.join(texts)}" if texts else ""


def _evenly(count: int, most: int) -> frozenset[int]:
    """Places spread evenly, at most so many, the last always among them."""
    if count <= most:
        return frozenset(range(count))
    return frozenset(int(place) for place in np.linspace(0, count - 1, most).round())
