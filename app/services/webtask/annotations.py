"""People who fill in the pages of web tasks: drafts, submissions, what is next, and how far everybody is.

Qt-free. Answers are kept under the path of the data, as other annotations are (`core.domain.web_answer`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from stepscope.core.domain.web_answer import WebAnswer
from stepscope.core.errors import UsageError
from stepscope.core.frozen import dataclass
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import web_answers as rows

LONGEST_NAME = 100


@dataclass(frozen=True, slots=True)
class AnswerChange:
    """Answers before and after. Made, it holds exactly what was dropped and what stands in its place."""

    before: tuple[WebAnswer, ...] = ()
    after: tuple[WebAnswer, ...] = ()

    def undone(self) -> AnswerChange:
        return AnswerChange(self.after, self.before)


@dataclass(frozen=True, slots=True)
class InstanceOrder:
    """The order in which a person gets the instances of a task. `seed` None: as in the data; else shuffled, the same
    for everybody, so that the answers of several people meet on the same instances first. `enough`: instances that so
    many others have submitted are left out; 0: none is."""

    seed: int | None = None
    enough: int = 0


@dataclass(frozen=True, slots=True)
class PersonProgress:
    """The progress of a person with a task: of `instances` so many were submitted, and so many begun. `seconds` are
    those of the submitted ones together. `instances` 0: the task is not in the data that is open."""

    task: str
    annotator: str
    submitted: int
    drafts: int
    seconds: float
    instances: int

    @property
    def each(self) -> float | None:
        """Seconds that an instance took on average; None while nothing is submitted."""
        return self.seconds / self.submitted if self.submitted else None


def known_as(path: Path) -> str:
    """What the store calls the data at `path`."""
    return str(path.resolve())


def checked_name(name: str) -> str:
    """A person's name as it is kept. Raises UsageError for one that cannot be told from others in a table."""
    kept = " ".join(name.split())
    if not kept or len(kept) > LONGEST_NAME or not kept.isprintable():
        hint = f"A name has 1 to {LONGEST_NAME} printable characters."
        raise UsageError("This is no name of somebody who answers.", hint=hint)
    return kept


def make(database: Database, change: AnswerChange) -> AnswerChange:
    """Drop what is in the places of `before`, keep `after`; `make` on the `undone()` result puts everything back.

    Raises StoreError when nothing can be written.
    """
    with database.unit_of_work() as db:
        return AnswerChange(rows.replace(db, change.before, change.after), change.after)


def draft_of(
    source: str, task: str, instance: str, annotator: str, fields: Mapping[str, str], seconds: float, log: str = ""
) -> WebAnswer:
    """What somebody has filled in until now. Fields that are empty are left out."""
    filled = {name: value for name, value in fields.items() if value}
    return WebAnswer(source, task, instance, checked_name(annotator), filled, datetime.now(UTC), seconds, None, log)


def save_draft(database: Database, draft: WebAnswer) -> AnswerChange:
    """Keep what was typed until now: it is there when the program ends without warning. Call it after every change.

    Raises UsageError where the answer was submitted: it has to be taken back first.
    """
    with database.unit_of_work() as db:
        there = rows.get(db, *draft.key)
        if there is not None and there.submitted is not None:
            raise UsageError("This page was submitted already.", hint="Take the answer back to change it.")
        after = (replace(draft, submitted=None),)
        return AnswerChange(rows.replace(db, (), after), after)


def submit(database: Database, draft: WebAnswer, now: datetime | None = None) -> AnswerChange:
    """Hand the answer in; `make(database, change.undone())` brings the draft back that was there before."""
    moment = now or datetime.now(UTC)
    return make(database, AnswerChange(after=(replace(draft, changed=moment, submitted=moment),)))


def take_back(database: Database, source: str, instance: str, annotator: str) -> AnswerChange:
    """Make a submitted answer a draft again. Raises UsageError where there is none."""
    with database.unit_of_work() as db:
        there = rows.get(db, source, instance, annotator)
        if there is None or there.submitted is None:
            raise UsageError(f"{annotator} submitted nothing for {instance}.")
        after = (replace(there, submitted=None),)
        return AnswerChange(rows.replace(db, (), after), after)


def delete(database: Database, answers: Iterable[WebAnswer]) -> AnswerChange:
    """Forget these answers, whatever state they are in by now."""
    return make(database, AnswerChange(before=tuple(answers)))


def answer_of(database: Database, source: str, instance: str, annotator: str) -> WebAnswer | None:
    """The person's answer to the instance, draft or submitted."""
    with database.reading() as db:
        return rows.get(db, source, instance, annotator)


def listed(
    database: Database, source: str, *, task: str | None = None, annotator: str | None = None, drafts: bool = True
) -> list[WebAnswer]:
    """Answers by task, instance in natural order, and annotator; without `drafts` only what was submitted."""
    with database.reading() as db:
        found = rows.of_source(db, source, task=task, annotator=annotator)
    wanted = [one for one in found if drafts or one.submitted is not None]
    return sorted(wanted, key=lambda one: (one.task, *_natural(one.instance), one.annotator))


def annotators(database: Database, source: str | None = None) -> list[str]:
    """Everybody who answered something, in any data or in this."""
    with database.reading() as db:
        return rows.annotators(db, source)


def progress(database: Database, source: str, instances: Mapping[str, int]) -> list[PersonProgress]:
    """Progress of everybody who began with a task; `instances`: how many each task has."""
    with database.reading() as db:
        found = rows.progress(db, source)
    return [
        PersonProgress(one.task, one.annotator, one.submitted, one.drafts, one.seconds, instances.get(one.task, 0))
        for one in found
    ]


def next_instance(
    database: Database,
    source: str,
    task: str,
    instances: Sequence[str],
    annotator: str,
    order: InstanceOrder = InstanceOrder(),  # noqa: B008 - frozen
    *,
    after: str | None = None,
) -> str | None:
    """The next instance that the person has not submitted, behind `after` and then from the start; None when all are
    done. `instances` are the ids of the task in the order of the data."""
    with database.reading() as db:
        held = rows.holders(db, source, task)
    return _next(instances, held, annotator, order, after)


def ordered(instances: Sequence[str], seed: int | None) -> list[str]:
    """The instances as an `InstanceOrder` with this seed has them. One that is added changes the places of no two
    others."""
    if seed is None:
        return list(instances)
    return sorted(instances, key=lambda one: hashlib.sha256(f"{seed}\0{one}".encode("utf-8", "surrogatepass")).digest())


def _next(
    instances: Sequence[str],
    held: Mapping[str, Mapping[str, bool]],
    annotator: str,
    order: InstanceOrder,
    after: str | None,
) -> str | None:
    several = ordered(instances, order.seed)
    start = several.index(after) + 1 if after in several else 0
    wanted = (one for one in several[start:] + several[:start] if _is_open(held.get(one, {}), annotator, order.enough))
    return next(wanted, None)


def _is_open(holders: Mapping[str, bool], annotator: str, enough: int) -> bool:
    """Whether the person should answer an instance that these hold."""
    if holders.get(annotator, False):
        return False
    others = sum(submitted for name, submitted in holders.items() if name != annotator)
    return not enough or others < enough


def _natural(instance: str) -> tuple[str, int, str]:
    """`task/10` behind `task/9`."""
    task, _, number = instance.rpartition("/")
    return (task, int(number), "") if number.isdecimal() and len(number) < 10 else (task, -1, number)


def submitted_by_instance(answers: Iterable[WebAnswer]) -> dict[str, dict[str, Mapping[str, str]]]:
    """Fields by instance and annotator, of what was submitted."""
    found: dict[str, dict[str, Mapping[str, str]]] = {}
    for one in answers:
        if one.submitted is not None:
            found.setdefault(one.instance, {})[one.annotator] = one.fields
    return found


def tasks_of(answers: Collection[WebAnswer]) -> list[str]:
    """The tasks that the answers are about."""
    return sorted({one.task for one in answers})
