"""What each action of the library takes, so that a form can ask for it."""

from __future__ import annotations

from enum import StrEnum

from stepscope.core.frozen import dataclass

TYPED = ("text", "textarea", "hidden")


class Editor(StrEnum):
    """The way in which the rest of an action is asked for."""

    NONE = "none"
    TEXT = "text"
    TICKS = "ticks"
    CHOICE = "choice"
    NUMBER = "number"
    PLACE = "place"
    LINES = "lines"
    PART = "part"
    SECONDS = "seconds"


@dataclass(frozen=True, slots=True)
class ActionKind:
    """`key` is the part of the action that the editor fills in; `types` are those of the fields that it can be done to,
    () for any. Without `field` the action is about no field; `whole` are the words for leaving it out."""

    name: str
    tip: str
    editor: Editor = Editor.NONE
    key: str = ""
    field: bool = False
    types: tuple[str, ...] = ()
    whole: str = ""

    def takes(self, field_type: str) -> bool:
        """Whether it can be done to a field of this type."""
        return self.field and (not self.types or field_type in self.types)


KINDS = (
    ActionKind("modify_text", "Replace the text of a field", Editor.TEXT, "text", field=True, types=TYPED),
    ActionKind("modify_checkbox", "Tick these boxes of a field and no other", Editor.TICKS, "values", field=True,
               types=("checkbox",)),
    ActionKind("modify_radio", "Choose a radio button", Editor.CHOICE, "value", field=True, types=("radio",)),
    ActionKind("modify_select", "Choose from a drop-down list", Editor.CHOICE, "value", field=True,
               types=("select",)),
    ActionKind("modify_range", "Put a slider at a value", Editor.NUMBER, "value", field=True, types=("range",)),
    ActionKind("get_html", "The page's HTML, or the lines around a field", Editor.LINES, "lines", field=True,
               whole="Whole page"),
    ActionKind("capture_screen", "A picture of the page, of what is on the screen, or of a field", Editor.PART, "part",
               field=True),
    ActionKind("click", "A click at a place on the screen", Editor.PLACE),
    ActionKind("type", "Keys into what has the focus", Editor.TEXT, "text"),
    ActionKind("scroll", "Scroll by pixels, right and down positive", Editor.PLACE),
    ActionKind("maximize", "Give the page the largest window there is"),
    ActionKind("wait_till_loaded", "Wait until the page, or a field of it, is there", Editor.SECONDS, "seconds",
               field=True, whole="The page"),
    ActionKind("scroll_to", "Bring a field to the middle of the screen", field=True),
)  # fmt: skip
"""Source: TurkingBench (Xu et al. 2024), table 3 and pseudocode 2."""

PARTS = (("viewport", "What is on the screen"), ("page", "The whole page"), ("element", "A field"))
ELEMENT = "element"
"""The part for which a picture needs a field."""


def kind_of(name: str) -> ActionKind:
    """Raises KeyError for an action that the library does not have."""
    return _BY_NAME[name]


def fitting(field_type: str) -> ActionKind:
    """The action by which a field of this type is filled in."""
    return next(kind for kind in KINDS if kind.takes(field_type))


_BY_NAME = {kind.name: kind for kind in KINDS}
