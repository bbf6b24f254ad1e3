"""Headings of Markdown documents, and what stands below each."""

from __future__ import annotations

import re
from dataclasses import field

from stepscope.core.frozen import dataclass

_HEADING = re.compile(r"(#{1,6})\s+(.*?)\s*#*$")
_MARKUP = re.compile(r"[`*]|!?\[([^\]]*)\]\([^)]*\)")
_NO_SLUG = re.compile(r"[^\w\- ]")


@dataclass(frozen=True, slots=True)
class GuideSection:
    """`file` is the document's path below the documentation's folder, `level` 1 for its title. `text` is what stands
    below the heading, without that below the next."""

    file: str
    level: int
    title: str
    text: str = field(default="", repr=False)

    @property
    def slug(self) -> str:
        """The heading's name in links."""
        return slug_of(self.title)

    def has(self, words: tuple[str, ...]) -> bool:
        """Whether all words (casefolded) stand in the heading or below it."""
        text = f"{self.title}\n{self.text}".casefold()
        return all(word in text for word in words)


def slug_of(heading: str) -> str:
    """What links call a heading, as GitHub makes it: lower case, hyphens for spaces, no other signs."""
    return _NO_SLUG.sub("", plain(heading).lower()).strip().replace(" ", "-")


def plain(words: str) -> str:
    """Words without their markup; links have their text."""
    return _MARKUP.sub(lambda found: found[1] or "", words)


def sections_of(file: str, text: str) -> list[GuideSection]:
    """The sections of one document. What stands before the first heading belongs to none; lines of code are no
    headings."""
    found: list[tuple[int, str, list[str]]] = []
    in_code = False
    for line in text.splitlines():
        if line.lstrip().startswith("```"):
            in_code = not in_code
        heading = None if in_code else _HEADING.match(line)
        if heading:
            found.append((len(heading[1]), plain(heading[2]), []))
        elif found:
            found[-1][2].append(line)
    return [GuideSection(file, level, title, "\n".join(lines)) for level, title, lines in found]
