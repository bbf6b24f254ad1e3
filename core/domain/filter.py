"""The episode filter language: its values and its printing; `filter_parser` reads it.

    query := and ("|" and)*        and := term+
    term  := "-" term | "(" query ")" | all(query) | none(query) | field op value | word

It knows the names of fields and what they take, not how a condition is looked up: that is the store's. For every query,
`parse(str(query)) == query`.
"""

from __future__ import annotations

import dataclasses
import re
import warnings
from collections.abc import Iterator
from enum import StrEnum

from stepscope.core.errors import UsageError
from stepscope.core.frozen import dataclass


class FilterError(UsageError):
    """A filter that cannot be understood or looked up.

    `position` and `length` mark the token in the text (a length of 0: just before that character), `suggestion` is the
    nearest field or run, "" when none is near.
    """

    def __init__(self, position: int, length: int, message: str, suggestion: str = "") -> None:
        super().__init__(message, place="filter", hint=f"Did you mean {suggestion}?" if suggestion else "")
        self.position = position
        self.length = length
        self.suggestion = suggestion


class FieldKind(StrEnum):
    """The kind of value that a field takes. text: part of it, `=` the whole; word: one of a closed set, whole; run:
    names of runs; run_number: a run and a number (`conf:A<0.4`); rule: names of rules; flag: nothing."""

    TEXT = "text"
    WORD = "word"
    NUMBER = "number"
    FLAG = "flag"
    RUN = "run"
    RUN_NUMBER = "run and number"
    RULE = "rule"


@dataclass(frozen=True, slots=True)
class Field:
    """`of_step` fields hold on one step; `bare` ones may stand without a value (`ask`, `wrong`)."""

    name: str
    kind: FieldKind
    of_step: bool = False
    bare: bool = False


FIELDS: dict[str, Field] = {
    entry.name: entry
    for entry in (
        *(Field(name, FieldKind.TEXT) for name in ("app", "goal", "id", "source")),
        *(Field(name, FieldKind.WORD) for name in ("split", "platform", "reason", "label")),
        Field("steps", FieldKind.NUMBER),
        Field("tau", FieldKind.RUN_NUMBER),
        *(Field(name, FieldKind.FLAG, bare=True) for name in ("feasible", "infeasible", "star", "checked")),
        *(Field(name, FieldKind.TEXT, bare=True) for name in ("note", "tag", "defect")),
        Field("ask", FieldKind.NUMBER, bare=True),
        *(Field(name, FieldKind.TEXT, of_step=True) for name in ("text", "target", "typed")),
        *(Field(name, FieldKind.WORD, of_step=True) for name in ("action", "key")),
        Field("step", FieldKind.NUMBER, of_step=True),
        *(Field(name, FieldKind.RUN, of_step=True, bare=True) for name in ("wrong", "right", "malformed", "unscored")),
        Field("differs", FieldKind.RUN, of_step=True, bare=True),
        *(
            Field(name, FieldKind.RUN_NUMBER, of_step=True)
            for name in ("conf", "dist", "latency", "tokens", "cost", "retries")
        ),
        Field("flips", FieldKind.RULE, of_step=True),
        Field("cause", FieldKind.WORD, of_step=True),
    )
}
"""Every field of the language by its name."""

_OF_RUNS = (FieldKind.RUN, FieldKind.RUN_NUMBER, FieldKind.RULE)
JUDGED = frozenset({"cause"} | {name for name, entry in FIELDS.items() if entry.of_step and entry.kind in _OF_RUNS})
"""Fields about what runs did on a step."""

OF_ACTION = frozenset({"action", "key", "typed", "target"})
"""Fields about a step's reference action."""

OF_WORDS = frozenset({"key", "typed", "target", "text"})
"""Fields for which an episode must have been read whole."""

SAID = frozenset({"star", "checked", "note", "tag", "defect"})
"""Fields about what people said."""

_PLAIN = re.compile(r"[\w][\w.\-]*")
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Text:
    """A word or quoted text, as it was typed; compared without regard to case."""

    text: str

    def __str__(self) -> str:
        return self.text if is_plain(self.text) else quoted(self.text)


@dataclass(frozen=True, slots=True)
class Pattern:
    """A regular expression between slashes, as `re` has them, searched without regard to case."""

    source: str

    @property
    def compiled(self) -> re.Pattern[str]:
        """The expression with its disregard of case. Raises `re.error` where it is none."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return re.compile(self.source, re.IGNORECASE)

    def found_in(self, text: str) -> bool:
        return self.compiled.search(text) is not None

    def __str__(self) -> str:
        return "/" + self.source.replace("/", "\\/") + "/"


@dataclass(frozen=True, slots=True)
class Number:
    """A number to compare with; `str` gives it exact, as a person writes it."""

    value: float

    def __str__(self) -> str:
        return number_text(self.value)


@dataclass(frozen=True, slots=True)
class Range:
    """Numbers from `low` to `high`, both included; None leaves that side open, never both."""

    low: float | None
    high: float | None

    def __str__(self) -> str:
        low, high = ("" if end is None else number_text(end) for end in (self.low, self.high))
        return f"{low}..{high}"


Value = Text | Pattern | Number | Range


@dataclass(frozen=True, slots=True)
class Term:
    """`field op value,value` with what the field's kind takes; any of `values` (or `runs`) is enough.

    A bare field has the operator "" and neither. `position` and `length` say where it stood, for errors.
    """

    field: str
    operator: str = ""
    values: tuple[Value, ...] = ()
    runs: tuple[str, ...] = ()
    position: int = dataclasses.field(default=0, compare=False)
    length: int = dataclasses.field(default=0, compare=False)

    def __str__(self) -> str:
        runs = ",".join(str(Text(run)) for run in self.runs)
        values = ",".join(map(str, self.values))
        if FIELDS[self.field].kind is FieldKind.RUN_NUMBER:
            return f"{self.field}{':' if runs else ''}{runs}{self.operator}{values}"
        return f"{self.field}{self.operator}{runs}{values}"


@dataclass(frozen=True, slots=True)
class Word:
    """Text that the goal or the app contains."""

    text: str

    def __str__(self) -> str:
        bare = is_plain(self.text) and not (self.text.lower() in FIELDS and FIELDS[self.text.lower()].bare)
        return self.text if bare else quoted(self.text)


@dataclass(frozen=True, slots=True)
class Not:
    """A query for everything that `part` does not let pass."""

    part: Query

    def __str__(self) -> str:
        return "-" + _grouped(self.part, And, Or)


@dataclass(frozen=True, slots=True)
class And:
    """All of `parts`; without parts it is the empty filter, which every episode passes."""

    parts: tuple[Query, ...] = ()

    def __str__(self) -> str:
        return " ".join(_grouped(part, And, Or) for part in self.parts)


@dataclass(frozen=True, slots=True)
class Or:
    """Any one of `parts` is enough."""

    parts: tuple[Query, ...]

    def __str__(self) -> str:
        return " | ".join(_grouped(part, Or) for part in self.parts)


@dataclass(frozen=True, slots=True)
class EveryStep:
    """`all(…)`: the query holds on each step."""

    part: Query

    def __str__(self) -> str:
        return f"all({self.part})"


@dataclass(frozen=True, slots=True)
class NoStep:
    """`none(…)`: the query holds on no step."""

    part: Query

    def __str__(self) -> str:
        return f"none({self.part})"


Query = Term | Word | Not | And | Or | EveryStep | NoStep

EVERYTHING = And()
"""The empty filter."""


def terms(query: Query) -> Iterator[Term]:
    """Every field term of the query, in order."""
    match query:
        case Term():
            yield query
        case Not(part) | EveryStep(part) | NoStep(part):
            yield from terms(part)
        case And(parts) | Or(parts):
            for part in parts:
                yield from terms(part)


def needs_details(query: Query) -> bool:
    """Whether only episodes that were read whole can be told to pass (`EpisodeSummary.details`)."""
    fields = {term.field for term in terms(query)}
    return bool(fields & OF_WORDS) or ("step" in fields and not fields & JUDGED)


def nearest(name: str, known: list[str]) -> str:
    """The known name that was most likely meant, "" when none is near."""
    from difflib import get_close_matches  # for mistakes alone

    folded = name.casefold()
    if not folded:
        return ""
    begins = [other for other in known if other.casefold().startswith(folded)]
    close = begins or get_close_matches(folded, known, n=1, cutoff=0.5)
    return close[0] if close else ""


def is_plain(text: str) -> bool:
    """Whether a text means itself without quotes, as a word or a value."""
    return bool(_PLAIN.fullmatch(text))


def is_number(text: str) -> bool:
    """Whether the whole text reads as a number of the filter language."""
    return bool(_NUMBER.fullmatch(text))


def quoted(text: str) -> str:
    """The text in double quotes, with backslash and quote escaped, as `filter_parser` reads it back."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def number_text(value: float) -> str:
    """A number as a person writes it, exact."""
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def _grouped(query: Query, *loose: type[And] | type[Or]) -> str:
    return f"({query})" if isinstance(query, loose) else str(query)
