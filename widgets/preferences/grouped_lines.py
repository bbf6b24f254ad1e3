"""Lines under headings, of which a search leaves some."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from PySide6.QtWidgets import QWidget


class GroupedLine(Protocol):
    """A line of a page: the group it stands under, and all words that it is found by."""

    all_words: str

    @property
    def group(self) -> str: ...

    def set_shown(self, shown: bool) -> None: ...


def narrow_lines(
    lines: Iterable[GroupedLine], headings: Mapping[str, QWidget], text: str, scroll: QWidget, none: QWidget
) -> bool:
    """Show the lines that have all words of the text, and their headings; `none` stands in the place of `scroll` where
    there are lines and none is left. Returns whether any is."""
    words, left, there = text.casefold().split(), set(), False
    for line in lines:
        there = True
        fits = all(word in line.all_words for word in words)
        line.set_shown(fits)
        if fits:
            left.add(line.group)
    for group, heading in headings.items():
        heading.setVisible(group in left)
    none.setVisible(there and not left)
    scroll.setVisible(bool(left) or not there)
    return bool(left)
