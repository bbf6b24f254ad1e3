"""The models that are here.

ModelsView: a list, what is known of the chosen one, and what can be done with it; ModelRow: a model.
"""

from stepscope.widgets.models.model_row import ModelRow
from stepscope.widgets.models.view import ModelsView

__all__ = ["ModelRow", "ModelsView"]
