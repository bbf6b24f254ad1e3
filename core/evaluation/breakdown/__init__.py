"""Where a run went wrong: every aggregate of its results, from its columns in memory (`core.store.columns`).

Each function takes the columns and, if not all items are to count, a mask of those that do; each cell, bar and bin
comes with the `ItemSelection` of the items behind it.
"""

from stepscope.core.evaluation.breakdown.confusions import ConfusionEntry, ConfusionMatrix, confusion
from stepscope.core.evaluation.breakdown.curves import (
    Calibration,
    Curve,
    ScoreBin,
    ThresholdMetrics,
    as_decided,
    at_threshold,
    best_f1,
    calibration,
    pr_curve,
)
from stepscope.core.evaluation.breakdown.groups import (
    Group,
    Grouping,
    missed_by,
    recall_by_reason,
    wilson,
    wrong_by,
)
from stepscope.core.evaluation.breakdown.matching import PairedComparison, versus
from stepscope.core.evaluation.breakdown.reasons import (
    QuestionOrder,
    question_items,
    reason_confusion,
    sorted_questions,
)
from stepscope.core.evaluation.breakdown.selection import Criterion, ItemSelection, NumberRange, episodes_of, mask_of
from stepscope.core.evaluation.breakdown.web_tasks import FieldGroup, TaskPair, by_task, by_type, task_pairs

__all__ = [
    "Calibration",
    "ConfusionEntry",
    "ConfusionMatrix",
    "Criterion",
    "Curve",
    "FieldGroup",
    "Group",
    "Grouping",
    "ItemSelection",
    "NumberRange",
    "PairedComparison",
    "QuestionOrder",
    "ScoreBin",
    "TaskPair",
    "ThresholdMetrics",
    "as_decided",
    "at_threshold",
    "best_f1",
    "by_task",
    "by_type",
    "calibration",
    "confusion",
    "episodes_of",
    "mask_of",
    "missed_by",
    "pr_curve",
    "question_items",
    "reason_confusion",
    "recall_by_reason",
    "sorted_questions",
    "task_pairs",
    "versus",
    "wilson",
    "wrong_by",
]
