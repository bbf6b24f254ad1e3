"""The order of a procedure's steps: the person's own, the recorded one and the runs' beside each other.

OrderBoard: cards in rows joined by lines; OrderPanel: how sure a run is of each pair, and numbers over all procedures;
ProceduresPanel: their list; ThisProcedurePanel: the metrics of one; the rest are their frozen values.
"""

from stepscope.widgets.ordering.board import OrderBoard
from stepscope.widgets.ordering.ordering_rows import (
    GridCell,
    OrderBoardContent,
    OrderRow,
    PairMatrix,
    ProcedureLine,
    StepCard,
    ValueColumn,
    YourRow,
    YourState,
)
from stepscope.widgets.ordering.panel import OrderPanel
from stepscope.widgets.ordering.procedures_panel import ProceduresPanel
from stepscope.widgets.ordering.this_procedure import ThisProcedurePanel

__all__ = [
    "GridCell",
    "OrderBoard",
    "OrderBoardContent",
    "OrderPanel",
    "OrderRow",
    "PairMatrix",
    "ProcedureLine",
    "ProceduresPanel",
    "StepCard",
    "ThisProcedurePanel",
    "ValueColumn",
    "YourRow",
    "YourState",
]
