"""Makes of ambiguous tasks and reviews what the views of Review show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import median

from stepscope.app.gui.features.ambiguous.review_session import ALL, DIFFERS, FAILED, OPEN, ReviewSession, stands
from stepscope.core.domain.ambiguous_task import (
    RULES,
    AmbiguousTask,
    AskReview,
    StepRole,
    edited,
)
from stepscope.core.domain.goal_words import GoalPart, goal_parts, parts_of, with_cuts
from stepscope.widgets import format as formats
from stepscope.widgets.ambiguous.review_values import (
    ReviewChoice,
    ReviewListHead,
    ReviewRow,
    ShownPiece,
    ShownReading,
    ShownTask,
)

STATES = (
    (ALL, "All"), (OPEN, "Open"), ("accepted", "Accepted"), ("edited", "Edited"), ("rejected", "Rejected"),
    (FAILED, "A check fails"), (DIFFERS, "People differ"),
)  # fmt: skip
LOOKS = {OPEN: "neutral", "accepted": "hit", "edited": "hit", "rejected": "miss"}
ALWAYS = (ALL, OPEN, "accepted", "edited", "rejected")
"""States that are listed though no task is in them."""


def row_of(session: ReviewSession, place: int) -> ReviewRow:
    """A task in the list, in the words that the person gave it."""
    task, state = session.tasks[place], session.state(place)
    mine = session.mine(task)
    goal = edited(task, mine).goal if mine is not None else task.goal
    by = f" · {maker_name(task.slot.made_by)}" if session.has_makers else ""
    return ReviewRow(goal, _where(task) + by, state, LOOKS[state], bool(task.failed))


def list_head(session: ReviewSession, people: Iterable[str]) -> ReviewListHead:
    """What stands above the list."""
    counts = session.state_counts()
    states = tuple(
        ReviewChoice(value, words, counts.get(value, 0))
        for value, words in STATES
        if value in ALWAYS or counts.get(value, 0) or session.chosen.state == value
    )
    kinds = sorted(session.kind_counts().items(), key=lambda one: (-one[1], one[0]))
    apps = sorted(session.app_counts().items(), key=lambda one: (-one[1], one[0]))
    return ReviewListHead(
        session.person,
        tuple(people),
        session.done_count(),
        len(session.tasks),
        _pace(session),
        states,
        session.chosen.state,
        tuple(ReviewChoice(kind, kind.capitalize(), count) for kind, count in kinds),
        session.chosen.kind,
        tuple(ReviewChoice(app, formats.app_name(app), count) for app, count in apps),
        session.chosen.app,
        session.blind,
    )


def task_shown(session: ReviewSession, numbers: Mapping[int, int], failed: Sequence[str]) -> ShownTask | None:
    """The task that is shown, in the words that the person gave it. `numbers`: as people count the steps, by their
    index; `failed` are the checks of those words, as a person reads them."""
    task = session.task
    if task is None:
        return None
    mine, stored = session.mine(task), session.stored(task)
    now = edited(task, mine) if mine is not None else task
    state = OPEN if mine is None else mine.verdict.value
    return ShownTask(
        f"Task {session.at + 1} of {formats.count(len(session.shown))}",
        f"{_where(task)} · made by {maker_name(task.slot.made_by)}",
        now.goal,
        parts_of_task(now),
        tuple(
            ShownPiece(
                one.step, numbers.get(one.step, one.step + 1), one.kind.value, one.value, one.question, one.answer
            )
            for one in now.pieces
        ),
        tuple(failed),
        state,
        LOOKS[state],
        (mine.note or "no reason given") if mine is not None and not stands(mine) else "",
        tuple(_said(one, task) for one in session.others(task)),
        "It was made anew since you reviewed it." if stored is not None and mine is None else "",
    )


def parts_of_task(task: AmbiguousTask) -> tuple[GoalPart, ...]:
    """The words of the original goal and what became of them: as they were cut, else by comparing both goals."""
    cuts = [cut for piece in task.pieces for cut in piece.cuts]
    try:
        if cuts and with_cuts(task.original, cuts) == task.goal:
            return parts_of(task.original, cuts)
    except ValueError:
        pass  # what a model or a person wrote is not known by its cuts
    return goal_parts(task.original, task.goal)


def reading_shown(task: AmbiguousTask, index: int, place: int, total: int, instruction: str | None) -> ShownReading:
    """A step of the task's episode in words; `instruction` is the data's own, for a step that was not read."""
    words = f"{place + 1} of {total}"
    reading = next((one for one in task.readings if one.index == index), None)
    left_out = any(piece.step == index for piece in task.pieces)
    if reading is None:
        return ShownReading(words, instruction or "", left_out=left_out)
    needs = f"Needs of the goal: “{reading.words}”" if reading.words and reading.role is StepRole.INFORMATIVE else ""
    return ShownReading(words, reading.instruction or instruction or "", reading.role.value, needs, left_out)


def maker_name(made_by: str) -> str:
    return "rules" if made_by == RULES else made_by


def _where(task: AmbiguousTask) -> str:
    where = f"{formats.app_name(task.app)} · " if task.app else ""
    kinds = ", ".join(dict.fromkeys(piece.kind.value for piece in task.pieces))
    return f"{where}{kinds} · {formats.counted(len(task.readings), 'step')}"


def _said(one: AskReview, task: AmbiguousTask) -> str:
    """What another person said, in a line or two."""
    if not stands(one):
        return f"{one.reviewer} rejected it{f': {one.note}' if one.note else ''}"
    if one.goal or one.pieces:
        other = edited(task, one)
        asks = "".join(f"\n{piece.question} {piece.answer}" for piece in other.pieces)
        return f"{one.reviewer} edited it: {other.goal}{asks}"
    return f"{one.reviewer} accepted it"


def _pace(session: ReviewSession) -> str:
    """How long a task takes as a rule."""
    spent = [one.seconds for one in session.reviewed() if one.seconds > 0]
    return f"{formats.duration(median(spent))} a task" if spent else ""
