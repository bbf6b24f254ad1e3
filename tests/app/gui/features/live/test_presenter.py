"""What is said of a device and of models that look at it."""

from __future__ import annotations

from stepscope.app.gui.features.live.presenter import acted_line, overlay_marks, overlay_words
from stepscope.app.services.live.overlay import OverlayPrediction, OverlayState
from stepscope.core.device.session import PerformedAction, ScreenSnapshot
from stepscope.core.domain.action import PressKey, Tap, Type
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.domain.layers import run_layer
from stepscope.core.domain.prediction import ActionAnswer, Prediction

SIZE = Size(108, 240)


def test_how_a_model_keeps_up_is_one_line() -> None:
    assert overlay_words(OverlayState("B", 1.5, 40.4, 2)) == "1.5 answers a second, 40 ms each, 2 too late"
    assert (
        overlay_words(OverlayState("B", 0.0, None, 0, "it has no answer")) == "0.0 answers a second, it has no answer"
    )


def test_an_answer_over_the_live_screen_is_drawn_in_the_models_layer_alone() -> None:
    seen = ScreenSnapshot(b"", SIZE, None, "", 0.0, 3)
    answer = Prediction("live", 0, ActionAnswer(Tap(Point(54, 120, SIZE))))
    marks = overlay_marks(OverlayPrediction(3, "C", answer, seen), 2)
    assert {mark.layer for mark in marks} == {run_layer(2)}


def test_the_log_does_not_tell_what_was_typed() -> None:
    assert acted_line(PerformedAction(Type("secret"), None, 0.0)) == "Type 6 characters"
    assert "back" in acted_line(PerformedAction(PressKey("back"), None, 0.0)).lower()
