"""The list of episodes.

EpisodesView: list with filter, order, groups and saved filters, read by page; ProblemsView: what could not be read;
EpisodeRow, EpisodeGroup, FilterError, ListOrder, ProblemRow, SavedFilter, Suggestion: their frozen values.
"""

from stepscope.widgets.library.episode_list_rows import (
    USUAL_PARTS,
    EpisodeGroup,
    EpisodeGrouping,
    EpisodeListRow,
    FilterProblem,
    FilterSuggestion,
    RowPart,
    SavedFilter,
)
from stepscope.widgets.library.episodes_item_model import EpisodesItemModel
from stepscope.widgets.library.order import EpisodeSort, ListOrder
from stepscope.widgets.library.view import EpisodesView

__all__ = [
    "USUAL_PARTS",
    "EpisodeGroup",
    "EpisodeGrouping",
    "EpisodeListRow",
    "EpisodeSort",
    "EpisodesItemModel",
    "EpisodesView",
    "FilterProblem",
    "FilterSuggestion",
    "ListOrder",
    "RowPart",
    "SavedFilter",
]
