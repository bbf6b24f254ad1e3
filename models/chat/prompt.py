"""The one question that is put to a served model: what was the goal behind this trajectory?

The task is that of Berkovitch et al. 2024; the words are ours. `VERSION` changes with every change of what is sent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from stepscope.core.domain.action import Action, AskUser, DoubleTap, Finish, LongPress, Tap, Type, action_point
from stepscope.core.domain.episode import Observation, Platform
from stepscope.core.evaluation.predictor import EpisodeRequest
from stepscope.core.imaging.overlay import PASSWORD_DOTS
from stepscope.core.sources.procedures import action_words
from stepscope.models.chat.pictures import picture_url
from stepscope.models.features.screens import screen_texts
from stepscope.models.goal.pieces import name_of

VERSION = "goal-1"
PICTURES, STEPS, TEXTS = 20, 100, 40
"""Screens that are sent and steps that are told (evenly out of a longer way, the last always), texts of the last
screen."""
TEMPERATURE, MOST_TOKENS = 0.0, 1024

_SYSTEM = (
    "You are told what somebody did in an app or on a web site, step by step. {seen} Say what the person wanted to "
    "reach: one imperative sentence, as they would have said it to an assistant before. Keep every name, number, text "
    "and choice that matters to the goal; leave out the single steps and anything that the steps do not show. Answer "
    "with this one sentence and nothing else."
)
_SEEN = {
    Platform.WEB: "Each picture is the page before a step, cut around the element; a red box marks the element that "
    "was used.",
    Platform.ANDROID: "Each picture is the screen before a step; a blue plus marks where it was touched, a blue "
    "arrow a scroll or swipe.",
}
_BLIND = "There are no pictures."


def body(request: EpisodeRequest, model: str, *, pictures: bool) -> dict[str, Any] | None:
    """The fields of a chat completion; None for a trajectory of nothing. Raises SourceError for a broken picture."""
    told = trajectory(request, pictures=pictures)
    if told is None:
        return None
    parts = [*told.parts, {"type": "text", "text": "What was the goal? One imperative sentence."}]
    return {
        "model": model,
        "messages": told.messages(_SYSTEM.format(seen=told.seen), parts),
        "temperature": TEMPERATURE,
        "max_tokens": MOST_TOKENS,
    }


@dataclass(frozen=True, slots=True)
class ToldTrajectory:
    """A trajectory as parts of a message; `seen` says what the pictures are."""

    parts: list[dict[str, Any]]
    seen: str
    has_pictures: bool

    def messages(self, system: str, parts: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        """Both messages; where there are no pictures the parts are one text, for models that know no other."""
        user = list(parts) if self.has_pictures else "\n".join(part["text"] for part in parts if part["text"])
        return [{"role": "system", "content": system}, {"role": "user", "content": user}]


def trajectory(request: EpisodeRequest, *, pictures: bool, in_words: bool = False) -> ToldTrajectory | None:
    """What was done, step by step; None for nothing. `in_words`: of an episode in words its own words are told. Raises
    SourceError for a broken picture."""
    steps = _steps(request)
    if not steps:
        return None
    shown = _evenly(len(steps), PICTURES) if pictures else frozenset()
    parts: list[dict[str, Any]] = []
    for number, (place, seen, action) in enumerate(steps, start=1):
        own = request.words[place] if in_words and request.words else ""
        parts.append({"type": "text", "text": f"Step {number}: {own}" if own else _told(number, seen, action)})
        url = picture_url(seen, action, request.platform) if number - 1 in shown else None
        if url:
            parts.append({"type": "image_url", "image_url": {"url": url}})
    has_pictures = any(part["type"] == "image_url" for part in parts)
    if not has_pictures:
        parts.append({"type": "text", "text": _last_screen(steps[-1][1])})
    return ToldTrajectory(parts, _SEEN.get(request.platform, "") if has_pictures else _BLIND, has_pictures)


def pictured_steps(request: EpisodeRequest) -> list[int]:
    """The indices of the steps whose screens `body` sends, in its order."""
    steps = _steps(request)
    return [steps[place][0] for place in sorted(_evenly(len(steps), PICTURES)) if steps[place][1].shown is not None]


def _steps(request: EpisodeRequest) -> list[tuple[int, Observation, Action | None]]:
    """What is told of a trajectory: all that is kept of it, or evenly spread steps of a longer one."""
    kept = kept_steps(request.observations, request.actions)
    return [kept[place] for place in sorted(_evenly(len(kept), STEPS))]


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


def _told(number: int, seen: Observation, action: Action | None) -> str:
    return "At the end:" if action is None else f"Step {number}: {step_words(seen, action)}"


def step_words(seen: Observation, action: Action) -> str:
    """What was done, with the name of the element that was touched; a typed password in dots."""
    touches = isinstance(action, Tap | LongPress | DoubleTap)
    words, name = action_words(action), name_of(seen, action)[0] if touches else ""
    if isinstance(action, Type) and _is_secret(seen, action):
        words = words.replace(action.text, PASSWORD_DOTS)
    return words + (f" ({name})" if name and name not in words else "")


def _is_secret(seen: Observation, action: Type) -> bool:
    """Whether a password was typed: it is nobody's business."""
    if seen.tree is None:
        return False
    point = action_point(action)
    under = seen.tree.target_at(point) if point is not None else None
    return any(one.password and (one.focused or one is under) for one in seen.tree)


def _last_screen(seen: Observation) -> str:
    texts = screen_texts(seen, TEXTS)
    return f"On the last screen: {' · '.join(texts)}" if texts else ""


def _evenly(count: int, most: int) -> frozenset[int]:
    """Places spread evenly, at most so many, the last always among them."""
    if count <= most:
        return frozenset(range(count))
    return frozenset(int(place) for place in np.linspace(0, count - 1, most).round())
