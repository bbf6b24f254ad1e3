from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from stepscope.core.domain.prediction import Task
from stepscope.core.scoring.option import Option
from stepscope.core.scoring.rule import ProtocolInfo, Rule
from stepscope.widgets.shell.protocols import ProtocolsView

TAPS = ProtocolInfo(
    "aitw",
    "AitW step matching",
    Task.AUTOMATION,
    "1",
    "released code",
    (Option("text", "ignore", "whether text counts", "code", ("ignore", "exact")),),
    ("step_accuracy",),
    rules=(Rule("Two taps match when a < 0.14 & b > 0.", "code"), Rule("Double precision.", "ours")),
)
ORDERS = ProtocolInfo(
    "ordering", "Step ordering", Task.ORDERING, "1", "paper", (), (), rules=(Rule("Share of positions.", "paper"),)
)


@pytest.fixture
def view(qtbot: QtBot, themed: object) -> ProtocolsView:
    shown = ProtocolsView([TAPS, ORDERS])
    qtbot.addWidget(shown)
    return shown


def titles(view: ProtocolsView) -> list[str]:
    return [view.list.item(place).text() for place in range(view.list.count())]


def test_a_page_has_every_rule_with_its_mark(view: ProtocolsView) -> None:
    text = view.page.toPlainText().split()
    assert view.list.currentItem().text() == "AitW step matching"
    assert text[text.index("Two") : text.index("ours")] == [
        "Two",
        "taps",
        "match",
        "when",
        "a",
        "<",
        "0.14",
        "&",
        "b",
        ">",
        "0.",
    ]
    assert text[text.index("Two") - 1] == "code"
    assert "text=ignore" in text and "step_accuracy" in text
    assert "(ignore or exact): whether text counts" in " ".join(text)
    view.choose("ordering")
    assert "Share of positions." in view.page.toPlainText()


def test_words_of_a_rule_find_its_protocol(view: ProtocolsView) -> None:
    view.search.setText("positions share")
    assert titles(view) == ["Step ordering"]
    view.search.setText("nothing has this")
    assert titles(view) == [] and "No protocol" in view.page.toPlainText()
    view.search.setText("")
    assert len(titles(view)) == 2
