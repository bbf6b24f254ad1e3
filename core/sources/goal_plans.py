"""Goals with plans that workers rated (TurkingBench's *Goal feasibility*): a table without its page, a plan an episode.

`goal`, `steps_html` ("a > b > c") and `Answer.achievable` from 2 (definitely) over 0 (somewhat: tricky, but it could be
done) to -2 (not at all), by the words of the task's page. Rows with equal inputs are one plan with several workers'
answers. Checked on the real table. Facts: Xu et al., "TurkingBench", arXiv:2403.11905;
github.com/JHU-CLSP/turking-bench, `tasks/Goal feasibility/template.html`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from stepscope.core.domain.episode import (
    Episode,
    EpisodeSummary,
    Feasibility,
    FeasibilityLabel,
    Observation,
    Platform,
    Problem,
    Step,
    summarise,
)
from stepscope.core.errors import SourceError
from stepscope.core.frozen import dataclass
from stepscope.core.sources.assignments import filled, grouped, input_columns, ordered_inputs, slips, whole_rows
from stepscope.core.sources.csv_table import TableRow, read_table
from stepscope.core.sources.files import check_size, check_steps, shortened
from stepscope.core.sources.findings import Findings, problem_of
from stepscope.core.sources.procedures import PAGE
from stepscope.core.sources.record_source import RecordSource
from stepscope.core.sources.sniffers.goal_plans import FORMAT, locate
from stepscope.core.sources.sniffers.plan_table import ACHIEVABLE, GOAL, STEPS
from stepscope.core.sources.web_answers import EMPTY, PREFIX

_BETWEEN = re.compile(r"\s>\s")
_SCALE = {word: vote for vote in range(-2, 3) for word in (str(vote), f"{vote}.0")}
"""The answers as they are written; programs that count write them with a point."""


@dataclass(frozen=True, slots=True)
class RatedPlan:
    """A goal, the steps of a plan for it, and what workers said. `votes` are their answers to whether the goal is
    achievable, -2..2; `answers` have the cells of each worker's answers by question, `columns` the plan's other inputs
    (such as `label`)."""

    id: str
    goal: str
    steps: tuple[str, ...]
    votes: tuple[int, ...]
    answers: tuple[Mapping[str, str], ...]
    columns: Mapping[str, str]
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class _PlanTable:
    """A table's header and, of each of its plans in order, the rows and their cells."""

    header: tuple[str, ...]
    plans: tuple[tuple[tuple[TableRow, tuple[str, ...]], ...], ...]


def split_steps(text: str) -> tuple[str, ...]:
    """The steps of a plan, which are parted by " > "."""
    return tuple(step for part in _BETWEEN.split(text) if (step := part.strip()))


def label_of(votes: Sequence[int]) -> FeasibilityLabel | None:
    """Feasible where the mean of the votes is above 0, infeasible where it is below; None at 0 and without votes
    (ours)."""
    total = sum(votes)
    if total == 0:
        return None
    return FeasibilityLabel.FEASIBLE if total > 0 else FeasibilityLabel.INFEASIBLE


def outline(table: Path) -> Iterator[EpisodeSummary | Problem]:
    """Every plan; one that cannot be read comes as a problem."""
    read = _table(table)
    for number in range(len(read.plans)):
        try:
            yield summarise(episode_of(_plan(read, number, str(number), table)), str(number))
        except SourceError as error:
            yield problem_of(error, table.parent, str(number))


def load(table: Path, place: str, plan_id: str) -> RatedPlan:
    """Plan number `place` of the table."""
    read = _table(table)
    count = len(read.plans)
    if not place.isdecimal() or len(place) > len(str(count)) or int(place) >= count:
        raise SourceError("the table has no such plan", place=table, record=shortened(place))
    return _plan(read, int(place), plan_id, table)


def episode_of(plan: RatedPlan) -> Episode:
    """The plan as an episode in words: a step for each of its steps, without screens or actions."""
    return Episode(
        id=plan.id,
        format=FORMAT.name,
        platform=Platform.TEXT,
        goal=plan.goal,
        steps=tuple(Step(index, Observation(PAGE), None, words) for index, words in enumerate(plan.steps)),
        feasibility=Feasibility(label_of(plan.votes)),
        problems=plan.problems,
    )


def _table(table: Path) -> _PlanTable:
    """The table, read again when it has changed."""
    try:
        mark = table.stat()
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}", place=table) from error
    check_size(table, mark.st_size)
    return _read(table, (mark.st_mtime_ns, mark.st_size))


@lru_cache(maxsize=4)
def _read(table: Path, mark: tuple[int, int]) -> _PlanTable:
    header, found = read_table(table)
    known = {*input_columns(header), *(name for name in header if name.startswith(PREFIX))}
    for name in (GOAL, STEPS, ACHIEVABLE):
        if name not in known:
            raise SourceError(f"the table has no column {name}", place=table, field=name)
    rows = filled(found)
    cells = whole_rows(header, rows)
    groups = grouped(header, cells).values()
    return _PlanTable(header, tuple(tuple((rows[at], cells[at]) for at in members) for members in groups))


def _plan(table: _PlanTable, number: int, plan_id: str, file: Path) -> RatedPlan:
    """Plan `number`. Rows that are not whole have no vote. Raises SourceError where no row is whole, and for a plan
    without goal or steps."""
    findings, header = Findings(plan_id, file.parent, file=file), table.header
    sound: list[tuple[int, Mapping[str, str]]] = []
    for row, cells in table.plans[number]:
        wrong = " and ".join(slips(row, len(header)))
        if wrong:
            findings.add(wrong, field=header[len(row.cells)] if len(row.cells) < len(header) else "")
        else:
            sound.append((row.number, dict(zip(reversed(header), reversed(cells), strict=True))))
    if not sound:
        raise SourceError(
            "; ".join(one.message for one in findings.problems), place=file, field=findings.problems[0].field
        )
    first = table.plans[number][0][1]
    columns = {name: first[place] for name, place in ordered_inputs(header)}
    goal, steps = columns.pop(GOAL).strip(), split_steps(columns.pop(STEPS))
    for name, value in ((GOAL, goal), (STEPS, steps)):
        if not value:
            raise SourceError(f"row {sound[0][0]} has nothing in {name}", place=file, field=name)
    check_steps(len(steps), file, STEPS)
    votes = _votes(sound, findings)
    return RatedPlan(
        id=plan_id,
        goal=goal,
        steps=steps,
        votes=votes,
        answers=tuple(
            {name.removeprefix(PREFIX): cell for name, cell in cells.items() if name.startswith(PREFIX)}
            for _, cells in sound
        ),
        columns=columns,
        problems=findings.as_tuple(),
    )


def _votes(rows: Sequence[tuple[int, Mapping[str, str]]], findings: Findings) -> tuple[int, ...]:
    """The answers to whether the goal is achievable. Others than those of the scale, and votes of both sides, are told;
    no answer is none."""
    votes = []
    for number, cells in rows:
        cell = cells[ACHIEVABLE].strip()
        if cell in _SCALE:
            votes.append(_SCALE[cell])
        elif cell not in EMPTY:
            findings.add(f"row {number}: {shortened(cell)!r} is none of -2, -1, 0, 1 and 2", field=ACHIEVABLE)
    if votes and min(votes) < 0 < max(votes):
        findings.add(f"its {len(votes)} workers do not agree: {', '.join(map(str, votes))}", field=ACHIEVABLE)
    return tuple(votes)


def open_goal_plans(path: Path) -> RecordSource[RatedPlan]:
    """The table, or a folder with it; ids are the plans' numbers, from 0 in order of first appearance."""
    return RecordSource(FORMAT.name, path, locate, outline, load, episode_of)
