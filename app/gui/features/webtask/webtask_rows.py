"""What the panels of the Web task workspace show, made of what the page and the store say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from stepscope.app.gui.shell.web_words import split_words
from stepscope.app.services.webtask.judging import JudgedField, JudgedPage
from stepscope.core.webtask.actions import action_to_json
from stepscope.core.webtask.page import ExecutedCall, PageLook
from stepscope.core.webtask.solving import Exchange
from stepscope.widgets.format import confidence
from stepscope.widgets.webtask import page_fields as page
from stepscope.widgets.webtask import side_values as side

if TYPE_CHECKING:
    from stepscope.app.gui.features.webtask.webtask_controller import WebTaskController

_WHO = {"you": "You", "oracle": "Oracle", "trial": "Solver"}


def fields_state(
    judged: JudgedPage, task: WebTaskController, rules: str, *, hidden: bool, asked: bool
) -> side.FieldsState:
    """`hidden`: the person fills the page in and shall not see what others said; `asked`: wants to see it all the
    same."""
    people = (
        side.PeopleVisibility.HIDDEN
        if hidden
        else side.PeopleVisibility.ASKED_FOR
        if asked
        else side.PeopleVisibility.SHOWN
    )
    return side.FieldsState(
        rows=tuple(_row(one, open_=hidden) for one in judged.fields),
        run=task.run_place,
        who=_WHO.get(task.who, "Model"),
        mine=task.who == "you",
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


def action_lines(log: Sequence[ExecutedCall]) -> list[side.ActionLine]:
    return [side.ActionLine(action_to_json(one.action), one.at, one.took, one.ok, one.said, one.raw) for one in log]


def exchanges(found: Sequence[Exchange]) -> list[side.RawExchange]:
    return [side.RawExchange(one.output, one.field, one.tokens_in, one.tokens_out, one.cut, one.ms) for one in found]


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
