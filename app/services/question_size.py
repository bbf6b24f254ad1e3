"""How large a question to a model is: letters, pictures, and about how many tokens they are."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any

from stepscope.core.frozen import dataclass
from stepscope.core.imaging.probe import probe_bytes

LETTERS = 4
"""Letters of a token (ours, for English)."""
PATCH = 28 * 28
"""Pixels of a token of a picture: Qwen2-VL's and Qwen2.5-VL's; of other families another number (ours)."""


@dataclass(frozen=True, slots=True)
class QuestionSize:
    """`pixels` of all pictures as they are sent."""

    letters: int = 0
    pictures: int = 0
    pixels: int = 0

    @property
    def tokens(self) -> int:
        return round(self.letters / LETTERS + self.pixels / PATCH)

    def plus(self, other: QuestionSize) -> QuestionSize:
        return QuestionSize(self.letters + other.letters, self.pictures + other.pictures, self.pixels + other.pixels)

    def times(self, count: float) -> QuestionSize:
        return QuestionSize(round(self.letters * count), round(self.pictures * count), round(self.pixels * count))


def question_size(messages: Sequence[dict[str, Any]]) -> QuestionSize:
    """The size of the messages of a chat completion whose pictures are data URLs."""
    found = QuestionSize()
    for message in messages:
        for part in parts_of(message):
            if part.get("type") == "image_url":
                size = probe_bytes(picture_of(part)).size
                found = found.plus(QuestionSize(0, 1, size.width * size.height))
            else:
                found = found.plus(QuestionSize(len(str(part.get("text", "")))))
    return found


def parts_of(message: dict[str, Any]) -> Sequence[dict[str, Any]]:
    """The message's parts, its plain text as one."""
    content = message["content"]
    return content if isinstance(content, list) else [{"type": "text", "text": content}]


def picture_of(part: dict[str, Any]) -> bytes:
    """The file of a picture's part."""
    return base64.b64decode(str(part["image_url"]["url"]).partition(",")[2])
