"""The compare workspace: runs beside each other on the same steps, under every rule."""

from stepscope.widgets.compare.aligned import AlignedPanel
from stepscope.widgets.compare.panel import ComparePanel
from stepscope.widgets.compare.rules_panel import RulesPanel
from stepscope.widgets.compare.run_comparison import (
    AlignedCell,
    AlignedLane,
    AlignedStep,
    CompareMenus,
    DifferenceRow,
    FlipRow,
    FlipTotals,
    MenuEntry,
    RuleVerdicts,
    RunAtStep,
)
from stepscope.widgets.compare.screens import CompareScreens

__all__ = [
    "AlignedCell",
    "AlignedLane",
    "AlignedPanel",
    "AlignedStep",
    "CompareMenus",
    "ComparePanel",
    "CompareScreens",
    "DifferenceRow",
    "FlipRow",
    "FlipTotals",
    "MenuEntry",
    "RuleVerdicts",
    "RulesPanel",
    "RunAtStep",
]
