"""Judging pairs of texts, for both faces: sharing out, files, and what judges said of a run."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from stepscope.app.services.annotations import parsed_lines
from stepscope.app.services.export.whole_files import utf8, whole_file
from stepscope.core.domain.changed_words import changed_words
from stepscope.core.domain.judgement import (
    LONGEST_JUDGE,
    QUESTIONS,
    JudgeAssignment,
    Judgement,
    TextOrigin,
    TextPair,
    WrittenText,
    assignment_to_json,
    judgement_to_json,
    judging_from_json,
    written_to_json,
)
from stepscope.core.domain.prediction import Task
from stepscope.core.errors import UsageError
from stepscope.core.evaluation.judging import (
    EarlyRates,
    JudgedRates,
    ListedPair,
    PairList,
    current,
    early_rates,
    list_pairs,
    rates_of,
)
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.goal_errors import GoalErrorAgreement, GoalErrorCounts, error_agreement, error_counts
from stepscope.core.scoring.intent_match import judged_satisfaction
from stepscope.core.scoring.judged_pairs import JudgeAgreement, judge_agreement
from stepscope.core.sources.predictions import LineProblem
from stepscope.core.sources.source import Source
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import judgements as judgement_rows

JudgingLine = Judgement | WrittenText | JudgeAssignment
Origins = tuple[TextOrigin, TextOrigin]
Line = TypeVar("Line")


# Sharing out ---------------------------------------------------------------------------------------------------------


def share_out(pairs: Sequence[TextPair], people: Sequence[str], overlap: int, seed: int = 0) -> list[JudgeAssignment]:
    """`overlap` pairs, drawn by the seed, go to everybody, for agreement; the others to one person each, as evenly as
    can be. Everybody has their pairs in an order of their own. Raises UsageError for people that are none."""
    names = checked_people(people)
    draw = random.Random(seed)
    mixed = draw.sample(list(pairs), len(pairs))
    common, rest = mixed[:overlap], mixed[overlap:]
    given: list[JudgeAssignment] = []
    for place, name in enumerate(names):
        own = [*common, *rest[place :: len(names)]]
        draw.shuffle(own)
        given += [JudgeAssignment(pair.key, name, number) for number, pair in enumerate(own)]
    return given


def checked_people(people: Iterable[str]) -> list[str]:
    """Names without blanks around them, each once. Raises UsageError where there is none, or one is too long."""
    names = list(dict.fromkeys(name for name in (" ".join(one.split()) for one in people) if name))
    if not names:
        raise UsageError("nobody is named.", hint="Name the people who judge, with commas between them.")
    for name in names:
        if len(name) > LONGEST_JUDGE:
            raise UsageError(f"a name has at most {LONGEST_JUDGE} characters.", hint="Choose a shorter one.")
    return names


def assign(database: Database, source: str, origins: Origins, given: Sequence[JudgeAssignment]) -> JudgingChange:
    """Let the pairs of two origins be shared out like this and no other way. Judgements stay as they are."""
    with database.unit_of_work() as db:
        before = judgement_rows.assignments_of(db, source, origins)
        gone = judgement_rows.replace_assignments(db, before, given)
    return JudgingChange(gone, tuple(given))


# Changes -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class JudgingChange:
    """What there was in the same places, and what there is now."""

    before: tuple[JudgingLine, ...] = ()
    after: tuple[JudgingLine, ...] = ()


def make(database: Database, change: JudgingChange, refuse: Callable[[str], Exception] | None = None) -> JudgingChange:
    """Drop what is in the places of `before`, keep `after`; what was dropped is the `before` of the answer.

    With `refuse`, nothing is changed and what it gives, told who changed what, is raised where other things are there
    than `before` says.
    Raises StoreError when nothing can be written.
    """
    gone: list[JudgingLine] = []
    with database.unit_of_work() as db:
        gone += judgement_rows.replace_judgements(db, _of(Judgement, change.before), _of(Judgement, change.after))
        gone += judgement_rows.replace_written(db, _of(WrittenText, change.before), _of(WrittenText, change.after))
        gone += judgement_rows.replace_assignments(
            db, _of(JudgeAssignment, change.before), _of(JudgeAssignment, change.after)
        )
        if refuse is not None and _marks(gone) != _marks(change.before):
            raise refuse(_who_changed(change.before, gone))
    return JudgingChange(tuple(gone), change.after)


def _of(kind: type[Line], lines: Iterable[JudgingLine]) -> list[Line]:
    return [one for one in lines if isinstance(one, kind)]


def _who_changed(before: Sequence[JudgingLine], there: Sequence[JudgingLine]) -> str:
    """The first difference; what was there and what is there now stand in the same place."""
    theirs = next((one for one in there if not _marks([one]) <= _marks(before)), None)
    mine = next((one for one in before if not _marks([one]) <= _marks(there)), None)
    return changed_words(mine if type(mine) is type(theirs) or theirs is None else None, theirs)


def _marks(lines: Iterable[JudgingLine]) -> Counter[object]:
    """What tells one line from another about the same; the store may spell its texts another way."""
    return Counter(
        (one.key.episode, one.key.step, one.position)
        if isinstance(one, JudgeAssignment)
        else ((one.pair.key if isinstance(one, Judgement) else one).episode, one.made)
        for one in lines
    )


# Files ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class JudgingImport:
    """The outcome of an import: the change that was made, the lines that were kept out, and how many answers of models
    had no verdict in them."""

    change: JudgingChange
    problems: tuple[LineProblem, ...]
    malformed: int = 0


@dataclass(frozen=True, slots=True)
class JudgingFile:
    """What a file says: its lines, those that were kept out, and how many answers of models had no verdict in them."""

    lines: tuple[JudgingLine, ...]
    problems: tuple[LineProblem, ...]
    malformed: int = 0


def read_judging(source: str, path: Path, now: datetime | None = None) -> JudgingFile:
    """Read a file about the data known as `source`: each line is one judgement, written text or assignment as
    `exported` writes it.

    In a model's judgement an answer may be the model's own words, whose last `[SATISFACTION]` tag counts. Bad lines are
    kept out and told by number. Raises UserError for a file that cannot be read.
    """
    moment = now or datetime.now(UTC)
    malformed = 0

    def read(form: object) -> JudgingLine:
        nonlocal malformed
        form, without = _with_verdicts(form)
        line = judging_from_json(form, source, moment)
        malformed += without
        return line

    good, problems = parsed_lines(path, read)
    kept: dict[object, tuple[int, JudgingLine]] = {}
    for number, line in good:
        earlier, _ = kept.setdefault((type(line), line.slot), (number, line))
        if earlier != number:
            problems.append(LineProblem(number, f"line {earlier} is about the same pair, by the same judge"))
    ordered = sorted(problems, key=lambda problem: problem.line)
    return JudgingFile(tuple(line for _, line in kept.values()), tuple(ordered), malformed)


def import_judging(database: Database, source: str, path: Path, now: datetime | None = None) -> JudgingImport:
    """Take over a file for the data known as `source`: what somebody said of the same pair is replaced, all else stays.
    Raises UserError for a file that cannot be read."""
    found = read_judging(source, path, now)
    change = make(database, JudgingChange(after=found.lines))
    return JudgingImport(change, found.problems, found.malformed)


def _with_verdicts(form: object) -> tuple[object, int]:
    """A model's line with its words read, and how many of them had no verdict."""
    if not isinstance(form, Mapping) or form.get("by_model") is not True:
        return form, 0
    words = {name: form[name] for name in QUESTIONS if isinstance(form.get(name), str)}
    read = {name: judged_satisfaction(text) for name, text in words.items()}
    return {**form, **read}, sum(verdict is None for verdict in read.values())


def exported(database: Database, source: str, origins: Origins | None = None) -> list[dict[str, Any]]:
    """The objects of a file with all that was said about the data, or about the pairs of two origins only."""
    with database.reading() as db:
        said = judgement_rows.of_pairs(db, source, origins)
        given = judgement_rows.assignments_of(db, source, origins)
        written = judgement_rows.written_of(db, source)
    return [
        *map(assignment_to_json, given),
        *map(written_to_json, written),
        *map(judgement_to_json, said),
    ]


def export_file(database: Database, source: str, path: Path) -> int:
    """Write all that was said about the data as JSON Lines; gives the number of lines. Raises UserError where the file
    cannot be written."""
    found = exported(database, source)
    with whole_file(path) as stream, utf8(stream) as text:
        text.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in found)
    return len(found)


# What judges said of a run -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class JudgingResult:
    """Judgements of the pairs of two origins: rates, agreement, and how many judgements are about words that the pair
    does not have any more. `judgements` are those that were read; `errors` what is wrong where they do not
    match, and `error_agreement` how far people agree on that; `early` how early goals are right that were guessed after
    every step."""

    listed: PairList
    rates: tuple[JudgedRates, ...]
    agreement: tuple[JudgeAgreement, ...]
    outdated: int = 0
    judgements: tuple[Judgement, ...] = ()
    errors: tuple[GoalErrorCounts, ...] = ()
    error_agreement: GoalErrorAgreement = field(default_factory=GoalErrorAgreement)
    early: tuple[EarlyRates, ...] = ()


def result_of(judgements: Sequence[Judgement], listed: PairList) -> JudgingResult:
    counted = current(judgements, [one.pair for one in listed.pairs])
    known = {one.pair.key for one in listed.pairs}
    outdated = sum(one.pair.key in known for one in judgements) - len(counted)
    early = early_rates(counted, listed.pairs) if listed.task is Task.GOAL else ()
    return JudgingResult(
        listed, tuple(rates_of(counted)), tuple(judge_agreement(counted)), outdated, tuple(judgements),
        tuple(error_counts(counted)), error_agreement(counted), tuple(early),
    )  # fmt: skip


GROUPINGS = ("app", "kind")
"""By what pairs are told apart: the app, or what the first text is after."""


def rates_by(judgements: Sequence[Judgement], listed: PairList, by: str) -> dict[str, tuple[JudgedRates, ...]]:
    """The rates of each judge for each group of pairs, the largest group first; `by` is one of GROUPINGS. Pairs of no
    app stand under ""."""
    groups: dict[str, list[TextPair]] = {}
    for one in listed.pairs:
        groups.setdefault(_group(one, by), []).append(one.pair)
    largest = sorted(groups.items(), key=lambda group: (-len(group[1]), group[0]))
    return {name: tuple(rates_of(current(judgements, pairs))) for name, pairs in largest}


def _group(one: ListedPair, by: str) -> str:
    if by == "app":
        return one.app or ""
    from stepscope.models.goal.judges.requirements import kind_of

    return kind_of(one.pair.first).value


def judged(database: Database, source_id: int, source: Source, known_as: str, origins: Origins) -> JudgingResult:
    """Read the pairs of two origins and what was said of them. Raises UserError."""
    with database.reading() as db:
        listed = list_pairs(db, source_id, source, known_as, origins)
        said = judgement_rows.of_pairs(db, known_as, origins)
    return result_of(said, listed)
