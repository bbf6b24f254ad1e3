"""Runs and their results.

RunsView: the list of runs, with those at work; ResultsView: metrics and items of one run;
RunRow, ResultDetails, MetricRow, ItemRow, ItemsFilter, RuleChoice, RuleRow, FlipCounts: their frozen values.
ConfusionView, BarList, SelectionPanel, FixesView: what the run got wrong and where, with `breakdown_values`.
The plots (`curves`, `calibration`, `step_plot`) are imported from their modules when first shown: pyqtgraph is slow.
"""

from widgets.results.confusion import ConfusionView
from widgets.results.fixes import FixesView
from widgets.results.items_item_model import ItemsItemModel
from widgets.results.results_view import ResultsView
from widgets.results.runs_view import RunsView
from widgets.results.selection import SelectionPanel
from widgets.results.shares import BarList
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
    "BarList",
    "ConfusionView",
    "FixesView",
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
    "SelectionPanel",
]
