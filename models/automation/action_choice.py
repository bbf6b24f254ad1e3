"""Choice of the action from the phrases of an instruction and the element they mean."""

from __future__ import annotations

from stepscope.core.domain.action import (
    Action,
    Finish,
    FinishStatus,
    LongPress,
    OpenApp,
    PressKey,
    Scroll,
    Swipe,
    Tap,
    Type,
    Wait,
)
from stepscope.core.domain.elements import UIElement
from stepscope.core.domain.episode import Observation
from stepscope.core.domain.geometry import Direction, Point
from stepscope.core.evaluation.predictor import StepRequest
from stepscope.models.automation.phrases import Phrases, clauses
from stepscope.models.automation.screen import place_of, screen_centre

SWIPE_LENGTH = 1 / 3
"""Way of the finger in fractions of the screen."""


def sentence_of(request: StepRequest) -> str:
    """The step's instruction; without one, that clause of the goal whose turn it is by the number of actions done."""
    if request.instruction and request.instruction.strip():
        return request.instruction
    parts = clauses(request.goal) or [""]
    return parts[min(len(request.history), len(parts) - 1)]


def placeless(phrases: Phrases, seen: Observation) -> Action | None:
    """The action of a verb that needs no element, None for one that does."""
    match phrases.verb:
        case PressKey.kind:
            return PressKey(phrases.detail)
        case OpenApp.kind:
            return OpenApp(phrases.text)
        case Wait.kind:
            return Wait()
        case Finish.kind:
            return Finish(FinishStatus(phrases.detail))
        case Scroll.kind:
            return Scroll(Direction(phrases.detail))
        case Swipe.kind:
            return _swipe(Direction(phrases.detail), screen_centre(seen))
        case _:
            return None


def action_on(element: UIElement, phrases: Phrases, seen: Observation) -> Action:
    """What the verb says, done on the element."""
    point, target = place_of(element, seen)
    match phrases.verb:
        case Type.kind:
            return Type(phrases.text, point, target)
        case LongPress.kind:
            return LongPress(point, target)
        case _:
            return Tap(point, target)


def _swipe(direction: Direction, start: Point) -> Swipe:
    dx, dy = {Direction.UP: (0, -1), Direction.DOWN: (0, 1), Direction.LEFT: (-1, 0), Direction.RIGHT: (1, 0)}[
        direction
    ]
    x, y = start.fraction
    return Swipe(start, Point.from_fraction(x + dx * SWIPE_LENGTH, y + dy * SWIPE_LENGTH, start.size))
