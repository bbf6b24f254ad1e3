"""Phrases of an instruction: what to do, where, with which text. A small grammar, tried from the top; first rule wins.

Source: the three phrases action verb, place, input are those of Seq2Act (MoTIF, section 5.1, paper); the grammar that
finds them is ours. Knows nothing of screens.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from stepscope.core.domain.geometry import Direction
from stepscope.core.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Phrases:
    """`verb` is an action kind of the workbench. `found` is False when no rule fits and all became the place.

    `detail` is the key of `press_key`, the direction of `swipe` and `scroll`, the status of `finish`.
    """

    verb: str
    place: str = ""
    text: str = ""
    detail: str = ""
    found: bool = True

    def __str__(self) -> str:
        parts = (("verb", self.verb), ("place", self.place), ("input", self.text), ("detail", self.detail))
        return ", ".join(f"{name} {value!r}" for name, value in parts if value)


_QUOTED = r"[\"“‘'](?P<quoted>[^\"”’']+)[\"”’']"
_TAP = (
    r"tap|click|press|open|select|choose|pick|check|uncheck|tick|toggle|enable|disable"
    r"|turn on|turn off|switch on|switch off|go to|navigate to|view|show|visit|hit|touch|find|see"
)
_TYPE = r"type|enter|input|write|fill in|insert|key in|search for|search|look for"
_OTHER = r"long[- ]press|long[- ]click|hold|swipe|scroll|go back|go home|launch|start|wait|finish"
_OPENER = r"(?:please|then|next|now|and|first|finally|step \d+|\d+[.)])"


def clauses(text: str) -> list[str]:
    """The parts of an instruction that start with a verb of the grammar: "open settings and tap Wi-Fi" has two."""
    verbs = f"{_TAP}|{_TYPE}|{_OTHER}"
    parts = re.split(
        rf"(?:\s*[,;.]\s*(?:and\s+)?(?:then\s+)?|\s+and\s+(?:then\s+)?|\s+then\s+)(?=(?:{verbs})\b)", text, flags=re.I
    )
    return [part.strip() for part in parts if part.strip()]


def extract(text: str) -> Phrases:
    """The phrases of one instruction; case is kept in place and input."""
    sentence = re.sub(rf"^(?:{_OPENER}\s*[,:]?\s+)+", "", " ".join(text.split()), flags=re.I).strip(" .!")
    for pattern, made in _RULES:
        match = pattern.fullmatch(sentence)
        if match:
            return made({name: (value or "").strip() for name, value in match.groupdict().items()})
    return Phrases("tap", place=sentence, found=False)


def _typed(parts: dict[str, str]) -> Phrases:
    return Phrases("type", place=_bare(parts.get("place", "")), text=parts.get("quoted") or parts.get("text", ""))


def _searched(parts: dict[str, str]) -> Phrases:
    return Phrases("type", place=_bare(parts.get("place", "")) or "search", text=parts.get("quoted") or parts["text"])


def _opened(parts: dict[str, str]) -> Phrases:
    return Phrases("open_app", text=_bare(parts["place"] or parts["other"]))


def _moved(verb: str, usual: Direction) -> Callable[[dict[str, str]], Phrases]:
    def made(parts: dict[str, str]) -> Phrases:
        direction = re.search(r"\b(up|down|left|right)(?:wards?)?\b", parts["rest"], re.I)
        return Phrases(verb, detail=direction[1].lower() if direction else usual.value)

    return made


def _placed(verb: str) -> Callable[[dict[str, str]], Phrases]:
    return lambda parts: Phrases(verb, place=_bare(parts.get("quoted") or parts.get("place", "")))


def _fixed(verb: str, detail: str = "") -> Callable[[dict[str, str]], Phrases]:
    return lambda _: Phrases(verb, detail=detail)


def _bare(place: str) -> str:
    """A place without leading articles and prepositions."""
    return re.sub(r"^(?:(?:on|at|in|into|to|the|a|an)\s+)+", "", place, flags=re.I).strip("\"“”‘’' ")


Reading = Callable[[dict[str, str]], Phrases]
"""From the named groups of a pattern to phrases."""


def _rule(made: Reading, *patterns: str) -> tuple[re.Pattern[str], Reading]:
    """One meaning with the patterns that a whole sentence may have for it."""
    return re.compile("|".join(patterns), re.I), made


_KEY = r"(?: button| key)?"
_PUSH = r"(?:press|hit|push|use)(?: on)? (?:the )?"
_WRITE = r"(?:type|enter|input|write|insert|key in)"
_LONG = r"(?:long[- ]?(?:press|click|tap)|(?:press|tap|touch) and hold|hold)"

_RULES = (
    _rule(
        _fixed("finish", "impossible"),
        r"(?:the )?(?:task|goal|request) (?:is )?(?:impossible|infeasible|not possible)",
        r"(?:the )?(?:task|goal|request) (?:cannot|can not|can't) be (?:done|completed|reached)",
    ),
    _rule(
        _fixed("finish", "complete"),
        r"(?:done|finish(?:ed)?|stop|end|complete)",
        r"(?:the )?task (?:is )?(?:done|complete|completed|finished)",
        r"(?:complete|finish|end) (?:the )?task",
    ),
    _rule(_fixed("wait"), r"wait\b.*"),
    _rule(
        _fixed("press_key", "home"),
        r"(?:go|navigate|return|move)(?: back)? (?:to )?(?:the )?home(?: ?screen)?",
        rf"{_PUSH}home{_KEY}",
    ),
    _rule(
        _fixed("press_key", "back"),
        r"(?:go|navigate|move|return) back\b(?! to the top).*",
        rf"{_PUSH}back{_KEY}",
        r"return to (?:the )?previous (?:screen|page)",
    ),
    _rule(_fixed("press_key", "enter"), rf"{_PUSH}(?:enter|return){_KEY}"),
    _rule(
        _fixed("press_key", "recents"), rf"(?:{_PUSH}|(?:open|show) (?:the )?)(?:recents?|recent apps|overview){_KEY}"
    ),
    _rule(_moved("swipe", Direction.UP), r"(?:swipe|slide|fling|flick)\b(?P<rest>.*)"),
    _rule(_moved("scroll", Direction.DOWN), r"scroll\b(?P<rest>.*)"),
    _rule(_placed("long_press"), rf"{_LONG}\b(?: down)?(?: on)?(?:(?: the)? {_QUOTED}.*| (?P<place>.+))?"),
    _rule(_opened, r"(?:open|launch|start) (?:up )?(?P<place>.+?) app(?:lication)?", r"(?:launch|start) (?P<other>.+)"),
    _rule(_searched, rf"(?:search for|look for|search) {_QUOTED}(?: (?:in|on|using|with) (?P<place>.+))?"),
    _rule(
        _searched,
        r"(?:search for|look for) (?P<text>.+?)(?: (?:in|on|using|with) (?P<place>[^,]*(?:bar|box|field|search)))?",
    ),
    _rule(_typed, r"fill in (?P<place>.+?) with (?P<text>.+)"),
    _rule(_typed, rf"{_WRITE} {_QUOTED}(?: (?:in|into|on|to|as|for) (?P<place>.+))?"),
    _rule(_typed, rf"{_WRITE} (?P<text>.+) (?:in|into) (?P<place>.+)"),
    _rule(_typed, rf"{_WRITE} (?P<text>.+)"),
    _rule(_placed("tap"), rf"(?:{_TAP})\b(?: on)?(?:(?: the)? {_QUOTED}.*| (?P<place>.+))?"),
)
"""In order of trial."""
