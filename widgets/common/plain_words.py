"""Words that somebody else wrote, shown as they are: Qt takes some for HTML, or for the letter of a shortcut."""

from __future__ import annotations

from PySide6.QtGui import Qt


def plain_tip(words: str) -> str:
    """A tooltip of these words: what looks like HTML to Qt would be drawn as such, and its pictures be loaded."""
    return Qt.convertFromPlainText(words) if Qt.mightBeRichText(words) else words


def plain_label(words: str) -> str:
    """The words on a button or box: "&" stands there for itself, not for an underlined letter."""
    return words.replace("&", "&&")
