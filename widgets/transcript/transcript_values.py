"""The blocks of a transcript and their parts, in words, as the view shows them."""

from __future__ import annotations

from enum import StrEnum

from stepscope.core.frozen import dataclass
from stepscope.widgets.common import ShownVerdict


class PartKind(StrEnum):
    """The kinds of parts that can be shown or hidden."""

    PROMPT = "prompt"
    PICTURE = "picture"
    RAW = "raw"
    PARSED = "parsed"


PART_TITLES = {
    PartKind.PROMPT: "Prompt",
    PartKind.PICTURE: "Picture",
    PartKind.RAW: "Raw",
    PartKind.PARSED: "Parsed",
}


@dataclass(frozen=True, slots=True)
class BlockPart:
    """A text of a block: `title` above it ("" : it goes on with the one before), `note` at the right of the title.
    `summary` stands for a part that is folded at first, since it is the same in every step. `warning` is said in amber
    below it; `stopped` is the letter from which on it could not be read, None where all of it could."""

    kind: PartKind
    title: str
    text: str
    note: str = ""
    summary: str = ""
    warning: str = ""
    stopped: int | None = None


@dataclass(frozen=True, slots=True)
class BlockPicture:
    """A picture as sent: `key` names it where it is fetched, `size` are its pixels, `facts` lines about it, `points`
    places as said, as shares of its width and height. `step` is the place of the step whose screen it shows, None for
    the block's own."""

    key: str
    size: tuple[int, int]
    facts: tuple[str, ...] = ()
    points: tuple[tuple[float, float], ...] = ()
    step: int | None = None


@dataclass(frozen=True, slots=True)
class BlockAttempt:
    """One try, in words."""

    words: str
    failed: bool


@dataclass(frozen=True, slots=True)
class TranscriptBlock:
    """A block of the scroll, of one item of the run. `step` is the item's step, -1 for the whole episode; `place` that
    of the step in the episode, None where there is none. `tokens` and `time` are words; `request` is the request as
    JSON, `raw` what came back, both for copying."""

    step: int
    place: int | None
    number: str
    title: str
    detail: str = ""
    verdict: ShownVerdict | None = None
    badge: str = ""
    tokens: str = ""
    time: str = ""
    parts: tuple[BlockPart, ...] = ()
    pictures: tuple[BlockPicture, ...] = ()
    attempts: tuple[BlockAttempt, ...] = ()
    request: str = ""
    raw: str = ""

    @property
    def is_problem(self) -> bool:
        """Whether it was asked again, made no sense, broke, or was cut off."""
        broken = self.verdict in (ShownVerdict.MALFORMED, ShownVerdict.NULL, ShownVerdict.ERROR)
        return bool(self.badge) or broken or any(part.warning for part in self.parts)


@dataclass(frozen=True, slots=True)
class TextHit:
    """A place of the search's words: the block, its part, and the letters from `start` to `end`."""

    block: int
    part: int
    start: int
    end: int


def text_hits(blocks: tuple[TranscriptBlock, ...], words: str, shown: frozenset[PartKind]) -> tuple[TextHit, ...]:
    """Where the words stand in the parts that are shown, without regard to case, in order and never over each other."""
    wanted = words.casefold()
    if not wanted:
        return ()
    found = []
    for number, block in enumerate(blocks):
        for place, part in enumerate(block.parts):
            if part.kind in shown:
                found += [TextHit(number, place, start, end) for start, end in _places(part.text, wanted)]
    return tuple(found)


def count_hits(text: str, words: str) -> int:
    """How often the words stand in a text, counted as `text_hits` does."""
    return len(_places(text, words.casefold()))


def _places(text: str, wanted: str) -> list[tuple[int, int]]:
    """Where folded words stand in a text, by its own letters: folding may make more of one (ß)."""
    folded = text.casefold()
    if len(folded) == len(text):
        places, at = [], folded.find(wanted)
        while at >= 0:
            places.append((at, at + len(wanted)))
            at = folded.find(wanted, at + len(wanted))
        return places
    letters = [number for number, letter in enumerate(text) for _ in letter.casefold()]
    places, at, end = [], folded.find(wanted), 0
    while at >= 0:
        if letters[at] >= end:
            end = letters[at + len(wanted) - 1] + 1
            places.append((letters[at], end))
        at = folded.find(wanted, at + len(wanted))
    return places
