"""Mind2Web as first released: JSON lists of tasks with their actions' HTML and candidates, without pictures.

A task: `{annotation_id, website, domain, subdomain, confirmed_task, action_reprs, actions: [{action_uid, raw_html,
cleaned_html, operation, pos_candidates, neg_candidates}]}`. MT-Mind2Web puts such tasks into `turns` of conversations
`{task_id, website, domain, subdomain, turns}`; each turn opens as an episode. Boxes are CSS pixels of the whole page.
Facts: Deng et al., "Mind2Web", NeurIPS 2023, and the data sets' cards. A file has up to a gigabyte: it is walked item
by item. Checked against the one released step that SeeAct's repository holds and on fixtures.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from stepscope.core.domain.episode import Episode, EpisodeSummary, Platform, Problem, Step
from stepscope.core.errors import SourceError
from stepscope.core.sources.files import check_steps, mapping_of, text_of
from stepscope.core.sources.findings import Findings
from stepscope.core.sources.json_records import ByteSpan, find_records, read_record, record_problem, span_at
from stepscope.core.sources.mind2web_step import NO_FRAME, action_counts, operation_of, step_of
from stepscope.core.sources.shards import ShardSource
from stepscope.core.sources.sniffers.mind2web import FORMAT, locate

_NUMBERED = re.compile(r"[_-]?\d+$")
_SPLITS = ("train", "test", "dev", "val")
_TURN = "turn"


def split_of(path: Path) -> tuple[str, ...]:
    """The split that a file's name tells (`test_task_3.json`), or that of its folder (`test_task/3.json`)."""
    for name in (path.stem.split("-")[0], path.absolute().parent.name):
        split = _NUMBERED.sub("", name)
        if split.startswith(_SPLITS):
            return (split,)
    return ()


def outline(path: Path) -> Iterator[EpisodeSummary | Problem]:
    """An index row for each task, or for each turn of a conversation."""
    for span in find_records(path):
        if isinstance(span, Problem):
            yield span
            continue
        try:
            record = read_record(path, span)
        except SourceError as error:
            yield record_problem(error, span, path)
            continue
        for turn, task in _tasks(record):
            yield _row(path, span, turn, task)


def _tasks(record: Mapping[str, Any]) -> Iterator[tuple[int | None, Mapping[str, Any]]]:
    """The tasks of a record with their numbers: the turns of a conversation, or itself without a number."""
    turns = record.get("turns")
    if not isinstance(turns, list):
        yield None, record
        return
    shared = {name: record.get(name) for name in ("website", "domain", "subdomain")}
    for number, turn in enumerate(turns):
        own = mapping_of(turn)
        identity = own.get("annotation_id") or f"{text_of(record.get('task_id'))}/{number}"
        yield number, {**shared, **own, "annotation_id": identity}


def _row(path: Path, span: ByteSpan, turn: int | None, task: Mapping[str, Any]) -> EpisodeSummary:
    actions = [action for action in _actions(task) if isinstance(action, dict)]
    return EpisodeSummary(
        id=text_of(task.get("annotation_id")) or f"{path.stem} {span.number}",
        goal=text_of(task.get("confirmed_task")),
        app=text_of(task.get("website")) or None,
        platform=Platform.WEB,
        steps=len(actions),
        screens=0,
        actions=action_counts(operation_of(action.get("operation")) for action in actions),
        splits=split_of(path),
        place=span.place if turn is None else f"{span.place} {_TURN} {turn}",
        checked=False,
    )


def _actions(task: Mapping[str, Any]) -> list[Any]:
    actions = task.get("actions")
    return actions if isinstance(actions, list) else []


def load(path: Path, place: str, episode_id: str) -> Episode:
    """The task at a place of an index row; SourceError when nothing like it is there."""
    where, _, turn = place.partition(f" {_TURN} ")
    record = read_record(path, span_at(where))
    tasks = dict(_tasks(record))
    task = tasks.get(int(turn) if turn.isdecimal() and len(turn) < 9 else None)
    if task is None:
        raise SourceError(f"the conversation has no turn {turn!r}", place=path, record=episode_id)
    findings = Findings(episode_id, path.parent)
    return Episode(
        id=episode_id,
        format=FORMAT.name,
        platform=Platform.WEB,
        goal=_goal(task, findings, path),
        steps=tuple(_steps(task, findings, path)),
        app=text_of(task.get("website")) or None,
        splits=split_of(path),
        problems=findings.as_tuple(),
    )


def _goal(task: Mapping[str, Any], findings: Findings, path: Path) -> str:
    goal = text_of(task.get("confirmed_task"))
    if not goal:
        findings.add("there is no confirmed_task", field="goal", file=path)
    return goal


def _steps(task: Mapping[str, Any], findings: Findings, path: Path) -> Iterator[Step]:
    if not isinstance(task.get("actions"), list):
        findings.add("there is no list of actions", field="actions", file=path)
    check_steps(len(_actions(task)), path, "actions")
    for index, action in enumerate(_actions(task)):
        if isinstance(action, dict):
            yield step_of(index, action, NO_FRAME, findings)
        else:
            findings.add("the action is no object", step=index, field="actions", file=path)


def open_mind2web(path: Path) -> ShardSource:
    """A folder of the release's JSON files at any depth, or one of them; ids are the annotation ids."""
    return ShardSource(FORMAT.name, path, locate=locate, outline=outline, load=load)
