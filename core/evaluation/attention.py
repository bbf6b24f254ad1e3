"""Attention out of a prediction's raw output, and the marks that show it.

Raw output is JSON with a key `attention`, a list of streams:

    {"stream": "action", "text": "goal", "words": [[start, end, weight], …], "cells": [[left, top, right, bottom,
    weight], …], "elements": [[left, top, right, bottom, weight, words], …], "matches": [[word, element, likeness], …]}

`text` is goal or instruction, and words are letters' places in it; places of the screen are fractions of it, weights
and likenesses 0..1; matches go by places in the two lists (all ours). What `seq2act` writes
(`models.automation.seq2act_answers`) is brought into the same form. Raw output is a stranger's: what does not fit is
left out, and nothing is raised.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from stepscope.core.domain.attention import (
    NOWHERE,
    AttentionArea,
    AttentionPointer,
    AttentionStream,
    AttentionText,
    AttentionWord,
    WordElementMatch,
)
from stepscope.core.domain.geometry import Size
from stepscope.core.domain.mark import AttentionHeat, AttentionMark
from stepscope.core.json_bounds import bounded_loads

MOST_STREAMS, MOST_WORDS, MOST_AREAS, MOST_MATCHES = 8, 512, 4096, 4096
"""Of one prediction; what follows is left out (ours)."""
LONGEST_NAME = 60
"""Letters of a stream's or an element's name that are kept."""
ELEMENTS_BY_WORDS = "grounding"
"""The stream of Seq2Act: which element the words mean."""
_Value = TypeVar("_Value")

_SURROGATE = re.compile("[\ud800-\udfff]")
_WORD = re.compile(r"[^\W\d_]+|\d+")


def streams_of(raw: str, goal: str = "", instruction: str = "") -> tuple[AttentionStream, ...]:
    """The streams of a prediction's raw output, () where it has none. `goal` and `instruction` are the texts that the
    predictor was given: words whose places lie outside of them are left out, and all streams of a title but its first.
    """
    if '"attention"' not in raw and '"like"' not in raw:
        return ()
    try:
        told = bounded_loads(raw)
    except (ValueError, RecursionError):
        return ()
    if not isinstance(told, dict):
        return ()
    texts = {AttentionText.GOAL: goal, AttentionText.INSTRUCTION: instruction}
    given = told.get("attention")
    several = [_stream(one, texts) for one in given[:MOST_STREAMS]] if isinstance(given, list) else []
    found: dict[str, AttentionStream] = {}
    for one in several or [_seq2act(told, texts)]:
        if one is not None:
            found.setdefault(one.title, one)
    return tuple(found.values())


def step_attention(raw: str, steps: int) -> tuple[tuple[float, ...], ...]:
    """How much each step of an answered order looked at each, out of its raw output (`step_attention`): rows and
    columns in the answer's order, 0..1; () where it does not say so of all `steps`."""
    if '"step_attention"' not in raw:
        return ()
    try:
        told = bounded_loads(raw)
    except (ValueError, RecursionError):
        return ()
    rows = told.get("step_attention") if isinstance(told, dict) else None
    if not isinstance(rows, list) or len(rows) != steps:
        return ()
    read = [tuple(map(_share, row)) if isinstance(row, list) else () for row in rows]
    found = [tuple(one for one in row if one is not None) for row in read]
    return tuple(found) if all(len(row) == steps for row in found) else ()


def attention_marks(
    stream: AttentionStream | None, run: int, size: Size, pointer: AttentionPointer = NOWHERE
) -> tuple[AttentionHeat | AttentionMark, ...]:
    """What is drawn of a stream of run `run` (0 is A) over a screenshot of `size`: its cells as heat, its elements as
    outlines, both beside the heaviest. What belongs to `pointer` stands out."""
    if stream is None:
        return ()
    heat = (AttentionHeat(run, stream.cells),) if stream.cells else ()
    most = max((one.weight for one in stream.elements), default=0.0) or 1.0
    lit = stream.light(pointer).elements
    outlines = (
        AttentionMark(run, one.box(size), one.weight / most, f"{one.name}, {one.weight:.2f}".lstrip(", "), place in lit)
        for place, one in enumerate(stream.elements)
    )
    return (*heat, *outlines)


def _stream(given: Any, texts: Mapping[AttentionText, str]) -> AttentionStream | None:
    """One entry of `attention`; None for what is none, or says nothing."""
    if not isinstance(given, dict) or not (name := _words(given.get("stream"))):
        return None
    source = next((one for one in texts if one.value == given.get("text")), None)
    if source is None:
        return None
    words, word_places = _words_in(given.get("words"), texts[source])
    cells, _ = _kept(given.get("cells"), _area, MOST_AREAS)
    elements, element_places = _kept(given.get("elements"), _area, MOST_AREAS)
    matches, _ = _kept(given.get("matches"), lambda one: _match(one, word_places, element_places), MOST_MATCHES)
    if not words and not cells and not elements:
        return None
    return AttentionStream(name, source, texts[source], words, cells, elements, matches)


def _kept(given: Any, read: Callable[[Any], _Value | None], most: int) -> tuple[tuple[_Value, ...], dict[int, int]]:
    """What can be read of a list, and where each stands now by its place in the list."""
    found: list[_Value] = []
    places: dict[int, int] = {}
    for place, one in enumerate(given[:most] if isinstance(given, list) else ()):
        value = read(one)
        if value is not None:
            places[place] = len(found)
            found.append(value)
    return tuple(found), places


def _words_in(given: Any, text: str) -> tuple[tuple[AttentionWord, ...], dict[int, int]]:
    """The words inside the text, in its order; of two that share a letter the first."""
    read, places = _kept(given, lambda one: _word(one, len(text)), MOST_WORDS)
    kept: dict[int, int] = {}
    words: list[AttentionWord] = []
    for number in sorted(range(len(read)), key=lambda number: read[number].start):
        if not words or read[number].start >= words[-1].end:
            kept[number] = len(words)
            words.append(read[number])
    return tuple(words), {place: kept[number] for place, number in places.items() if number in kept}


def _word(given: Any, length: int) -> AttentionWord | None:
    if not isinstance(given, list) or len(given) != 3:
        return None
    start, end, weight = given
    if not _is_place(start) or not _is_place(end) or not start < end <= length or (share := _share(weight)) is None:
        return None
    return AttentionWord(start, end, share)


def _area(given: Any) -> AttentionArea | None:
    """A part of the screen, cut off at its edges."""
    if not isinstance(given, list) or len(given) not in (5, 6):
        return None
    edges, weight = _numbers(given[:4]), _share(given[4])
    if edges is None or weight is None:
        return None
    left, top, right, bottom = (0.0 if edge < 0 else 1.0 if edge > 1 else edge for edge in edges)
    if left >= right or top >= bottom:
        return None
    return AttentionArea(left, top, right, bottom, weight, _words(given[5]) if len(given) == 6 else "")


def _match(given: Any, words: Mapping[int, int], elements: Mapping[int, int]) -> WordElementMatch | None:
    if not isinstance(given, list) or len(given) != 3:
        return None
    word, element, likeness = given
    share = _share(likeness)
    if not _is_place(word) or not _is_place(element) or word not in words or element not in elements or share is None:
        return None
    return WordElementMatch(words[word], elements[element], share)


def _is_place(value: Any) -> bool:
    return type(value) is int and value >= 0


def _numbers(values: Sequence[Any]) -> list[float] | None:
    """Finite numbers; None where one is anything else, or too large for a float. There may be thousands of cells in an
    episode's answers."""
    if not all(type(value) is float or type(value) is int for value in values):
        return None
    try:
        numbers = list(map(float, values))
    except OverflowError:
        return None
    return numbers if all(map(math.isfinite, numbers)) else None


def _share(value: Any) -> float | None:
    """A weight, 0..1; what rounding put beyond 1 is 1."""
    number = _numbers((value,))
    return min(number[0], 1.0) if number is not None and 0 <= number[0] <= 1 + 1e-6 else None


def _words(value: Any) -> str:
    """A name on one line, "" for what is none."""
    return " ".join(_whole(value[: 8 * LONGEST_NAME]).split())[:LONGEST_NAME] if isinstance(value, str) else ""


def _whole(text: str) -> str:
    """The text without halves of letters, which no window can show; places stay."""
    return _SURROGATE.sub("\ufffd", text)


# Seq2Act -------------------------------------------------------------------------------------------------------------


def _seq2act(told: Mapping[str, Any], texts: Mapping[AttentionText, str]) -> AttentionStream | None:
    """What `seq2act` keeps, as a stream: its likeliest elements with the words that are like them. A word's weight is
    its likeness to the element that is meant: the mean over the elements by their probability (ours). Elements without
    a box, as they were kept before, are left out, and their words stay."""
    text, given = told.get("text"), told.get("elements")
    if not isinstance(text, str) or not isinstance(given, list):
        return None
    text = _whole(text)
    rows = [one for one in given[:MOST_AREAS] if isinstance(one, dict)]
    likeness = [_likenesses(one.get("like")) for one in rows]
    weights: dict[str, float] = {}
    for row, like in zip(rows, likeness, strict=True):
        for word, share in like.items():
            weights[word] = weights.get(word, 0.0) + share * (_share(row.get("p")) or 0.0)
    said = [(match[0].lower(), match.span()) for match in _WORD.finditer(text)]
    told_words = [(word, place) for word, place in said if word in weights][:MOST_WORDS]
    words = tuple(AttentionWord(*place, min(1.0, weights[word])) for word, place in told_words)
    elements, places = _kept(rows, _seq2act_area, MOST_AREAS)
    if not words and not elements:
        return None
    matches = (
        WordElementMatch(number, places[row], like[word])
        for row, like in enumerate(likeness)
        if row in places
        for number, (word, _) in enumerate(told_words)
        if word in like
    )
    return AttentionStream(
        ELEMENTS_BY_WORDS, _source_of(text, texts), text, words, (), elements, tuple(matches)[:MOST_MATCHES]
    )


def _seq2act_area(row: Mapping[str, Any]) -> AttentionArea | None:
    box = row.get("box")
    return _area([*box[:4], row.get("p"), row.get("words")]) if isinstance(box, list) else None


def _likenesses(given: Any) -> dict[str, float]:
    pairs: Iterable[tuple[Any, Any]] = given.items() if isinstance(given, dict) else ()
    return {word: share for word, value in pairs if (share := _share(value)) is not None}


def _source_of(text: str, texts: Mapping[AttentionText, str]) -> AttentionText:
    """Which text was read: the whole of the instruction, or a part of the goal."""
    if text.strip() and text.strip() == texts[AttentionText.INSTRUCTION].strip():
        return AttentionText.INSTRUCTION
    return AttentionText.GOAL if text.strip() and text.strip() in texts[AttentionText.GOAL] else AttentionText.OTHER
