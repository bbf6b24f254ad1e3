"""Two texts about one trajectory, and what a judge said of them; texts that people wrote themselves; who judges what.

Source: User goals from UI trajectories, section 3 and figure 6: four yes/no answers a pair, bad data rejected. The
order `first`, `second` is the data's: which of them stands at the left is another matter, drawn for each judge.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from enum import StrEnum
from math import isfinite
from typing import Any, NamedTuple

from stepscope.core.domain.goal_error import GOAL_ERRORS, GoalErrorClass
from stepscope.core.domain.largest_number import LARGEST_NUMBER
from stepscope.core.frozen import dataclass

WHOLE = -1
"""`step` of a pair that is about a whole episode."""
LONGEST_TEXT, LONGEST_REMARK, LONGEST_JUDGE, LONGEST_DETAIL = 10_000, 10_000, 200, 400_000
"""Characters of a description, of a remark or a reason, of a judge's name, and of what a model said besides (ours)."""


class OriginKind(StrEnum):
    """Where a text comes from: the data, a person who wrote it after seeing the trajectory only, a run's answer."""

    REFERENCE = "reference"
    PERSON = "person"
    RUN = "run"


class TextOrigin(NamedTuple):
    """`name` is the person's name or the run's id, "" for the reference."""

    kind: OriginKind
    name: str = ""

    @property
    def code(self) -> str:
        """`reference`, `person:NAME` or `run:ID`."""
        return f"{self.kind}:{self.name}" if self.name else str(self.kind)

    @property
    def rank(self) -> tuple[int, str]:
        """By which the two of a pair are ordered: the reference before people, they before runs."""
        return list(OriginKind).index(self.kind), self.name


REFERENCE = TextOrigin(OriginKind.REFERENCE)


def origin_of(code: object) -> TextOrigin:
    """The reverse of `TextOrigin.code`. Raises ValueError for anything else."""
    kind, _, name = code.partition(":") if isinstance(code, str) else ("", "", "")
    if kind not in set(OriginKind) or bool(name) == (kind == OriginKind.REFERENCE):
        raise ValueError(f"an origin is reference, person:NAME or run:ID, not {code!r}")
    return TextOrigin(OriginKind(kind), name)


class TextPairKey(NamedTuple):
    """`source` is the path of the data; `step` the index of the step that both texts are about, WHOLE for all of the
    episode. `first` ranks before `second`."""

    source: str
    episode: str
    step: int
    first: TextOrigin
    second: TextOrigin


@dataclass(frozen=True, slots=True)
class TextPair:
    """Two texts about one trajectory: a judgement is about these words, whatever a run or a person says later."""

    key: TextPairKey
    first: str
    second: str


def pair_of(
    source: str, episode: str, step: int, one: tuple[TextOrigin, str], other: tuple[TextOrigin, str]
) -> TextPair:
    """The two texts in the order that the data has. Raises ValueError where both have one origin."""
    if one[0] == other[0]:
        raise ValueError("a text is not judged against itself")
    first, second = sorted((one, other), key=lambda text: text[0].rank)
    return TextPair(TextPairKey(source, episode, step, first[0], second[0]), first[1], second[1])


class PairAnswers(NamedTuple):
    """Yes, no, or None for no answer."""

    first_fulfilled: bool | None = None
    second_fulfilled: bool | None = None
    first_satisfies: bool | None = None
    """everything that fulfils the first text also fulfils the second"""
    second_satisfies: bool | None = None

    def swapped(self) -> PairAnswers:
        """The answers about the same two texts the other way round."""
        return PairAnswers(self.second_fulfilled, self.first_fulfilled, self.second_satisfies, self.first_satisfies)

    @property
    def given(self) -> int:
        return sum(answer is not None for answer in self)


QUESTIONS = PairAnswers._fields


class JudgeId(NamedTuple):
    """A person, or a model whose judgements stand beside people's."""

    name: str
    by_model: bool = False


@dataclass(frozen=True, slots=True)
class Judgement:
    """What one judge said of a pair; nobody has two of one pair.

    `rejected` says why the pair is bad data, "" where it is not. `seconds` the judge spent on it. `seed` decided which
    text stood at the left. `made` has a time zone. `detail` is what a model told besides, a JSON object as text: its
    requirements and raw answers (`models.goal.judges`), "" for nothing. `error` is what is wrong with the second text,
    held against the first, as the judge calls it.
    """

    pair: TextPair
    judge: JudgeId
    answers: PairAnswers
    made: datetime
    rejected: str = ""
    remark: str = ""
    seconds: float = 0.0
    seed: int = 0
    detail: str = ""
    error: GoalErrorClass | None = None

    @property
    def slot(self) -> tuple[TextPairKey, JudgeId]:
        return self.pair.key, self.judge

    @property
    def done(self) -> bool:
        """Whether nothing is open: all four answered, or rejected. A model may have been asked for less."""
        return bool(self.rejected) or None not in self.answers

    @property
    def says_something(self) -> bool:
        return bool(self.rejected or self.remark or self.answers.given or self.error)


@dataclass(frozen=True, slots=True)
class WrittenText:
    """What a person wrote who saw the trajectory only; one a person and place."""

    source: str
    episode: str
    step: int
    author: str
    text: str
    made: datetime
    seconds: float = 0.0

    @property
    def slot(self) -> tuple[str, str, int, str]:
        return self.source, self.episode, self.step, self.author


@dataclass(frozen=True, slots=True)
class JudgeAssignment:
    """A pair that somebody is to judge, `position` in their order."""

    key: TextPairKey
    annotator: str
    position: int

    @property
    def slot(self) -> tuple[TextPairKey, str]:
        return self.key, self.annotator


def side_seed(key: TextPairKey, judge: str) -> int:
    """The seed by which a pair's sides are drawn for a person who has not judged it yet: the same in every program."""
    words = "\0".join((key.source, key.episode, str(key.step), key.first.code, key.second.code, judge))
    digest = hashlib.sha256(words.encode("utf-8", "backslashreplace")).digest()
    return int.from_bytes(digest[:4], "big") & LARGEST_NUMBER


def is_swapped(seed: int) -> bool:
    """Whether the second text stands at the left."""
    return seed % 2 == 1


# JSON ----------------------------------------------------------------------------------------------------------------


def judgement_to_json(judgement: Judgement) -> dict[str, Any]:
    """The JSON form, without the source: where the data lies is another matter on another machine."""
    key, answers = judgement.pair.key, judgement.answers
    return {
        "judgement": judgement.judge.name,
        "by_model": judgement.judge.by_model,
        **_place(key),
        "first_text": judgement.pair.first,
        "second_text": judgement.pair.second,
        **answers._asdict(),
        "rejected": judgement.rejected,
        "remark": judgement.remark,
        "seconds": round(judgement.seconds, 3),
        "seed": judgement.seed,
        "made": judgement.made.astimezone(UTC).isoformat(),
        **({"error": judgement.error.value} if judgement.error is not None else {}),
        **({"detail": json.loads(judgement.detail)} if judgement.detail else {}),
    }


def written_to_json(written: WrittenText) -> dict[str, Any]:
    """Likewise."""
    return {
        "written": written.author,
        "episode": written.episode,
        "step": None if written.step == WHOLE else written.step,
        "text": written.text,
        "seconds": round(written.seconds, 3),
        "made": written.made.astimezone(UTC).isoformat(),
    }


def assignment_to_json(assignment: JudgeAssignment) -> dict[str, Any]:
    """Likewise."""
    return {"assigned": assignment.annotator, **_place(assignment.key), "position": assignment.position}


def judging_from_json(form: object, source: str, now: datetime) -> Judgement | WrittenText | JudgeAssignment:
    """What one line of a file says of `source`; `now` stands in where it has no time. Raises ValueError with the field
    and what is wrong with it."""
    if not isinstance(form, Mapping):
        raise ValueError("a line is an object")
    kinds = [kind for kind in ("judgement", "written", "assigned") if kind in form]
    if len(kinds) != 1:
        raise ValueError("a line has one of judgement, written and assigned")
    who = _text(form, kinds[0], LONGEST_JUDGE, needed=True)
    if kinds[0] == "written":
        text = _text(form, "text", LONGEST_TEXT, needed=True)
        return WrittenText(source, *_where(form), who, text, _moment_of(form, now), _seconds(form))
    if kinds[0] == "assigned":
        return JudgeAssignment(_key(form, source), who, _whole(form, "position"))
    pair = TextPair(
        _key(form, source),
        _text(form, "first_text", LONGEST_TEXT, needed=True),
        _text(form, "second_text", LONGEST_TEXT, needed=True),
    )
    by_model = form.get("by_model", False)
    if not isinstance(by_model, bool):
        raise ValueError("by_model must be true or false")
    return Judgement(
        pair,
        JudgeId(who, by_model),
        PairAnswers(*(_answer(form, question) for question in QUESTIONS)),
        _moment_of(form, now),
        _text(form, "rejected", LONGEST_REMARK),
        _text(form, "remark", LONGEST_REMARK),
        _seconds(form),
        _whole(form, "seed"),
        _detail(form),
        _error(form),
    )


def _place(key: TextPairKey) -> dict[str, Any]:
    step = None if key.step == WHOLE else key.step
    return {"episode": key.episode, "step": step, "first": key.first.code, "second": key.second.code}


def _where(form: Mapping[str, Any]) -> tuple[str, int]:
    episode, step = _text(form, "episode", LONGEST_TEXT, needed=True), form.get("step")
    if step is None:
        return episode, WHOLE
    if type(step) is not int or not 0 <= step <= LARGEST_NUMBER:
        raise ValueError("step must be a whole number from 0, or null for the whole episode")
    return episode, step


def _key(form: Mapping[str, Any], source: str) -> TextPairKey:
    first, second = origin_of(form.get("first")), origin_of(form.get("second"))
    if first.rank >= second.rank:
        raise ValueError("first must come before second: the reference, then people, then runs, each by name")
    return TextPairKey(source, *_where(form), first, second)


def _text(form: Mapping[str, Any], name: str, longest: int, *, needed: bool = False) -> str:
    value = form.get(name, "")
    if not isinstance(value, str) or (needed and not value.strip()):
        raise ValueError(f"{name} must be a text")
    if len(value) > longest:
        raise ValueError(f"{name} has more than {longest:,} characters")
    return value.strip()


def _detail(form: Mapping[str, Any]) -> str:
    value = form.get("detail")
    if value is None:
        return ""
    if not isinstance(value, Mapping):
        raise ValueError("detail must be an object")
    text = json.dumps(value, ensure_ascii=False)
    if len(text) > LONGEST_DETAIL:
        raise ValueError(f"detail has more than {LONGEST_DETAIL:,} characters")
    return text


def _error(form: Mapping[str, Any]) -> GoalErrorClass | None:
    value = form.get("error")
    if value is not None and value not in GOAL_ERRORS:
        raise ValueError(f"error must be one of {', '.join(GOAL_ERRORS)}, or null")
    return None if value is None else GoalErrorClass(value)


def _answer(form: Mapping[str, Any], name: str) -> bool | None:
    value = form.get(name)
    if value is not None and not isinstance(value, bool):
        raise ValueError(f"{name} must be true, false or null")
    return value


def _whole(form: Mapping[str, Any], name: str) -> int:
    value = form.get(name, 0)
    if type(value) is not int or not 0 <= value <= LARGEST_NUMBER:
        raise ValueError(f"{name} must be a whole number from 0 to {LARGEST_NUMBER}")
    return value


def _seconds(form: Mapping[str, Any]) -> float:
    value = form.get("seconds", 0.0)
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value) or value < 0:
        raise ValueError("seconds must be a number from 0")
    return float(value)


def _moment_of(form: Mapping[str, Any], now: datetime) -> datetime:
    text = form.get("made")
    if text is None:
        return now
    try:
        made = datetime.fromisoformat(text) if isinstance(text, str) else None
        if made is None or made.tzinfo is None:
            raise ValueError
        return made.astimezone(UTC)
    except (ValueError, OverflowError):
        raise ValueError("made must be a time with its zone, such as 2024-05-01T12:00:00+00:00") from None


def same_texts(judgement: Judgement, pair: TextPair) -> bool:
    """Whether a judgement is about the words that the pair has now."""
    return (judgement.pair.first, judgement.pair.second) == (pair.first, pair.second)
