"""Step ordering: the steps of a procedure, shuffled, are to be put in order (Wu et al. 2022, section 5.1).

Every procedure is an item; one whose steps have no order in the data is unscored. An episode is read as the procedure
that its instructions make.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from sqlalchemy.orm import Session

from stepscope.core.domain.prediction import OrderAnswer, Prediction, PredictionStatus, Task
from stepscope.core.domain.procedure import Procedure
from stepscope.core.domain.run import ItemKey
from stepscope.core.domain.score import Score
from stepscope.core.evaluation.predictor import OrderRequest
from stepscope.core.evaluation.tasks.kind import WHOLE_EPISODE, Item, Setting
from stepscope.core.scoring.rule import AggregatingScorer, Options
from stepscope.core.sources.procedures import read_procedure
from stepscope.core.sources.source import Source


class ShuffledProcedure(NamedTuple):
    """`id_of` leads from the place at which a step was shown, "1", "2", …, to its id in the data."""

    procedure: Procedure
    id_of: dict[str, str]


class Orderings:
    """`Item.material` is `ShuffledProcedure`; the rule gets the procedure."""

    task = Task.ORDERING
    protocol = "ordering"

    def items(self, source: Source, unit: str, setting: Setting) -> Iterator[Item]:
        procedure = read_procedure(source, unit)
        shown = {str(place): step for place, step in enumerate(procedure.shuffled(setting.seed), start=1)}
        place_of = {step.id: place for place, step in shown.items()}
        request = OrderRequest(
            procedure=procedure.id,
            goal=procedure.goal,
            steps=tuple(replace(step, id=place) for place, step in shown.items()),
            reference=tuple(place_of[step.id] for step in procedure.steps) if setting.show_reference else None,
        )
        material = ShuffledProcedure(procedure, {place: step.id for place, step in shown.items()})
        yield Item(ItemKey(procedure.id, WHOLE_EPISODE), request, "", material)

    def score(self, item: Item, prediction: Prediction, scorer: AggregatingScorer, options: Options) -> Score:
        return scorer.score_item(item.material.procedure, prediction, options)

    def answer(self, item: Item, prediction: Prediction) -> Prediction:
        """The order in the data's ids. An answer that names a place at which nothing was shown is malformed."""
        if not isinstance(prediction.answer, OrderAnswer):
            return prediction
        id_of, order = item.material.id_of, prediction.answer.order
        unknown = next((place for place in order if place not in id_of), None)
        if unknown is not None:
            why = f"It names the step {unknown!r}, which was not shown."
            return replace(prediction, answer=None, status=PredictionStatus.MALFORMED, why=why)
        named = tuple(id_of[place] for place in order)
        return replace(prediction, answer=OrderAnswer(named, prediction.answer.before))

    def count(self, db: Session, source_id: int, units: Sequence[str]) -> int | None:
        return len(units)
