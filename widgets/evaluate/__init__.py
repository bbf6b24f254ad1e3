"""Starting an evaluation.

EvaluateForm: the right dock's form; EvaluateRequest: what it emits; TaskChoice, DataChoice, ModelChoice, ComputeChoice:
what it offers; PREDICTIONS: the model's name when predictions come from a file.
"""

from stepscope.widgets.evaluate.form import EvaluateForm
from stepscope.widgets.evaluate.values import (
    PREDICTIONS,
    ComputeChoice,
    DataChoice,
    EvaluateRequest,
    ModelChoice,
    TaskChoice,
)

__all__ = ["PREDICTIONS", "ComputeChoice", "DataChoice", "EvaluateForm", "EvaluateRequest", "ModelChoice", "TaskChoice"]
