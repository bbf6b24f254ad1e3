"""A step as Seq2Act sees it: the words to follow on one side, the screen's elements on the other. No pixels.

Source: the released features (docs/formats/seq2act.md): of each object its words, class (15 kinds), whether it can be
clicked, its edges, its places in the tree; at most so many objects a screen. Ours: more flags than "clickable", and the
elements that are looked at, which are those of `two-tower` up to 93.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stepscope.core.domain.elements import UIElement
from stepscope.core.evaluation.predictor import StepRequest
from stepscope.core.frozen import dataclass
from stepscope.models.automation.action_choice import sentence_of
from stepscope.models.automation.seq2act_text import (
    GOAL,
    INSTRUCTION,
    LENGTH,
    PIECES,
    ReadText,
    codes_of,
    pieces_of,
    read_text,
    words_of,
)
from stepscope.models.automation.tower_elements import ElementFeatures, seen_elements
from stepscope.models.learned.recipe import Array, Example, PreparedRequest, padded

OBJECTS = 93
"""Elements that are looked at (MAX_UI_OBJECT_NUM of PixelHelp, released code)."""
WORDS, NAMES = 10, 6
"""Words of an element that are read: its own (or those inside it), and those of id and class."""
CLASSES = (
    "", "Button", "CheckBox", "CheckedTextView", "EditText", "ImageButton", "ImageView", "RadioButton", "SlidingDrawer",
    "Spinner", "Switch", "TabWidget", "TextView", "ToggleButton", "VideoView",
)  # fmt: skip
"""Kinds of objects by number (`UIObjectType`, released code); 0 is everything else."""
_UIBERT = {"TEXT_BUTTON": 1, "CHECK_BOX": 2, "TEXT_INPUT": 4, "IMAGE_BUTTON": 5, "IMAGE": 6, "ICON": 6,
           "RADIO_BUTTON": 7, "SWITCH": 10, "TEXT_VIEW": 12, "TEXT": 12}  # fmt: skip
"""The same kinds in UIBert's words (ours)."""
FACTS = 17
BINS = 24
"""Parts that the screen is divided into, for edges as numbers of parts (ours)."""


@dataclass(frozen=True, slots=True)
class SpokenCommand:
    """A request taken apart: the words to follow, the elements."""

    read: ReadText
    elements: tuple[ElementFeatures, ...]


def prepare(request: StepRequest) -> PreparedRequest:
    """No encoder is asked: all embeddings are learned."""
    given = bool(request.instruction and request.instruction.strip())
    read = read_text(sentence_of(request), INSTRUCTION if given else GOAL)
    return PreparedRequest(request, rest=SpokenCommand(read, seen_elements(request.observation, OBJECTS)))


def example(draft: PreparedRequest) -> Example:
    """`text` (32,) numbers of words in the dictionary, 0 behind the last; `pieces` (distinct words, 8) the dictionary;
    `common` (distinct words, 1) 1 for a word on both sides; by element `words` (n, 10), `names` (n, 6) numbers of
    words, `kind` (n, 1), `bins` (n, 4), `facts` (n, 17)."""
    command: SpokenCommand = draft.rest
    said = list(command.read.words)
    own = [words_of(one.words, WORDS) for one in command.elements]
    named = [words_of(one.names.replace(",", " "), NAMES) for one in command.elements]
    distinct, number = codes_of([*said, *(word for words in (*own, *named) for word in words)])
    shown = {word for words in own for word in words}
    told = set(said)
    text = np.zeros(LENGTH, np.int64)
    text[: len(said)] = [number[word] for word in said]
    return {
        "text": text,
        "pieces": np.array([pieces_of(word) for word in distinct], np.int64).reshape(-1, PIECES),
        "common": np.array([[float(word in shown and word in told)] for word in distinct], np.float32),
        "words": _numbers(own, number, WORDS),
        "names": _numbers(named, number, NAMES),
        "kind": np.array([[class_of(one.element)] for one in command.elements], np.int64).reshape(-1, 1),
        "bins": np.array([_bins(one) for one in command.elements], np.int64).reshape(-1, 4),
        "facts": facts_of(command.elements),
    }


def collate(examples: Sequence[Example]) -> tuple[Array, ...]:
    """Text (n, 32); dictionary (n, u, 8) and common (n, u); by element words, names, kind (n, e), bins, facts, mask."""
    text = np.stack([one["text"] for one in examples])
    pieces = padded([one["pieces"] for one in examples], least=2)[0]
    common = padded([one["common"][:, 0] for one in examples], least=2)[0]
    rows = [padded([one[name] for one in examples], least=2)[0] for name in ("words", "names")]
    kind = padded([one["kind"][:, 0] for one in examples], least=2)[0]
    bins = padded([one["bins"] for one in examples], least=2)[0]
    facts, mask = padded([one["facts"] for one in examples], least=2)
    return text, pieces, common, *rows, kind, bins, facts, mask


def class_of(element: UIElement) -> int:
    """The number of the element's kind (`CLASSES`)."""
    name = element.short_class
    return CLASSES.index(name) if name in CLASSES else _UIBERT.get(name, 0)


def facts_of(elements: Sequence[ElementFeatures]) -> Array:
    """(elements, 17): left, top, right, bottom, width, height in parts of the screen; eight flags; depth in twentieths
    and the place in the tree and among these elements, each 0 for the first."""
    count = max(1, len(elements))
    most = max([1, *(one.element.index for one in elements)])
    rows = []
    for place, one in enumerate(elements):
        element, box = one.element, one.box
        width, height = box.size.width, box.size.height
        flags = (element.clickable, element.long_clickable, element.editable, element.checkable, element.scrollable,
                 element.focused, element.selected, bool(one.words))  # fmt: skip
        rows.append([
            box.left / width, box.top / height, box.right / width, box.bottom / height, box.width / width,
            box.height / height, *map(float, flags), min(element.depth, 20) / 20, element.index / most, place / count,
        ])  # fmt: skip
    return np.array(rows, np.float32).reshape(-1, FACTS)


def _bins(one: ElementFeatures) -> list[int]:
    """Left, top, right, bottom as the number of the part of the screen, 0 to 23."""
    box, width, height = one.box, one.box.size.width, one.box.size.height
    shares = (box.left / width, box.top / height, box.right / width, box.bottom / height)
    return [min(BINS - 1, max(0, int(share * BINS))) for share in shares]


def _numbers(words: Sequence[Sequence[str]], number: dict[str, int], most: int) -> Array:
    found = np.zeros((len(words), most), np.int64)
    for place, one in enumerate(words):
        found[place, : len(one)] = [number[word] for word in one]
    return found
