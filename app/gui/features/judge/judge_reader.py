"""Reads what there is to judge: the two texts, their pairs, and all that was said of them. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from stepscope.app.gui.features.judge.judge_session import WRITE, JudgeItem
from stepscope.core.domain.judgement import (
    REFERENCE,
    WHOLE,
    JudgeAssignment,
    JudgeId,
    Judgement,
    OriginKind,
    TextOrigin,
    WrittenText,
    origin_of,
)
from stepscope.core.errors import UserError
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module
from stepscope.core.sources.source import Source

if TYPE_CHECKING:
    from stepscope.core.evaluation import judging as judged_texts
    from stepscope.core.evaluation.judging import PairList
    from stepscope.core.store.engine import Database
    from stepscope.core.store.repositories import judgements as judgement_rows
    from stepscope.core.store.repositories import sources
else:
    judged_texts = lazy_module("stepscope.core.evaluation.judging")
    judgement_rows = lazy_module("stepscope.core.store.repositories.judgements")
    sources = lazy_module("stepscope.core.store.repositories.sources")

Origins = tuple[TextOrigin, TextOrigin]


@dataclass(frozen=True, slots=True)
class JudgingQuestion:
    """What is asked: of which data (its id in the store, its reader, its name there), which two texts where they are
    there, by which runs, for whom, to judge or to write, and the episodes of the list."""

    source_id: int
    reader: Source
    source: str
    wanted: tuple[str, str]
    runs: tuple[str, ...]
    person: str
    mode: str
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class JudgingRead:
    """All that the store says of what is to be judged; `origins` are the two texts, None where there are no two.
    `trouble`: why there are no pairs."""

    origins: Origins | None
    judges: tuple[JudgeId, ...]
    authors: tuple[str, ...]
    listed: PairList | None
    judgements: tuple[Judgement, ...]
    assignments: tuple[JudgeAssignment, ...]
    written: tuple[WrittenText, ...]
    items: tuple[JudgeItem, ...]
    trouble: str = ""


def read_pairs(database: Database, asked: JudgingQuestion) -> JudgingRead:
    """Raises StoreError."""
    source = asked.source
    with database.reading() as db:
        authors = tuple(judgement_rows.authors(db, source))
        judges = tuple(judgement_rows.judges(db, source))
        origins = _origins(asked.wanted, asked.runs, authors)
        listed, trouble = None, ""
        if origins is not None:
            try:
                listed = judged_texts.list_pairs(db, asked.source_id, asked.reader, source, origins)
            except UserError as error:
                trouble = str(error)
        said = judgement_rows.of_pairs(db, source, origins) if origins else []
        given = judgement_rows.assignments_of(db, source, origins) if origins else []
        written = judgement_rows.written_of(db, source, author=asked.person)
        rows = sources.summaries(db, asked.source_id, asked.ids) if asked.mode == WRITE and listed is None else []
    if asked.mode != WRITE:
        items = [_item(one) for one in listed.pairs] if listed else []
    elif listed is not None:
        places = {one.pair.key.episode: one for one in listed.pairs}
        items = [JudgeItem(name, WHOLE, one.app, one.steps) for name, one in places.items()]
    else:
        items = [JudgeItem(row.id, WHOLE, row.app, row.steps) for row in rows]
    return JudgingRead(
        origins, judges, authors, listed, tuple(said), tuple(given), tuple(written), tuple(items), trouble
    )


def _item(one: judged_texts.ListedPair) -> JudgeItem:
    return JudgeItem(one.pair.key.episode, one.pair.key.step, one.app, one.steps, one.pair)


def _origins(wanted: tuple[str, str], runs: Sequence[str], authors: Sequence[str]) -> Origins | None:
    """The two texts that are wanted, as far as they are there; else the reference and the latest run, else the
    reference and what somebody wrote."""
    there = [REFERENCE]
    there += [TextOrigin(OriginKind.PERSON, name) for name in authors]
    there += [TextOrigin(OriginKind.RUN, run) for run in runs]
    codes = {one.code for one in there}
    if len(set(wanted)) == 2 and set(wanted) <= codes:
        first, second = sorted(map(origin_of, wanted), key=lambda origin: origin.rank)
        return first, second
    if runs:
        return REFERENCE, TextOrigin(OriginKind.RUN, runs[0])
    return (REFERENCE, TextOrigin(OriginKind.PERSON, authors[0])) if authors else None
