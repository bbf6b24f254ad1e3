"""What the predictions of `seq2seq` and `moca` have in common: the words to type, and the attention as JSON for whoever
draws it.

`attention` in the raw output is a list of streams, each {"stream": "action", "grounding" or "decoder", "text": "goal"
or "instruction", "words": [[start, end, weight], …], "cells": [[left, top, right, bottom, weight], …]}: places of
letters in that text, the weights of its words summing to 1; fractions of the screen, weights 0 to 1.
"""

from __future__ import annotations

from typing import Any, Literal

from stepscope.core.domain.action import OpenApp, Type
from stepscope.core.evaluation.predictor import StepRequest
from stepscope.models.automation.action_choice import sentence_of
from stepscope.models.automation.navigation_features import SIDE
from stepscope.models.automation.phrases import extract
from stepscope.models.automation.seq2act_text import ReadText
from stepscope.models.automation.tower_answers import typed_text
from stepscope.models.learned.recipe import Array

_DIGITS = 4


def written_text(request: StepRequest, kind: str) -> str:
    """The words that go with a kind of action: those of `two-tower`, for an app to open its name; "" for kinds without
    words."""
    if kind not in (Type.kind, OpenApp.kind):
        return ""
    found = typed_text(request)
    return found or (extract(sentence_of(request)).place if kind == OpenApp.kind else "")


def attention_stream(
    stream: Literal["action", "grounding", "decoder"],
    text: Literal["goal", "instruction"],
    read: ReadText,
    weights: Array,
    cells: Array | None = None,
) -> dict[str, Any]:
    """One stream. `weights` (words, …) has the flag's first, which stands for no letters: what is left is brought to a
    sum of 1. `cells` (49,); None where the stream looks at none."""
    own = weights[1 : len(read.words)].astype(float)
    total = own.sum()
    shares = own / total if total > 0 else own
    words = [[*ends, round(float(share), _DIGITS)] for ends, share in zip(read.ends[1:], shares, strict=True)]
    return {"stream": stream, "text": text, "words": words, "cells": [] if cells is None else _cells(cells)}


def _cells(weights: Array) -> list[list[float]]:
    found = []
    for place, weight in enumerate(weights):
        row, column = divmod(place, SIDE)
        edges = (column / SIDE, row / SIDE, (column + 1) / SIDE, (row + 1) / SIDE)
        found.append([*(round(edge, _DIGITS) for edge in edges), round(float(weight), _DIGITS)])
    return found
