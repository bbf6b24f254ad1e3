"""`class-prior` and `tap-everything`: what the rules say of classes, by hand."""

from __future__ import annotations

import pytest

from stepscope.core.domain.affordance import Affordance, asked_elements
from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.episode import Observation, Platform
from stepscope.core.domain.geometry import Box, Size
from stepscope.core.domain.prediction import AffordanceAnswer, PredictionStatus
from stepscope.core.evaluation.predictor import ScreenRequest
from stepscope.models.affordance.rules import ClassPrior, TapEverything

SIZE = Size(200, 100)
TAP, LONG, TYPE, SCROLL, CHECK = Affordance


def request(*classes: str) -> ScreenRequest:
    elements = tuple(
        UIElement(place, Box(0, 10 * place, 100, 10 * place + 9, SIZE), class_name=name)
        for place, name in enumerate(classes)
    )
    tree = UITree(elements, TreeOrigin.DUMP, SIZE)
    return ScreenRequest("e", 2, Platform.ANDROID, Observation(SIZE, tree=tree), asked_elements(tree)[0])


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("android.widget.Button", (TAP,)),
        ("androidx.appcompat.widget.AppCompatImageButton", (TAP,)),
        ("android.widget.EditText", (TAP, TYPE)),
        ("android.widget.RadioButton", (TAP, CHECK)),  # before Button
        ("android.widget.Switch", (TAP, CHECK)),
        ("androidx.recyclerview.widget.RecyclerView", (SCROLL,)),
        ("android.widget.HorizontalScrollView", (SCROLL,)),
        ("android.widget.TextView", ()),
        ("a", (TAP,)),
        ("data", ()),  # ends in a and is none
        ("", ()),
    ],
)
def test_a_class_allows_what_it_does_as_a_rule(name: str, kinds: tuple[Affordance, ...]) -> None:
    found = ClassPrior().predict(request(name))
    assert isinstance(found.answer, AffordanceAnswer) and (found.episode, found.step) == ("e", 2)
    assert [one.kinds for one in found.answer.elements] == [kinds]


def test_everything_can_be_tapped() -> None:
    found = TapEverything().predict(request("a.Button", "a.View"))
    assert isinstance(found.answer, AffordanceAnswer)
    assert {one.element: one.kinds for one in found.answer.elements} == {0: (TAP,), 1: (TAP,)}


@pytest.mark.parametrize("model", [ClassPrior(), TapEverything()])
def test_of_a_screen_without_elements_nothing_is_said(model: ClassPrior | TapEverything) -> None:
    for seen in (Observation(SIZE), Observation(SIZE, tree=UITree((), TreeOrigin.DUMP, SIZE))):
        found = model.predict(ScreenRequest("e", 0, Platform.ANDROID, seen, ()))
        assert found.answer is None and found.status is PredictionStatus.EMPTY and "no UI elements" in found.why
