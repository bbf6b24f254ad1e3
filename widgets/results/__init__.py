"""Runs and their results.

RunsView: the list of runs, with those at work; ResultsView: metrics and items of one run;
RunRow, ResultDetails, MetricRow, ItemRow, ItemsFilter, RuleChoice, RuleRow, FlipCounts: their frozen values.
ConfusionView, BarList, SelectionPanel, FixesView: what the run got wrong and where, with `breakdown_values`.
The plots (`curves`, `calibration`, `step_plot`) are imported from their modules when first shown: pyqtgraph is slow.
"""

from stepscope.widgets.results.confusion import ConfusionView
from stepscope.widgets.results.fixes import FixesView
from stepscope.widgets.results.items_item_model import ItemsItemModel
from stepscope.widgets.results.result_rows import (
    FlipCounts,
    ItemRow,
    ItemsFilter,
    MetricRow,
    ResultDetails,
    RuleChoice,
    RuleRow,
    RunListRow,
)
from stepscope.widgets.results.results_view import ResultsView
from stepscope.widgets.results.runs_view import RunsView
from stepscope.widgets.results.selection import SelectionPanel
from stepscope.widgets.results.shares import BarList

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
    "RunListRow",
    "RunsView",
    "SelectionPanel",
]
