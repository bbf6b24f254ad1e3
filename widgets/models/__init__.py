"""The models that are here.

ModelsView: a list, what is known of the chosen one, and what can be done with it; ModelRow: a model.
"""

from widgets.models.values import ModelRow
from widgets.models.view import ModelsView

__all__ = ["ModelRow", "ModelsView"]
