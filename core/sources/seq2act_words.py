"""Which words a span of subtokens covers, in seq2act's instructions.

Spans count subtokens of a vocabulary file. Text is first cut into runs of letters and digits and runs of anything else
(a single blank between two words is dropped), and each run into one or more subtokens, of which the last ends with "_"
(tensor2tensor's `tokenizer.py` and `SubwordTextEncoder`). So the vocabulary tells where runs end; without it the words
are known when there are as many subtokens as runs, for then each run is one.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby
from pathlib import Path

from stepscope.core.errors import SourceError
from stepscope.core.frozen import dataclass
from stepscope.core.sources.files import read_text
from stepscope.core.sources.look import find_above

VOCABULARY = "commoncrawl_rico_vocab_subtoken_44462"
"""The vocabulary that both data sets were made with, as it is called in the released code."""

_RESERVED = (0, 1)
"""Padding and end of sequence."""

Span = tuple[int, int]


@dataclass(frozen=True)
class Instruction:
    """An instruction; `runs` are the places of its runs, `owners` the run of each subtoken, None when not known."""

    text: str
    runs: tuple[Span, ...]
    owners: tuple[int, ...] | None

    def covered(self, *spans: Span) -> str | None:
        """The text from the first to the last subtoken of all spans that are not empty.

        "" when all are empty, None when the place in the text is not known.
        """
        filled = [(start, end) for start, end in spans if end > start]
        if not filled:
            return ""
        first, last = min(start for start, _ in filled), max(end for _, end in filled) - 1
        if self.owners is None or first < 0 or last >= len(self.owners):
            return None
        return self.text[self.runs[self.owners[first]][0] : self.runs[self.owners[last]][1]].strip()


def words_of(text: str, ids: Sequence[int], ends: bytes | None) -> Instruction:
    """`ids` are the text's subtokens, padded at the end; `ends` says which of the vocabulary's end a run."""
    runs = _runs(text)
    count = len(ids)
    while count and ids[count - 1] in _RESERVED:
        count -= 1
    owners = _owners(ids[:count], ends) if ends else tuple(range(count))
    fits = owners is not None and len(owners) > 0 and owners[-1] + 1 == len(runs)
    return Instruction(text, runs, owners if fits else None)


def vocabulary_near(folder: Path) -> bytes | None:
    """Whether each subtoken ends a run, by the vocabulary in `folder` or up to four above; None without one."""
    path = find_above(folder, VOCABULARY)
    try:
        return _ends(path, path.stat().st_mtime_ns) if path else None
    except (OSError, SourceError):
        return None


@lru_cache(maxsize=2)
def _ends(path: Path, changed: int) -> bytes:
    """One subtoken a line, between quotes."""
    return bytes(line.rstrip("\r").removesuffix("'").endswith("_") for line in read_text(path).split("\n"))


def _runs(text: str) -> tuple[Span, ...]:
    runs = []
    start = 0
    for _, run in groupby(text, _is_word):
        end = start + sum(1 for _ in run)
        if text[start:end] != " " or start == 0 or end == len(text):
            runs.append((start, end))
        start = end
    return tuple(runs)


def _is_word(character: str) -> bool:
    return unicodedata.category(character)[0] in "LN"


def _owners(ids: Sequence[int], ends: bytes) -> tuple[int, ...] | None:
    owners = []
    run = 0
    for place, number in enumerate(ids):
        if not 0 <= number < len(ends):
            return None
        owners.append(run)
        if ends[number]:
            run += 1
        elif place == len(ids) - 1:
            return None
    return tuple(owners)
