"""Links to a step: `stepscope://SOURCE/EPISODE/STEP?runs=A,B&rule=aitw`. The step is its index in the data, from 0."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import parse_qs, quote, unquote, urlsplit

from core.errors import UsageError

SCHEME = "stepscope"
FORM = "stepscope://SOURCE/EPISODE/STEP"


@dataclass(frozen=True, slots=True)
class Link:
    """`source` is what the window calls the data, `runs` the letters that are shown, `rule` a rule's id or ""."""

    source: str
    episode: str
    step: int
    runs: tuple[str, ...] = ()
    rule: str = ""

    def __str__(self) -> str:
        path = "/".join(quote(part, safe="") for part in (self.source, self.episode))
        query = "&".join(
            filter(None, (f"runs={','.join(self.runs)}" if self.runs else "", f"rule={self.rule}" if self.rule else ""))
        )
        return f"{SCHEME}://{path}/{self.step}{'?' if query else ''}{query}"


def is_link(text: str) -> bool:
    return text.startswith(f"{SCHEME}://")


def parse_link(text: str) -> Link:
    """Raises UsageError for what is no link to a step."""
    parts = urlsplit(text)
    names = [unquote(part) for part in (text.split("://", 1)[-1].split("?")[0]).split("/")]
    if parts.scheme != SCHEME or len(names) != 3 or not all(names) or not names[2].isdecimal():
        raise UsageError("This is no link to a step.", place=text, hint=f"A link reads {FORM}.")
    query = parse_qs(parts.query)
    runs = tuple(letter for letter in query.get("runs", [""])[0].split(",") if letter)
    return Link(names[0], names[1], int(names[2]), runs, query.get("rule", [""])[0])
