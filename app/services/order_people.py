"""What the orders of several people come to, for both faces: figures, voted references, and runs beside models.

Qt-free. Everything here is made of blind orders that were accepted.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from statistics import fmean
from typing import IO, Any

from stepscope.app.services.export.whole_files import whole_file
from stepscope.app.services.human_orders import ProcedureOf, counted_blind, listed
from stepscope.core.domain.human_order import HumanOrder, StepInput
from stepscope.core.domain.procedure import Procedure
from stepscope.core.drafts import advice, reason
from stepscope.core.errors import UsageError, UserError
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.order_pairs import tau_of
from stepscope.core.scoring.order_people import (
    DRAWS,
    USUAL_RULES,
    FlagRules,
    OrderFigures,
    order_figures,
    without_people,
)
from stepscope.core.scoring.order_references import OF_DATA
from stepscope.core.scoring.order_votes import LEAST_VOTERS, OrderVote, vote
from stepscope.core.settings import user_data_dir
from stepscope.core.store.engine import Database

FOLDER = "people"
"""Orders of people that runs were made of, among the user's own data."""


class OneOfSeveral(StrEnum):
    """Which order of several people stands for all of them, where a run has room for one: that of a person drawn by the
    seed for each procedure, whose mean is that of the people; or the one that agrees best with all others, which is
    better than a person is (both ours)."""

    DRAWN = "drawn"
    MIDDLE = "middle"


@dataclass(frozen=True, slots=True)
class OrderCollection:
    """Orders that figures are made of, the procedures that they are of, and the people who were left out."""

    orders: tuple[HumanOrder, ...]
    procedures: Mapping[str, Procedure]
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class VotedReferences:
    """The vote on one procedure. `references` are the data's right orders, and behind them the `added` ones that were
    voted and are none of the data's."""

    procedure: str
    references: tuple[tuple[str, ...], ...]
    added: int
    vote: OrderVote


def collection(
    database: Database, source: str, procedure_of: ProcedureOf, rules: FlagRules | None = None
) -> OrderCollection:
    """The orders of the data known as `source`; with `rules` without those of the people whom these flag, once over."""
    orders = counted_blind(listed(database, source, drafts=False))
    return collected(orders, procedure_of, rules)


def collected(
    orders: Sequence[HumanOrder], procedure_of: ProcedureOf, rules: FlagRules | None = None
) -> OrderCollection:
    """The same of orders in hand."""
    names = dict.fromkeys(one.procedure for one in orders)
    procedures = {name: found for name in names if (found := procedure_of(name)) is not None}
    flagged = order_figures(orders, procedures, rules, draws=0).flagged if rules is not None else ()
    return OrderCollection(tuple(without_people(orders, flagged)), procedures, flagged)


def figures(
    found: OrderCollection,
    rules: FlagRules = USUAL_RULES,
    *,
    references: str = OF_DATA,
    draws: int = DRAWS,
    seed: int = 0,
) -> OrderFigures:
    """`core.scoring.order_people.order_figures` of the collection."""
    return order_figures(found.orders, found.procedures, rules, references=references, draws=draws, seed=seed)


# References -----------------------------------------------------------------------------------------------------------


def voted(found: OrderCollection, *, least: int = LEAST_VOTERS) -> list[VotedReferences]:
    """The vote on each procedure of which somebody gave other orders that are right too."""
    by_procedure: dict[str, dict[str, tuple[tuple[str, ...], ...]]] = {}
    for one in found.orders:
        procedure = found.procedures.get(one.procedure)
        if procedure is not None and sorted(one.order) == sorted(procedure.references[0]):
            by_procedure.setdefault(one.procedure, {})[one.annotator] = one.orders
    votes = ((name, vote(given, least=least)) for name, given in by_procedure.items())
    return [_references(found.procedures[name], one) for name, one in votes if one.voters]


def reference_records(votes: Iterable[VotedReferences]) -> Iterator[dict[str, Any]]:
    """The lines of a file that the option `references` of `ordering` reads."""
    for one in votes:
        yield {
            "id": one.procedure,
            "references": [list(order) for order in one.references],
            "voters": one.vote.voters,
            "voted": [{"order": list(other.order), "votes": other.votes} for other in one.vote.orders],
        }


# Runs -----------------------------------------------------------------------------------------------------------------


def run_name(annotator: str = "", shown: StepInput | None = None, left_out: Collection[str] = ()) -> str:
    """What such a run is called, beside the names of models."""
    condition = f", {shown}" if shown is not None else ""
    flagged = ", without flagged" if left_out else ""
    return f"{annotator or 'people'}{condition}{flagged}"


def prediction_records(
    found: OrderCollection,
    *,
    annotator: str = "",
    shown: StepInput | None = None,
    one_of: OneOfSeveral = OneOfSeveral.DRAWN,
    seed: int = 0,
) -> list[dict[str, Any]]:
    """The lines of a prediction file with one order for each procedure: of one person or of all, of those who saw
    `shown` or of all. Confidence 1..5 stands there from 0 to 1. Raises UsageError where there is none."""
    by_procedure: dict[str, list[HumanOrder]] = {}
    for one in found.orders:
        if annotator in ("", one.annotator) and shown in (None, one.shown):
            by_procedure.setdefault(one.procedure, []).append(one)
    if not by_procedure:
        said = f"{annotator} has accepted no" if annotator else "Nobody has accepted a"
        seen = f" with {shown} shown" if shown is not None else ""
        raise UsageError(f"{said} blind order here{seen}.", hint="'stepscope orders list' tells who ordered what.")
    people = len({one.annotator for given in by_procedure.values() for one in given})
    note = f"Orders of {people} people, given blind." if people > 1 else "Orders of a person, given blind."
    lines: list[dict[str, Any]] = [{"run": {"model": run_name(annotator, shown, found.left_out), "note": note}}]
    for name, given in by_procedure.items():
        one = _one_of(sorted(given, key=lambda one: one.annotator), one_of, seed)
        line: dict[str, Any] = {"episode": name, "order": list(one.order), "raw": one.annotator}
        if one.seconds:
            line["latency_ms"] = 1000 * one.seconds
        if one.confidence is not None:
            line["confidence"] = (one.confidence - 1) / 4
        lines.append(line)
    return lines


def _one_of(given: Sequence[HumanOrder], one_of: OneOfSeveral, seed: int) -> HumanOrder:
    if one_of is OneOfSeveral.DRAWN or len(given) == 1:
        return random.Random(f"{seed}\x1f{given[0].procedure}".encode("utf-8", "replace")).choice(given)

    def agreement(one: HumanOrder) -> float:
        return fmean(tau_of(one.order, other.order) for other in given if other is not one)

    return max(given, key=agreement)


def _references(procedure: Procedure, found: OrderVote) -> VotedReferences:
    known = procedure.references
    more = tuple(one.order for one in found.orders if one.order not in known)
    return VotedReferences(procedure.id, (*known, *more), len(more), found)


def kept_predictions(lines: Sequence[Mapping[str, Any]]) -> Path:
    """A prediction file of these lines among the user's own data, where the run finds it when it is gone on with. The
    same lines are the same file. Raises UserError when it cannot be written."""
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode("utf-8", "backslashreplace")
    folder = user_data_dir() / FOLDER
    path = folder / f"{hashlib.sha256(text).hexdigest()[:16]}.jsonl"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"cannot be made: {reason(error)}.", place=folder, hint=advice(error)) from error
    write_whole(path, lambda stream: stream.write(text))
    return path


def json_lines(forms: Iterable[Mapping[str, Any]]) -> Callable[[IO[bytes]], object]:
    """A writer of one JSON object a line."""
    return lambda stream: stream.writelines(
        (json.dumps(form, ensure_ascii=False) + "\n").encode("utf-8", "backslashreplace") for form in forms
    )


def write_whole(path: Path, write: Callable[[IO[bytes]], object]) -> None:
    """The file whole, or as it was. Raises UserError when it cannot be written."""
    with whole_file(path) as stream:
        write(stream)
