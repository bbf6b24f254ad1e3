"""What feasibility does to automation: a run's metrics over the goals that can be reached, those that cannot, and all
(MoTIF, Burns et al., ECCV 2022, sections 1 and 5: "measure the effect of task feasibility on navigation performance";
the paper prints no numbers of it)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from stepscope.core.domain.episode import FeasibilityLabel
from stepscope.core.domain.prediction import Task
from stepscope.core.domain.score import Metrics
from stepscope.core.evaluation.column_metrics import column_metrics
from stepscope.core.scoring.rule import AggregatingScorer, Options
from stepscope.core.store.column_reading import BoolArray
from stepscope.core.store.columns import RunColumns

TASKS = (Task.AUTOMATION, Task.ROLLOUT)
"""What is done towards a goal, which may not be within reach."""


def by_feasibility(
    columns: RunColumns, scorer: AggregatingScorer, options: Options, mask: BoolArray | None = None, *,
    bootstrap: int = 0, seed: int = 0,
) -> Mapping[FeasibilityLabel, Metrics]:  # fmt: skip
    """Metrics by label, of the items in the mask; nothing for other tasks, and where the data does not have goals of
    both kinds. Items without a label are in neither. `columns` need the index of the data."""
    if columns.task not in TASKS or not len(columns.episode):
        return {}
    labels = columns.label[columns.episode]
    known = [label for label in FeasibilityLabel if label.value in columns.labels]
    parts = {label: labels == columns.labels.index(label.value) for label in known}
    if len(parts) < len(FeasibilityLabel) or not all(np.any(part) for part in parts.values()):
        return {}
    return {
        label: column_metrics(
            columns, scorer, options, part if mask is None else part & mask, bootstrap=bootstrap, seed=seed
        )
        for label, part in parts.items()
    }
