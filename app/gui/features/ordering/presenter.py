"""A procedure and the orders of its steps, as the board, the matrices and the metrics of the ordering workspace."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from stepscope.app.gui.shell.episode_judgements import JudgedEpisode
from stepscope.app.gui.shell.run_letters import LETTERS
from stepscope.app.gui.shell.run_words import metric_title
from stepscope.app.gui.shell.step_words import verdict_of
from stepscope.core.domain.human_order import HumanOrder, StepOrder
from stepscope.core.domain.prediction import OrderAnswer, Task
from stepscope.core.domain.procedure import Procedure
from stepscope.core.domain.run import Outcome
from stepscope.core.evaluation.attention import step_attention
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module
from stepscope.widgets import format as formats
from stepscope.widgets.ordering import GridCell, OrderBoardContent, OrderRow, PairMatrix, StepCard, YourRow

if TYPE_CHECKING:
    from stepscope.core.scoring import ordering as ordering_protocol
else:
    ordering_protocol = lazy_module("stepscope.core.scoring.ordering")

MOST_PAIRS = 48
"""Steps up to which a matrix is shown: beyond, no cell could be told from its neighbour (ours)."""

COUNTS = ("pmr", "lcs_subsequence", "lcs_substring")
"""Metrics that are whole numbers for one procedure."""

TAU = "kendall_tau"

HOW_TO_MOVE = "Drag a card, or Ctrl+Shift with the arrows"
LOCKED = "Accepted"

Orderings = Sequence[tuple[int, str, Outcome]]
"""Runs of the ordering task that are shown: number (0 is A), name, what it answered about the procedure."""


def metric_names() -> tuple[str, ...]:
    """The six metrics in the protocol's order."""
    return ordering_protocol.INFO.metrics


def titled(metric: str) -> str:
    """What a metric is called here: tau as a letter, an arrow where lower is better."""
    title = "Kendall τ" if metric == TAU else metric_title(metric).replace("LCS ", "LCS, ")
    return f"{title} ↓" if metric in ordering_protocol.INFO.lower_is_better else title


@dataclass(frozen=True, slots=True)
class OwnOrder:
    """The person's order as it stands on the board, `locked` where it cannot be changed, and the steps as they were
    shuffled."""

    order: StepOrder
    shuffled: StepOrder
    locked: bool = False


def orderings_of(judged: JudgedEpisode, names: Mapping[str, str]) -> Orderings:
    """The shown runs that were asked for the order of this procedure."""
    found = []
    for run, index in judged.runs.items():
        outcome = judged.whole(run)
        if outcome is not None and judged.tasks.get(run) is Task.ORDERING:
            found.append((index, names.get(run, run), outcome))
    return found


def nearest(procedure: Procedure, order: StepOrder) -> int:
    """The place, in the procedure's references, of the one that fits the order best."""
    return ordering_protocol.OrderingScorer().reference_taken(procedure, order)


def board_of(procedure: Procedure, chosen: int, orderings: Orderings, own: OwnOrder | None) -> OrderBoardContent:
    """`chosen` is the reference that the rows are held against."""
    references = procedure.references
    rows = tuple(
        OrderRow(index, name, _order(outcome), verdict_of(outcome.score), _note(outcome))
        for index, name, outcome in orderings
    )
    note = "as recorded" if len(references) == 1 else f"order {chosen + 1} of {len(references)}"
    if not procedure.ordered:
        note = "The data says that these steps have no order."
    return OrderBoardContent(procedure.goal, _cards(procedure, own), references[chosen], rows, note, _you(own))


def blind_board(procedure: Procedure, own: OwnOrder) -> OrderBoardContent:
    """Nothing but the person's own cards."""
    return OrderBoardContent(procedure.goal, _cards(procedure, own), (), you=_you(own))


def alternatives_in_letters(order: HumanOrder, shuffled: StepOrder) -> tuple[str, ...]:
    """The orders that a person called right too, as the letters of their cards."""
    letters = _letters(shuffled)
    return tuple(" ".join(letters.get(step, "?") for step in one) for one in order.orders[1:])


def matrices_of(board: OrderBoardContent, orderings: Orderings) -> tuple[PairMatrix, ...]:
    """How sure the runs are of pairs, and where steps looked, as far as they say so; rows and columns in the reference
    order."""
    found = []
    labels = tuple(board.by_id[step].text for step in board.reference if step in board.by_id)
    for index, name, outcome in orderings:
        answer = outcome.prediction.answer
        if not isinstance(answer, OrderAnswer) or len(labels) > MOST_PAIRS:
            continue
        if sorted(answer.order) != sorted(board.reference):
            continue
        at = [answer.order.index(step) for step in board.reference]
        looked = step_attention(outcome.prediction.raw, len(at))
        for rows, is_attention in ((answer.before, False), (looked, True)):
            if len(rows) == len(at) > 1:
                cells = tuple(tuple(rows[row][column] for column in at) for row in at)
                in_order = tuple(answer.order) == tuple(board.reference)
                found.append(PairMatrix(index, name, labels, cells, in_order, is_attention))
    return tuple(found)


def metrics_of(
    procedure: Procedure, orderings: Orderings, own: StepOrder, *, dropped: bool = False
) -> tuple[tuple[GridCell, ...], ...]:
    """All metrics of the procedure, a row for each order: the person's own, scored now (`dropped`: as a dragged card
    would have it), and the runs' as they were scored."""
    from stepscope.app.services.human_orders import score_of_order

    several = len(procedure.references) > 1
    head = [GridCell("Order", is_number=False, is_dim=True)]
    head += [GridCell(titled(name), is_dim=True) for name in metric_names()]
    head.append(GridCell("First wrong", is_dim=True))
    if several:
        head.append(GridCell("Against", is_dim=True))
    given: list[tuple[str, int | None, Mapping[str, float], StepOrder]] = []
    if own:
        name = "You, as dropped" if dropped else "You"
        given.append((name, None, dict(score_of_order(procedure, own).parts), own))
    given += [
        (f"Run {LETTERS[index]}", index, dict(outcome.score.parts), _order(outcome)) for index, _n, outcome in orderings
    ]
    rows = [tuple(head)]
    for name, run, parts, order in given:
        taken = nearest(procedure, order)
        cells = [GridCell(name, run, is_number=False)]
        cells += [GridCell(_metric_words(metric, parts.get(metric))) for metric in metric_names()]
        cells.append(GridCell(_first_wrong(procedure.references[taken], order)))
        if several:
            cells.append(GridCell(f"{taken + 1} of {len(procedure.references)} orders", is_dim=True))
        rows.append(tuple(cells))
    return tuple(rows)


def _metric_words(metric: str, value: float | None) -> str:
    return formats.count(None if value is None else round(value)) if metric in COUNTS else formats.score(value)


def _first_wrong(reference: StepOrder, order: StepOrder) -> str:
    if sorted(order) != sorted(reference):
        return formats.NONE
    wrong = [place for place, (a, b) in enumerate(zip(reference, order, strict=True), start=1) if a != b]
    return f"position {wrong[0]}" if wrong else "none"


def _cards(procedure: Procedure, own: OwnOrder | None) -> tuple[StepCard, ...]:
    letters = _letters(own.shuffled) if own is not None else {}
    return tuple(
        StepCard(step.id, step.title or step.text, bool(step.pictures), letters.get(step.id, ""))
        for step in procedure.steps
    )


def _letters(shuffled: StepOrder) -> dict[str, str]:
    """A letter for each step by the place at which it was shown, numbers behind Z."""
    return {step: chr(ord("A") + place) if place < 26 else str(place + 1) for place, step in enumerate(shuffled)}


def _you(own: OwnOrder | None) -> YourRow | None:
    return YourRow(own.order, LOCKED if own.locked else HOW_TO_MOVE, own.locked) if own is not None else None


def _order(outcome: Outcome) -> StepOrder:
    answer = outcome.prediction.answer
    return answer.order if isinstance(answer, OrderAnswer) else ()


def _note(outcome: Outcome) -> str:
    prediction = outcome.prediction
    return "" if isinstance(prediction.answer, OrderAnswer) else f"{prediction.why} {outcome.score.why}".strip()
