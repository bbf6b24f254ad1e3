"""Links to a step: `stepscope://SOURCE/EPISODE/STEP?runs=A,B&rule=aitw&ids=3f9a,77c0`. The step is its index in the
data, from 0; `ids` says which stored runs had these letters."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import parse_qs, quote, unquote, urlsplit

from core.domain.mark import RUN_LETTERS
from core.errors import UsageError

SCHEME = "stepscope"
FORM = "stepscope://SOURCE/EPISODE/STEP"
_RUN_ID = re.compile(r"[0-9a-f]{4,32}")


@dataclass(frozen=True, slots=True)
class Link:
    """`source` is what the window calls the data, `runs` the letters that are shown, `rule` a rule's id or "". `ids`
    are the runs A, B, … of the window that the link comes from; () where it does not say."""

    source: str
    episode: str
    step: int
    runs: tuple[str, ...] = ()
    rule: str = ""
    ids: tuple[str, ...] = ()

    def __str__(self) -> str:
        path = "/".join(quote(part, safe="") for part in (self.source, self.episode))
        asked = {"runs": ",".join(self.runs), "rule": quote(self.rule, safe=""), "ids": ",".join(self.ids)}
        query = "&".join(f"{name}={value}" for name, value in asked.items() if value)
        return f"{SCHEME}://{path}/{self.step}{'?' if query else ''}{query}"


def is_link(text: str) -> bool:
    """Whether the text has the scheme of a link; whether it can be read as one is not looked at."""
    return text.startswith(f"{SCHEME}://")


def parse_link(text: str) -> Link:
    """Raises UsageError for what is no link to a step. Letters that no run can have and ids that no run has are passed
    over."""
    try:
        parts = urlsplit(text)
    except ValueError:
        parts = urlsplit("")
    names = [unquote(part) for part in (text.split("://", 1)[-1].split("?")[0]).split("/")]
    if parts.scheme != SCHEME or len(names) != 3 or not all(names) or not re.fullmatch("[0-9]{1,9}", names[2]):
        raise UsageError("This is no link to a step.", place=text, hint=f"A link reads {FORM}.")
    query = parse_qs(parts.query)
    letters = [letter.strip().upper() for letter in query.get("runs", [""])[0].split(",")]
    runs = tuple(dict.fromkeys(letter for letter in letters if letter in tuple(RUN_LETTERS)))
    ids = tuple(run for run in query.get("ids", [""])[0].split(",") if _RUN_ID.fullmatch(run))
    return Link(names[0], names[1], int(names[2]), runs, query.get("rule", [""])[0], ids)
