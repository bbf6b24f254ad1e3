"""Training a model.

TrainPanel: the right dock, settings and curves; TrainRequest: what it emits; RecipeChoice: what it offers;
TrainingStatus, EpochPoint: how a training goes.
"""

from stepscope.widgets.training.panel import TrainPanel
from stepscope.widgets.training.training_status import EpochPoint, RecipeChoice, TrainingStatus, TrainRequest

__all__ = ["EpochPoint", "RecipeChoice", "TrainPanel", "TrainRequest", "TrainingStatus"]
