"""Web tasks: a page is to be filled in as crowd workers did (TurkingBench, Xu et al. 2024).

Every instance of a task is an item; one without a field that can be scored is unscored. One whose page hung, crashed or
could not be opened, and one on which the solver broke, is an error: nothing is known of what it would have scored.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlalchemy.orm import Session

from stepscope.core.domain.prediction import Prediction, PredictionStatus, Task
from stepscope.core.domain.run import ItemKey
from stepscope.core.domain.score import Score
from stepscope.core.evaluation.demonstrations import demonstrations_for
from stepscope.core.evaluation.predictor import FieldsRequest
from stepscope.core.evaluation.tasks.kind import WHOLE_EPISODE, Item, Setting
from stepscope.core.scoring.rule import AggregatingScorer, Options
from stepscope.core.scoring.web_fields import FilledPage
from stepscope.core.sources.source import Source, web_tasks_of


class WebTasks:
    """`Item.material` is the `FilledPage` that people left."""

    task = Task.WEBTASK
    protocol = "fields"

    def items(self, source: Source, unit: str, setting: Setting) -> Iterator[Item]:
        pages = web_tasks_of(source)
        instance = pages.read_instance(unit)
        task = pages.read_task(instance.task)
        request = FieldsRequest(
            instance=instance.id,
            task=task,
            inputs=instance.inputs,
            reference=instance.answers if setting.show_reference else None,
            demonstrations=demonstrations_for(pages, task.name, setting.demonstrations, setting.seed),
        )
        yield Item(ItemKey(instance.id, WHOLE_EPISODE), request, "", FilledPage(task.fields, instance.answers))

    def score(self, item: Item, prediction: Prediction, scorer: AggregatingScorer, options: Options) -> Score:
        if prediction.status is PredictionStatus.FAILED:
            return Score.error(prediction.why or "The page was lost.")
        return scorer.score_item(item.material, prediction, options)

    def answer(self, item: Item, prediction: Prediction) -> Prediction:
        return prediction

    def count(self, db: Session, source_id: int, units: Sequence[str]) -> int | None:
        return len(units)
