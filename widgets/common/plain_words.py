"""Words that somebody else wrote, shown as they are: Qt takes some for HTML, or for the letter of a shortcut.

Qt guesses for every label and every tooltip whether its text is HTML, and draws that, with the pictures that it names:
a goal `<img src="file:///…">` would open a file, and wait for it where it is a pipe. No place that shows words has to
think of that: `PLAIN_RULES` are part of every style sheet of the application and hold for all tooltips (those of
widgets, of rows, of headers and of menus are the same Qt class) and for all labels (those of message boxes and other
dialogs of Qt too). What is marked up on purpose is a `MarkedLabel` or a `MarkedPage`, and nothing else is.
"""

from __future__ import annotations

import re

PLAIN_RULES = """
QToolTip, QLabel { qproperty-textFormat: PlainText; }
MarkedLabel { qproperty-textFormat: RichText; }
"""
"""Rules of a style sheet; Qt puts them on a widget before it shows or measures its text."""

_BREAKS = re.compile(r"[\t\n\v\f\r\x1c-\x1f\x85\u2028\u2029]+")


def plain_label(words: str) -> str:
    """The words on a button, a box, a tab or an entry of a menu: "&" stands there for itself, not for an underlined
    letter, and no tabulator sets what follows where shortcuts stand."""
    return _BREAKS.sub(" ", words).replace("&", "&&")
