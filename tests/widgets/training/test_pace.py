"""The pace of an epoch in the panel: figures in words, shares as a bar."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from stepscope.widgets.training import EpochPace, TrainingStatus, TrainPanel
from stepscope.widgets.training.pace import PARTS, PaceView, memory_words, part_colour, speed_words

PACE = EpochPace(
    batch=1200, batches=4000, items_per_second=1043.2, seconds_left=85.9, rate=9.8e-4, loss=0.43125, data=0.25,
    forward=0.25, backward=0.4, memory=3 * 2**29,
)  # fmt: skip


@pytest.fixture
def view(qtbot: QtBot, themed: object) -> PaceView:
    shown = PaceView()
    qtbot.addWidget(shown)
    shown.resize(288, 160)
    return shown


def test_all_of_it_is_told(view: PaceView) -> None:
    assert view.isHidden()
    view.set_pace(replace(PACE, gpu_memory=2**32, gpu_use=0.87))
    assert not view.isHidden() and view.bar.share == pytest.approx(0.3)
    assert view.words().splitlines() == [
        "Batch 1,200 of 4,000",
        "1 min left",
        "1,043 items/s · rate 0.00098 · loss 0.4313",
        "Memory 1.5 GB · GPU 4.0 GB, 87 % busy",
        "data 25 %, forward 25 %, backward 40 %, rest 10 %",
    ]
    view.set_pace(PACE, paused=True)
    assert view.bar.state == "stopped" and "left" not in view.words()
    view.set_pace(None)
    assert view.isHidden()


def test_what_nobody_tells_is_left_out() -> None:
    assert memory_words(PACE) == "Memory 1.5 GB"
    assert memory_words(replace(PACE, gpu_memory=2**30)) == "Memory 1.5 GB · GPU 1.0 GB"
    assert (
        speed_words(replace(PACE, loss=math.nan, items_per_second=0.5)) == "0.5 items/s · rate 0.00098 · loss no number"
    )


def test_the_bar_shows_the_shares(view: PaceView, qtbot: QtBot) -> None:
    """At 288 px: data to 72, forward to 144, backward to 259, then the rest."""
    view.set_pace(PACE)
    view.show()
    qtbot.waitExposed(view)
    bar = view.times._bar
    assert bar.width() == 288
    picture = bar.grab().toImage()
    scale = picture.devicePixelRatio()
    middle = int(bar.height() / 2 * scale)
    for part, (left, right) in zip(PARTS, ((0, 72), (72, 144), (144, 259.2), (259.2, 288)), strict=True):
        for place in (left + 2, right - 4):
            assert picture.pixelColor(int(place * scale), middle).name() == part_colour(part).name(), part


def test_shares_of_more_than_all_stay_in_the_bar(view: PaceView) -> None:
    over = replace(PACE, data=0.6, forward=0.6, backward=0.3)
    assert over.rest == 0
    view.set_pace(over)
    assert view.words().endswith("rest 0 %")
    view.times._bar.grab()


def test_the_panel_shows_it_while_an_epoch_runs(qtbot: QtBot, themed: object) -> None:
    panel = TrainPanel(lambda *_: "")
    qtbot.addWidget(panel)
    status = TrainingStatus("mine", "Seed 0, epoch 1 of 3", pace=PACE, notes=("Seed 0: a note",))
    panel.set_status(status)
    assert not panel.curves.pace.isHidden() and panel.curves._notes.text() == "Seed 0: a note"
    panel.set_status(replace(status, running=False, results=("On a f1 is 0.7.", "On b f1 is 0.6.")))
    assert panel.curves.pace.isHidden()
    assert panel.curves._results.text() == "On a f1 is 0.7.\nOn b f1 is 0.6."
