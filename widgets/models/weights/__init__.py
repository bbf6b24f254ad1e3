"""The weights that encoders and models want.

WeightsView: a list, what is known of the chosen ones, a form for new ones; WeightsLine: a row of the list;
WeightsFamily: what weights can be of; WeightsOffer: what was found at a path; WeightsChoice: what the form says of it.
"""

from stepscope.widgets.models.weights.values import WeightsChoice, WeightsFamily, WeightsLine, WeightsOffer
from stepscope.widgets.models.weights.view import WeightsView

__all__ = ["WeightsChoice", "WeightsFamily", "WeightsLine", "WeightsOffer", "WeightsView"]
