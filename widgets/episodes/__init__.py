"""The list of episodes.

EpisodesView: list with filter and order, read by page; ProblemsView: what could not be read;
EpisodeRow, FilterError, ProblemRow, EpisodeSort: their frozen values.
"""

from widgets.episodes.episodes_item_model import EpisodesItemModel
from widgets.episodes.problems_view import ProblemsView
from widgets.episodes.values import EpisodeRow, EpisodeSort, FilterError, ProblemRow
from widgets.episodes.view import EpisodesView

__all__ = [
    "EpisodeRow",
    "EpisodeSort",
    "EpisodesItemModel",
    "EpisodesView",
    "FilterError",
    "ProblemRow",
    "ProblemsView",
]
