"""A filter's conditions in words, and the text of a filter with one of them taken away or added."""

from __future__ import annotations

from stepscope.core.domain.filter import (
    FIELDS,
    And,
    EveryStep,
    Field,
    FieldKind,
    FilterError,
    NoStep,
    Not,
    Or,
    Query,
    Range,
    Term,
    Text,
    Value,
    Word,
    number_text,
)
from stepscope.core.domain.filter_parser import conditions, parse
from stepscope.core.frozen import dataclass

SIGNS = {":": "=", "=": "=", "<": "<", "<=": "≤", ">": ">", ">=": "≥"}
UNSAID = ("action",)
"""Fields whose values say by themselves what they are about."""


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition of a filter: in words, and where it stands in the text."""

    words: str
    start: int
    length: int


def conditions_of(text: str) -> tuple[Condition, ...]:
    """The conditions of a filter that must all hold; none where the text is empty or wrong."""
    try:
        return tuple(Condition(in_words(query), start, length) for query, start, length in conditions(text))
    except FilterError:
        return ()


def without(text: str, condition: Condition) -> str:
    """The filter's text without one of its conditions."""
    before, after = text[: condition.start].rstrip(), text[condition.start + condition.length :].lstrip()
    return f"{before} {after}".strip()


def ready_for_more(text: str) -> str:
    """The filter's text as one to which a condition can be appended: with a space, alternatives in brackets."""
    text = text.strip()
    try:
        alternatives = isinstance(parse(f"{text} star"), Or)
    except FilterError:
        alternatives = False
    if alternatives:
        text = f"({text})"
    return f"{text} " if text else ""


def in_words(query: Query) -> str:
    """wrong: B; steps < 20; tap; not feasible; tap or swipe."""
    match query:
        case Term():
            return _term(query)
        case Word(text):
            return f"“{text}”"
        case Not(part):
            return f"not {_inner(part)}"
        case And(parts):
            return " and ".join(map(_inner, parts))
        case Or(parts):
            return " or ".join(_inner(part) if isinstance(part, Or) else in_words(part) for part in parts)
        case EveryStep(part):
            return f"each step: {in_words(part)}"
        case NoStep(part):
            return f"no step: {in_words(part)}"


def _inner(query: Query) -> str:
    return f"({in_words(query)})" if isinstance(query, (And, Or)) else in_words(query)


def _term(term: Term) -> str:
    field = FIELDS[term.field]
    values = _values(term, field)
    if field.kind is FieldKind.RUN_NUMBER:
        of = f" of {', '.join(map(_run, term.runs))}" if term.runs else ""
        return f"{term.field}{of} {values}"
    if not term.operator:
        return term.field
    if field.kind is FieldKind.NUMBER:
        return f"{term.field} {values}"
    if term.runs:
        link = " and " if term.field == "differs" else " or "
        return f"{term.field}: {link.join(map(_run, term.runs))}"
    if term.field in UNSAID:
        return values
    return f"{term.field}{' =' if term.operator == '=' and field.kind is FieldKind.TEXT else ':'} {values}"


def _values(term: Term, field: Field) -> str:
    if field.kind not in (FieldKind.NUMBER, FieldKind.RUN_NUMBER):
        return " or ".join(map(_value, term.values))
    if any(isinstance(value, Range) for value in term.values):
        return " or ".join(map(_value, term.values))
    return f"{SIGNS.get(term.operator, '')} {' or '.join(map(_value, term.values))}".strip()


def _value(value: Value) -> str:
    if isinstance(value, Range):
        if value.low is None or value.high is None:
            return f"≤ {number_text(value.high or 0)}" if value.low is None else f"≥ {number_text(value.low)}"
        return f"{number_text(value.low)} to {number_text(value.high)}"
    return value.text if isinstance(value, Text) else str(value)


def _run(name: str) -> str:
    return name.upper() if len(name) == 1 else name
