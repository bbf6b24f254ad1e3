"""Words that somebody else wrote, shown as they are: Qt takes some for HTML, or for the letter of a shortcut.

Qt guesses for every label and every tooltip whether its text is HTML, and draws that, with the pictures that it names:
a goal `<img src="file:///…">` would open a file, and wait for it where it is a pipe. No place that shows words has to
think of that: `PLAIN_RULES` are part of every style sheet of the application and hold for all tooltips (those of
widgets, of rows, of headers and of menus are the same Qt class) and for all labels (those of message boxes and other
dialogs of Qt too). What is marked up on purpose is a `MarkedLabel` or a `MarkedPage`, and nothing else is.
"""

from __future__ import annotations

import re

from stepscope.core.plain_text import SIGN

PLAIN_RULES = """
QToolTip, QLabel { qproperty-textFormat: PlainText; }
MarkedLabel { qproperty-textFormat: RichText; }
"""
"""Rules of a style sheet; Qt puts them on a widget before it shows or measures its text."""

_BREAKS = re.compile(r"[\t\n\v\f\r\x1c-\x1f\x85\u2028\u2029]+")
_TURNING = re.compile("[\u202a-\u202e\u2066-\u2069]")
_LINE_ENDS = re.compile("\r\n|[\n\v\f\r\x1c-\x1e\x85\u2028\u2029]")
MOST_OF_A_LINE, MOST_LINES = 400, 40
"""A tooltip with more is cut: Qt lays out all of it before it shows any, and for a megabyte the window stands still."""


def straight(words: str) -> str:
    """The words without the marks that turn the direction of all that follows, ours too: U+202E in a goal lets the
    bounds behind it be read backwards. Each is shown as U+FFFD, as in terminals. Letters that are written from right
    to left have their direction in themselves, and the marks that only stand beside them (U+200E, U+200F) turn nothing
    else."""
    return words if words.isascii() else _TURNING.sub(SIGN, words)


def tip_words(words: str | None) -> str:
    """The words of a tooltip, `straight`, of at most 40 lines of 400 letters; "" for none."""
    if not words:
        return ""
    lines = _LINE_ENDS.split(words[: MOST_OF_A_LINE * MOST_LINES * 2], MOST_LINES)
    cut = [line if len(line) <= MOST_OF_A_LINE else line[:MOST_OF_A_LINE] + "…" for line in lines[:MOST_LINES]]
    return straight("\n".join(cut + ["…"] * (len(lines) > MOST_LINES)))


def plain_label(words: str) -> str:
    """The words on a button, a box, a tab or an entry of a menu: "&" stands there for itself, not for an underlined
    letter, no tabulator sets what follows where shortcuts stand, and nothing turns it around."""
    return straight(_BREAKS.sub(" ", words)).replace("&", "&&")


def window_title(words: str) -> str:
    """Words in the title of a window, where Qt takes "[*]" for the place of the sign that says "changed"."""
    return straight(_BREAKS.sub(" ", words[:MOST_OF_A_LINE])).replace("[*]", "[*][*]")
