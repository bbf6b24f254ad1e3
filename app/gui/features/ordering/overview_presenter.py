"""All procedures and all people, as the list, the table, the totals and the agreement of the ordering workspace."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean

from stepscope.app.gui.features.ordering.presenter import COUNTS, TAU, metric_names, titled
from stepscope.app.gui.features.ordering.procedure_overview import Parts, ProcedureOverview
from stepscope.app.gui.shell.run_letters import LETTERS
from stepscope.core.domain.human_order import HumanOrder
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.order_pairs import OrderKappa
from stepscope.widgets import format as formats
from stepscope.widgets.ordering import GridCell, ProcedureLine, ValueColumn

FEW = 10
"""Below so many things a number is grey."""

YOU, PEOPLE = "You", "People"
HELPFUL = ("both", "text", "picture", "neither")


class OverviewRows:
    """Rows of an overview as `person` may see them: blind, metrics of what they have not accepted yet are hidden."""

    def __init__(self, found: ProcedureOverview, person: str, *, blind: bool) -> None:
        self._found, self._person, self._blind = found, person, blind
        self._mine: dict[str, HumanOrder] = {}
        self._people: dict[str, int] = {}
        for one in found.orders:
            if one.annotator == person and one.blind == blind:
                self._mine[one.procedure] = one
            if one.blind and one.submitted is not None:
                self._people[one.procedure] = self._people.get(one.procedure, 0) + 1

    @property
    def accepted(self) -> set[str]:
        """The procedures that the person has done with."""
        return {name for name, one in self._mine.items() if one.submitted is not None}

    # The list and the table ------------------------------------------------------------------------------------------

    def tau_columns(self) -> list[ValueColumn]:
        """Kendall's tau of the person and of each run."""
        runs = [(f"τ {LETTERS[run]}", run, f"Kendall's tau of run {LETTERS[run]}") for run in self._found.runs]
        return [
            ValueColumn(title, run, tip=tip, short=True)
            for title, run, tip in (("τ You", None, "Kendall's tau of your order"), *runs)
        ]

    def tau_lines(self, ids: Iterable[str]) -> list[ProcedureLine]:
        return [self._line(name, (TAU,)) for name in ids]

    def all_columns(self) -> list[ValueColumn]:
        """Every metric of the person and of each run."""
        parties: list[tuple[str, int | None]] = [(YOU, None), *((LETTERS[run], run) for run in self._found.runs)]
        return [
            ValueColumn(f"{name} {titled(metric)}", run, metric in COUNTS) for name, run in parties
            for metric in metric_names()
        ]  # fmt: skip

    def all_lines(self, ids: Iterable[str]) -> list[ProcedureLine]:
        return [self._line(name, metric_names()) for name in ids]

    def _line(self, name: str, metrics: Sequence[str]) -> ProcedureLine:
        goal, steps = self._found.titles.get(name, ("", 0))
        mine = self._mine.get(name)
        done = mine is not None and mine.submitted is not None
        values: list[float | None] = []
        if self._blind and not done:
            values = [None] * (len(metrics) * (1 + len(self._found.runs)))
        else:
            own = self._found.scores.get(mine.key) if mine is not None else None
            for parts in (own, *(by_name.get(name) for by_name in self._found.runs.values())):
                values += [None if parts is None else parts.get(metric) for metric in metrics]
        mark = "done" if done else "draft" if mine is not None else ""
        return ProcedureLine(name, goal, steps, mark, self._people.get(name, 0), tuple(values))

    # Over all --------------------------------------------------------------------------------------------------------

    def totals(self) -> list[list[GridCell]]:
        """Every metric of each run and of all people, means over what each ordered, with their numbers."""
        found = self._found
        people = [parts for key, parts in found.scores.items() if key[3]]
        if not found.runs and not people:
            return []
        parties: list[tuple[str, int | None, list[Parts]]] = [
            *((LETTERS[run], run, list(by_name.values())) for run, by_name in found.runs.items()),
            *(((PEOPLE, None, people),) if people else ()),
        ]
        rows = [[_words("Metric", dim=True), *(GridCell(name, run) for name, run, _ in parties)]]
        for metric in metric_names():
            rows.append([_words(titled(metric)), *(_mean(metric, run, parts) for _, run, parts in parties)])
        counts = [GridCell(_count(len(parts)), is_dim=True) for _, _, parts in parties]
        return [*rows, [_words("n", dim=True), *counts]]

    def helped(self) -> list[list[GridCell]]:
        """Which inputs people said helped them."""
        said = [one.helped.value for one in self._found.orders if one.blind and one.submitted and one.helped]
        if not said:
            return []
        rows = [[_words("Input", dim=True), GridCell("Share", is_dim=True), GridCell("n", is_dim=True)]]
        for word in HELPFUL:
            share = formats.share(said.count(word) / len(said))
            rows.append([_words(word.capitalize()), GridCell(share, is_dim=len(said) < FEW),
                         GridCell(formats.count(said.count(word)), is_dim=True)])  # fmt: skip
        return rows

    def pairs(self) -> list[list[GridCell]]:
        """How far each two people, and each with runs and reference, agree."""
        agreement = self._found.agreement
        if agreement is None or not agreement.pairs:
            return []
        head = [_words("Who", dim=True), *(GridCell(words, is_dim=True) for words in ("Exact", "τ", "n"))]
        return [
            head,
            *(
                [
                    _words(f"{one.first} – {one.second}"), GridCell(formats.share(one.exact), is_dim=one.n < FEW),
                    GridCell(formats.score(one.tau), is_dim=one.n < FEW), GridCell(_count(one.n), is_dim=True),
                ]
                for one in agreement.pairs
            ),
        ]  # fmt: skip

    def kappas(self) -> tuple[int, list[list[GridCell]]]:
        """How many people there are, and how far all of them agree."""
        agreement = self._found.agreement
        if agreement is None:
            return 0, []
        named = (("Standard order, κ", agreement.standard), ("Alternative orders, κ", agreement.alternative))
        return len(agreement.people), [[_words(words), _kappa(value), GridCell(f"n {value.n:,}", is_dim=True)]
                                       for words, value in named]  # fmt: skip


@dataclass(frozen=True)
class OverviewTables:
    """All that is shown of an overview, worked out off the GUI thread; `accepted` are the procedures that the person
    has done with."""

    total: int
    scored: int
    accepted: frozenset[str]
    list_columns: Sequence[ValueColumn]
    list_lines: Sequence[ProcedureLine]
    columns: Sequence[ValueColumn]
    lines: Sequence[ProcedureLine]
    totals: Sequence[Sequence[GridCell]]
    helped: Sequence[Sequence[GridCell]]
    pairs: Sequence[Sequence[GridCell]]
    people: int
    kappas: Sequence[Sequence[GridCell]]

    @classmethod
    def of(cls, found: ProcedureOverview, person: str, ids: Sequence[str], *, blind: bool) -> OverviewTables:
        """`ids` are the procedures that the filter leaves, in order."""
        rows = OverviewRows(found, person, blind=blind)
        people, kappas = rows.kappas()
        scored = max((len(by_name) for by_name in found.runs.values()), default=len(found.titles))
        return cls(
            len(found.titles), scored, frozenset(rows.accepted), rows.tau_columns(), rows.tau_lines(ids),
            rows.all_columns(), rows.all_lines(ids), rows.totals(), rows.helped(), rows.pairs(), people, kappas,
        )  # fmt: skip


def _kappa(value: OrderKappa) -> GridCell:
    return GridCell(formats.score(value.kappa), is_dim=value.n < FEW)


def _mean(metric: str, run: int | None, parts: Sequence[Mapping[str, float]]) -> GridCell:
    values = [one[metric] for one in parts if metric in one]
    return GridCell(formats.score(fmean(values) if values else None), run)


def _words(text: str, *, dim: bool = False) -> GridCell:
    return GridCell(text, is_number=False, is_dim=dim)


def _count(number: int) -> str:
    words = formats.count(number)
    return f"{words}, few" if number < FEW else words
