"""A chat that says what it is told to, and the small task that most tests are about."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from stepscope.core.domain.prediction import PredictionStatus
from stepscope.core.domain.webtask import FieldType, WebField, WebTask
from stepscope.core.evaluation.predictor import FieldsRequest, PageDemonstration
from stepscope.core.progress import CancelToken
from stepscope.models.chat.answers import ChatAnswer
from stepscope.models.chat.client import ServerError
from tests.core.webtask.fake import FakePage, field

FIELDS = (WebField("good", FieldType.RADIO, ("0", "1")), WebField("why", FieldType.TEXTAREA))
TASK = WebTask("Rate", "Rate the tea", "", "<p>${tea}</p>", ("tea",), FIELDS)
HTML = """\
<p>Is it good?</p>
<input type=radio name=good value=0>
<input type=radio name=good value=1>
<textarea name=why></textarea>"""
SCARF = WebTask(
    "Scarf",
    "Describe the scarf",
    "",
    "<h1>${colour}</h1>\n<input type=text name=colour>\n<input type=radio name=warm value=yes>",
    ("colour",),
    (WebField("colour", FieldType.TEXT), WebField("warm", FieldType.RADIO, ("yes",))),
)
SHOWN = PageDemonstration("Scarf/0", SCARF, {"colour": "red"}, ({"colour": "Red", "warm": "yes"}, {"warm": "yes"}))


def page(**more: Any) -> FakePage:
    return FakePage(field("good", "radio", ("0", "1")), field("why", "textarea"), **{"html": HTML, **more})


def request(*demonstrations: PageDemonstration) -> FieldsRequest:
    return FieldsRequest("Rate/0", TASK, {"tea": "green"}, None, demonstrations)


def said(text: str, **more: Any) -> ChatAnswer:
    return ChatAnswer(PredictionStatus.OK, text, raw=text, **more)


class Says:
    """A `Chat` with these answers, one after the other, the last again and again."""

    def __init__(self, *answers: str | ChatAnswer | ServerError) -> None:
        self._answers = itertools.chain(answers, itertools.repeat(answers[-1]))
        self.heard: list[list[dict[str, Any]]] = []
        self.most: list[int] = []
        self.tokens: list[CancelToken] = []

    def set_token(self, token: CancelToken) -> None:
        self.tokens.append(token)

    def ask(self, messages: list[dict[str, Any]], most_tokens: int) -> ChatAnswer | ServerError:
        self.heard.append(messages)
        self.most.append(most_tokens)
        answer = next(self._answers)
        return said(answer) if isinstance(answer, str) else answer

    def texts(self, place: int = -1) -> Sequence[str]:
        """What the messages of one question say, pictures as "picture"."""
        found: list[str] = []
        for message in self.heard[place]:
            content = message["content"]
            parts = [content] if isinstance(content, str) else [part.get("text", "picture") for part in content]
            found += parts
        return found
