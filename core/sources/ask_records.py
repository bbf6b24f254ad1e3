"""Ask records: what was left out of a task, what the agent should ask, and what the person answers, without the steps.

{`episode_id`, `original_task`, `ambiguous_task`, `asks`: [{`step`, `question`, `answer`, `kind`}]}; the form is this
project's. Every episode with asks becomes such a record (Navi-plus, AndroidInteraction, MC-Mind2Web, a recording), and
the format `asks` reads files of them, JSON Lines or one list, as episodes without steps.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from stepscope.core.domain.episode import Ask, Episode, EpisodeSummary, Platform, Problem, summarise
from stepscope.core.errors import SourceError, UserError
from stepscope.core.sources.files import json_words, text_of
from stepscope.core.sources.findings import Findings
from stepscope.core.sources.json_records import find_records, read_record, record_problem, span_at
from stepscope.core.sources.shards import ShardSource
from stepscope.core.sources.sniffers.ask_records import FORMAT, locate
from stepscope.core.sources.source import Source

_LAST_STEP = 1_000_000
"""No episode is as long as this; a larger number is a broken one (ours)."""


def ask_record_of(episode: Episode) -> dict[str, Any]:
    """The episode's record. An episode whose goal leaves out nothing has the same text twice."""
    goal, original = episode.goal, episode.original_goal
    return {
        "episode_id": episode.id,
        "original_task": goal if original is None else original,
        "ambiguous_task": goal,
        "asks": [
            {"step": ask.step, "question": ask.question, "answer": ask.answer, "kind": ask.kind} for ask in episode.asks
        ],
    }


def ask_lines(episodes: Iterable[Episode]) -> Iterator[str]:
    """JSON Lines, one record a line, line ends included."""
    for episode in episodes:
        yield json.dumps(ask_record_of(episode), ensure_ascii=False) + "\n"


def asking_episodes(source: Source, places: Iterable[tuple[str, str]]) -> Iterator[Episode | Problem]:
    """The episodes of these ids and index places that have asks, read whole; a problem for one that cannot be read."""
    for name, place in places:
        try:
            episode = source.read(name, place)
        except UserError as error:
            yield Problem(f"{error.message}. {error.hint}".rstrip(" ."), name, file=error.place)
            continue
        if episode.asks:
            yield episode


def episode_of_record(form: object, episode_id: str | None = None, place: Path | str = "") -> Episode:
    """The record's episode, without steps, under its own id or the one given.

    Asks that are not understood are left out and told as problems. Raises SourceError when a key that every record has
    is missing or no text.
    """
    if not isinstance(form, Mapping):
        raise SourceError(f"a record must be an object, not {json_words(form)}", place=place)
    known = _text(form, "episode_id", place)
    original, ambiguous = _text(form, "original_task", place), _text(form, "ambiguous_task", place)
    findings = Findings(known if episode_id is None else episode_id, Path())
    return Episode(
        id=findings.episode,
        format="asks",
        platform=Platform.TEXT,
        goal=ambiguous,
        steps=(),
        asks=_asks(form.get(FORMAT.name), findings, place),
        original_goal=None if original == ambiguous else original,
        problems=findings.as_tuple(),
    )


def _text(form: Mapping[str, Any], name: str, place: Path | str) -> str:
    """A text; ids may be written as numbers."""
    value = form.get(name)
    if type(value) is int and name == "episode_id":
        return str(value)
    if not isinstance(value, str):
        names = ", ".join(map(text_of, form)) or "nothing"
        said = f"{name} is missing; the record has {names}" if name not in form else f"{name} must be text"
        raise SourceError(said, place=place, field=name)
    return text_of(value)


def _asks(items: object, findings: Findings, place: Path | str) -> tuple[Ask, ...]:
    if not isinstance(items, list):
        raise SourceError(f"asks must be a list, not {json_words(items)}", place=place, field="asks")
    asks = []
    for number, item in enumerate(items):
        try:
            asks.append(_ask(item))
        except ValueError as error:
            findings.add(f"ask {number} is left out: {error}", field="asks", file=Path(place).name)
    return tuple(asks)


def _ask(item: object) -> Ask:
    if not isinstance(item, Mapping):
        raise ValueError(f"it must be an object, not {json_words(item)}")
    step, kind = item.get("step"), item.get("kind", "")
    if type(step) is not int or not 0 <= step <= _LAST_STEP:
        raise ValueError(f"step must be a whole number from 0, not {json_words(step)}")
    words = []
    for name, value in (("question", item.get("question")), ("answer", item.get("answer")), ("kind", kind)):
        if not isinstance(value, str):
            raise ValueError(f"{name} must be text, not {json_words(value)}")
        words.append(text_of(value))
    return Ask(step, *words)


def _outline(file: Path) -> Iterator[EpisodeSummary | Problem]:
    for span in find_records(file):
        if isinstance(span, Problem):
            yield span
            continue
        try:
            yield summarise(episode_of_record(read_record(file, span), place=file), span.place)
        except SourceError as error:
            yield record_problem(error, span, file)


def _load(file: Path, place: str, episode_id: str) -> Episode:
    return episode_of_record(read_record(file, span_at(place)), episode_id, file)


def open_asks(path: Path) -> ShardSource:
    """A file of records or a folder with such files."""
    return ShardSource(FORMAT.name, path, locate=locate, outline=_outline, load=_load)
