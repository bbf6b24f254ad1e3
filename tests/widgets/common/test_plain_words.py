"""Words of others are shown as they are."""

from __future__ import annotations

import pytest
from PySide6.QtGui import Qt, QTextDocumentFragment

from widgets.common.plain_words import plain_label, plain_tip

PICTURE = '<img src="file:///etc/passwd"> yes\n<b>no</b> &amp; perhaps'


@pytest.mark.parametrize("words", [PICTURE, "1: <img src=x>, radio\nYou: 5", "&lt;b&gt;", "<b>bold</b>"])
def test_what_looks_like_html_is_read_as_it_is_written(words: str) -> None:
    tip = plain_tip(words)
    assert Qt.mightBeRichText(tip) and "<img" not in tip and "<b>" not in tip
    assert QTextDocumentFragment.fromHtml(tip).toPlainText() == words


@pytest.mark.parametrize("words", ["", "yes", "5 < 6 & 7 > 3", "one\ntwo"])
def test_other_words_stay(words: str) -> None:
    assert plain_tip(words) == words


def test_and_signs_stand_for_themselves() -> None:
    assert plain_label("Q&A && more") == "Q&&A &&&& more"
