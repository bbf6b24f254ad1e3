"""Walks in the words of their page."""

from __future__ import annotations

from collections.abc import Sequence

from stepscope.app.services.rollout_reading import StoredWalk
from stepscope.app.services.walk_screens import AppScreens, screen_words
from stepscope.core.domain.action import Action, Finish, action_point
from stepscope.core.domain.walk import GoalCheck, StepCourse, WalkAnswer, WalkUnderWay, courses
from stepscope.core.evaluation.breakdown.groups import wilson
from stepscope.widgets import format as formats
from stepscope.widgets.common.action_words import action_words
from stepscope.widgets.results.walks.walk_values import (
    HUMAN,
    GoalRow,
    WalkLane,
    WalkMove,
    WalkScreen,
    WalkState,
)


def share_words(rows: Sequence[GoalRow]) -> str:
    """The interval of the share of goals that were reached, "" where none was walked."""
    kinds = [row.kind for row in rows if row.kind is not None]
    return formats.interval(wilson(sum(kind.success for kind in kinds), len(kinds))) if kinds else ""


def goal_row(one: StoredWalk, goal: str, app: str) -> GoalRow:
    """A goal in the list."""
    walk = one.walk
    return GoalRow(
        one.episode,
        goal or one.episode,
        app,
        one.kind if walk is not None else None,
        walk.actions if walk is not None else None,
        walk.human_actions if walk is not None else None,
        one.outcome.score.why,
    )


def row_under_way(walk: WalkUnderWay) -> GoalRow:
    """The goal that a run is walking to now."""
    return GoalRow(walk.episode, walk.goal, walk.app, None, walk.actions, walk.human_actions, under_way=True)


def walk_state(
    row: GoalRow, screens: AppScreens, walks: Sequence[tuple[str, str, int | None, WalkAnswer | WalkUnderWay]]
) -> WalkState:
    """The walks to a goal, with the person's way; `walks` has for each run its id, title, letter and walk, the run that
    is shown first."""
    way = screens.way(row.episode)
    human = _human(way)
    lanes = [human, *(_lane(*one) for one in walks)]
    shown = walks[0][3] if walks else None
    ended = shown if isinstance(shown, WalkAnswer) else None
    now = shown.last if isinstance(shown, WalkUnderWay) else ""
    names = dict.fromkeys([*screens.names, *(place for lane in lanes for place in lane.places), *filter(None, [now])])
    return WalkState(
        row,
        tuple(lanes),
        {name: _screen(name, screens) for name in names},
        goal_screen=way[-1][0],
        check_words="" if ended is None else check_words(ended),
        check_holds=ended is not None and ended.reached,
        facts=() if ended is None else _facts(ended),
        now=now,
    )


def check_words(walk: WalkAnswer) -> str:
    """What the goal's check says at the end of a walk."""
    at_end = "holds at the end" if walk.reached else "does not hold at the end"
    if walk.check is GoalCheck.OWN:
        words = f"The goal's own check {at_end}."
    elif walk.reached:
        words = "It ended on the screen on which the person did."
    else:
        words = "It did not end on the screen on which the person did."
    if walk.goal_at is not None and not walk.reached:
        words += f" It held after {formats.counted(walk.goal_at, 'action')}."
    return words


def _facts(walk: WalkAnswer) -> tuple[tuple[str, str], ...]:
    places = walk.places[:-1] if walk.said is not None else walk.places  # to say so leads nowhere
    screens = len(set(places))
    seconds = sum(step.latency_ms or 0.0 for step in walk.steps) / 1000
    return (
        ("Actions", formats.count(walk.actions)),
        ("Person", formats.count(walk.human_actions)),
        ("Screens", formats.count(screens)),
        ("Again", formats.count(len(places) - screens)),
        ("Time", formats.duration(seconds) if seconds else "–"),
    )


def _screen(name: str, screens: AppScreens) -> WalkScreen:
    if name not in screens.names:
        return WalkScreen(name, f"Screen {name.rsplit('/', 1)[-1]}", recorded=False)
    near = tuple((other, _label(action)) for other, action in screens.near(name))
    return WalkScreen(name, screen_words(screens.observation(name)), near)


def _label(action: Action) -> str:
    words = action_words(action)
    return words.detail or words.word


def _human(way: Sequence[tuple[str, Action | None]]) -> WalkLane:
    moves = []
    for number, (place, action) in enumerate(way):
        if action is not None:
            to = way[number + 1][0] if number + 1 < len(way) else place
            moves.append(_move(place, to, action, None, led=True))
    return WalkLane(HUMAN, "Person", tuple(moves))


def _lane(run: str, title: str, letter: int | None, walk: WalkAnswer | WalkUnderWay) -> WalkLane:
    words = courses(walk)
    moves = tuple(
        _move(
            step.place, walk.places[number + 1], step.action, words[number], led=step.led, raw=step.raw, why=step.why,
            seconds=None if step.latency_ms is None else step.latency_ms / 1000,
        )
        for number, step in enumerate(walk.steps)
    )  # fmt: skip
    return WalkLane(run, title, moves, letter)


def _move(place: str, to: str, action: Action | None, course: StepCourse | None, **more: object) -> WalkMove:
    if action is None:
        return WalkMove(place, to, "error", "No usable answer", "", course, **more)  # type: ignore[arg-type]
    words, point = action_words(action), action_point(action)
    at = None if point is None else (point.x / point.size.width, point.y / point.size.height)
    icon = "finish" if isinstance(action, Finish) else words.icon
    return WalkMove(place, to, icon, words.word, words.detail, course, at=at, **more)  # type: ignore[arg-type]
