"""SeeAct's released examples (steps of Mind2Web with pictures) and its lists of tasks for live websites.

`<set-up>/<annotation>_<action>/queries.jsonl`: one line for each question put to the model about a step, with the same
operation, candidates and cleaned HTML as in Mind2Web, `previous_actions`, `choices` and `image_path`; line k was asked
about `<image_path>/<k>.jpg`. Questions about the same action are one step. Lists of tasks are `[{task_id, website,
confirmed_task}]`; they open as episodes without steps. Checked on the released examples. Facts: Zheng et al., ICML
2024; github.com/OSU-NLP-Group/SeeAct, `screenshot_generation/*.py`, where the pictures are made.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from stepscope.core.domain.episode import Episode, EpisodeSummary, Picture, Platform, Problem, summarise
from stepscope.core.errors import SourceError
from stepscope.core.frozen import dataclass
from stepscope.core.sources.files import check_json, read_bytes, safe_join, text_of
from stepscope.core.sources.findings import Findings
from stepscope.core.sources.json_records import ByteSpan, find_records, read_record, record_problem
from stepscope.core.sources.mind2web_page import candidates_of, page_size
from stepscope.core.sources.mind2web_step import StepFrame, step_of
from stepscope.core.sources.screens import find_picture
from stepscope.core.sources.shards import ShardSource
from stepscope.core.sources.sniffers.seeact import FORMAT, locate

_QUERIES = "queries.jsonl"
_MARGIN = 1024
"""Pixels of page that a cut-out shows above and below its choices (released code, `image_annotation.py`)."""

_ROUNDING = 2
"""Sides may differ by this many pixels: pages end between pixels (ours)."""


@dataclass(frozen=True, slots=True)
class _SeeActQuestion:
    """A line of a file of questions; `number` counts from 0 and names its picture."""

    number: int
    record: Mapping[str, Any]

    @property
    def task(self) -> str:
        return text_of(self.record.get("annotation_id"))

    @property
    def action(self) -> str:
        return text_of(self.record.get("action_uid"))


def outline(path: Path) -> Iterator[EpisodeSummary | Problem]:
    """Rows of whole episodes: the files are small."""
    for number, episode in enumerate(_episodes(path)):
        yield episode if isinstance(episode, Problem) else summarise(episode, str(number))


def load(path: Path, place: str, episode_id: str) -> Episode:
    """The episode at a place of an index row; SourceError when nothing is there."""
    for number, episode in enumerate(_episodes(path)):
        if str(number) == place and isinstance(episode, Episode):
            return episode
    raise SourceError("nothing is at the place that the index names", place=path, record=episode_id)


def _episodes(path: Path) -> Iterator[Episode | Problem]:
    check_json(read_bytes(path), path)
    records: list[tuple[ByteSpan, Mapping[str, Any]]] = []
    for span in find_records(path):
        if isinstance(span, Problem):
            yield span
            continue
        try:
            records.append((span, read_record(path, span)))
        except SourceError as error:
            yield record_problem(error, span, path)
    if path.suffix.lower() == ".jsonl":
        yield from _asked(path, [_SeeActQuestion(span.number - 1, record) for span, record in records])
    else:
        yield from (_task(path, span, record) for span, record in records)


def _task(path: Path, span: ByteSpan, record: Mapping[str, Any]) -> Episode:
    """A task that was never recorded: goal and website only."""
    identity = f"{path.stem}/{text_of(record.get('task_id')) or span.number}"
    findings = Findings(identity, path.parent)
    goal = text_of(record.get("confirmed_task"))
    if not goal:
        findings.add("there is no confirmed_task", field="goal", file=path)
    app = text_of(record.get("website")) or None
    return Episode(identity, FORMAT.name, Platform.WEB, goal, (), app, problems=findings.as_tuple())


def _asked(path: Path, queries: Sequence[_SeeActQuestion]) -> Iterator[Episode]:
    """The tasks that the questions are about, each with the steps asked about in the order of the task."""
    for task in dict.fromkeys(query.task for query in queries):
        own = [query for query in queries if query.task == task]
        actions = dict.fromkeys(query.action for query in own)
        steps = [[query for query in own if query.action == action] for action in actions]
        steps.sort(key=lambda step: _done_before(step[0]))
        yield _episode(path, task, steps)


def _done_before(query: _SeeActQuestion) -> int:
    previous = query.record.get("previous_actions")
    return len(previous) if isinstance(previous, list) else 0


def _episode(path: Path, task: str, steps: Sequence[Sequence[_SeeActQuestion]]) -> Episode:
    """Ids carry the set-up's folder: the same step is released in several set-ups."""
    first = steps[0][0]
    identity = f"{path.absolute().parents[1].name}/{task}_{first.action}"
    findings = Findings(identity, path.parent)
    goal = text_of(first.record.get("confirmed_task"))
    if not goal:
        findings.add("there is no confirmed_task", field="goal", file=path)
    done = []
    for index, queries in enumerate(steps):
        query, frame = _shown(path, index, queries, findings)
        done.append(step_of(index, query.record, frame, findings))
    app = text_of(first.record.get("website")) or None
    return Episode(identity, FORMAT.name, Platform.WEB, goal, tuple(done), app, problems=findings.as_tuple())


def _shown(
    path: Path, index: int, queries: Sequence[_SeeActQuestion], findings: Findings
) -> tuple[_SeeActQuestion, StepFrame]:
    """The question whose picture shows the step best: the whole page, else the cut-out with the target among its
    choices, else another."""
    found: list[tuple[tuple[bool, bool], _SeeActQuestion, StepFrame]] = []
    quiet = Findings(findings.episode, findings.folder)
    for query in queries:
        picture = _picture(path, query, index, quiet)
        if picture is None:
            continue
        top = _top(picture, query.record)
        if top is None:
            quiet.add("the picture is cut out of the page at a place that the data does not tell", step=index,
                      field="screenshot", file=picture.path)  # fmt: skip
            continue
        whole = abs(picture.size.height - _page_height(query.record)) <= _ROUNDING
        found.append(((whole, _holds_target(query.record)), query, StepFrame(picture, None, top)))
    if found:
        _, query, frame = max(found, key=lambda one: (one[0], -one[1].number))
        return query, frame
    findings.problems.extend(quiet.problems)
    return queries[0], StepFrame()


def _picture(path: Path, query: _SeeActQuestion, step: int, findings: Findings) -> Picture | None:
    """`<image_path>/<line>.jpg`; the path starts from the set-up's folder, which may have been renamed."""
    folder = text_of(query.record.get("image_path")) or "images"
    name = f"{query.number}.jpg"
    for base in (path.parent.parent, path.parent):
        try:
            if safe_join(base, f"{folder}/{name}").is_file():
                return find_picture(base, f"{folder}/{name}", step, findings)
        except SourceError as error:
            findings.add_error(error, step=step, field="screenshot", file=path)
            return None
        except OSError:
            break
    return find_picture(path.parent, f"images/{name}", step, findings)


def _holds_target(record: Mapping[str, Any]) -> bool:
    positive = {candidate.id for candidate in candidates_of(record, []) if candidate.positive}
    return bool(positive.intersection(_choices(record)))


def _choices(record: Mapping[str, Any]) -> list[str]:
    choices = record.get("choices")
    listed = choices if isinstance(choices, list) else []
    return [text_of(choice[0]) for choice in listed if isinstance(choice, list) and choice]


def _page_height(record: Mapping[str, Any]) -> int:
    return page_size(candidates_of(record, [])).height


def _top(picture: Picture, record: Mapping[str, Any]) -> float | None:
    """How far down the page the picture begins, None when that is not known.

    A picture as high as the page begins at its top. A shorter one was cut 1,024 pixels above the highest choice and
    below the lowest one; that is believed when its height comes out right.
    """
    candidates = candidates_of(record, [])
    page = page_size(candidates).height
    if picture.size.height >= page - _ROUNDING:
        return 0.0
    wanted = set(_choices(record))
    rects = [one.rect for one in candidates if one.id in wanted and one.rect is not None]
    if not rects:
        return None
    top = round(max(0.0, min(y for _, y, _, _ in rects) - _MARGIN))
    bottom = round(min(float(page), max(y + height for _, y, _, height in rects) + _MARGIN))
    return float(top) if abs(bottom - top - picture.size.height) <= _ROUNDING else None


def open_seeact(path: Path) -> ShardSource:
    """The repository's data folder, a part of it, or one file."""
    return ShardSource(FORMAT.name, path, locate=locate, outline=outline, load=load)
