"""Starting an evaluation.

EvaluateForm: the right dock's form; EvaluateRequest: what it emits; TaskChoice, DataChoice, ModelChoice, ComputeChoice:
what it offers; PREDICTIONS: the model's name when predictions come from a file.
"""

from stepscope.widgets.evaluate.evaluate_choices import (
    PREDICTIONS,
    ComputeChoice,
    DataChoice,
    EvaluateRequest,
    ModelChoice,
    TaskChoice,
)
from stepscope.widgets.evaluate.form import EvaluateForm

__all__ = ["PREDICTIONS", "ComputeChoice", "DataChoice", "EvaluateForm", "EvaluateRequest", "ModelChoice", "TaskChoice"]
