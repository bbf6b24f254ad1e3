"""The closed set of actions. Each kind has its own fields; all places are pixels of the screenshot.

A data set may name the element that was acted on without saying where it is: then there is no point, and the target has
no box.
"""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import Any, ClassVar

from stepscope.core.domain.geometry import Box, Direction, Point, Size, finger_direction
from stepscope.core.frozen import dataclass


class FinishStatus(StrEnum):
    """The agent's statement at the end: the goal is reached, or it cannot be."""

    COMPLETE = "complete"
    IMPOSSIBLE = "impossible"


class Key(StrEnum):
    """Keys that every Android has; a `PressKey` may name another by the platform's own word."""

    BACK = "back"
    HOME = "home"
    ENTER = "enter"
    RECENTS = "recents"


@dataclass(frozen=True, slots=True)
class Target:
    """The UI element under an action, where the data names it or it was found in the UI tree.

    `box` None: the data names the element and not its place.
    """

    box: Box | None
    text: str = ""
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Tap:
    """A short touch, or a click with the main button on a page."""

    kind: ClassVar[str] = "tap"
    point: Point | None
    target: Target | None = None


@dataclass(frozen=True, slots=True)
class LongPress:
    """A finger held at `point` without moving, until the element answers."""

    kind: ClassVar[str] = "long_press"
    point: Point | None
    target: Target | None = None


@dataclass(frozen=True, slots=True)
class DoubleTap:
    """Two taps in quick succession at `point`."""

    kind: ClassVar[str] = "double_tap"
    point: Point | None
    target: Target | None = None


@dataclass(frozen=True, slots=True)
class Swipe:
    """A finger moved from `point` to `to`."""

    kind: ClassVar[str] = "swipe"
    point: Point
    to: Point
    target: Target | None = None

    @property
    def direction(self) -> Direction:
        """Direction of the finger (the content's direction of view is the opposite one)."""
        return finger_direction(self.point, self.to)


@dataclass(frozen=True, slots=True)
class Scroll:
    """Scrolling towards `direction` (down shows what is below), as data sets without a gesture record it."""

    kind: ClassVar[str] = "scroll"
    direction: Direction
    point: Point | None = None
    target: Target | None = None


@dataclass(frozen=True, slots=True)
class Drag:
    """Something held at `point` and let go at `to`."""

    kind: ClassVar[str] = "drag"
    point: Point
    to: Point
    target: Target | None = None


@dataclass(frozen=True, slots=True)
class Type:
    """Text typed into the focused field, or into the one at `point`."""

    kind: ClassVar[str] = "type"
    text: str
    point: Point | None = None
    target: Target | None = None


@dataclass(frozen=True, slots=True)
class Select:
    """The option called `text` chosen in a list field."""

    kind: ClassVar[str] = "select"
    text: str
    point: Point | None = None
    target: Target | None = None


@dataclass(frozen=True, slots=True)
class Hover:
    """The mouse brought over `point` without a click."""

    kind: ClassVar[str] = "hover"
    point: Point | None
    target: Target | None = None


@dataclass(frozen=True, slots=True)
class PressKey:
    """`key` is one of `Key` or the platform's own name."""

    kind: ClassVar[str] = "press_key"
    key: str


@dataclass(frozen=True, slots=True)
class OpenApp:
    """`text` is the app's name as a person sees it."""

    kind: ClassVar[str] = "open_app"
    text: str


@dataclass(frozen=True, slots=True)
class Wait:
    """Nothing done on purpose, so that the screen may change."""

    kind: ClassVar[str] = "wait"


@dataclass(frozen=True, slots=True)
class AskUser:
    """The agent puts the question `text` to the person."""

    kind: ClassVar[str] = "ask"
    text: str


@dataclass(frozen=True, slots=True)
class Say:
    """Words said to the other side: the person's answer, or the agent's."""

    kind: ClassVar[str] = "say"
    text: str


@dataclass(frozen=True, slots=True)
class Finish:
    """The end of an episode, and how the agent says that it went."""

    kind: ClassVar[str] = "finish"
    status: FinishStatus = FinishStatus.COMPLETE


Action = (
    Tap | LongPress | DoubleTap | Swipe | Scroll | Drag | Type | Select | Hover | PressKey | OpenApp | Wait | AskUser
    | Say | Finish
)  # fmt: skip

ACTION_TYPES: dict[str, type[Action]] = {
    action.kind: action
    for action in (
        Tap, LongPress, DoubleTap, Swipe, Scroll, Drag, Type, Select, Hover, PressKey, OpenApp, Wait, AskUser, Say,
        Finish,
    )
}  # fmt: skip
"""Action class by the kind's name in the interface (`tap`, `long_press`, …)."""


def action_point(action: Action) -> Point | None:
    """Where the action touches the screen first, None for one that has no place."""
    return getattr(action, "point", None)


def action_end(action: Action) -> Point | None:
    """Where a swipe or drag ends, else None."""
    return getattr(action, "to", None)


def action_target(action: Action) -> Target | None:
    """The UI element under the action; None where it is unknown, and for kinds that touch none."""
    return getattr(action, "target", None)


def action_text(action: Action) -> str | None:
    """Typed, selected, asked or said text or the app's name, else None."""
    return getattr(action, "text", None)


def action_rescaled(action: Action, size: Size) -> Action:
    """The action at the same relative places on a screen of `size`."""
    changes: dict[str, Any] = {}
    for name, place in (("point", action_point(action)), ("to", action_end(action))):
        if place is not None and place.size != size:
            changes[name] = place.rescaled(size)
    target = action_target(action)
    if target is not None and target.box is not None and target.box.size != size:
        changes["target"] = replace(target, box=target.box.rescaled(size))
    return replace(action, **changes) if changes else action
