"""Manifests and requests by hand."""

from __future__ import annotations

from typing import Any

from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.episode import Observation, Picture, Platform
from stepscope.core.domain.geometry import Box, Size
from stepscope.core.evaluation.predictor import EpisodeRequest, StepRequest

SCREEN = Size(100, 200)


def screen(name: str = "image", **changes: Any) -> dict[str, Any]:
    """The table of a picture input of 8 × 8."""
    return {"name": name, "holds": "screen", "width": 8, "height": 8, "scale": 1 / 255, **changes}


def form_of(**changes: Any) -> dict[str, Any]:
    """The tables of a whole manifest, of a classifier of feasibility."""
    return {
        "format": 1,
        "name": "mine",
        "task": "feasibility",
        "file": "net.onnx",
        "runtime": "onnx",
        "inputs": [screen()],
        "outputs": [{"name": "p", "means": "infeasible", "reading": "probability"}],
        **changes,
    }


def text(name: str = "ids", **changes: Any) -> dict[str, Any]:
    """The table of a text input."""
    return {"name": name, "holds": "text", "text": "goal", "tokenizer": "tokenizer.json", "length": 8, **changes}


def observation(shown: Picture | None = None, *boxes: tuple[float, float, float, float], **fields: Any) -> Observation:
    """A screen with a clickable element for each box."""
    nodes = tuple(UIElement(place, Box(*box, SCREEN), text=f"e{place}", clickable=True, **fields)
                  for place, box in enumerate(boxes))  # fmt: skip
    tree = UITree(nodes, TreeOrigin.DUMP, SCREEN) if nodes else None
    return Observation(SCREEN, shown, tree)


def episode(*seen: Observation, goal: str = "Buy a lamp") -> EpisodeRequest:
    return EpisodeRequest("e", goal, Platform.ANDROID, seen, (None,) * len(seen))


def step(seen: Observation, goal: str = "Buy a lamp", **fields: Any) -> StepRequest:
    return StepRequest("e", 0, goal, Platform.ANDROID, seen, **fields)
