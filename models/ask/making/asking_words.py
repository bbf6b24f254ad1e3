"""The question that an agent would ask about a missing value, and what a person would say (ours)."""

from __future__ import annotations

from stepscope.core.domain.ambiguous_task import PieceKind
from stepscope.models.ask.making.shared_words import SMALL, UNITS, StepText, TextSource, holds, plain_words

_QUESTIONS = {
    PieceKind.DATE: "Which date do you mean?",
    PieceKind.TIME: "What time do you mean?",
    PieceKind.NUMBER: "Which number do you mean?",
    PieceKind.PLACE: "Which place do you mean?",
    PieceKind.PERSON: "Who do you mean?",
    PieceKind.APP: "Which app should I use?",
    PieceKind.OPTION: "Which option would you like?",
    PieceKind.TEXT: "What should I enter?",
    PieceKind.OTHER: "Which one do you mean?",
}
_OF_FIELD = {
    PieceKind.DATE: "Which date should I enter for “{}”?",
    PieceKind.TIME: "What time should I enter for “{}”?",
    PieceKind.NUMBER: "Which number should I enter for “{}”?",
    PieceKind.PLACE: "Which place should I enter for “{}”?",
    PieceKind.PERSON: "Who do you mean for “{}”?",
    PieceKind.OPTION: "Which option would you like for “{}”?",
    PieceKind.TEXT: "What should I enter for “{}”?",
}
LONGEST_FIELD = 40
"""A longer name of a field is a sentence (ours)."""


def question_for(kind: PieceKind, value: str, text: StepText, noun: str) -> str:
    """`noun` is the word that the value stands before in the goal ("the Focus list"), "" where there is none. Neither
    it nor the field's name is used where it has the value in it."""
    words = plain_words(value)
    if kind is PieceKind.NUMBER and len(words) > 1 and words[-1] in UNITS:
        return f"How many {words[-1]} do you mean?"
    if kind is PieceKind.NUMBER and noun.endswith("s") and text.source is not TextSource.TYPED:
        return f"How many {noun} do you want?"
    named = text.source is TextSource.OPTION and text.field  # the list says better what is chosen
    if not named and noun and noun.isalpha() and noun not in SMALL and holds([noun], words) < 0 and kind in _NAMED:
        return f"Which {noun} do you mean?"
    field = " ".join(text.field.split())
    if field and len(field) <= LONGEST_FIELD and kind in _OF_FIELD and not set(words) & set(plain_words(field)):
        if "search" in plain_words(field):
            return "What should I search for?"
        return _OF_FIELD[kind].format(field)
    return _QUESTIONS[kind]


_NAMED = (PieceKind.OTHER, PieceKind.OPTION, PieceKind.TEXT)


def answer_for(value: str) -> str:
    """The value as a person says it, words and marks as in the goal."""
    said = value.strip()
    if said.split()[:1] and said.split()[0].isalpha():
        said = said[0].upper() + said[1:]
    return said if said.endswith((".", "!", "?")) else f"{said}."
