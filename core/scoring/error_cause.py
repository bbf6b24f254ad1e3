"""The cause of a wrong step: what of the predicted action is first other than the reference. The causes and their order
are Stepscope's own; no paper defines them, and no score depends on them.

1. unreadable: there is no answer, or none that could be read.
2. ask: a question was due, and none was put.
3. finish: the task was ended where the reference goes on.
4. kind: another kind of action; swipes and scrolls are one kind.
5. direction: the finger, or the view, moved another way.
6. text: other typed, chosen, asked or said words, another key or app, another end of the task.
7. row: the point lies in the row directly above or below the target's, in the same list. Told with a UI tree only.
8. near: another place, at most NEAR_LIMIT of the screen away.
9. far: another place, further away.
10. place: one of the two actions says of no place where it is.
"""

from __future__ import annotations

from stepscope.core.domain.action import (
    Action,
    AskUser,
    Drag,
    Finish,
    PressKey,
    Scroll,
    Swipe,
    action_point,
    action_target,
    action_text,
)
from stepscope.core.domain.elements import UIElement, UITree
from stepscope.core.domain.episode import Step
from stepscope.core.domain.error_cause import ErrorCause
from stepscope.core.domain.geometry import Box, Direction, Point, finger_direction
from stepscope.core.domain.prediction import ActionAnswer, AskAnswer, Prediction
from stepscope.core.domain.score import Score, ScoreStatus

NEAR_LIMIT = 0.14
"""Distance in shares of the screen, both axes taken for 1: the radius within which AitW's rule takes taps for right."""
_SAME_WIDTH, _SAME_HEIGHT = 0.1, 2.0
"""Rows of one list differ in their edges by at most this share of the width, in height by at most this factor."""
_SLACK = 0.1
"""Rows may overlap by this share of the lower one's height."""


def cause_of(step: Step, prediction: Prediction, score: Score) -> ErrorCause | None:
    """The first cause that fits a wrong answer about a step; None for a right one, one that was not scored, and an
    answer about the whole episode."""
    if score.status is not ScoreStatus.SCORED or score.right or prediction.step is None:
        return None
    answer, reference = prediction.answer, step.action
    if answer is None or not isinstance(answer, (ActionAnswer, AskAnswer)):
        return ErrorCause.UNREADABLE
    if isinstance(answer, AskAnswer):
        return _cause_of_ask(step, answer)
    if isinstance(reference, AskUser) and not isinstance(answer.action, AskUser):
        return ErrorCause.MISSED_ASK
    if reference is None:
        return ErrorCause.KIND
    return _cause_of_action(step, reference, answer.action)


def _cause_of_ask(step: Step, answer: AskAnswer) -> ErrorCause:
    """Of an agent that says at each step whether it asks: it is judged by that first."""
    if answer.question is None and isinstance(step.action, AskUser):
        return ErrorCause.MISSED_ASK
    if answer.question is not None or step.action is None or answer.action is None:
        return ErrorCause.KIND
    return _cause_of_action(step, step.action, answer.action)


def _cause_of_action(step: Step, reference: Action, action: Action) -> ErrorCause:
    if isinstance(action, Finish) and not isinstance(reference, Finish):
        return ErrorCause.FINISHED_EARLY
    if _kind(action) != _kind(reference):
        return ErrorCause.KIND
    if _way(action) != _way(reference):
        return ErrorCause.DIRECTION
    if _said(action) != _said(reference):
        return ErrorCause.TEXT
    return _cause_of_place(step, reference, action)


def _kind(action: Action) -> str:
    return Swipe.kind if isinstance(action, Scroll) else action.kind


def _way(action: Action) -> Direction | None:
    """The way of the finger: a view that is scrolled down is drawn upwards."""
    if isinstance(action, (Swipe, Drag)):
        return finger_direction(action.point, action.to)
    return action.direction.opposite if isinstance(action, Scroll) else None


def _said(action: Action) -> str:
    if isinstance(action, PressKey):
        return action.key.casefold()
    if isinstance(action, Finish):
        return action.status.value
    return " ".join((action_text(action) or "").casefold().split())


def _cause_of_place(step: Step, reference: Action, action: Action) -> ErrorCause:
    meant, taken = place_of(reference), place_of(action)
    if meant is None or taken is None:
        return ErrorCause.PLACELESS
    tree = step.observation.tree
    target = tree.target_at(meant) if tree is not None else None
    if tree is not None and target is not None and is_next_row(tree, target, taken):
        return ErrorCause.ROW
    return ErrorCause.NEAR if meant.distance_in_fractions(taken) <= NEAR_LIMIT else ErrorCause.FAR


def place_of(action: Action) -> Point | None:
    """Where the action is, on its own screenshot: its point, else the middle of the element that it names."""
    point, target = action_point(action), action_target(action)
    if point is not None:
        return point
    return target.box.centre if target is not None and target.box is not None else None


def is_next_row(tree: UITree, target: UIElement, place: Point) -> bool:
    """Whether the place lies in the row directly above or below the one that holds the target.

    The row is the target or what holds it, the innermost whose brothers hold the place; the two are alike in edges and
    height, one is above the other, and no brother is between them.
    """
    there = place.rescaled(tree.size)
    for row in (target, *tree.ancestors(target.index)):
        if row.box.contains(there):
            return False
        brothers = [tree.elements[index] for index in tree.children[row.parent]] if row.parent >= 0 else []
        rows = [one for one in brothers if one.visible and one.box.area > 0 and one.index != row.index]
        holding = [one for one in rows if one.box.contains(there)]
        if holding:
            other = min(holding, key=lambda one: one.box.area)
            between = [one for one in rows if one.index != other.index and _is_between(one.box, row.box, other.box)]
            return _are_alike(row.box, other.box) and _is_apart(row.box, other.box) and not between
    return False


def _are_alike(one: Box, other: Box) -> bool:
    slack = _SAME_WIDTH * max(one.right - one.left, other.right - other.left)
    edges = abs(one.left - other.left) <= slack and abs(one.right - other.right) <= slack
    low, high = sorted((one.bottom - one.top, other.bottom - other.top))
    return edges and high <= _SAME_HEIGHT * low


def _is_apart(one: Box, other: Box) -> bool:
    """Whether one is above the other."""
    upper, lower = sorted((one, other), key=lambda box: box.top)
    return lower.top >= upper.bottom - _SLACK * (lower.bottom - lower.top)


def _is_between(box: Box, one: Box, other: Box) -> bool:
    """Whether the middle of the box lies between two rows, and in their columns."""
    upper, lower = sorted((one, other), key=lambda row: row.top)
    middle = (box.top + box.bottom) / 2
    return upper.bottom <= middle <= lower.top and box.left < lower.right and box.right > lower.left
