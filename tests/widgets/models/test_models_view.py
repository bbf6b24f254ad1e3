"""The list of models marks those that lose to a rule on real data."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from stepscope.widgets import theme
from stepscope.widgets.models import ModelRow, ModelsView

WORDS = "Below text-match on UIBert refexp: 0.322 against 0.585"


def test_a_model_below_the_rules_is_marked_and_the_tip_says_where(qtbot: QtBot, themed: object) -> None:
    view = ModelsView()
    qtbot.addWidget(view)
    loses = ModelRow("tower", "Task automation", "onnx", "present", "", "Stepscope", "", below_rules=WORDS)
    view.set_models([loses, ModelRow("rule", "Task automation", "", "none", "", "Stepscope", "")])
    marked, plain = (view.model.index(place, 1) for place in range(2))
    assert marked.data() == "Task automation · below the rules" and plain.data() == "Task automation"
    assert marked.data(Qt.ItemDataRole.ForegroundRole) == QColor(theme.current().warn)
    assert plain.data(Qt.ItemDataRole.ForegroundRole) is None
    assert view.model.index(0, 0).data(Qt.ItemDataRole.ForegroundRole) is None
    assert WORDS in marked.data(Qt.ItemDataRole.ToolTipRole)
