"""How far people agree who said something of the same data: judgements of descriptions, and orders of steps."""

from __future__ import annotations

from stepscope.app.services import human_orders
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.judged_pairs import judge_agreement
from stepscope.core.sources.source import Source
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import judgements


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """Two parties over the `n` items that both have: `value` is named by `measure`, `observed` the share of equal
    ones; None where n is 0 or it is not defined."""

    what: str
    first: str
    second: str
    n: int
    measure: str
    value: float | None
    observed: float | None


def of_judgements(database: Database, source: str) -> list[PairAgreement]:
    """Cohen's kappa of each two judges by question, over the pairs of descriptions that both judged."""
    with database.reading() as db:
        found = judge_agreement(judgements.of_pairs(db, source))
    return [
        PairAgreement(column, one.judges[0].name, one.judges[1].name, value.n, "kappa", value.kappa, value.observed)
        for one in found
        for column, value in one.kappas.items()
    ]


def of_orders(database: Database, source: str, data: Source) -> list[PairAgreement]:
    """Mean tau of each two people, and of each with the reference, over the procedures that both ordered blind."""
    orders = human_orders.listed(database, source, drafts=False)
    found = human_orders.people_agreement(orders, human_orders.cached_procedures(data))
    return [PairAgreement("Orders", one.first, one.second, one.n, "tau", one.tau, one.exact) for one in found.pairs]
