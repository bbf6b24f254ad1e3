"""The filter language looked up in the store: a query becomes one SQL condition on the index's episodes.

Step terms hold on one same step. So a query is brought into alternatives, each a row of terms that must hold together
(`_alternatives`), and an alternative with step terms holds when one step passes all of them. Steps are those with a
reference action: items of the runs that are named, or, where only `action` is asked, the kinds counted in the index.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import product

from sqlalchemy import (
    ColumnElement,
    Float,
    SQLColumnExpression,
    and_,
    case,
    cast,
    exists,
    false,
    func,
    not_,
    or_,
    select,
    true,
)
from sqlalchemy.orm import aliased

from core.domain.action import ACTION_TYPES
from core.domain.filter import (
    FIELDS,
    And,
    EveryStep,
    FieldKind,
    FilterError,
    NoStep,
    Not,
    Or,
    Pattern,
    Query,
    Term,
    Text,
    Value,
    Word,
    nearest,
    terms,
)
from core.domain.score import ScoreStatus
from core.store.comparing import Condition, compared_number, compared_text
from core.store.judged import beside_own, flipped
from core.store.tables import AnnotationRow, EpisodeRow, PredictionRow, ScoreRow, ScoringRow, SourceRow

MAX_ALTERNATIVES = 40
MAX_CONDITIONS = 300
"""Larger filters are refused: their SQL would take longer to prepare than to answer, or be too deep for SQLite."""

_Alternative = frozenset[tuple[Query, bool]]
"""Terms, words, `all(…)` and `none(…)` that are to hold together, each with whether it must hold or must not."""

_JUDGED = frozenset({"wrong", "right", "malformed", "unscored", "conf", "latency", "dist", "flips"})


@dataclass(frozen=True, slots=True)
class Lookup:
    """What a query is looked up against: run ids by letter (in their order) or name, and the database's dialect.

    `rules`: for each name of a rule the scorings of the shown runs under it; None where nobody knows of rules."""

    runs: Mapping[str, str]
    dialect: str
    rules: Mapping[str, Collection[int]] | None = None

    def ids(self, term: Term) -> list[str]:
        """The runs that a term names; all of them when it names none. Raises FilterError."""
        if not self.runs:
            raise FilterError(term.position, term.length, f"{term.field} needs a run: none is shown.")
        return [self._id(name, term) for name in term.runs] or list(dict.fromkeys(self.runs.values()))

    def scorings(self, term: Term) -> list[int]:
        """The scorings that a term's rules mean. Raises FilterError for a rule that there is not, or is not scored."""
        if self.rules is None:
            raise _not_yet(term)
        found: list[int] = []
        for value in term.values:
            name = str(value.text if isinstance(value, Text) else value)
            ids = self.rules.get(name.casefold())
            if ids is None:
                near = nearest(name, list(self.rules))
                raise FilterError(term.position, term.length, f"There is no rule “{name}”.", near)
            if not ids:
                message = f"No shown run was scored under {name} yet: score one again under it first."
                raise FilterError(term.position, term.length, message)
            found.extend(ids)
        return found

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


def condition(
    query: Query,
    runs: Mapping[str, str],
    dialect: str = "sqlite",
    rules: Mapping[str, Collection[int]] | None = None,
) -> Condition:
    """The condition on `EpisodeRow` (with `SourceRow` joined). Raises FilterError for what cannot be looked up."""
    if _size(query) > MAX_CONDITIONS:
        raise FilterError(0, 0, f"A filter has at most {MAX_CONDITIONS} conditions.")
    return _some_step(query, True, Lookup(runs, dialect, rules))


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


def _some_step(query: Query, holds: bool, lookup: Lookup) -> Condition:
    return or_(false(), *(_together(literals, lookup) for literals in _alternatives(query, holds, lookup)))


def _alternatives(query: Query, holds: bool, lookup: Lookup) -> list[_Alternative]:
    """The query as alternatives of terms that must hold together (its disjunctive normal form)."""
    match query:
        case Not(part):
            return _alternatives(part, not holds, lookup)
        case Term(field="differs"):
            return _alternatives(_differing(query, lookup), holds, lookup)
        case And(parts) | Or(parts):
            each = [_alternatives(part, holds, lookup) for part in parts]
            if isinstance(query, And) is not holds:
                return _reduced(literals for found in each for literals in found)
            return _product(each)
    return [frozenset({(query, holds)})]


def _product(each: list[list[_Alternative]]) -> list[_Alternative]:
    found: list[_Alternative] = [frozenset()]
    for part in each:
        if len(found) * len(part) <= MAX_ALTERNATIVES**2:
            found = _reduced(one | other for one, other in product(found, part))
        if len(found) * len(part) > MAX_ALTERNATIVES**2 or len(found) > MAX_ALTERNATIVES:
            raise FilterError(0, 0, "This filter has too many alternatives. Split it into simpler ones.")
    return found


def _reduced(rows: Iterable[_Alternative]) -> list[_Alternative]:
    """Without those that contradict themselves and those that another, wider one covers."""
    possible = [row for row in dict.fromkeys(rows) if not any((query, not holds) in row for query, holds in row)]
    return [row for row in possible if not any(other < row for other in possible)]


def _differing(term: Term, lookup: Lookup) -> Query:
    """`differs:A,B`: one of the runs is right on the step and another wrong."""
    names = term.runs or tuple(lookup.runs)
    if len(names) < 2:
        raise FilterError(term.position, term.length, "differs needs two runs.")
    place = {"position": term.position, "length": term.length}
    return And((Term("right", ":", (), names, **place), Term("wrong", ":", (), names, **place)))


def _together(literals: _Alternative, lookup: Lookup) -> Condition:
    """One alternative: what concerns the episode, and one step for all that concerns a step."""
    found: list[Condition] = [true()]
    of_step: list[tuple[Term, bool]] = []
    for query, holds in sorted(literals, key=str):
        if isinstance(query, Term) and FIELDS[query.field].of_step:
            of_step.append((query, holds))
        else:
            plain = _of_episode(query, lookup)
            found.append(plain if holds else not_(plain))
    if of_step:
        found.append(_one_step(of_step, lookup))
    return and_(*found)


def _of_episode(query: Query, lookup: Lookup) -> Condition:
    match query:
        case Word(text):
            wanted = Text(text)
            return or_(*(compared_text(column, ":", wanted, lookup.dialect) for column in (EpisodeRow.goal, _app())))
        case NoStep(part):
            return not_(_some_step(part, True, lookup))
        case EveryStep(part):
            return and_(not_(_some_step(part, False, lookup)), _has_steps(part, lookup))
        case Term():
            return _field(query, lookup)
    raise AssertionError(query)


def _has_steps(query: Query, lookup: Lookup) -> Condition:
    """`all(…)` says something only where there is a step to look at."""
    asked = [term for term in terms(query) if FIELDS[term.field].of_step]
    judged = [term for term in asked if term.field in _JUDGED or term.field == "differs"]
    if judged:
        item = aliased(PredictionRow)
        runs = [run for term in judged for run in lookup.ids(term)]
        return exists(select(item.id).where(item.run_id.in_(runs), item.episode == EpisodeRow.episode))
    return EpisodeRow.action_count > 0 if asked else true()


def _field(term: Term, lookup: Lookup) -> Condition:
    """A term about the whole episode."""
    match term.field:
        case "feasible" | "infeasible":
            return EpisodeRow.label == term.field
        case "steps":
            return compared_number(EpisodeRow.steps, term)
        case "ask":
            return compared_number(EpisodeRow.asks, term) if term.values else EpisodeRow.asks > 0
        case "star" | "checked" | "note" | "defect":
            return _annotated(term, lookup)
    columns: dict[str, SQLColumnExpression[str]] = {
        "app": _app(),
        "goal": EpisodeRow.goal,
        "id": EpisodeRow.episode,
        "source": SourceRow.path,
        "platform": EpisodeRow.platform,
        "reason": EpisodeRow.reason,
        "label": EpisodeRow.label,
    }
    if term.field == "split":
        return or_(*(_in_split(value, lookup.dialect) for value in term.values))
    if term.field not in columns:
        raise _not_yet(term)
    whole = FIELDS[term.field].kind is FieldKind.WORD
    operator = "=" if whole else term.operator
    return or_(*(compared_text(columns[term.field], operator, value, lookup.dialect) for value in term.values))


def _annotated(term: Term, lookup: Lookup) -> Condition:
    """Somebody said so about the episode or a step of it; with values, in words in which one of them is found."""
    here = AnnotationRow.source == SourceRow.path, AnnotationRow.episode == EpisodeRow.episode
    found = [compared_text(AnnotationRow.value, term.operator, value, lookup.dialect) for value in term.values]
    said = exists().where(*here, AnnotationRow.kind == term.field)
    return said.where(or_(*found)) if found else said


def _one_step(asked: list[tuple[Term, bool]], lookup: Lookup) -> Condition:
    """Some step of the episode passes all of these terms."""
    judged = [(term, holds) for term, holds in asked if term.field in _JUDGED]
    kinds = _kinds([(term, holds) for term, holds in asked if term.field == "action"])
    places = [(term, holds) for term, holds in asked if term.field == "step"]
    for term, _ in asked:
        if term.field not in (*_JUDGED, "action", "step"):
            raise _not_yet(term)
    if not judged:
        if places:
            message = "step can only be filtered together with a run yet, such as wrong:A step:1..3."
            raise FilterError(places[0][0].position, places[0][0].length, message)
        return or_(false(), *(EpisodeRow.actions.contains(f'["{kind}",', autoescape=True) for kind in kinds))
    item = aliased(PredictionRow)
    runs = [run for term, _ in judged for run in lookup.ids(term)]
    found = [item.run_id.in_(runs), item.episode == EpisodeRow.episode]
    if len(kinds) < len(ACTION_TYPES):
        found.append(item.reference.in_(kinds))
    found += [_signed(compared_number(item.step + 1, term), holds) for term, holds in places]
    found += [_signed(_judged(term, item, lookup), holds) for term, holds in judged]
    return exists(select(item.id).where(*found))


def _judged(term: Term, step: type[PredictionRow], lookup: Lookup) -> Condition:
    """One of the term's runs has such a prediction or score on the step of the enclosing query's item."""
    item, score, scoring = aliased(PredictionRow), aliased(ScoreRow), aliased(ScoringRow)
    here = (
        item.run_id.in_(lookup.ids(term)),
        item.episode == step.episode,
        item.step == step.step,
    )
    match term.field:
        case "conf":
            return exists(select(item.id).where(*here, compared_number(item.confidence, term)))
        case "latency":
            return exists(select(item.id).where(*here, compared_number(item.latency_ms, term)))
        case "flips":
            other = aliased(ScoreRow)
            query = select(item.id).where(*here, other.scoring_id.in_(lookup.scorings(term)))
            query = query.join(other, other.prediction_id == item.id)
            return exists(beside_own(query, score, item.id).where(flipped(score, other)))
    joined = select(item.id).join(score, score.prediction_id == item.id).join(scoring, scoring.id == score.scoring_id)
    joined = joined.where(*here, scoring.own)
    if term.field == "dist":
        return exists(joined.where(compared_number(_part(score.parts, "distance", lookup.dialect), term)))
    verdicts: dict[str, Condition] = {
        "right": score.value == 1.0,
        "wrong": score.value < 1.0,
        "malformed": score.malformed == true(),
        "unscored": score.status == ScoreStatus.UNSCORED.value,
    }
    return exists(joined.where(verdicts[term.field]))


def _part(parts: SQLColumnExpression[str], name: str, dialect: str) -> ColumnElement[float]:
    """The number under this name in a score's `[["name",number],…]`, null where there is none."""
    key = f'"{name}",'
    if dialect == "sqlite":  # its cast reads as much of the text as is a number
        rest = func.substr(parts, func.instr(parts, key) + len(key))
        return case((func.instr(parts, key) > 0, cast(rest, Float)))
    return cast(func.substring(parts, key + "([-+.eE0-9]+)"), Float)


def _kinds(asked: list[tuple[Term, bool]]) -> list[str]:
    """The kinds of action that pass all `action` terms. Raises FilterError for a kind that does not exist."""
    allowed = list(ACTION_TYPES)
    for term, holds in asked:
        allowed = [kind for kind in allowed if any(_is_kind(kind, value, term) for value in term.values) is holds]
    return allowed


def _is_kind(kind: str, value: Value, term: Term) -> bool:
    if isinstance(value, Pattern):
        return value.found_in(kind)
    wanted = str(value.text if isinstance(value, Text) else value).casefold()
    if wanted not in ACTION_TYPES:
        message = f"There is no action “{wanted}”."
        raise FilterError(term.position, term.length, message, nearest(wanted, list(ACTION_TYPES)))
    return kind == wanted


def in_split(name: str) -> Condition:
    """Whether the episode is in the split of that name, in any case of letters: `partition/split`, or either part."""
    escaped = name.casefold().replace("!", "!!").replace("%", "!%").replace("_", "!_")
    forms = (f"\n{escaped}\n", f"\n{escaped}/", f"/{escaped}\n")
    return or_(*(func.lower(EpisodeRow.split).like(f"%{form}%", escape="!") for form in forms))


def _in_split(value: Value, dialect: str) -> Condition:
    if isinstance(value, Pattern):
        return compared_text(EpisodeRow.split, ":", value, dialect)
    return in_split(value.text if isinstance(value, Text) else str(value))


def _signed(found: Condition, holds: bool) -> Condition:
    return found if holds else not_(found)


def _app() -> ColumnElement[str]:
    return func.coalesce(EpisodeRow.app, "")


def _not_yet(term: Term) -> FilterError:
    return FilterError(term.position, term.length, f"{term.field} cannot be filtered yet.")
