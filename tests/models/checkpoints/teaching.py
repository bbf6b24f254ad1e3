"""A small checkpoint that is taught one answer by heart, and the short adapter that it is asked by."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from stepscope.core.domain.episode import Observation, Picture, Platform
from stepscope.core.domain.geometry import Size
from stepscope.core.evaluation.predictor import StepRequest
from stepscope.core.imaging.draw import encode_png
from stepscope.core.lazy import lazy_module
from stepscope.models.agents.adapter import own_folder, read_adapter
from stepscope.models.agents.question import question
from stepscope.models.agents.settings import AskingSettings
from stepscope.models.checkpoints.checkpoint import Checkpoint
from stepscope.models.checkpoints.generation import LoadedCheckpoint, with_pictures

torch = lazy_module("torch")

ANSWER = '<tool_call>\n{"name": "mobile_use", "arguments": {"action": "click", "coordinate": [56, 168]}}\n</tool_call>'
MOST_STEPS = 300
SHORT = """\
title = "Short"
version = "1"
space = "resized"
platform = ["android"]
source = "ours: a test"
forms = ["tools"]

[resize]
rule = "factor"
factor = 28
least = 3136
most = 50176

[prompt]
version = "1"
none = "nothing"
past = "{words}"
between = "; "
user = "{goal}"
"""
"""Asks by the goal alone: a screen of 224 × 448 is sent at 140 × 308."""


SMALL = Size(224, 448)


def png(size: Size) -> bytes:
    return encode_png(np.full((size.height, size.width, 3), 200, np.uint8))


def put_short_adapter() -> None:
    """Among the person's own."""
    own_folder().mkdir(parents=True, exist_ok=True)
    (own_folder() / "short.toml").write_text(SHORT)


def taught_the_tap(folder: Path, place: Path) -> Path:
    """The checkpoint, taught by its short adapter what to do on an empty small screen to reach "Open"."""
    place.mkdir(parents=True)
    file = place / "screen.png"
    file.write_bytes(png(SMALL))
    (place / "short.toml").write_text(SHORT)
    settings = AskingSettings(read_adapter(place / "short.toml"))
    seen = Observation(SMALL, Picture(file, SMALL))
    asked = question(StepRequest("e", 0, "Open", Platform.ANDROID, seen), settings)
    return taught(folder, place / "Qwen2.5-VL-taught", [(asked.messages, ANSWER)])


def taught(folder: Path, place: Path, pairs: list[tuple[list[dict[str, Any]], str]]) -> Path:
    """A copy of the checkpoint that gives these answers to these questions, trained until it does."""
    torch.manual_seed(0)
    loaded = LoadedCheckpoint(Checkpoint("pupil", str(folder)), "cpu")
    model, processor = loaded._model, loaded._processor
    lessons = []
    for messages, answer in pairs:
        inputs = dict(loaded._inputs([[with_pictures(one) for one in messages]]))
        end = torch.tensor([processor.tokenizer(answer)["input_ids"] + [processor.tokenizer.eos_token_id]])
        labels = torch.cat([torch.full_like(inputs["input_ids"], -100), end], dim=1)
        inputs["input_ids"] = torch.cat([inputs["input_ids"], end], dim=1)
        inputs["attention_mask"] = torch.cat([inputs["attention_mask"], torch.ones_like(end)], dim=1)
        if "mm_token_type_ids" in inputs:
            inputs["mm_token_type_ids"] = torch.cat([inputs["mm_token_type_ids"], torch.zeros_like(end)], dim=1)
        lessons.append(inputs | {"labels": labels})
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    model.train()
    for _ in range(MOST_STEPS):
        optimizer.zero_grad()
        worst = 0.0
        for lesson in lessons:
            loss = model(**lesson).loss
            loss.backward()
            worst = max(worst, loss.item())
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if worst < 0.005:
            break
    model.eval()
    model.save_pretrained(place)
    processor.save_pretrained(place)
    return place
