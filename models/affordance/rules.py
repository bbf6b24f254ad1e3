"""`class-prior` and `tap-everything`: what elements allow by rules, without weights. Source: ours."""

from __future__ import annotations

from stepscope.core.domain.affordance import Affordance, AffordanceAnswer, certain
from stepscope.core.domain.elements import UIElement
from stepscope.core.domain.prediction import Prediction, PredictionStatus
from stepscope.core.evaluation.predictor import ModelInfo, ScreenRequest
from stepscope.models.catalog import CLASS_PRIOR, TAP_EVERYTHING

NO_ELEMENTS = "the screen has no UI elements"

_TAP, _TYPE, _SCROLL, _CHECK = Affordance.TAP, Affordance.TYPE, Affordance.SCROLL, Affordance.CHECK
_BY_CLASS = (
    (("EditText", "AutoCompleteTextView", "TextInput", "input", "textarea"), (_TAP, _TYPE)),
    (("CheckBox", "Switch", "SwitchCompat", "RadioButton", "ToggleButton", "CheckedTextView"), (_TAP, _CHECK)),
    (("Button", "Spinner", "TabView", "Chip", "button", "a", "select"), (_TAP,)),
    (("ScrollView", "ListView", "GridView", "RecyclerView", "ViewPager", "ViewPager2", "WebView"), (_SCROLL,)),
)
"""Ends of class names, and what elements of such a class allow in Android as a rule; the first that fits counts."""


def by_class(element: UIElement) -> tuple[Affordance, ...]:
    """What an element of this class allows as a rule; nothing for a class without a rule."""
    name = element.short_class
    return next((kinds for ends, kinds in _BY_CLASS if any(_fits(name, end) for end in ends)), ())


def _fits(name: str, end: str) -> bool:
    """Tags of pages are short, so that they have to be the whole name."""
    return name == end if end[0].islower() else name.endswith(end)


class ClassPrior:
    """What the element's class allows as a rule. Reads nothing else. Pure."""

    info: ModelInfo = CLASS_PRIOR

    def __init__(self, *, seed: int = 0, device: str = "auto") -> None:
        """Seed and device are taken as every model takes them; neither matters here."""

    def predict(self, request: ScreenRequest) -> Prediction:
        tree = request.observation.tree
        if tree is None or not request.elements:
            return nothing_to_say(request)
        said = tuple(certain(index, by_class(tree.elements[index])) for index in request.elements)
        return Prediction(request.episode, request.step, AffordanceAnswer(said), raw="by class")


class TapEverything:
    """Every element can be tapped, and nothing else. Its precision of taps is their share. Pure."""

    info: ModelInfo = TAP_EVERYTHING

    def __init__(self, *, seed: int = 0, device: str = "auto") -> None:
        """Seed and device are taken as every model takes them; neither matters here."""

    def predict(self, request: ScreenRequest) -> Prediction:
        if not request.elements:
            return nothing_to_say(request)
        said = tuple(certain(index, (_TAP,)) for index in request.elements)
        return Prediction(request.episode, request.step, AffordanceAnswer(said), raw="tap")


def nothing_to_say(request: ScreenRequest) -> Prediction:
    """The prediction of a screen without elements, which is never scored."""
    return Prediction(request.episode, request.step, None, PredictionStatus.EMPTY, why=NO_ELEMENTS)
