"""What the panels beside a web task's page show and tell, as frozen values. Times are seconds since the page was
opened."""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum

from stepscope.core.frozen import dataclass
from stepscope.widgets import format as formats

RIGHT, WRONG = 1.0, 0.0
"""Scores that are wholly right; and at or below which nothing is (a range may score less than 0)."""


def none_words(data: str) -> str:
    """Where there is no web task: in which data; "" for nothing open."""
    return f"{data} has no web tasks" if data else "No web tasks are open"


class TaskOrder(StrEnum):
    """How the list of web tasks is sorted; `WORST`: lowest score first, tasks without one last."""

    NAME = "name"
    WORST = "worst"
    SPLIT = "split"


@dataclass(frozen=True, slots=True)
class WebTaskRow:
    """`name` names the task to the owner; `score` is the shown run's, 0..1, None without one; `instances` counts its
    pages. `note` stands in the place of the split where the task cannot be filled in ("no answer fields")."""

    name: str
    title: str
    splits: tuple[str, ...] = ()
    score: float | None = None
    instances: int = 0
    note: str = ""

    @property
    def detail(self) -> str:
        return self.note or ", ".join(self.splits)


class ScoreLineKind(StrEnum):
    """`RUN`: a shown run with its letter; `BASELINE`: one that only sets the scale; `PAPER`: a published number."""

    RUN = "run"
    BASELINE = "baseline"
    PAPER = "paper"


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """`key` is told when the line is pressed, "" where there is nothing to open; `run` is the place of its letter
    (0 is A); `n` counts the tasks of the mean."""

    name: str
    score: float | None
    key: str = ""
    kind: ScoreLineKind = ScoreLineKind.RUN
    run: int | None = None
    n: int | None = None
    tip: str = ""


@dataclass(frozen=True, slots=True)
class PeopleProgress:
    """How many of the `total` pages of the task "I" have filled in, and how many annotators there are in all."""

    mine: int
    total: int
    annotators: int

    @property
    def words(self) -> str:
        people = f", {formats.counted(self.annotators, 'annotator')}" if self.annotators else ""
        return f"{formats.count(self.mine)} of {formats.count(self.total)} by you{people}"


class FieldAnswerState(StrEnum):
    """`OPEN`: nothing was judged yet; `MISSING`: the page has no such field, and it is not scored; the value is the
    word of the badge where there is no number."""

    SCORED = "scored"
    UNSCORED = "unscored"
    OPEN = "open"
    MISSING = "not on the page"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class PeopleAnswer:
    """What `times` workers left in a field."""

    words: str
    times: int = 1


@dataclass(frozen=True, slots=True)
class FieldRow:
    """`number` is the one that the field has on the page; `value` what it was left with, None where it was never filled
    in. `people` are the workers' distinct answers, the most frequent first."""

    name: str
    type: str
    number: int
    value: str | None = None
    people: tuple[PeopleAnswer, ...] = ()
    score: float | None = None
    state: FieldAnswerState = FieldAnswerState.SCORED
    agreement: str = ""
    """such as "majority 3 of 3"; "" where nobody can agree"""
    why: str = ""
    label: str = ""


class PeopleVisibility(StrEnum):
    """Whether the people's answers are shown: always; or, to a person who fills the page in, hidden until the page is
    submitted, or shown on demand."""

    SHOWN = "shown"
    HIDDEN = "hidden"
    ASKED_FOR = "asked for"

    @property
    def blind(self) -> bool:
        """Whether it is for the person to say."""
        return self is not PeopleVisibility.SHOWN


@dataclass(frozen=True, slots=True)
class FieldsState:
    """All fields of the page. `run` is the place of the shown run's letter, None for the person (`mine`) and for the
    oracle; `who` names whose values they are ("Model", "You", "Oracle"); `score` is the instance's; `rules` official
    or paper."""

    rows: tuple[FieldRow, ...] = ()
    run: int | None = None
    who: str = "Model"
    score: float | None = None
    rules: str = "official"
    people: PeopleVisibility = PeopleVisibility.SHOWN
    mine: bool = False

    @property
    def detail(self) -> str:
        """5, all scored; 5, 1 unscored."""
        count = formats.count(len(self.rows))
        if not self.rows or any(row.state is FieldAnswerState.OPEN for row in self.rows):
            return count
        left = sum(row.state is not FieldAnswerState.SCORED for row in self.rows)
        return f"{count}, {formats.count(left)} unscored" if left else f"{count}, all scored"


@dataclass(frozen=True, slots=True)
class FieldChoice:
    """A field as actions can be done to it now. `options` are (value, label) in page order; the values that are ticked
    stand in `value` joined by "|"."""

    name: str
    type: str
    options: tuple[tuple[str, str], ...] = ()
    value: str = ""


@dataclass(frozen=True, slots=True)
class AnswerBadge:
    """Words with a sign, and the kind of badge that carries them."""

    words: str
    kind: str
    spoken: str = field(default="")


def badge_of(row: FieldRow, people: PeopleVisibility = PeopleVisibility.SHOWN) -> AnswerBadge | None:
    """✓ 1.00, ✕ 0.00, – 0.78 for what is right in part; the state in words where there is no number; None while the
    field waits to be judged, and while people's answers are hidden, which a score would give away."""
    hidden = people is PeopleVisibility.HIDDEN and row.state is not FieldAnswerState.MISSING
    if row.state is FieldAnswerState.OPEN or hidden:
        return None
    if row.state is not FieldAnswerState.SCORED or row.score is None:
        state = FieldAnswerState.UNSCORED if row.state is FieldAnswerState.SCORED else row.state
        return AnswerBadge(state.value, "miss" if state is FieldAnswerState.ERROR else "neutral", state.value)
    number = formats.confidence(row.score)
    if row.score >= RIGHT:
        return AnswerBadge(f"✓ {number}", "hit", f"right, {number}")
    if row.score <= WRONG:
        return AnswerBadge(f"✕ {number}", "miss", f"wrong, {number}")
    return AnswerBadge(f"– {number}", "warn", f"right in part, {number}")


EMPTY = "(empty)"


def answer_words(value: str | None, field_type: str = "") -> str:
    """A value as a row shows it: ticked boxes apart from each other, an empty one by a word, none by a dash."""
    if value is None:
        return formats.NONE
    if not value.strip():
        return EMPTY
    return " | ".join(part.strip() for part in value.split("|")) if field_type == "checkbox" else value


def people_lines(row: FieldRow) -> list[str]:
    """Each distinct answer with how often it was given: yes ×2; without counts where nobody agreed."""
    counted = any(one.times > 1 for one in row.people) and len(row.people) > 1
    return [f"{answer_words(one.words, row.type)}{f' ×{one.times}' if counted else ''}" for one in row.people]


def people_words(row: FieldRow) -> str:
    """The distinct answers in one line: yes ×2, no ×1; between those that hold commas a dot."""
    between = " · " if any("," in one.words for one in row.people) else ", "
    return between.join(people_lines(row))
