"""The settings that are folded away."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from stepscope.models.learned.recipe import Hyper
from stepscope.models.training.schedules import OPTIMIZERS, PRECISIONS, SCHEDULES
from stepscope.widgets.training import more_settings
from stepscope.widgets.training.more_settings import MORE, MoreSettings
from stepscope.widgets.training.training_choices import SETTINGS, LearningSettings

OWN = LearningSettings(weight_decay=0.01)
OTHERS = LearningSettings(
    optimizer="sgd", momentum=0.9, weight_decay=5e-4, schedule="cosine", warmup=0.1, clip=0.0, accumulate=4,
    precision="bfloat16", workers=0, side_by_side=2, threads=1, prefixes=3,
    without="pictures,actions", pretrain=2, objectives="mlm,isp", layers=1, grid=3,
    encoder_rate=0.1, head_first=2, drop_texts=0.3,
)  # fmt: skip


@pytest.fixture
def more(qtbot: QtBot, themed: object) -> MoreSettings:
    shown = MoreSettings()
    qtbot.addWidget(shown)
    shown.set_shortens(True)
    shown.set_parts(("pictures", "actions"))
    shown.set_pretrains(True)
    shown.set_tunes(True)
    shown.take(OWN)
    shown.show()
    return shown


def test_they_are_all_that_the_trainer_knows() -> None:
    assert {*SETTINGS} == {*Hyper.__dataclass_fields__}
    for rows, names in (
        (more_settings.OPTIMIZERS, OPTIMIZERS),
        (more_settings.SCHEDULES, SCHEDULES),
        (more_settings.PRECISIONS, PRECISIONS),
    ):
        assert {value for value, _words in rows} == {*names}


def test_folded_until_asked_for(more: MoreSettings, qtbot: QtBot) -> None:
    assert not more.is_open() and more.toggle.accessibleDescription() == "Folded"
    qtbot.mouseClick(more.toggle, Qt.MouseButton.LeftButton)
    assert more.is_open() and more.workers.isVisible() and more.workers.text() == "Automatic"
    more.toggle.setFocus()
    qtbot.keyClick(more.toggle, Qt.Key.Key_Space)
    assert not more.is_open()


def test_every_setting_is_shown_and_given_back(more: MoreSettings) -> None:
    for settings in (OWN, OTHERS):
        more.take(settings)
        assert more.values(OWN) == {name: getattr(settings, name) for name in MORE}
    assert (more.warmup.text(), more.clip.text(), more.workers.text()) == ("10 %", "None", "0")


def test_copies_are_asked_for_only_where_the_recipe_can_shorten(more: MoreSettings) -> None:
    more.set_open(True)
    more.take(OTHERS)
    assert more.prefixes.isVisible() and more.values(OWN)["prefixes"] == 3
    more.set_shortens(False)
    assert not more.prefixes.isVisible() and more.values(OWN)["prefixes"] == 0


def test_the_rate_of_encoders_is_asked_for_only_where_they_learn(more: MoreSettings) -> None:
    more.set_open(True)
    more.take(OTHERS)
    assert more.encoder_rate.isVisible() and more.head_first.isVisible()
    more.set_tunes(False)
    assert not more.encoder_rate.isVisible() and not more.head_first.isVisible()
    assert (more.values(OWN)["encoder_rate"], more.values(OWN)["head_first"]) == (1.0, 0)


def test_parts_are_asked_for_only_where_the_recipe_can_do_without_any(more: MoreSettings, qtbot: QtBot) -> None:
    more.set_open(True)
    with qtbot.waitSignal(more.changed):
        more.without.setText(" pictures, actions")
    assert more.without.isVisible() and more.values(OWN)["without"] == "pictures,actions"
    assert "pictures, actions" in more.without.toolTip()
    more.set_parts(())
    assert not more.without.isVisible() and more.values(OWN)["without"] == ""


@pytest.mark.parametrize("name", MORE)
def test_unfolds_where_a_setting_is_not_the_recipes_own(more: MoreSettings, name: str) -> None:
    more.take(OWN, OWN)
    assert not more.is_open()
    more.take(replace(OWN, **{name: getattr(OTHERS, name)}), OWN)
    assert more.is_open()


def test_momentum_is_for_sgd_alone(more: MoreSettings) -> None:
    more.set_open(True)
    assert not more.momentum.isVisible()
    more.optimizer.setCurrentIndex(more.optimizer.findData("sgd"))
    assert more.momentum.isVisible()
    more.momentum.setValue(0.5)
    assert more.values(OWN)["momentum"] == 0.5
    more.optimizer.setCurrentIndex(more.optimizer.findData("adam"))
    assert not more.momentum.isVisible() and more.values(OWN)["momentum"] == OWN.momentum
