"""The order of a procedure's steps: the recorded one and the runs' beside each other.

OrderBoard: cards in rows joined by lines; OrderPanel: how sure a run is of each pair, and all metrics of the procedure;
Board, Card, OrderRow, PairMatrix, OrderMetrics: their frozen values.
"""

from stepscope.widgets.ordering.board import OrderBoard
from stepscope.widgets.ordering.panel import OrderPanel
from stepscope.widgets.ordering.values import Board, Card, OrderMetrics, OrderRow, PairMatrix

__all__ = ["Board", "Card", "OrderBoard", "OrderMetrics", "OrderPanel", "OrderRow", "PairMatrix"]
