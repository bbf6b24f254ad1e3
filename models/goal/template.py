"""`template`: a sentence filled in from app, typed texts and the last element touched. Source: ours.

The first that there is decides: a text that was typed, an element that was touched, an app that was opened. It knows no
purpose: of "Turn the morning alarm on" it says which switch was touched last.
"""

from __future__ import annotations

from stepscope.core.domain.action import Action, Type, action_target
from stepscope.core.domain.action import OpenApp as Open
from stepscope.core.domain.action import Select as Chosen
from stepscope.core.domain.prediction import GoalAnswer, Prediction, PredictionStatus
from stepscope.core.evaluation.predictor import EpisodeRequest, ModelInfo
from stepscope.core.plain_text import site_of
from stepscope.models.automation.grounding import tokens
from stepscope.models.catalog import TEMPLATE

_SEARCHING = frozenset(("search", "find", "query"))
_NO_NAMES = frozenset(("com", "org", "net", "gov", "edu", "co", "uk", "io", "android", "app", "apps", "www"))
"""Parts of a package's or a site's name that do not name it."""


class TemplatePredictor:
    """Pure: the answer depends on the request only."""

    info: ModelInfo = TEMPLATE

    def __init__(self, *, seed: int = 0, device: str = "auto") -> None:
        """Seed and device are taken as every model takes them; neither matters here."""

    def predict(self, request: EpisodeRequest) -> Prediction:
        done = [action for action in request.actions if action is not None]
        sentence = _sentence(done, app_name(request, done))
        if not sentence:
            why = "neither an app nor a named element nor a text is in the trajectory"
            return Prediction(request.episode, None, None, PredictionStatus.EMPTY, why=why)
        return Prediction(request.episode, None, GoalAnswer(sentence), raw=sentence)


def app_name(request: EpisodeRequest, done: list[Action]) -> str:
    """The app as a person would call it: the one that was opened last, else the last part of the episode's own that is
    a name ("com.example.clock" is clock, "www.shop.com" is shop)."""
    opened = [action.text for action in done if isinstance(action, Open) and action.text.strip()]
    if opened:
        return opened[-1].strip()
    app = site_of((request.app or "").strip())
    if " " in app or "." not in app:
        return app
    parts = [part for part in app.split(".") if part and part.lower() not in _NO_NAMES]
    return parts[-1].replace("_", " ") if parts else app


def _sentence(done: list[Action], app: str) -> str:
    where = f" in {app}" if app else ""
    typed = [action for action in done if isinstance(action, (Type, Chosen)) and action.text.strip()]
    if typed:
        return f"{_written(typed[-1])}{where}"
    names = [name for name in map(_name_of, done) if name]
    if names:
        return f"Open {names[-1]}{where}"
    return f"Open {app}" if app else ""


def _written(action: Type | Chosen) -> str:
    text, field = " ".join(action.text.split()), _name_of(action)
    if isinstance(action, Chosen):
        return f"Choose {text} as {field}" if field else f"Choose {text}"
    target = action.target
    named = tokens(f"{field} {target.id or ''}") if target else ()
    if _SEARCHING.intersection(named):
        return f"Search for {text}"
    return f"Enter {text} as {field}" if field else f"Enter {text}"


def _name_of(action: Action) -> str:
    target = action_target(action)
    return " ".join(target.text.split()) if target else ""
