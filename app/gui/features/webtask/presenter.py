"""What the panels of the Web task workspace show, made of what the page and the store say."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from stepscope.app.gui.shell.web_words import split_words
from stepscope.app.services.webtask.judging import JudgedField, JudgedPage
from stepscope.core.webtask.page import BlockedRequest, PageLook
from stepscope.widgets.format import confidence
from stepscope.widgets.webtask import BlockedHost
from stepscope.widgets.webtask import page_fields as page
from stepscope.widgets.webtask import side_values as side
from stepscope.widgets.webtask.people_values import (
    PageDeliveryOptions,
    PeopleView,
    PersonRow,
)

if TYPE_CHECKING:
    from stepscope.app.services.webtask.annotations import PersonProgress
    from stepscope.core.webtask.agreement import TaskAgreement


_WHO = {"you": "You", "oracle": "Oracle", "trial": "Solver"}


def fields_state(
    judged: JudgedPage, who: str, run: int | None, rules: str, *, hidden: bool, asked: bool
) -> side.FieldsState:
    """`who` answered, `run` is the place of a run's letter. `hidden`: the person fills the page in and shall not see
    what others said; `asked`: wants to see it all the same."""
    people = (
        side.PeopleVisibility.HIDDEN
        if hidden
        else side.PeopleVisibility.ASKED_FOR
        if asked
        else side.PeopleVisibility.SHOWN
    )
    return side.FieldsState(
        rows=tuple(_row(one, open_=hidden) for one in judged.fields),
        run=run,
        who=_WHO.get(who, "Model"),
        mine=who == "you",
        score=None if hidden else judged.score,
        rules=rules,
        people=people,
    )


def _row(one: JudgedField, *, open_: bool) -> side.FieldRow:
    state = side.FieldAnswerState.SCORED
    if one.missing:
        state = side.FieldAnswerState.MISSING
    elif open_:
        state = side.FieldAnswerState.OPEN
    elif one.score is None:
        state = side.FieldAnswerState.UNSCORED
    return side.FieldRow(
        name=one.name,
        type=one.type.value,
        number=one.number,
        value=None if one.missing else one.value,
        people=() if open_ else tuple(side.PeopleAnswer(said.value, said.workers) for said in one.said),
        score=None if open_ else one.score,
        state=state,
        agreement="" if open_ else one.agreement,
        why="" if open_ else one.why,
        label=one.label,
    )


def page_marks(judged: JudgedPage, look: PageLook, *, open_: bool) -> list[page.PageFieldMark]:
    """The fields on the page by the numbers of the table; `open_`: nothing is said about right and wrong."""
    boxes = {one.name: one.box for one in look.fields}
    return [
        page.PageFieldMark(one.number, one.name, boxes.get(one.name), _mark(one, open_), _words(one, open_))
        for one in judged.fields
    ]


def _mark(one: JudgedField, open_: bool) -> page.FieldState:
    if open_:
        return page.FieldState.PLAIN
    if one.score is None:
        return page.FieldState.UNSCORED
    if one.score >= 1:
        return page.FieldState.RIGHT
    return page.FieldState.WRONG if one.score <= 0 else page.FieldState.PARTLY


def _words(one: JudgedField, open_: bool) -> str:
    if open_:
        return one.type.value
    people = ", ".join(said.value or "nothing" for said in one.said[:3])
    score = "unscored" if one.score is None else confidence(one.score)
    return f"{one.type.value}, {score}" + (f", people: {people}" if people else "")


def field_choices(look: PageLook, names: Sequence[str]) -> list[side.FieldChoice]:
    """The answer fields as actions can be done to them, in the task's order."""
    there = {one.name: one for one in look.fields}
    return [
        side.FieldChoice(name, there[name].type.value, _options(there[name].options), there[name].value)
        for name in names
        if name in there
    ]


def _options(options: Sequence[object]) -> tuple[tuple[str, str], ...]:
    return tuple((one.value, one.label) for one in options)  # type: ignore[attr-defined]


def task_rows(rows: Sequence[tuple[str, str, int]], scores: Mapping[str, float] | None) -> list[side.WebTaskRow]:
    """`rows`: name, splits parted by line breaks, pages; `scores` by task, None where no run is shown."""
    return [
        side.WebTaskRow(name, name, split_words(splits.split("\n")), (scores or {}).get(name), pages)
        for name, splits, pages in rows
    ]


def people_view(
    habits: PageDeliveryOptions, names: Sequence[str], everybody: Sequence[PersonProgress], found: TaskAgreement | None
) -> PeopleView:
    """`found` is the agreement of the open task, None where none is open."""
    rows = tuple(
        PersonRow(one.task, one.annotator, one.submitted, one.drafts, one.instances, one.seconds) for one in everybody
    )
    return PeopleView(habits, tuple(names), rows, found)


def people_progress(me: str, task: str, everybody: Sequence[PersonProgress], total: int) -> side.PeopleProgress | None:
    """How far people are with a task; None where nobody has submitted any page of it."""
    done = {one.annotator: one.submitted for one in everybody if one.task == task and one.submitted}
    return side.PeopleProgress(done.get(me, 0), total, len(done)) if done else None


def hosts_of(blocked: Iterable[BlockedRequest], allowed: Collection[str]) -> list[BlockedHost]:
    """One row a host, the one asked most often first; hosts that are allowed stand there too."""
    rows: dict[str, BlockedHost] = {host: BlockedHost(host, allowed=True) for host in sorted(allowed)}
    for one in blocked:
        before = rows.get(one.host, BlockedHost(one.host))
        kinds = tuple(dict.fromkeys((*before.kinds, one.kind)))
        rows[one.host] = BlockedHost(one.host, kinds, before.times + one.times, one.url, before.allowed)
    return sorted(rows.values(), key=lambda row: (-row.times, row.host))
