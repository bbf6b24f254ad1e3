"""A chat completion's request and response as the call that is kept of it: without key, headers and address."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from stepscope.core.domain.model_call import (
    MOST_MESSAGES,
    MOST_PARTS,
    MOST_TOKENS,
    CallAttempt,
    ModelCall,
    PictureMaker,
    SentMessage,
    SentPart,
    SentPicture,
    digest_of,
)
from stepscope.core.errors import SourceError
from stepscope.core.imaging.probe import probe_bytes
from stepscope.models.chat.answers import ChatAnswer
from stepscope.models.chat.secret import without_key

_DATA = "data:"
_LONGEST_SETTING = 400


def model_call(
    body: Mapping[str, Any], answer: ChatAnswer | None, attempts: Sequence[CallAttempt], key: str | None
) -> ModelCall:
    """The call of a request's fields; `answer` None: none came."""
    settings = tuple(
        (name, without_key(str(value), key)[:_LONGEST_SETTING]) for name, value in body.items() if name != "messages"
    )
    messages = tuple(_message(one, key) for one in body.get("messages", ())[:MOST_MESSAGES])
    if answer is None:
        return ModelCall(messages, settings=settings, attempts=tuple(attempts))
    return ModelCall(
        messages,
        without_key(answer.raw, key),
        settings,
        _count(answer.tokens_in),
        _count(answer.tokens_out),
        ms=answer.ms,
        attempts=tuple(attempts),
        stop=without_key(answer.stop, key),
    )


def of_trajectory(call: ModelCall, steps: Sequence[int | None]) -> ModelCall:
    """The call with its pictures, in their order, as those of the steps with these indices: they can be made again.
    Those of which no step is known are kept."""
    return _made_by(PictureMaker.TRAJECTORY, call, steps)


def of_screens(call: ModelCall, steps: Sequence[int | None]) -> ModelCall:
    """The same for pictures of the screens as they are; those of which no step is known are kept."""
    return _made_by(PictureMaker.SCREEN, call, steps)


def _made_by(maker: PictureMaker, call: ModelCall, steps: Sequence[int | None]) -> ModelCall:
    following = iter(steps)
    messages = tuple(replace(one, parts=tuple(_made_again(maker, one.parts, following))) for one in call.messages)
    return replace(call, messages=messages)


def _made_again(maker: PictureMaker, parts: Sequence[SentPart], following: Iterator[int | None]) -> Iterator[SentPart]:
    for part in parts:
        step = next(following, None) if isinstance(part, SentPicture) else None
        if isinstance(part, SentPicture) and step is not None:
            yield replace(part, step=step, maker=maker, data=b"")
        else:
            yield part


def _message(form: Mapping[str, Any], key: str | None) -> SentMessage:
    content = form.get("content")
    several = content if isinstance(content, list) else [{"type": "text", "text": content}]
    return SentMessage(str(form.get("role", "")), tuple(_part(one, key) for one in several[:MOST_PARTS]))


def _part(form: Mapping[str, Any], key: str | None) -> SentPart:
    if form.get("type") == "image_url":
        return _picture(str(form["image_url"]["url"]))
    return without_key(str(form.get("text") or ""), key)


def _picture(url: str) -> SentPart:
    """The picture of a data URL; the words of any other, which no prompt of ours has."""
    head, _, data = url.partition(",")
    if not head.startswith(_DATA):
        return "[a picture by its address]"
    try:
        file = base64.b64decode(data, validate=True)
        size = probe_bytes(file).size
    except (binascii.Error, SourceError):
        return "[a picture that cannot be read]"
    return SentPicture(digest_of(file), size.width, size.height, head.removeprefix(_DATA).partition(";")[0], data=file)


def _count(tokens: int | None) -> int | None:
    return None if tokens is None else min(tokens, MOST_TOKENS)
