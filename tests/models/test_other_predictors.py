"""nearest-element, random and noisy-copy; what all weightless predictors promise."""

import statistics
from collections.abc import Callable
from dataclasses import replace

import pytest

from stepscope.core.domain.action import Finish, PressKey, Swipe, Tap, Target, Type
from stepscope.core.domain.geometry import Box, Point, Size
from stepscope.core.domain.prediction import PredictionStatus
from stepscope.core.evaluation.predictor import StepRequest
from stepscope.models.automation.nearest_element import NearestElement
from stepscope.models.automation.noisy_copy import Noise, NoisyCopy
from stepscope.models.automation.random_action import KINDS, RandomAction
from stepscope.models.automation.reference import ReferenceAnswer
from stepscope.models.registry import load

Make = Callable[..., StepRequest]
SIZE = Size(1000, 2000)
QUIET = Noise(sigma=0.0, malformed=0.0, wrong_kind=0.0, other_element=0.0)


def buttons(*centres: tuple[float, float]) -> list[dict[str, object]]:
    return [{"box": (x - 50, y - 50, x + 50, y + 50), "text": f"{x}", "clickable": True} for x, y in centres]


def test_nearest_element_starts_at_the_centre_and_follows_the_last_touch(request_for: Make) -> None:
    spots = ((100, 100), (450, 900), (900, 1900))
    assert NearestElement().predict(request_for(*buttons(*spots))).action.target.text == "450"  # type: ignore[union-attr]
    history = (Tap(Point(850, 1800, SIZE)), PressKey("back"))
    followed = NearestElement().predict(request_for(*buttons(*spots), history=history))
    assert followed.action.target.text == "900"  # type: ignore[union-attr]
    swiped = (Swipe(Point(850, 1800, SIZE), Point(0, 0, SIZE)),)
    assert NearestElement().predict(request_for(*buttons(*spots), history=swiped)).action.target.text == "100"  # type: ignore[union-attr]


def test_nearest_element_passes_over_what_takes_no_tap(request_for: Make) -> None:
    label = {"box": (490, 990, 510, 1010), "text": "label"}
    assert NearestElement().predict(request_for(label, *buttons((100, 100)))).action.target.text == "100"  # type: ignore[union-attr]


def test_nearest_element_on_an_empty_screen_is_malformed(request_for: Make) -> None:
    assert NearestElement().predict(request_for()).status is PredictionStatus.MALFORMED


def test_random_draws_every_kind_and_element_about_evenly(request_for: Make) -> None:
    actions = [
        RandomAction(seed=1).predict(request_for(*buttons((100, 100), (800, 800)), goal="a b", step=step)).action
        for step in range(2100)
    ]
    counts = {kind: sum(action.kind == kind for action in actions if action) for kind in KINDS}
    assert all(230 < count < 370 for count in counts.values()), counts
    taps = [action.point.x for action in actions if isinstance(action, Tap)]
    assert 100 < sum(x == 100 for x in taps) < len(taps) - 100


def test_random_works_without_elements(request_for: Make) -> None:
    for step in range(50):
        assert RandomAction(seed=0).predict(request_for(step=step)).status is PredictionStatus.OK


def test_noisy_copy_without_noise_is_the_reference(request_for: Make) -> None:
    reference = Tap(Point(123, 456, SIZE), Target(Box(100, 400, 200, 500, SIZE), "ok"))
    assert NoisyCopy(noise=QUIET).predict(request_for(reference=reference)).action == reference
    assert NoisyCopy(noise=QUIET).predict(request_for(reference=Finish())).action == Finish()


def test_noisy_copy_errs_as_often_as_it_says(request_for: Make) -> None:
    reference = Type("hi", Point(500, 1000, SIZE))
    steps = [request_for(*buttons((100, 100)), reference=reference, step=step) for step in range(3000)]
    found = [NoisyCopy(seed=5).predict(step) for step in steps]
    shares = {raw: sum(p.raw == raw for p in found) / len(found) for raw in {p.raw for p in found}}
    assert shares == pytest.approx(
        {"<|unusable|>": 0.05, "another kind": 0.1, "another element": 0.15, "the reference, shifted": 0.7}, abs=0.03
    )
    assert all(p.status is PredictionStatus.MALFORMED for p in found if p.raw == "<|unusable|>")
    assert all(p.action.kind != "type" for p in found if p.raw == "another kind" and p.action)
    xs = [p.action.point.fraction[0] for p in found if p.raw == "the reference, shifted"]  # type: ignore[union-attr]
    assert statistics.pstdev(xs) == pytest.approx(0.03, rel=0.1)


def test_noisy_copy_keeps_points_on_the_screen_and_moves_both_ends(request_for: Make) -> None:
    reference = Swipe(Point(0, 0, SIZE), Point(1000, 2000, SIZE))
    for step in range(50):
        request = request_for(*buttons((0, 50), (1000, 2050)), reference=reference, step=step)
        action = NoisyCopy(noise=replace(QUIET, sigma=0.5)).predict(request).action
        assert isinstance(action, Swipe)
        assert all(0 <= value <= 1 for point in (action.point, action.to) for value in point.fraction)


def test_noisy_copy_without_a_reference_is_malformed(request_for: Make) -> None:
    assert NoisyCopy().predict(request_for()).status is PredictionStatus.MALFORMED


def test_the_reference_repeats_what_was_recorded_or_says_that_there_is_none(request_for: Make) -> None:
    action = Tap(Point(100, 100, SIZE), Target(Box(50, 50, 150, 150, SIZE), "x"))
    assert ReferenceAnswer().predict(request_for(reference=action)).action == action
    assert ReferenceAnswer().predict(request_for()).status is PredictionStatus.MALFORMED


@pytest.mark.parametrize("name", ["text-match", "nearest-element", "random", "noisy-copy", "reference"])
def test_same_request_and_seed_same_answer(request_for: Make, name: str) -> None:
    def predicted(seed: int, step: int) -> object:
        reference = Tap(Point(100, 100, SIZE))
        request = request_for(*buttons((100, 100), (800, 800)), goal="tap 800", reference=reference, step=step)
        return load(name, seed=seed, device="cpu").predict(request)

    assert [predicted(3, step) for step in range(30)] == [predicted(3, step) for step in range(30)]


def test_another_seed_or_episode_other_draws(request_for: Make) -> None:
    def run(seed: int, episode: str) -> list[object]:
        requests = (request_for(*buttons((1, 1), (9, 9)), episode=episode, step=step) for step in range(30))
        return [RandomAction(seed=seed).predict(request).action for request in requests]

    assert run(0, "a") != run(1, "a")
    assert run(0, "a") != run(0, "b")
