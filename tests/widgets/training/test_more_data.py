"""Further data to learn from: chosen, weighted, taken away, and what is told of it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from stepscope.core.domain.prediction import Task
from stepscope.widgets.training import MoreData, SourceChoice, TrainRequest
from stepscope.widgets.training.more_data import MoreDataField
from stepscope.widgets.training.training_problems import others_note

WITH, WITHOUT = SourceChoice("/d/with", "with", ("test", "train")), SourceChoice("/d/without", "without", ("dev",))
REQUEST = TrainRequest(Task.FEASIBILITY, "mlp", "all", "mine", train="train")


@pytest.fixture
def field(qtbot: QtBot, themed: object) -> MoreDataField:
    shown = MoreDataField()
    qtbot.addWidget(shown)
    shown.set_offered((WITH, WITHOUT))
    shown.show()
    return shown


def entries(field: MoreDataField) -> list[str]:
    return [action.text() for action in field.menu().actions() if not action.isSeparator()]


def test_known_data_and_a_folder_are_offered(field: MoreDataField, qtbot: QtBot) -> None:
    assert entries(field) == ["with", "without", "Folder…"]
    with qtbot.waitSignal(field.changed):
        field.menu().actions()[0].trigger()
    assert field.shares() == (MoreData("/d/with", 1.0),)
    assert entries(field) == ["without", "Folder…"], "what is chosen is not offered again"
    field.add("/d/with")
    assert len(field.shares()) == 1
    with qtbot.waitSignal(field.folder_wanted):
        field.menu().actions()[-1].trigger()


def test_a_weight_is_given_and_a_row_taken_away(field: MoreDataField, qtbot: QtBot) -> None:
    field.set_shares((MoreData("/d/with", 0.3), MoreData("/d/other")))
    first, second = field._rows
    assert first.weight.text() == "× 0.3" and second.weight.text() == "× 1"
    with qtbot.waitSignal(field.changed):
        second.weight.setValue(2.5)
    assert field.shares() == (MoreData("/d/with", 0.3), MoreData("/d/other", 2.5))
    assert first.remove.accessibleName() == "Do not learn from with"
    qtbot.mouseClick(first.remove, Qt.MouseButton.LeftButton)
    assert field.shares() == (MoreData("/d/other", 2.5),)


@pytest.mark.parametrize(("given", "kept"), [(0.0, 0.05), (99.0, 10.0), (0.05, 0.05), (10.0, 10.0)])
def test_weights_have_bounds(field: MoreDataField, given: float, kept: float) -> None:
    field.set_shares((MoreData("/d/with", given),))
    assert field.shares()[0].weight == kept


@pytest.mark.parametrize(
    ("paths", "changes", "words"),
    [
        ((), {}, ""),
        (("/d/with",), {}, ""),
        (("/d/without",), {}, "without has no split train: its apps are dealt out to the three parts."),
        (("/d/with",), {"train": "dev"}, "with has no split dev: its apps are dealt out to the three parts."),
        (("/d/without",), {"train": ""}, ""),
        (("/d/far",), {}, "far is read when the training begins. Without a split train its apps are dealt out."),
        (("/d/far",), {"train": ""}, "far is read when the training begins."),
        (("/d/with",), {"filter": "app:clock"}, "The filter holds for all data."),
        (
            ("/d/without", "/d/far", "/e/near"),
            {},
            "without has no split train: its apps are dealt out to the three parts. far and near are read when the "
            "training begins. Without a split train their apps are dealt out.",
        ),
    ],
)
def test_what_is_worth_knowing_of_it(
    field: MoreDataField, paths: tuple[str, ...], changes: dict[str, str], words: str
) -> None:
    request = replace(REQUEST, others=tuple(map(MoreData, paths)), **changes)  # type: ignore[arg-type]
    assert others_note(request, field.source) == words
