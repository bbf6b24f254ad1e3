"""What is done in seq2act's data: verbs, target objects, and the words of the instruction that name them.

Verb ids are those of `ActionTypes` in the released code; spans count subtokens of the instruction.
"""

from __future__ import annotations

from collections.abc import Sequence

from stepscope.core.domain.action import Action, Key, LongPress, PressKey, Tap, Target, Type
from stepscope.core.errors import SourceError
from stepscope.core.frozen import dataclass
from stepscope.core.sources.seq2act_screen import Seq2ActScreen
from stepscope.core.sources.seq2act_words import VOCABULARY, Instruction, Span
from stepscope.core.sources.tfrecord_fields import Fields

_CLICK, _INPUT, SWIPE, _CHECK, _UNCHECK, _LONG_CLICK, _OTHERS, _GO_HOME, _GO_BACK = range(2, 11)
"""`ActionTypes`."""
_NAMES = {SWIPE: "a swipe, of which the data does not say where to", _OTHERS: "an action that the data does not name"}

_MOST = 1_000
"""More steps or instructions than this in one example is damage: real ones have some twenty (ours)."""


@dataclass(frozen=True)
class ActionColumns:
    """The actions by column, for each step or instruction of an example."""

    verbs: Sequence[int]
    targets: Sequence[int]
    typed: Sequence[Span]
    described: Sequence[Span]
    named: Sequence[Span]

    @classmethod
    def of(cls, fields: Fields) -> ActionColumns:
        """SourceError when there are none or too many to be true."""
        verbs = fields.ints("verb_id_seq")
        if not 0 < len(verbs) <= _MOST:
            message = f"{len(verbs)} actions in one example" if verbs else "the example has no actions"
            raise SourceError(message, field="verb_id_seq")
        spans = (
            _pairs(fields.ints(f"{name}_position_seq"), len(verbs)) for name in ("input_str", "obj_desc", "verb_str")
        )
        return cls(verbs, fields.ints("ui_target_id_seq"), *spans)

    def action(self, place: int, screen: Seq2ActScreen, words: Instruction) -> Action:
        """Action `place` on its screen; ValueError says why there is none."""
        verb = self.verbs[place]
        if verb == _GO_HOME:
            return PressKey(Key.HOME)
        if verb == _GO_BACK:
            return PressKey(Key.BACK)
        if verb in _NAMES:
            raise ValueError(_NAMES[verb])
        target = self._target(place, screen)
        point = target.box.centre if target.box else None
        if verb in (_CLICK, _CHECK, _UNCHECK):
            return Tap(point, target)
        if verb == _LONG_CLICK:
            return LongPress(point, target)
        if verb == _INPUT:
            return Type(self._text(place, words), point, target)
        raise ValueError(f"an action of unknown kind {verb}")

    def _target(self, place: int, screen: Seq2ActScreen) -> Target:
        number = self.targets[place] if place < len(self.targets) else None
        target = screen.target(number) if number is not None else None
        if target is None:
            raise ValueError(f"the target {number} is no object of its screen")
        return target

    def _text(self, place: int, words: Instruction) -> str:
        text = words.covered(self.typed[place])
        if text is None:
            raise ValueError(f"which words are typed is not known without the file {VOCABULARY} beside the data")
        if not text:
            raise ValueError("the data does not say what is typed")
        return text


def _pairs(numbers: Sequence[int], count: int) -> list[Span]:
    """Numbers two by two, filled up with empty spans."""
    pairs = list(zip(numbers[::2], numbers[1::2], strict=False))[:count]
    return [*pairs, *[(0, 0)] * (count - len(pairs))]
