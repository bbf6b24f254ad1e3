"""The order of a procedure's steps: the recorded one and the runs' beside each other.

OrderBoard: cards in rows joined by lines; OrderPanel: how sure a run is of each pair, and all metrics of the procedure;
Board, Card, OrderRow, PairMatrix, OrderMetrics: their frozen values.
"""

from stepscope.widgets.ordering.board import OrderBoard
from stepscope.widgets.ordering.ordering_rows import OrderBoardContent, OrderMetrics, OrderRow, PairMatrix, StepCard
from stepscope.widgets.ordering.panel import OrderPanel

__all__ = ["OrderBoard", "OrderBoardContent", "OrderMetrics", "OrderPanel", "OrderRow", "PairMatrix", "StepCard"]
