"""Runs and their results.

RunsView: the list of runs, with those at work; ResultsView: metrics and items of one run;
RunRow, ResultDetails, MetricRow, ItemRow, ItemsFilter, RuleChoice, RuleRow, FlipCounts: their frozen values.
"""

from widgets.results.items_item_model import ItemsItemModel
from widgets.results.results_view import ResultsView
from widgets.results.runs_view import RunsView
from widgets.results.values import (
    FlipCounts,
    ItemRow,
    ItemsFilter,
    MetricRow,
    ResultDetails,
    RuleChoice,
    RuleRow,
    RunRow,
)

__all__ = [
    "FlipCounts",
    "ItemRow",
    "ItemsFilter",
    "ItemsItemModel",
    "MetricRow",
    "ResultDetails",
    "ResultsView",
    "RuleChoice",
    "RuleRow",
    "RunRow",
    "RunsView",
]
