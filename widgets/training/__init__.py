"""Training a model.

TrainPanel: the right dock, settings and curves; TrainRequest: what it emits; RecipeChoice, PresetChoice, EncoderChoice,
SourceChoice: what it offers; MoreData: further data of a request; TrainingStatus, EpochPoint, EpochPace: how a training
goes.
"""

from stepscope.widgets.training.panel import TrainPanel
from stepscope.widgets.training.training_choices import (
    EncoderChoice,
    MoreData,
    PresetChoice,
    RecipeChoice,
    SourceChoice,
    TrainRequest,
)
from stepscope.widgets.training.training_status import EpochPace, EpochPoint, TrainingStatus

__all__ = [
    "EncoderChoice",
    "EpochPace",
    "EpochPoint",
    "MoreData",
    "PresetChoice",
    "RecipeChoice",
    "SourceChoice",
    "TrainPanel",
    "TrainRequest",
    "TrainingStatus",
]
