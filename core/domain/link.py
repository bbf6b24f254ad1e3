"""Links to a step: `stepscope://SOURCE/EPISODE/STEP?runs=A,B&rule=aitw&ids=3f9a,77c0`. The step is its index in the
data, from 0; `ids` says which stored runs had these letters.

A link comes from anybody: from a page, a mail, the clipboard. It names data by what a person calls it, never by a place
on the disk, and can bring nothing with it but the names of things that are here already."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import parse_qs, quote, unquote

from stepscope.core.domain.layers import RUN_LETTERS
from stepscope.core.errors import UsageError
from stepscope.core.frozen import dataclass
from stepscope.core.plain_text import safe

SCHEME = "stepscope"
FORM = "stepscope://SOURCE/EPISODE/STEP"
LONGEST = 8_000
"""Characters of a link; one with eight runs and names of a hundred letters has some 700."""
_RUN_ID = re.compile(r"[0-9a-f]{4,32}")
_STEP = re.compile(r"[0-9]{1,9}")
_SHOWN = 100
"""Characters of what is no link in the message that says so."""


@dataclass(frozen=True, slots=True)
class DeepLink:
    """`source` is what the window calls the data, `runs` the letters that are shown, `rule` a rule's id or "". `ids`
    are the runs A, B, … of the window that the link comes from, "" where no run that is shown has the letter; () where
    it does not say."""

    source: str
    episode: str
    step: int
    runs: tuple[str, ...] = ()
    rule: str = ""
    ids: tuple[str, ...] = ()

    def __str__(self) -> str:
        source, episode, rule = (
            quote(part, safe="", errors="replace") for part in (self.source, self.episode, self.rule)
        )
        path = f"{source}/{episode}"
        asked = {"runs": ",".join(self.runs), "rule": rule, "ids": ",".join(self.ids)}
        query = "&".join(f"{name}={value}" for name, value in asked.items() if value)
        return f"{SCHEME}://{path}/{self.step}{'?' if query else ''}{query}"


def ids_by_letter(runs: Mapping[int, str]) -> tuple[str, ...]:
    """Runs by number (0 is A) as a link names them."""
    return tuple(runs.get(number, "") for number in range(max(runs, default=-1) + 1))


def is_link(text: str) -> bool:
    """Whether the text has the scheme of a link; whether it can be read as one is not looked at."""
    return text.startswith(f"{SCHEME}://")


def parse_link(text: str) -> DeepLink:
    """Raises UsageError for what is no link to a step. Letters that no run can have and ids that no run has are passed
    over, and so is every id behind the one of the last letter; ids keep their places, so that "a,,c" are A and C."""
    if not is_link(text) or len(text) > LONGEST:
        raise _no_link(text)
    path, _, asked = text.removeprefix(f"{SCHEME}://").partition("?")
    parts = path.split("/")
    names = [unquote(part) for part in parts]
    if len(parts) != 3 or not all(map(_can_be_name, names)) or not _STEP.fullmatch(parts[2]):
        raise _no_link(text)
    query = parse_qs(asked.partition("#")[0])
    rule = query.get("rule", [""])[0]
    if rule and not _can_be_name(rule):
        raise _no_link(text)
    letters = [letter.strip().upper() for letter in query.get("runs", [""])[0].split(",")]
    runs = tuple(dict.fromkeys(letter for letter in letters if letter in tuple(RUN_LETTERS)))
    return DeepLink(names[0], names[1], int(parts[2]), runs, rule, _ids(query.get("ids", [""])[0]))


def _ids(text: str) -> tuple[str, ...]:
    """Each id once, in the place of its letter."""
    found: list[str] = []
    for run in text.split(",")[: len(RUN_LETTERS)]:
        found.append(run if _RUN_ID.fullmatch(run) and run not in found else "")
    while found and not found[-1]:
        found.pop()
    return tuple(found)


def _no_link(text: str) -> UsageError:
    shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
    return UsageError("This is no link to a step.", place=safe(shown), hint=f"A link reads {FORM}.")


def _can_be_name(name: str) -> bool:
    """Whether a store could know it: none takes NUL or halves of surrogate pairs."""
    return bool(name) and "\0" not in name and not any("\ud800" <= sign <= "\udfff" for sign in name)
