"""The filter language worked out on columns in memory: which episodes pass, and which of their steps are meant.

Step terms hold on one same step. So a query is brought into alternatives, each a row of terms that must hold together
(`alternatives`), and an alternative with step terms holds where one step passes all of them. Which steps count depends
on what is asked: those of the runs that are named; else, where an action is asked about, those with a reference action;
else all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import select
from sqlalchemy.orm import Session

from stepscope.core.domain.action import ACTION_TYPES
from stepscope.core.domain.error_cause import ErrorCause
from stepscope.core.domain.filter import (
    FIELDS,
    JUDGED,
    OF_ACTION,
    SAID,
    EveryStep,
    FieldKind,
    FilterError,
    NoStep,
    Number,
    Pattern,
    Query,
    Range,
    Term,
    Text,
    Value,
    Word,
    nearest,
    terms,
)
from stepscope.core.domain.price import MILLION, TokenPrice
from stepscope.core.frozen import dataclass
from stepscope.core.store.alternatives import Alternative, alternatives, check_size
from stepscope.core.store.index_columns import COUNTED
from stepscope.core.store.run_items import RunItems
from stepscope.core.store.step_table import StepTable
from stepscope.core.store.tables import AnnotationRow
from stepscope.core.store.texts import BoolArray, EncodedTexts, Texts

Causes = Mapping[str, Mapping[tuple[str, int], ErrorCause]]
"""By run id: the cause of each of its errors, by episode and the step's index."""

ScoringsRead = Mapping[str, int | None]
"""The scores that are read of a run, by its id: the id of a scoring, None for those under the run's own rule."""

_STEPS = 1 << 32
"""More than an episode has steps."""


@dataclass(frozen=True, slots=True)
class Lookup:
    """The runs and rules that a query may name: run ids by letter (in their order) or name; for each rule, by its name
    without regard to case, the scorings of runs under it with the number that tells their state. `rules` None: nobody
    knows of any. `prices` are those of the runs' models, by run id; `causes` those of the runs' errors; `under` are the
    scores by which runs are right or wrong (`FilterInputs`)."""

    runs: Mapping[str, str]
    rules: Mapping[str, Mapping[str, Sequence[tuple[int, int]]]] | None = None
    prices: Mapping[str, TokenPrice] = field(default_factory=dict)
    causes: Causes = field(default_factory=dict)
    under: ScoringsRead | None = None

    def ids(self, term: Term) -> list[str]:
        """The runs that a term names; all of them when it names none. Raises FilterError."""
        if not self.runs:
            raise FilterError(term.position, term.length, f"{term.field} needs a run: none is shown.")
        return [self._id(name, term) for name in term.runs] or list(dict.fromkeys(self.runs.values()))

    def judged(self, term: Term) -> list[str]:
        """Those of the runs that a term names that have scores by which they are judged. Raises FilterError where none
        has, or one that it names has not."""
        runs = self.ids(term)
        if self.under is None:
            return runs
        found = [run for run in runs if run in self.under]
        if not found or (term.runs and len(found) < len(runs)):
            missing = [name for name in term.runs if self._id(name, term) not in self.under]
            who = f"{' and '.join(missing)} not" if missing else "No shown run"
            message = f"{who} scored under the chosen rule: score under it, or choose the rule of the run."
            raise FilterError(term.position, term.length, message)
        return found

    def scorings(self, term: Term, run: str) -> list[tuple[int, int]]:
        """The scorings of the run that a term's rules mean, each with its state. Raises FilterError for a rule that
        there is not, or under which no run was scored."""
        if self.rules is None:
            raise FilterError(term.position, term.length, f"{term.field} cannot be filtered here: no rules are known.")
        found: list[tuple[int, int]] = []
        for value in term.values:
            name = _plain(value)
            of_rule = self.rules.get(name.casefold())
            if of_rule is None:
                near = nearest(name, list(self.rules))
                raise FilterError(term.position, term.length, f"There is no rule “{name}”.", near)
            if not of_rule:
                message = f"No shown run was scored under {name} yet: score one again under it first."
                raise FilterError(term.position, term.length, message)
            found.extend(of_rule.get(run, ()))
        return found

    def price(self, term: Term, run: str) -> TokenPrice | None:
        """The price of the run's model; None where another run that the term means has one. Raises FilterError where
        none of them has."""
        if not any(one in self.prices for one in self.ids(term)):
            message = "cost needs a price: enter one in Transcript (Enter a price), for a million tokens."
            raise FilterError(term.position, term.length, message)
        return self.prices.get(run)

    def errors(self, term: Term, run: str) -> list[tuple[str, int]]:
        """Episodes and steps of the run's errors that have one of the term's causes. Raises FilterError for a cause
        that there is not, or where nobody has looked for causes yet."""
        if not any(one in self.causes for one in self.ids(term)):
            message = "The causes of errors are not worked out yet: Grid (Alt+2) does that."
            raise FilterError(term.position, term.length, message)
        wanted = {_cause(value, term) for value in term.values}
        return [place for place, cause in self.causes.get(run, {}).items() if cause in wanted]

    def _id(self, name: str, term: Term) -> str:
        folded = {known.casefold(): run for known, run in self.runs.items()}
        number = name.casefold().removeprefix("run")
        if name.casefold() in folded:
            return folded[name.casefold()]
        ordered = list(dict.fromkeys(self.runs.values()))
        if number.isascii() and number.isdigit() and 1 <= int(number) <= len(ordered):
            return ordered[int(number) - 1]
        message = f"There is no run “{name}” here."
        raise FilterError(term.position, term.length, message, nearest(name, list(self.runs)))


def _cause(value: Value, term: Term) -> ErrorCause:
    name = _plain(value).casefold()
    try:
        return ErrorCause(name)
    except ValueError:
        near = nearest(name, [cause.value for cause in ErrorCause])
        raise FilterError(term.position, term.length, f"There is no cause “{name}”.", near) from None


def runs_asked_for(query: Query, lookup: Lookup) -> tuple[str, ...]:
    """The runs that the query names, or means without naming them, in their order. Raises FilterError."""
    asked = {run for term in terms(query) if term.field in (*JUDGED, "tau") for run in lookup.ids(term)}
    return tuple(run for run in dict.fromkeys(lookup.runs.values()) if run in asked)


def _plain(value: Value) -> str:
    return value.text if isinstance(value, Text) else str(value)


class Finder:
    """Works out queries on a board, in one transaction. `source` is the path under which people spoke about it; `own`
    gives the items of a run under its own rule, in the order of the board's."""

    def __init__(
        self, db: Session, board: StepTable, lookup: Lookup, source: str, own: Callable[[str], RunItems]
    ) -> None:
        self._own = own
        self._db = db
        self._board = board
        self._lookup = lookup
        self._source = source
        self._of_episode: dict[Query, BoolArray] = {}
        self._of_step: dict[Term, tuple[BoolArray, BoolArray]] = {}
        self._said: dict[Term, tuple[NDArray[np.int32], NDArray[np.int32]]] = {}

    def find(self, query: Query) -> tuple[BoolArray, BoolArray]:
        """The episodes that pass, and the rows of the board that make them pass. Raises FilterError.

        An alternative about episodes alone means the steps on which an ask is due that it asks for, and those of which
        people said what it asks for.
        """
        check_size(query)
        episodes = np.zeros(self._board.episodes, np.bool_)
        rows = np.zeros(self._board.rows, np.bool_)
        for literals in alternatives(query, True):
            passing, meant = self._together(literals)
            episodes |= passing
            rows |= meant
        return episodes, rows

    def _together(self, literals: Alternative) -> tuple[BoolArray, BoolArray]:
        """One alternative: what concerns the episode, and one step for all that concerns a step."""
        board = self._board
        episodes = np.ones(board.episodes, np.bool_)
        of_step: list[tuple[Term, bool]] = []
        meant = np.zeros(board.rows, np.bool_)
        for query, holds in literals:
            if isinstance(query, Term) and FIELDS[query.field].of_step:
                of_step.append((query, holds))
                continue
            found = self._episodes(query)
            episodes &= found if holds else ~found
            if holds and isinstance(query, Term) and query.field in (*SAID, "ask"):
                meant |= self._told(query)
        if of_step:
            meant = self._counting([term for term, _ in of_step])
            for term, holds in of_step:
                found, valid = self._steps(term)
                meant &= found if holds else valid & ~found
            meant &= episodes[board.episode]
            return board.of_rows(meant), meant
        return episodes, meant & episodes[board.episode]

    def _some_step(self, query: Query, holds: bool) -> BoolArray:
        """The episodes in which the query holds, or does not hold, on some step."""
        found = np.zeros(self._board.episodes, np.bool_)
        for literals in alternatives(query, holds):
            found |= self._together(literals)[0]
        return found

    def _counting(self, asked: Sequence[Term]) -> BoolArray:
        """The rows that terms which must hold together are about."""
        board = self._board
        fields = {term.field for term in asked}
        if fields & JUDGED:
            found = np.zeros(board.rows, np.bool_)
            for run in {run for term in asked if term.field in JUDGED for run in self._lookup.ids(term)}:
                found |= board.verdict(run, "has")
            return found
        if fields & OF_ACTION:
            return board.acting & board.base
        return board.known.copy()

    # What concerns an episode ----------------------------------------------------------------------------------------

    def _episodes(self, query: Query) -> BoolArray:
        if query not in self._of_episode:
            self._of_episode[query] = self._looked_up(query)
        return self._of_episode[query]

    def _looked_up(self, query: Query) -> BoolArray:
        columns, db = self._board.columns, self._db
        match query:
            case Word(text):
                wanted = (Text(text),)
                return columns.texts(db, "goal").compared(":", wanted) | columns.coded(db, "app").compared(":", wanted)
            case NoStep(part):
                return ~self._some_step(part, True)
            case EveryStep(part):
                return ~self._some_step(part, False) & self._has_steps(part)
            case Term():
                return self._field(query)
        raise AssertionError(query)

    def _has_steps(self, query: Query) -> BoolArray:
        """`all(…)` says something only where there is a step to look at."""
        asked = [term for term in terms(query) if FIELDS[term.field].of_step]
        if not asked:
            return np.ones(self._board.episodes, np.bool_)
        return self._board.of_rows(self._counting(asked))

    def _field(self, term: Term) -> BoolArray:
        """A term about the whole episode."""
        columns, db = self._board.columns, self._db
        match term.field:
            case "feasible" | "infeasible":
                return columns.coded(db, "label").compared("=", (Text(term.field),))
            case "steps":
                return compared_number(columns.numbers(db, "steps"), term)
            case "ask":
                asks = columns.numbers(db, "asks")
                return compared_number(asks, term) if term.values else asks > 0
            case "star" | "checked" | "note" | "tag" | "defect":
                found = np.zeros(self._board.episodes, np.bool_)
                found[self._said_of(term)[0]] = True
                return found
            case "tau":
                return self._board.of_rows(self._items(term, lambda run: self._numbers(term, run)))
            case "source":
                found = Texts([self._source]).compared(term.operator, term.values)
                return np.repeat(found, self._board.episodes)
            case "split":
                return split_mask(columns.coded(db, "split"), term.values)
            case "goal":
                return columns.texts(db, "goal").compared(term.operator, term.values)
            case "id":
                return columns.texts(db, "episode").compared(term.operator, term.values)
        whole = FIELDS[term.field].kind is FieldKind.WORD
        return columns.coded(db, term.field).compared("=" if whole else term.operator, term.values)

    def _said_of(self, term: Term) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Episodes, and steps in them (-1: the whole episode), of which people said so; with values, in words in which
        one of these is found."""
        if term not in self._said:
            columns = AnnotationRow.episode, AnnotationRow.step, AnnotationRow.value
            here = AnnotationRow.source == self._source, AnnotationRow.kind == term.field
            found = [(episode, step, value) for episode, step, value in self._db.execute(select(*columns).where(*here))]
            if term.values and found:
                fits = Texts([value for _, _, value in found]).compared(term.operator, term.values)
                found = [row for row, fit in zip(found, fits.tolist(), strict=True) if fit]
            place_of = self._board.columns.place_of(self._db)
            known = [(place_of[episode], step) for episode, step, _ in found if episode in place_of]
            pairs = np.array(known, np.int32).reshape(-1, 2)
            self._said[term] = pairs[:, 0], pairs[:, 1]
        return self._said[term]

    def _told(self, term: Term) -> BoolArray:
        """The rows of the steps that a term about an episode is about."""
        board = self._board
        found = np.zeros(board.rows, np.bool_)
        if term.field == "ask":
            found[: len(board.steps.ask)] = board.steps.ask
        else:
            rows = board.steps.places(*self._said_of(term))
            found[rows[rows >= 0]] = True
        return found

    # What concerns a step --------------------------------------------------------------------------------------------

    def _steps(self, term: Term) -> tuple[BoolArray, BoolArray]:
        """The rows on which a term holds, and those of which this can be said."""
        if term not in self._of_step:
            self._of_step[term] = self._rows(term)
        return self._of_step[term]

    def _rows(self, term: Term) -> tuple[BoolArray, BoolArray]:
        board, db = self._board, self._db
        if term.field in JUDGED:
            return self._judged(term), np.ones(board.rows, np.bool_)
        if term.field == "step":
            return compared_number(board.index + 1, term), board.index != COUNTED
        if term.field == "action":
            kinds = np.array([_is_kind(kind, term) for kind in board.kinds])
            return kinds[board.kind] & board.acting, board.acting
        columns = board.columns
        if term.field == "text":
            numbers = columns.step_texts(db).compared(term.operator, term.values)
            numbers[0] = False
            return board.longer(columns.steps_with(db, numbers)), board.known
        found = np.zeros(len(board.steps.known), np.bool_)
        for name in ("target", "name") if term.field == "target" else (term.field,):
            fits = columns.step_words(db, name).compared("=" if name == "key" else term.operator, term.values)
            found |= fits & (getattr(board.steps, name) > 0)
        return board.longer(found), board.known & board.acting

    def _judged(self, term: Term) -> BoolArray:
        """The rows on which one of the term's runs has such a prediction or score."""
        match term.field:
            case "flips":
                return self._items(term, lambda run: self._flipped(term, run))
            case "cause":
                return self._items(term, lambda run: self._caused(term, run))
            case "differs":
                names = term.runs or tuple(self._lookup.runs)
                if len(names) < 2:
                    raise FilterError(term.position, term.length, "differs needs two runs.")
                right, wrong = (self._verdicts(term, name) for name in ("right", "wrong"))
                return right & wrong
            case "conf" | "latency" | "dist" | "tokens" | "cost" | "retries":
                return self._items(term, lambda run: self._numbers(term, run), term.field == "dist")
        return self._verdicts(term, term.field)

    def _verdicts(self, term: Term, name: str) -> BoolArray:
        found = np.zeros(self._board.rows, np.bool_)
        for run in self._lookup.judged(term):
            found |= self._board.verdict(run, name)
        return found

    def _items(self, term: Term, wanted: Callable[[str], BoolArray], by_score: bool = False) -> BoolArray:
        """The rows of the items of the term's runs that are wanted. `by_score`: of those that are judged."""
        found = np.zeros(self._board.rows, np.bool_)
        for run in self._lookup.judged(term) if by_score else self._lookup.ids(term):
            found |= self._board.on_rows(run, wanted(run))
        return found

    def _numbers(self, term: Term, run: str) -> BoolArray:
        items, db = self._board.runs[run], self._db
        match term.field:
            case "conf":
                column = items.confidence(db)
            case "latency":
                column = items.latency(db)
            case "tokens":
                column = items.tokens(db)
            case "retries":
                column = items.retries(db)
            case "cost":
                price = self._lookup.price(term, run)
                if price is None:
                    return np.zeros(len(items.row), np.bool_)
                read, written = items.paid(db)
                column = (read * price.input + written * price.output) / MILLION
            case _:
                column = items.part(db, {"dist": "distance", "tau": "kendall_tau"}[term.field])
        return compared_number(column, term)

    def _flipped(self, term: Term, run: str) -> BoolArray:
        """Which items of the run come out otherwise under one of the term's rules than under the run's own."""
        items = self._own(run)
        found = np.zeros(len(items.row), np.bool_)
        for scoring, changed in self._lookup.scorings(term, run):
            found |= items.flipped(self._db, scoring, changed)
        return found

    def _caused(self, term: Term, run: str) -> BoolArray:
        """Which items of the run are errors of the term's causes."""
        items = self._board.runs[run]
        number_of = {episode: number for number, episode in enumerate(items.episodes)}
        errors = self._lookup.errors(term, run)
        wanted = [number_of[one] * _STEPS + step for one, step in errors if one in number_of]
        return np.isin(items.episode.astype(np.int64) * _STEPS + items.step, wanted)


def _is_kind(kind: str, term: Term) -> bool:
    """Whether the kind is one of the term's. Raises FilterError for a value that is no kind."""
    found = False
    for value in term.values:
        if isinstance(value, Pattern):
            found |= value.found_in(kind)
            continue
        wanted = _plain(value).casefold()
        if wanted not in ACTION_TYPES:
            near = nearest(wanted, list(ACTION_TYPES))
            raise FilterError(term.position, term.length, f"There is no action “{wanted}”.", near)
        found |= kind == wanted
    return found


def split_mask(splits: EncodedTexts, values: Iterable[Value]) -> BoolArray:
    """Whether an episode is in one of the splits, in any case of letters: `partition/split`, or either part."""
    names = [[name for name in several.casefold().split("\n") if name] for several in splits.names.texts]
    found = np.zeros(len(names), np.bool_)
    for value in values:
        found |= np.array([any(_is_split(name, value) for name in several) for several in names], np.bool_)
    return found[splits.code]


def _is_split(name: str, value: Value) -> bool:
    if isinstance(value, Pattern):
        return value.found_in(name)
    wanted = _plain(value).casefold()
    return name == wanted or name.startswith(f"{wanted}/") or name.endswith(f"/{wanted}")


_COMPARISONS = {"<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal}


def compared_number(numbers: NDArray[Any], term: Term) -> NDArray[np.bool_]:
    """Which of the numbers are next to any of the term's values; NaN never is."""
    found = np.zeros(len(numbers), np.bool_)
    for value in term.values:
        found |= _compared(numbers, term.operator, value)
    return found


def _compared(numbers: NDArray[Any], operator: str, value: Value) -> NDArray[np.bool_]:
    match value:
        case Range(low, high):
            found = np.ones(len(numbers), np.bool_)
            if low is not None:
                found &= numbers >= low
            if high is not None:
                found &= numbers <= high
            return found
        case Number(number):
            compare = _COMPARISONS.get(operator, np.equal)
            return np.asarray(compare(numbers, number), np.bool_)
    raise AssertionError(value)
