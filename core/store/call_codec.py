"""Calls of models as JSON, without loss: texts and pictures apart, under the SHA-256 of what they are.

What is read may be a stranger's: whatever is no call raises ValueError.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from stepscope.core.domain.episode import LAST_STEP
from stepscope.core.domain.geometry import Box, Size
from stepscope.core.domain.model_call import (
    LARGEST_SENT_PICTURE,
    MOST_MESSAGES,
    MOST_PARTS,
    MOST_POINTS,
    MOST_TOKENS,
    CallAttempt,
    CoordinateSpace,
    ModelCall,
    PictureMaker,
    SaidPoint,
    SentMessage,
    SentPart,
    SentPicture,
    digest_of,
    shortened,
)
from stepscope.core.store.tables import storable

SHORT = 80
"""A text of at most so many letters stands in its message: its digest would be about as long."""
_DIGEST = re.compile(r"[0-9a-f]{64}")
_LONGEST_SIDE = 1 << 16

Form = Mapping[str, Any]


@dataclass(slots=True)
class SentParts:
    """Texts and files by their digests."""

    texts: dict[str, str] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)


def call_to_json(call: ModelCall, parts: SentParts) -> dict[str, Any]:
    """The call with digests in the place of texts and pictures, which are put into `parts`."""
    return {
        "messages": [[storable(one.role), [_part_to_json(part, parts) for part in one.parts]] for one in call.messages],
        "output": storable(shortened(call.output)),
        "settings": [[storable(name), storable(value)] for name, value in call.settings],
        "tokens_in": call.tokens_in,
        "tokens_out": call.tokens_out,
        "first_ms": call.first_ms,
        "ms": call.ms,
        "attempts": [[storable(one.why), one.ms, one.waited_ms] for one in call.attempts],
        "stop": storable(call.stop),
        "said": [[one.x, one.y, one.space.value] for one in call.said],
        "remembered": call.remembered,
    }


def call_from_json(form: Form, text_of: Callable[[str], str], raw: str = "") -> ModelCall:
    """The reverse. `text_of` gives the text of a digest; `raw` is the output where the form names none. Raises
    ValueError, TypeError or KeyError for what is none."""
    return ModelCall(
        messages=tuple(_message(one, text_of) for one in _few(form["messages"], MOST_MESSAGES)),
        output=raw if form["output"] is None else _text(form["output"]),
        settings=tuple((_text(name), _text(value)) for name, value in form["settings"]),
        tokens_in=_count(form["tokens_in"]),
        tokens_out=_count(form["tokens_out"]),
        first_ms=_number(form["first_ms"]),
        ms=_number(form["ms"]),
        attempts=tuple(
            CallAttempt(_text(why), _number(ms), _number(waited) or 0.0) for why, ms, waited in form["attempts"]
        ),
        stop=_text(form["stop"]),
        said=tuple(
            SaidPoint(_sure(x), _sure(y), CoordinateSpace(space)) for x, y, space in _few(form["said"], MOST_POINTS)
        ),
        remembered=form["remembered"] is True,
    )


def names_of(form: Form) -> tuple[set[str], set[str]]:
    """The digests of texts, and of pictures, that a call's form names."""
    parts = [part for _, several in form["messages"] for part in several]
    texts = {part["text"] for part in parts if "text" in part}
    return texts, {part["picture"]["digest"] for part in parts if "picture" in part}


def check_sent_text(digest: str, text: str) -> None:
    """Raises ValueError where the text is not that of the digest."""
    if type(text) is not str or "\0" in text or digest_of(text.encode()) != digest:
        raise ValueError("a text of a prompt is not what it was")


def check_sent_file(digest: str, data: bytes) -> None:
    """Raises ValueError where the file is not that of the digest, or too large."""
    if not 0 < len(data) <= LARGEST_SENT_PICTURE or digest_of(data) != digest:
        raise ValueError("a picture of a prompt is not what it was")


def texts_in(rows: Sequence[Sequence[str]]) -> dict[str, str]:
    """Texts by digest out of pairs, checked. Raises ValueError."""
    found = {digest: text for digest, text in rows}  # noqa: C416 - each row is checked to be a pair
    for digest, text in found.items():
        check_sent_text(digest, text)
    return found


def _part_to_json(part: SentPart, parts: SentParts) -> dict[str, Any]:
    if isinstance(part, SentPicture):
        if part.data and len(part.data) <= LARGEST_SENT_PICTURE:
            parts.files[part.digest] = part.data
        return {"picture": _picture_to_json(part)}
    text = storable(shortened(part))
    if len(text) <= SHORT:
        return {"words": text}
    digest = digest_of(text.encode())
    parts.texts[digest] = text
    return {"text": digest}


def _picture_to_json(one: SentPicture) -> dict[str, Any]:
    form: dict[str, Any] = {"digest": one.digest, "size": [one.width, one.height], "media": storable(one.media)}
    if one.step is not None:
        form["step"] = one.step
    if one.maker:
        form["maker"] = one.maker.value
    if one.blocks is not None:
        form["blocks"] = one.blocks
    if one.box is not None:
        box = one.box
        form["box"] = [box.left, box.top, box.right, box.bottom, box.size.width, box.size.height]
    return form


def _message(form: Sequence[Any], text_of: Callable[[str], str]) -> SentMessage:
    role, parts = form
    return SentMessage(_text(role), tuple(_part(part, text_of) for part in _few(parts, MOST_PARTS)))


def _part(form: Form, text_of: Callable[[str], str]) -> SentPart:
    match form:
        case {"words": str(words)}:
            return words
        case {"text": str(digest)}:
            return text_of(_digest(digest))
        case {"picture": picture}:
            return _picture(picture)
    raise ValueError("a part of a prompt is neither text nor picture")


def _picture(form: Form) -> SentPicture:
    width, height = (_whole(side, _LONGEST_SIDE) for side in form["size"])
    step, blocks, box = form.get("step"), form.get("blocks"), form.get("box")
    place = None
    if box is not None:
        left, top, right, bottom = (_sure(one) for one in box[:4])
        place = Box(left, top, right, bottom, Size(*(_whole(side, _LONGEST_SIDE) for side in box[4:])))
    return SentPicture(
        _digest(form["digest"]),
        width,
        height,
        _text(form["media"]),
        None if step is None else _whole(step, LAST_STEP),
        PictureMaker(form.get("maker", "")),
        None if blocks is None else _whole(blocks, _LONGEST_SIDE),
        place,
    )


def _few(several: Any, most: int) -> Any:
    if not isinstance(several, list) or len(several) > most:
        raise ValueError("a call has parts that are no list, or too many")
    return several


def _text(value: Any) -> str:
    if type(value) is not str or "\0" in value:
        raise ValueError("a call has something else where a text should be")
    return value


def _digest(value: Any) -> str:
    if type(value) is not str or not _DIGEST.fullmatch(value):
        raise ValueError("a call names what no digest is")
    return value


def _whole(value: Any, most: int) -> int:
    if type(value) is not int or not 0 <= value <= most:
        raise ValueError("a call has something else where a number should be")
    return value


def _count(value: Any) -> int | None:
    return None if value is None else _whole(value, MOST_TOKENS)


def _sure(value: Any) -> float:
    if type(value) not in (int, float) or not math.isfinite(value):
        raise ValueError("a call has something else where a number should be")
    return float(value)


def _number(value: Any) -> float | None:
    return None if value is None else _sure(value)
