"""A query as alternatives: rows of terms that must hold together (its disjunctive normal form), and how large it is."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from stepscope.core.domain.filter import FIELDS, SAID, And, EveryStep, FilterError, NoStep, Not, Or, Query, Term, terms

MAX_ALTERNATIVES = 40
MAX_CONDITIONS = 300
"""Larger filters are refused: nobody means them, and working them out would take longer than anybody waits."""

Alternative = frozenset[tuple[Query, bool]]
"""Terms, words, `all(…)` and `none(…)` that are to hold together, each with whether it must hold or must not."""


def check_size(query: Query) -> None:
    """Raise FilterError for a filter that is too large to be worked out."""
    if _size(query) > MAX_CONDITIONS:
        raise FilterError(0, 0, f"A filter has at most {MAX_CONDITIONS} conditions.")


def asks_for_steps(query: Query) -> bool:
    """Whether the query is about steps or runs, or means steps although it is about episodes."""
    return any(means_steps(term) or term.field == "tau" for term in terms(query))


def means_steps(term: Term) -> bool:
    """Whether a term is about steps, or means some although it is about the episode."""
    return FIELDS[term.field].of_step or term.field in (*SAID, "ask")


def _size(query: Query) -> int:
    """Number of conditions, each of a term's values counted."""
    match query:
        case And(parts) | Or(parts):
            return sum(map(_size, parts))
        case Not(part) | EveryStep(part) | NoStep(part):
            return _size(part)
        case Term():
            return max(1, len(query.values) + len(query.runs))
    return 1


def alternatives(query: Query, holds: bool) -> list[Alternative]:
    """The query as alternatives of terms that must hold together (its disjunctive normal form)."""
    match query:
        case Not(part):
            return alternatives(part, not holds)
        case And(parts) | Or(parts):
            each = [alternatives(part, holds) for part in parts]
            if isinstance(query, And) is not holds:
                return _reduced(literals for found in each for literals in found)
            return _product(each)
    return [frozenset({(query, holds)})]


def _product(each: list[list[Alternative]]) -> list[Alternative]:
    found: list[Alternative] = [frozenset()]
    for part in each:
        if len(found) * len(part) <= MAX_ALTERNATIVES**2:
            found = _reduced(one | other for one, other in product(found, part))
        if len(found) * len(part) > MAX_ALTERNATIVES**2 or len(found) > MAX_ALTERNATIVES:
            raise FilterError(0, 0, "This filter has too many alternatives. Split it into simpler ones.")
    return found


def _reduced(rows: Iterable[Alternative]) -> list[Alternative]:
    """The alternatives without those that contradict themselves and those that another, wider one covers."""
    possible = [row for row in dict.fromkeys(rows) if not any((query, not holds) in row for query, holds in row)]
    return [row for row in possible if not any(_covers(other, row) for other in possible)]


def _covers(wider: Alternative, row: Alternative) -> bool:
    """Whether the wider one means all that the row means: what the row asks beside it is about no steps."""
    return wider < row and not any(isinstance(query, Term) and means_steps(query) for query, _ in row - wider)
