"""What an instruction says of the element that it means beside the element's own words: its kind, its place on the
screen, its order, what stands beside it ("the second icon right of English", "the button at the bottom").

Source: that people name elements so is what the referring expressions of UIBert show (Bai et al. 2021, paper); the
grammar is ours. Knows nothing of screens.
"""

from __future__ import annotations

import re
from functools import lru_cache

from stepscope.core.frozen import dataclass
from stepscope.models.automation.grounding import STOP_WORDS, stem, tokens

_SIDES = {"left": "left", "right": "right", "top": "top", "upper": "top", "bottom": "bottom", "lower": "bottom",
          "middle": "middle", "center": "middle", "centre": "middle"}  # fmt: skip
_SIDE = "|".join((*_SIDES, "corner"))
_FRAME = r"(?:page|screen|web ?page|app|window|line|bar|panel)"
_ABSOLUTE = re.compile(
    rf"\b(?:(?:at|in|on|to|from|of)\s+)?(?:the\s+)?(?P<sides>(?:{_SIDE})(?:(?:\s+|-)(?:most|hand|side|and|{_SIDE}))*)"
    rf"(?:\s+(?:of|in|on|at)\s+(?:the\s+|a\s+)?(?:\w+\s+)?{_FRAME}|(?<=corner)|(?=\s*$)"
    rf"|(?=\s+(?:which|that|is|beside|next|near)\b)|(?=\s+on\s+the\s+(?:{_SIDE})\b))"
)
_RELATIVE = re.compile(
    r"\b(?:(?P<left>left)|(?P<right>right)|(?P<above>above|over|on top of)|(?P<below>below|under|underneath|beneath)"
    r"|(?P<before>before)|(?P<after>after)|(?P<beside>besides?|next to|near|nearby|along ?side|adjacent to|close to))\b"
    r"(?:\s+(?:most|hand|side|next|immediate|to|of|from|with|the|a|an|text|option|word|header|in|on))*\s+(?P<anchor>\S.*)"
)
_ORDINALS = {word: place for place, words in enumerate((
    ("first", "1st"), ("second", "2nd"), ("third", "3rd"), ("fourth", "4th"), ("fifth", "5th"), ("sixth", "6th"),
    ("seventh", "7th"), ("eighth", "8th"), ("ninth", "9th"), ("tenth", "10th")), 1) for word in words}  # fmt: skip
_ORDINALS["last"] = -1
_COUNTED_FROM = re.compile(r"\bfrom\s+(?:the\s+)?(?:\w+\s+)?(left|right|top|bottom)\b")
_NAMED_KINDS = {
    "picture": ("image", "icon", "logo", "symbol", "picture", "photo", "avatar", "thumbnail", "dot", "arrow", "star"),
    "button": ("button", "btn"),
    "words": ("text", "option", "link", "label", "title", "heading", "tab", "item"),
    "field": ("field", "box", "bar", "input", "textbox", "edit"),
    "switch": ("checkbox", "check", "switch", "toggle", "radio", "tick"),
}
_KIND_OF = {word: kind for kind, words in _NAMED_KINDS.items() for word in words}
_SAID_ANYWAY = (
    "click", "select", "tap", "choose", "press", "go", "which", "that", "side", "hand", "one", "page", "screen", "web",
    "beside", "next", "named", "called", "having",
)  # fmt: skip
_FILLERS = STOP_WORDS.union(_SAID_ANYWAY)


@dataclass(frozen=True, slots=True)
class Reference:
    """An instruction taken apart. `kinds`: picture, button, words, field, switch, as many as are named; `side` of the
    anchor on which the element lies: left, right, above, below, before, after, beside, "" without an anchor; `anchor`
    and `own` are stems of words; `ordinal` counts from 1, −1 is the last, 0 none; `start` is the side that counting
    begins at, "" where none is said; `sides` of the screen on which the element lies: left, right, top, bottom,
    middle."""

    kinds: frozenset[str]
    side: str
    anchor: tuple[str, ...]
    own: tuple[str, ...]
    ordinal: int
    start: str
    sides: frozenset[str]


@lru_cache(maxsize=1024)
def reference(instruction: str) -> Reference:
    """The parts of an instruction such as "click the second icon which is right to the text english"."""
    text = " ".join(re.findall(r"[\w'\-]+", instruction.lower()))
    counted = _COUNTED_FROM.search(text)
    text = _COUNTED_FROM.sub(" ", text)
    named = [word for found in _ABSOLUTE.finditer(text) for word in re.findall(r"\w+", found["sides"])]
    head, side, anchor = _split(_ABSOLUTE.sub(" ", text))
    words = head.split()
    own = " ".join(word for word in words if stem(word) not in _KIND_OF and word not in _ORDINALS)
    return Reference(
        kinds=frozenset(_KIND_OF[stem(word)] for word in words if stem(word) in _KIND_OF),
        side=side,
        anchor=anchor,
        own=_content(own),
        ordinal=next((_ORDINALS[word] for word in words if word in _ORDINALS), 0),
        start=counted[1] if counted else "",
        sides=frozenset(_SIDES[word] for word in named if word in _SIDES),
    )


def _split(text: str) -> tuple[str, str, tuple[str, ...]]:
    """What is said of the element itself, the side of its neighbour, the neighbour's words."""
    found = _RELATIVE.search(text)
    anchor = _content(found["anchor"]) if found else ()
    if found is None or not anchor:
        return text, "", ()
    side = next(name for name, value in found.groupdict().items() if value and name != "anchor")
    return text[: found.start()], side, anchor


def _content(text: str) -> tuple[str, ...]:
    return tuple(word for word in tokens(text) if word not in _FILLERS)
