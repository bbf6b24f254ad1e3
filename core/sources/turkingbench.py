"""TurkingBench, and any folder of a Mechanical Turk page and its results: `template.html` beside `batch.csv`.

Rows of the table are assignments: those with equal inputs are one instance with several workers' answers. Splits are
lists of folder names, `splits/*.txt` or `data/splits/*.txt` beside the tasks. Pages are not rendered. Checked on the
real tasks. Facts: Xu et al., "TurkingBench", arXiv:2403.11905 (section 3); github.com/JHU-CLSP/turking-bench,
`src/evaluation_class.py`.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from stepscope.core.domain.action import Action, Select, Target, Type
from stepscope.core.domain.episode import Episode, EpisodeSummary, Observation, Platform, Problem, Step, summarise
from stepscope.core.domain.webtask import FieldType, WebField, WebInstance, WebTask
from stepscope.core.errors import SourceError
from stepscope.core.frozen import dataclass
from stepscope.core.sources.assignments import filled, grouped, input_columns, ordered_inputs, slips, whole_rows
from stepscope.core.sources.csv_table import TableRow, read_table
from stepscope.core.sources.files import check_size, read_bytes, read_text, safe_join, shortened
from stepscope.core.sources.folders import find_episodes, no_such_episode
from stepscope.core.sources.look import visible
from stepscope.core.sources.page_bounds import check_page, check_tags
from stepscope.core.sources.procedures import PAGE
from stepscope.core.sources.record_source import RecordSource
from stepscope.core.sources.sniffers.turkingbench import FORMAT, TEMPLATE, locate
from stepscope.core.sources.web_answers import CHOICES, AnswerTable
from stepscope.core.sources.web_template import fields_of, title_of, variables_of

_ABOUT = ("Title", "Description", "Keywords")
_SPLITS = ("splits", "data/splits")
_REST = "train"
_CALLED = {
    "evaluation_tasks_easy": "evaluation_tasks_easy/test",
    "evaluation_tasks_hard": "evaluation_tasks_hard/challenge",
}
"""The lists of the released data by the paper's names (section 3.6)."""
_ASIDE = frozenset({"subjective_evaluation_tasks"})
"""Lists that say something of tasks without taking them out of the rest."""
_BOOKKEEPING = frozenset({"assignmentId", "csrfmiddlewaretoken", "worker_ip", "ee"})
"""Fields that pages have for the site's own sake (released evaluation code)."""

_TAG = re.compile(r"<[^<>]{0,500}>")
_SHOWN_INPUTS = 3
_SHOWN_LENGTH = 60
_A_WORD = 12
"""Longer than this without a space is an address or an id rather than a word (ours)."""


@dataclass(frozen=True, slots=True)
class _TaskBatch:
    """A task with all its instances."""

    task: WebTask
    instances: tuple[WebInstance, ...]


@dataclass(frozen=True, slots=True)
class _TaskInstance:
    """One instance and its task: what is needed to show it."""

    task: WebTask
    instance: WebInstance


class TurkingBench(RecordSource[_TaskInstance]):
    """A `WebTaskSource` over folders of tasks; ids are `<task>/<n>`, n from 0 in order of first appearance."""

    def read_task(self, name: str) -> WebTask:
        """The task in the first folder of that name."""
        return _batch(self.table_of(name)).task

    def task_names(self) -> list[str]:
        """The names of all tasks, in natural order."""
        return [_name(table) for table in find_episodes(self.path, locate) if isinstance(table, Path)]

    def instances_of(self, name: str) -> tuple[WebInstance, ...]:
        """All instances of the task; errors as those of `read_task`."""
        return _batch(self.table_of(name)).instances

    def table_of(self, name: str) -> Path:
        """The file of the task's table, in the first folder of that name. Raises UsageError."""
        for table in find_episodes(self.path, locate):
            if isinstance(table, Path) and _name(table) == name:
                return table
        raise no_such_episode(self.path, name)

    def read_instance(self, instance_id: str, place: str = "") -> WebInstance:
        """The instance; UsageError when there is none of that id, SourceError when it cannot be read."""
        return self.record(instance_id, place).instance


def outline(table: Path) -> Iterator[EpisodeSummary | Problem]:
    """Every instance of a task's table."""
    batch = _batch(table)
    for number, instance in enumerate(batch.instances):
        yield summarise(episode_of(_TaskInstance(batch.task, instance)), str(number), "instance")


def load(table: Path, place: str, instance_id: str) -> _TaskInstance:
    """Instance number `place` of the table."""
    batch = _batch(table)
    count = len(batch.instances)
    if not place.isdecimal() or len(place) > len(str(count)) or int(place) >= count:
        raise SourceError("the table has no such instance", place=table, record=shortened(place))
    return _TaskInstance(batch.task, replace(batch.instances[int(place)], id=instance_id))


def episode_of(page: _TaskInstance) -> Episode:
    """The instance for showing: one step for each field that the first worker answered, in page order."""
    task, instance = page.task, page.instance
    answers = instance.answers[0] if instance.answers else {}
    filled = [(field, answers[field.name]) for field in task.fields if field.name in answers]
    steps = tuple(
        Step(index, Observation(PAGE), _action(field, value), field.label or field.name)
        for index, (field, value) in enumerate(filled)
    )
    return Episode(
        id=instance.id,
        format=FORMAT.name,
        platform=Platform.WEB,
        goal=_goal(task, instance),
        steps=steps,
        app=task.name,
        splits=task.splits,
        problems=instance.problems,
    )


def _action(field: WebField, value: str) -> Action:
    target = Target(None, field.label, field.name)
    return Select(value, None, target) if field.type in CHOICES else Type(value, None, target)


def _goal(task: WebTask, instance: WebInstance) -> str:
    """The task's title and the first inputs that the page shows and that read like words, not like ids."""
    values = [_plain(instance.inputs.get(column, "")) for column in task.columns]
    inputs = [shortened(words, _SHOWN_LENGTH) for words in values if words and (" " in words or len(words) <= _A_WORD)]
    return " · ".join([task.title, *inputs[:_SHOWN_INPUTS]])


def _plain(value: str) -> str:
    return " ".join(html.unescape(_TAG.sub(" ", value)).split())


def _name(table: Path) -> str:
    return table.absolute().parent.name


def _batch(table: Path) -> _TaskBatch:
    """The task of this table, read again when one of its two files has changed."""
    try:
        marks = tuple((mark.st_mtime_ns, mark.st_size) for mark in (table.stat(), (table.parent / TEMPLATE).stat()))
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}", place=error.filename or table) from error
    check_size(table, marks[0][1])
    check_page(marks[1][1], table.parent / TEMPLATE)
    return _read(table, marks)


def read_cells(table: Path) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """The table's header, and of each of its instances in order the cells of its first row, as they stand there.

    Raises SourceError.
    """
    header, found = read_table(table)
    rows = whole_rows(header, filled(found))
    return header, [rows[members[0]] for members in grouped(header, rows).values()]


@lru_cache(maxsize=4)
def _read(table: Path, marks: tuple[tuple[int, int], ...]) -> _TaskBatch:
    data = read_bytes(safe_join(table.parent, TEMPLATE))
    check_tags(data, table.parent / TEMPLATE)
    template = data.decode("utf-8-sig", errors="replace")
    header, found = read_table(table)
    numbered = filled(found)
    rows = whole_rows(header, numbered)
    page = fields_of(template)
    answers = AnswerTable.of(header, rows, page)
    inputs = input_columns(header)
    about = {name: rows[0][header.index(name)] if rows and name in header else "" for name in _ABOUT}
    task = WebTask(
        name=_name(table),
        title=_plain(about["Title"]) or title_of(template) or _name(table),
        description=about["Description"],
        template=template,
        columns=tuple(name for name in variables_of(template) if name in inputs),
        fields=answers.fields or tuple(one for one in page if _can_be_filled(one)),
        keywords=about["Keywords"],
        splits=_splits(table.absolute().parent),
    )
    return _TaskBatch(task, tuple(_instances(task, header, numbered, rows, answers)))


def _instances(
    task: WebTask,
    header: Sequence[str],
    numbered: Sequence[TableRow],
    rows: Sequence[tuple[str, ...]],
    answers: AnswerTable,
) -> Iterator[WebInstance]:
    """Rows with equal inputs together, in order of first appearance."""
    inputs = ordered_inputs(header)
    for number, (values, members) in enumerate(grouped(header, rows).items()):
        instance_id = f"{task.name}/{number}"
        named = zip((name for name, _ in inputs), values, strict=True)
        yield WebInstance(
            id=instance_id,
            task=task.name,
            inputs={name: value for name, value in named if name not in _ABOUT or name in task.columns},
            answers=tuple(answers.answers(rows[member]) for member in members) if answers.fields else (),
            problems=tuple(
                Problem(message, instance_id) for member in members for message in slips(numbered[member], len(header))
            ),
        )


def _can_be_filled(field: WebField) -> bool:
    return field.type is not FieldType.HIDDEN and field.name not in _BOOKKEEPING


def _splits(folder: Path) -> tuple[str, ...]:
    """The lists that name the task's folder, the paper's with the paper's word for them; "train" where there are lists
    and none takes the task out of it (released code)."""
    lists = [entry for name in _SPLITS for entry in _lists(folder.parent.parent / name)]
    found = [entry.stem for entry in lists if _names(entry, folder.name)]
    train = (_REST,) if lists and _ASIDE.issuperset(found) else ()
    return (*train, *(_CALLED.get(stem, stem) for stem in found))


def _names(entry: Path, task: str) -> bool:
    """Whether a list has the task; one that cannot be read has none."""
    try:
        return task in (line.strip() for line in read_text(entry).splitlines())
    except SourceError:
        return False


def _lists(folder: Path) -> list[Path]:
    try:
        names = visible(entry.name for entry in folder.iterdir() if entry.suffix == ".txt" and entry.is_file())
    except OSError:
        return []
    return [folder / name for name in names]


def open_turkingbench(path: Path) -> TurkingBench:
    """The data set's root, its folder of tasks, or one task."""
    return TurkingBench(FORMAT.name, path, locate, outline, load, episode_of)
