"""Words of an instruction and of elements as Seq2Act sees them: hashed pieces, spans, and the words of a span.

Source: that phrases are spans of the instruction's words, and that all embeddings are learned from scratch, is of
Seq2Act (Li et al. 2020; MoTIF, section 5.1, paper). The released model has a vocabulary of sub-tokens; here a word is
the sum of hashed pieces (itself and its runs of three letters), so that no vocabulary has to come with the weights and
a word that was never seen still has a code of its own: ours. Knows nothing of screens.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from functools import lru_cache

from stepscope.core.frozen import dataclass
from stepscope.models.automation.grounding import STOP_WORDS

BUCKETS = 4096
"""Codes of pieces, from 1 on; 0 is no piece."""
PIECES = 8
"""Of a word: the word, and its first runs of three letters."""
LENGTH = 32
"""Words of an instruction that are read, the flag before them counted."""
LONGEST = 10
"""Words of a span, at most."""
INSTRUCTION, GOAL = "<instruction>", "<goal>"
"""The flag in the first place: whether the step's instruction is read, or what the goal says."""

_WORD = re.compile(r"[^\W\d_]+|\d+")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def _spans() -> tuple[tuple[int, int], ...]:
    found = [(0, 1)]
    found += [(begin, end) for begin in range(1, LENGTH) for end in range(begin + 1, min(begin + LONGEST, LENGTH) + 1)]
    return tuple(found)


SPANS = _spans()
"""All spans as (begin, end) in places of words; the first is the flag alone, which stands for "no such phrase"."""
_PLACE_OF = {span: place for place, span in enumerate(SPANS)}


@dataclass(frozen=True, slots=True)
class ReadText:
    """A text with its words in lower case, the flag first; `ends` has the place of each in `text`, (0, 0) of the
    flag."""

    text: str
    words: tuple[str, ...]
    ends: tuple[tuple[int, int], ...]


def read_text(text: str, flag: str) -> ReadText:
    """The words of an instruction, at most `LENGTH` with the flag."""
    found = [(match[0].lower(), match.span()) for match in _WORD.finditer(text)][: LENGTH - 1]
    return ReadText(text, (flag, *(word for word, _ in found)), ((0, 0), *(place for _, place in found)))


def words_of(text: str, most: int) -> tuple[str, ...]:
    """Words of an element's text, id or class: split at camelCase, underscores, digits and punctuation."""
    return tuple(map(str.lower, _WORD.findall(_HUMP.sub(" ", text))[:most]))


@lru_cache(maxsize=65536)
def pieces_of(word: str) -> tuple[int, ...]:
    """`PIECES` codes of a word, 0 behind the last. A plural's s makes no other word of it."""
    base = word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
    edged = f"<{base}>"
    runs = [edged[at : at + 3] for at in range(len(edged) - 2)] if len(base) > 1 and not word.startswith("<") else []
    codes = [1 + zlib.crc32(piece.encode()) % BUCKETS for piece in dict.fromkeys((base, *runs))][:PIECES]
    return (*codes, *[0] * (PIECES - len(codes)))


def span_of(read: ReadText, wanted: str) -> int:
    """The span whose words are those of `wanted`, the last one where there are several, by its place in `SPANS`; −1
    where there is none."""
    words = tuple(match[0].lower() for match in _WORD.finditer(wanted))
    for begin in range(len(read.words) - len(words), 0, -1):
        if words and read.words[begin : begin + len(words)] == words:
            return _PLACE_OF.get((begin, begin + len(words)), -1)
    return -1


def place_span(read: ReadText, label: str) -> int:
    """The longest span of words that the element's label has too, without stop words at its edges; the last of equal
    ones, −1 where no word is shared but stop words."""
    own = {pieces_of(word) for word in words_of(label, LENGTH)}
    shared = [place > 0 and pieces_of(word) in own for place, word in enumerate(read.words)]
    best = (0, 0)
    begin = 1
    while begin < len(shared):
        end = begin
        while end < len(shared) and shared[end]:
            end += 1
        first, last = begin, end
        while first < last and read.words[first] in STOP_WORDS:
            first += 1
        while last > first and read.words[last - 1] in STOP_WORDS:
            last -= 1
        if last > first and last - first >= best[1] - best[0]:
            best = (first, last)
        begin = end + 1
    return _PLACE_OF.get(best, -1) if best != (0, 0) else -1


def words_in(read: ReadText, span: int) -> str:
    """The words of a span as they stand in the text, with signs that directly follow them (Is it raining?) but a full
    stop or comma; "" for the flag, and for a span that reaches behind the text."""
    begin, end = SPANS[span]
    if not begin or end > len(read.words):
        return ""
    first, last = read.ends[begin][0], read.ends[end - 1][1]
    before = re.search(r"[@#$€£+(]+$", read.text[:first])
    after = re.match(r"[^\s\w\"“”‘’'.,;:]+", read.text[last:])
    return read.text[first - (len(before[0]) if before else 0) : last + (len(after[0]) if after else 0)]


def codes_of(words: Sequence[str]) -> tuple[list[str], dict[str, int]]:
    """The distinct words in order and the number of each from 1 on."""
    distinct = list(dict.fromkeys(words))
    return distinct, {word: place for place, word in enumerate(distinct, 1)}
