"""What people say of ambiguous tasks, for both faces: listing, reviewing with undo, agreement, statistics."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from stepscope.core.domain.ambiguous_task import (
    AmbiguousTask,
    AskReview,
    PieceEdit,
    ReviewVerdict,
    TaskStanding,
    edit_of,
    standing,
)
from stepscope.core.errors import UsageError
from stepscope.core.evaluation.ambiguous_statistics import AmbiguousStatistics, ambiguous_statistics
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.agreement import PairwiseAgreement, pairwise_agreement
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import ambiguous_tasks as rows
from stepscope.models.ask.making.task_checks import failed_checks, lost_words

LONGEST_REVIEWER = 200


@dataclass(frozen=True, slots=True)
class ListedTask:
    """A task, what people say of its words, what that comes to, and the task in the words of the latest edit."""

    task: AmbiguousTask
    reviews: tuple[AskReview, ...]
    standing: TaskStanding
    settled: AmbiguousTask

    @property
    def reworded(self) -> tuple[str, ...]:
        """Words of the original goal that went besides what is left out."""
        return lost_words(self.settled)

    @property
    def checks(self) -> tuple[str, ...]:
        """The checks that it does not stand in the words that it has now."""
        return self.task.failed if self.settled is self.task else failed_checks(self.settled)


@dataclass(frozen=True, slots=True)
class ReviewChange:
    """What there was in the same places, and what there is now."""

    before: tuple[AskReview, ...] = ()
    after: tuple[AskReview, ...] = ()

    @property
    def reverse(self) -> ReviewChange:
        """What undoes it."""
        return ReviewChange(self.after, self.before)


def listed_tasks(
    database: Database, source: str, *, made_by: str | None = None, episode: str | None = None
) -> list[ListedTask]:
    """The tasks of a data set that leave something out, those that stand all checks first."""
    with database.reading() as db:
        tasks = rows.tasks_of(db, source, made_by=made_by, episode=episode)
        said: dict[object, list[AskReview]] = {}
        for review in rows.reviews_of(db, source, episode=episode):
            said.setdefault(review.slot, []).append(review)
    found = []
    for task in tasks:
        if task.is_enough:
            mine = tuple(one for one in said.get(task.slot, ()) if one.is_of(task))
            found.append(ListedTask(task, mine, *standing(task, mine)))
    return sorted(found, key=lambda one: bool(one.task.failed))


def task_named(database: Database, source: str, id: str) -> ListedTask:
    """The task whose id begins so. Raises UsageError where there is none, or several."""
    found = [one for one in listed_tasks(database, source) if id and one.task.id.startswith(id)]
    if len(found) != 1:
        said = "There is no task" if not found else f"{len(found)} tasks have an id that begins with"
        raise UsageError(f"{said} {id!r}.", hint="stepscope ambiguous list PATH lists them with their ids.")
    return found[0]


def reviewer_named(name: str) -> str:
    """The name without blanks around it. Raises UsageError for none and for one that is too long."""
    found = " ".join(name.split())
    if not found or len(found) > LONGEST_REVIEWER:
        raise UsageError("that is no reviewer's name.", hint=f"Give one of at most {LONGEST_REVIEWER} characters.")
    return found


def verdict_of(
    task: AmbiguousTask, reviewer: str, verdict: ReviewVerdict, note: str = "", seconds: float = 0.0
) -> AskReview:
    """That somebody accepts or rejects the task as it is, now."""
    now = datetime.now(UTC)
    return AskReview(task.slot, reviewer_named(reviewer), verdict, task.wording, now, note=note, seconds=seconds)


def edit_by(
    task: AmbiguousTask, reviewer: str, goal: str | None, pieces: Sequence[PieceEdit], seconds: float = 0.0
) -> AskReview:
    """That somebody words it otherwise, now; ACCEPTED where nothing differs. Raises UsageError for words that cannot
    be."""
    wanted = task.goal if goal is None else " ".join(goal.split())
    try:
        return edit_of(task, reviewer_named(reviewer), datetime.now(UTC), wanted, pieces, seconds=seconds)
    except ValueError as error:
        raise UsageError(f"{error}.", hint="Give words for the goal, each question and each answer.") from error


def review(database: Database, change: ReviewChange) -> ReviewChange:
    """Drop what is in the places of `before`, keep `after`; what was dropped is `before` of the answer, whose `reverse`
    undoes it. Raises StoreError when nothing can be written."""
    with database.unit_of_work() as db:
        return ReviewChange(rows.replace_reviews(db, change.before, change.after), change.after)


def agreement(listed: Iterable[ListedTask]) -> tuple[int, PairwiseAgreement]:
    """How many tasks two people or more reviewed, and how far they agree on whether a task stands (Cohen's kappa of
    each two, mean over the pairs); an edit lets it stand."""
    items = [
        {one.reviewer: one.verdict is not ReviewVerdict.REJECTED for one in task.reviews}
        for task in listed
        if len(task.reviews) > 1
    ]
    return len(items), pairwise_agreement(items)


def statistics_of(database: Database, source: str) -> dict[str, AmbiguousStatistics]:
    """The statistics of each maker's tasks, by its name."""
    with database.reading() as db:
        makers = rows.makers(db, source)
        return {name: ambiguous_statistics(rows.tasks_of(db, source, made_by=name)) for name in makers}
