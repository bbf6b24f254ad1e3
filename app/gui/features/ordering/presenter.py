"""A procedure and what runs said of its order, as the board, the matrices and the metrics of the ordering workspace."""

from __future__ import annotations

from collections.abc import Sequence

from stepscope.app.gui.shell.episode_judgements import JudgedEpisode
from stepscope.app.gui.shell.run_words import metric_title
from stepscope.app.gui.shell.step_words import verdict_of
from stepscope.core.domain.prediction import OrderAnswer, Task
from stepscope.core.domain.procedure import Procedure
from stepscope.core.domain.run import Outcome
from stepscope.widgets.ordering import OrderBoardContent, OrderMetrics, OrderRow, PairMatrix, StepCard

MOST_PAIRS = 48
"""Steps up to which a matrix is shown: beyond, no cell could be told from its neighbour (ours)."""

COUNTS = ("pmr", "lcs_subsequence", "lcs_substring")
"""Metrics that are whole numbers for one procedure."""

Order = tuple[str, ...]
Orderings = Sequence[tuple[int, str, Outcome]]
"""Runs of the ordering task that are shown: place (0 is A), name, what it answered about the procedure."""


def orderings_of(judged: JudgedEpisode, names: Sequence[str]) -> Orderings:
    """The shown runs that were asked for the order of this procedure."""
    found = []
    for index, (run, name) in enumerate(zip(judged.runs, names, strict=False)):
        outcome = judged.whole(run)
        if outcome is not None and judged.tasks.get(run) is Task.ORDERING:
            found.append((index, name, outcome))
    return found


def references_of(procedure: Procedure) -> tuple[Order, ...]:
    """The recorded order, and the others that are right too."""
    return (tuple(step.id for step in procedure.steps), *procedure.orders)


def nearest(references: Sequence[Order], orderings: Orderings) -> int:
    """The reference that has most steps where the first run has them; the recorded one among equals."""
    answers = [outcome.prediction.answer for _index, _name, outcome in orderings]
    order = next((answer.order for answer in answers if isinstance(answer, OrderAnswer)), ())
    same = [sum(a == b for a, b in zip(reference, order, strict=False)) for reference in references]
    return same.index(max(same))


def board_of(procedure: Procedure, chosen: int, orderings: Orderings) -> OrderBoardContent:
    """`chosen` is the reference that the rows are held against."""
    references = references_of(procedure)
    cards = tuple(StepCard(step.id, step.title or step.text, bool(step.pictures)) for step in procedure.steps)
    rows = tuple(
        OrderRow(index, name, _order(outcome), verdict_of(outcome.score), _note(outcome))
        for index, name, outcome in orderings
    )
    note = "as recorded" if len(references) == 1 else f"order {chosen + 1} of {len(references)}"
    if not procedure.ordered:
        note = "The data says that these steps have no order."
    return OrderBoardContent(procedure.goal, cards, references[chosen], rows, note)


def matrices_of(board: OrderBoardContent, orderings: Orderings) -> tuple[PairMatrix, ...]:
    """How sure the runs are of pairs, rows and columns in the reference order, as far as they say so."""
    found = []
    labels = tuple(board.by_id[step].text for step in board.reference if step in board.by_id)
    for index, name, outcome in orderings:
        answer = outcome.prediction.answer
        if not isinstance(answer, OrderAnswer) or not answer.before or len(labels) > MOST_PAIRS:
            continue
        if sorted(answer.order) != sorted(board.reference) or len(answer.before) != len(answer.order):
            continue
        at = [answer.order.index(step) for step in board.reference]
        found.append(
            PairMatrix(index, name, labels, tuple(tuple(answer.before[row][column] for column in at) for row in at))
        )
    return tuple(found)


def metrics_of(orderings: Orderings) -> tuple[OrderMetrics, ...]:
    """All metrics of the procedure, a value for each run."""
    from stepscope.core.scoring.ordering import INFO

    parts = [dict(outcome.score.parts) for _index, _name, outcome in orderings]
    return tuple(
        OrderMetrics(
            metric_title(name),
            tuple(part.get(name) for part in parts),
            low=name in INFO.lower_is_better,
            whole=name in COUNTS,
        )
        for name in INFO.metrics
    )


def _order(outcome: Outcome) -> Order:
    answer = outcome.prediction.answer
    return answer.order if isinstance(answer, OrderAnswer) else ()


def _note(outcome: Outcome) -> str:
    prediction = outcome.prediction
    return "" if isinstance(prediction.answer, OrderAnswer) else f"{prediction.why} {outcome.score.why}".strip()
