"""A model's attached pictures, the whole way from its answer to the painted screen."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import stepscope.models.registry
from stepscope.core.domain.layers import Layer
from stepscope.core.domain.mark import AttachedMark
from stepscope.core.domain.prediction import AttachedPicture
from stepscope.core.domain.run import RunState
from stepscope.core.imaging.draw import encode_png
from tests.app.gui.conftest import at, shade_of

WEST, EAST = "occlusion, west", "occlusion, east"


def half(west: bool) -> bytes:
    """A grey map that is bright on one half."""
    pixels = np.zeros((24, 10, 3), np.uint8)
    pixels[:, :5] = 255 if west else 0
    pixels[:, 5:] = 0 if west else 255
    return encode_png(pixels)


class Occluder:
    """Says what the noisy copy says, and shows two occlusion maps."""

    def __init__(self, inner) -> None:
        self.info, self._inner = inner.info, inner
        self.spoilt = False

    def predict(self, request):
        pictures = (AttachedPicture(WEST, half(True)), AttachedPicture(EAST, half(False)))
        if self.spoilt:
            pictures = (AttachedPicture(WEST, b"no picture"),)
        return replace(self._inner.predict(request), pictures=pictures)


@pytest.fixture
def occluder(monkeypatch) -> Occluder:
    """Stands for the model `noisy-copy`."""
    load = stepscope.models.registry.load
    model = Occluder(load("noisy-copy"))
    monkeypatch.setattr(
        "stepscope.models.registry.load", lambda name, **more: model if name == "noisy-copy" else load(name, **more)
    )
    return model


def colour_at(person, x: float, y: float) -> tuple[int, int, int]:
    """What the window paints at a pixel of the step's picture."""
    image = person.screen.grab().toImage()
    left, top = person.screen.viewport.to_view(at(x, y))
    ratio = image.devicePixelRatio()
    colour = image.pixelColor(round(left * ratio), round(top * ratio))
    return colour.red(), colour.green(), colour.blue()


def drawn(person) -> list[str]:
    return [mark.picture.name for mark in person.screen.content.marks if isinstance(mark, AttachedMark)]


def test_from_the_answer_to_the_screen(person, occluder) -> None:
    person.evaluate()
    person.choose("workspace.replay")
    person.bench.viewer.open_step("tour", 3)
    person.arrive("tour", 3)
    grey = (shade_of(3),) * 3
    bar = person.window.replay.layers
    assert bar.chip(Layer.SALIENCY) is not None and drawn(person) == []
    assert colour_at(person, 10, 20) == colour_at(person, 98, 20) == grey

    person.press("H")
    person.settle()
    assert drawn(person) == [WEST] and person.bench.commands.actions["layer.saliency"].isChecked()
    assert colour_at(person, 10, 20) == pytest.approx(
        [grey[0] + 0.8 * (part - grey[0]) for part in (255, 176, 32)], abs=3
    )
    assert colour_at(person, 98, 20) == grey

    bar.set_strength(Layer.SALIENCY, 0.25)
    faint = [grey[0] + 0.2 * (part - grey[0]) for part in (255, 176, 32)]
    assert colour_at(person, 10, 20) == pytest.approx(faint, abs=3)
    bar.set_strength(Layer.SALIENCY, 1.0)

    person.press("Shift+H")
    person.settle()
    assert drawn(person) == [EAST]
    assert colour_at(person, 10, 20) == grey != colour_at(person, 98, 20)
    person.press("Right")
    person.arrive("tour", 4)
    assert drawn(person) == [EAST], "the choice holds from step to step"
    bar.choice_changed.emit(Layer.SALIENCY, WEST)
    person.settle()
    assert drawn(person) == [WEST]
    person.press("2")  # run A off
    assert drawn(person) == []
    person.press("2")
    person.press("H")
    person.settle()
    assert drawn(person) == []


def test_runs_without_pictures_have_no_chip(person) -> None:
    person.evaluate()
    person.choose("workspace.replay")
    person.settle()
    assert person.window.replay.layers.chip(Layer.SALIENCY) is None
    person.press("Shift+H")
    person.press("H")
    person.settle()
    assert drawn(person) == [] and person.alive()


def test_what_is_no_picture_is_the_models_error_on_that_item(person, occluder) -> None:
    occluder.spoilt = True
    run = person.evaluate()
    assert person.state_of(run) is RunState.DONE
    from stepscope.core.store.queries import items

    with person.bench.context.database.reading() as db:
        first = items(db, run, limit=1).rows[0]
    assert first.score.why.startswith(f"The model failed: ValueError: the picture '{WEST}' cannot be read")
