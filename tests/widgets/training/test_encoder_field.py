"""Encoders that a training stands on: from the list, several together, and what is wrong with a name."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from stepscope.widgets.training import EncoderChoice
from stepscope.widgets.training.encoder_field import EncoderField, encoder_problem

MINILM = EncoderChoice("minilm", "MiniLM", texts=True)
CLIP = EncoderChoice("my-clip", "A CLIP", texts=True, pictures=True, outputs=("pooled", "tokens"))
BERT = EncoderChoice("my-bert", "A BERT", texts=True, why_not="Its folder is gone: add it again.")
ALL = (MINILM, CLIP, BERT)


@pytest.fixture
def field(qtbot: QtBot, themed: object) -> EncoderField:
    shown = EncoderField("Encoders of texts")
    qtbot.addWidget(shown)
    shown.set_reference("minilm")
    shown.show()
    return shown


def test_what_is_written_stays_when_the_list_comes(field: EncoderField, qtbot: QtBot) -> None:
    assert not field.add.isVisible(), "there is nothing to take with it"
    field.set_choices(ALL)
    assert field.reference() == "minilm" and field.add.isVisible()
    combo = field.combo
    assert [combo.itemText(row) for row in range(combo.count())] == ["minilm", "my-clip", "my-clip:tokens", "my-bert"]
    assert not combo.model().item(3).isEnabled(), "what is not here rests"
    assert combo.itemData(3, Qt.ItemDataRole.ToolTipRole) == "Its folder is gone: add it again."
    with qtbot.waitSignal(field.changed):
        combo.setCurrentIndex(1)
    assert field.reference() == "my-clip"


def test_several_are_taken_together(field: EncoderField, qtbot: QtBot) -> None:
    field.set_choices(ALL)
    entries = {action.text(): action for action in field.menu().actions()}
    assert list(entries) == ["my-clip", "my-clip:tokens"], "neither what is taken nor what is not here"
    with qtbot.waitSignal(field.changed):
        entries["my-clip:tokens"].trigger()
    assert field.reference() == "minilm+my-clip:tokens"
    assert [action.text() for action in field.menu().actions()] == []
    field.combo.lineEdit().setText(" minilm + my-clip ")
    assert field.reference() == "minilm+my-clip"


@pytest.mark.parametrize(
    ("reference", "words"),
    [
        ("minilm", ""),
        ("minilm+my-clip:tokens", ""),
        ("my-clip:pooled", ""),
        ("", "Name an encoder of texts"),
        ("minilm+", "Name an encoder of texts"),
        ("minlm", "There is no encoder minlm that reads texts. Did you mean minilm?"),
        ("minilm+qqqqqq", "There is no encoder qqqqqq that reads texts."),
        ("my-clip:words", "my-clip has no output words. It has pooled, tokens."),
        ("my-bert", "my-bert cannot be used: Its folder is gone: add it again."),
        ("minilm+minilm", "minilm is named twice"),
    ],
)
def test_a_wrong_name_is_told(reference: str, words: str) -> None:
    told = encoder_problem(reference, ALL, "texts")
    assert told.startswith(words) and bool(told) == bool(words)
