"""Goals with pieces that can be left out: `Wake me[time| at 6:45]` says the time or keeps it back.

A piece is `[name|with it]` or `[name|with it|instead of it]`; the words outside are kept as they are.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass

from stepscope.resources.sample.generator.plan import Slot

_PIECE = re.compile(r"\[(\w+)\|([^|\]]*)(?:\|([^\]]*))?\]")


@dataclass(frozen=True, slots=True)
class Wording:
    """One sentence with its pieces."""

    pattern: str

    @property
    def full(self) -> str:
        """The sentence with everything said."""
        return self.without()

    def without(self, *names: str) -> str:
        """The sentence with the pieces of these names kept back."""
        text = _PIECE.sub(lambda piece: (piece[3] or "") if piece[1] in names else piece[2], self.pattern)
        return _begin(" ".join(text.split()).replace(" ,", ",").replace(" .", ".").replace(" ?", "?"))


@dataclass(frozen=True, slots=True)
class WordingSampler:
    """Draws wordings by one chance, so that a template reads as what it says."""

    chance: random.Random

    def goal(self, *patterns: str) -> Wording:
        return Wording(self.chance.choice(patterns))

    def say(self, *sentences: str) -> str:
        return self.chance.choice(sentences)

    def slot(
        self, wording: Wording, name: str, value: str, step: int, questions: Sequence[str], answers: Sequence[str] = ()
    ) -> Slot:
        """The piece `name` as a slot that the move at `step` needs, with one of the questions and of the answers.

        Without `answers` the person says the value itself. ValueError when the sentence says nothing of it.
        """
        if wording.without(name) == wording.full:
            raise ValueError(f"no piece is called {name} in: {wording.pattern}")
        answer = self.chance.choice(list(answers) or [f"{_begin(value)}.", f"{_begin(value)}, please.", _begin(value)])
        question = self.chance.choice(list(questions))
        return Slot(name, value, step, wording.without(name), question, answer, wording.pattern)


def _begin(text: str) -> str:
    return text[:1].upper() + text[1:]
