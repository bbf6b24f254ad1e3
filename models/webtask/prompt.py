"""The prompt of a model that fills in a page.

Source of what is shown: TurkingBench (Xu et al. 2024), section 4: the library of actions, demonstrations of tasks with
the desired actions, the whole page or a few lines around the field that is being solved, a screenshot. The words are
ours. `VERSION` changes with every change of what is sent.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from stepscope.core.domain.geometry import Size
from stepscope.core.domain.webtask import FieldType
from stepscope.core.frozen import dataclass
from stepscope.core.webtask.actions import (
    Click,
    Maximize,
    ModifyCheckbox,
    ModifyRadio,
    ModifyRange,
    ModifySelect,
    ModifyText,
    PageAction,
    ScrollBy,
    ScrollTo,
    TypeText,
    WaitTillLoaded,
)

VERSION = "page-1"

Message = dict[str, Any]
"""One of a chat completion."""

_TOLD: tuple[tuple[type[PageAction], str, str], ...] = (
    (ModifyText, "field, text", "writes the text into a text field, in place of what is there"),
    (ModifyCheckbox, "field, values", "ticks the boxes with these values, a list, and no other box of the field"),
    (ModifyRadio, "field, value", "chooses the radio button with this value"),
    (ModifySelect, "field, value", "chooses the item of a drop-down list with this value"),
    (ModifyRange, "field, value", "puts a slider at this number"),
    (WaitTillLoaded, "field", "waits until the field is there"),
    (ScrollTo, "field", "brings the field to the middle of the screen"),
)
_SEEN: tuple[tuple[type[PageAction], str, str], ...] = (
    (Click, "x, y", "clicks at this place of the picture, in its pixels from the top left"),
    (TypeText, "text", "types the text into what was clicked last"),
    (ScrollBy, "x, y", "scrolls by so many pixels to the right and down"),
    (Maximize, "", "gives the page the largest window there is"),
)
"""Signature and meaning. To fetch HTML or pictures is not offered: what there is to see is shown with the question."""

_SYSTEM = """\
You fill in web pages that were made for crowd workers. A page says what is to be done, shows what it is about, and \
has fields for the answers. You answer with calls of these functions, each on a line of its own, and with nothing else:

{library}

A field is named by its name in the HTML. Texts stand in quotes; values are those of the HTML's value attributes.\
"""
_FIRST = "(The page as it was at first is left out here.) {want}"
_DID = "What became of your calls:\n{results}"
_STAND = "The fields as they stand:"
_AGAIN = "Answer with the calls for what is still missing or wrong, or with the one word done where nothing is."
_PICTURE = "The picture shows {what}, {width} × {height} pixels."


@dataclass(frozen=True, slots=True)
class Question:
    """`html` of the whole page, or of the part around the field `asked`, or the page's layout, as `form` says; `fields`
    are those to be filled in, all of them or that one."""

    title: str
    html: str
    fields: tuple[tuple[str, FieldType], ...]
    asked: str = ""
    form: str = "html"

    @property
    def text(self) -> str:
        html = self.html.encode(errors="replace").decode()  # half a letter of a script cannot be sent
        return f"{self.title}\n\n```{self.form}\n{html}\n```\n\n{self.want}"

    @property
    def want(self) -> str:
        named = ", ".join(f"{name} ({kind})" for name, kind in self.fields)
        return f"Fill in this field and no other: {named}" if self.asked else f"Fill in these fields: {named}"


@dataclass(frozen=True, slots=True)
class PagePicture:
    """A picture of the page as it is sent, a data URL, and its size in pixels. `what` it shows, in words."""

    url: str
    size: Size
    what: str

    @property
    def text(self) -> str:
        return _PICTURE.format(what=self.what, width=self.size.width, height=self.size.height)


@dataclass(frozen=True, slots=True)
class SolvedExample:
    """A demonstration: a question as it is put here, and the calls that answer it."""

    question: Question
    program: str


@dataclass(frozen=True, slots=True)
class PastRound:
    """What the model answered before about this page, and what came of each call, in words."""

    program: str
    results: tuple[str, ...]

    @property
    def text(self) -> str:
        return _DID.format(results="\n".join(self.results) or "Nothing was done.")


def offered_actions(vision: bool) -> tuple[type[PageAction], ...]:
    """The actions that the model is told of."""
    return tuple(kind for kind, _, _ in (*_TOLD, *(_SEEN if vision else ())))


def system(vision: bool) -> str:
    """The first message: the task and the library of actions."""
    rows = (*_TOLD, *(_SEEN if vision else ()))
    return _SYSTEM.format(
        library="\n".join(f"self.actions.{kind.name}({takes}): {words}" for kind, takes, words in rows)
    )


def messages(
    demos: Sequence[SolvedExample],
    question: Question,
    shot: PagePicture | None,
    *,
    vision: bool,
    before: Sequence[PastRound] = (),
    values: Sequence[tuple[str, str]] = (),
) -> list[Message]:
    """Demonstrations as questions that were answered before, the rounds before without their pages, then the question,
    its picture behind it. `values` are those of the fields as they stand after the rounds before."""
    found: list[Message] = [{"role": "system", "content": system(vision)}]
    for demo in demos:
        found.append({"role": "user", "content": demo.question.text})
        found.append({"role": "assistant", "content": demo.program})
    text = question.text
    for place, one in enumerate(before):
        found.append(
            {"role": "user", "content": before[place - 1].text if place else _FIRST.format(want=question.want)}
        )
        found.append({"role": "assistant", "content": one.program})
    if before:
        stand = "\n".join(f"{name}: {value!r}" for name, value in values)
        text = f"{before[-1].text}\n\nThe page as it is now: {text}\n\n{_STAND}\n{stand}\n\n{_AGAIN}"
    if shot is None:
        return [*found, {"role": "user", "content": text}]
    parts = [
        {"type": "text", "text": f"{text}\n{shot.text}"},
        {"type": "image_url", "image_url": {"url": shot.url}},
    ]
    return [*found, {"role": "user", "content": parts}]
