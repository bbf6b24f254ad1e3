"""The action library of web tasks as values: what models, people's buttons and tests ask of a page.

Source: TurkingBench (Xu et al. 2024), section 3.4.1 and table 3, with `wait_till_loaded` and `scroll_to` of its
pseudocode 2. Coordinates are pixels of the page's picture (`core.webtask.page`); `click` counts from the top left of
what is on the screen at the moment, as the paper's visual actions do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, ClassVar, Literal

from stepscope.core.errors import UserError
from stepscope.core.frozen import dataclass
from stepscope.core.typed_forms import dataclass_of

PATIENCE_SECONDS = 10.0
"""How long a page may take to load before `wait_till_loaded` gives up."""
LINES = 4
"""Lines of HTML above and below a field that are its relevant part (ours: the paper says "a few")."""

FARTHEST = 1e6
"""Pixels: what is clicked at or scrolled by beyond that is no place in any page (ours)."""
LONGEST_WAIT_SECONDS = 30.0
"""What `wait_till_loaded` waits at most, however long it was asked to (ours)."""

Part = Literal["page", "viewport", "element"]


@dataclass(frozen=True, slots=True)
class ModifyText:
    """Replace the text of a text, textarea or hidden field; it gets the focus, and `input` and `change` are heard."""

    name: ClassVar[str] = "modify_text"
    field: str
    text: str


@dataclass(frozen=True, slots=True)
class ModifyCheckbox:
    """Tick exactly these boxes of a field and no other; no values: none."""

    name: ClassVar[str] = "modify_checkbox"
    field: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ModifyRadio:
    """Choose the radio button with this value; "" chooses none, where no button has that value (ours)."""

    name: ClassVar[str] = "modify_radio"
    field: str
    value: str


@dataclass(frozen=True, slots=True)
class ModifySelect:
    """Choose the item of a drop-down list by value, or by what it shows where no value is equal."""

    name: ClassVar[str] = "modify_select"
    field: str
    value: str


@dataclass(frozen=True, slots=True)
class ModifyRange:
    """Put a slider at the value nearest to this one that it can take."""

    name: ClassVar[str] = "modify_range"
    field: str
    value: float


@dataclass(frozen=True, slots=True)
class GetHtml:
    """The page's HTML as it is now; with `field` only its relevant part, `lines` lines above and below."""

    name: ClassVar[str] = "get_html"
    field: str = ""
    lines: int = LINES


@dataclass(frozen=True, slots=True)
class CaptureScreen:
    """A PNG of the whole page, of what is on the screen, or of one field's element."""

    name: ClassVar[str] = "capture_screen"
    part: Part = "viewport"
    field: str = ""


@dataclass(frozen=True, slots=True)
class Click:
    """A real click of the left mouse button at a place on the screen."""

    name: ClassVar[str] = "click"
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class TypeText:
    """Real keys into whatever has the focus; a line break is the Enter key."""

    name: ClassVar[str] = "type"
    text: str


@dataclass(frozen=True, slots=True)
class ScrollBy:
    """Scroll by this many pixels, right and down positive, with a real wheel."""

    name: ClassVar[str] = "scroll"
    x: float = 0.0
    y: float = 0.0


@dataclass(frozen=True, slots=True)
class Maximize:
    """Give the page the largest window there is."""

    name: ClassVar[str] = "maximize"


@dataclass(frozen=True, slots=True)
class WaitTillLoaded:
    """Wait until the page, or a field of it, is there; fails after `seconds`, `LONGEST_WAIT_SECONDS` at most."""

    name: ClassVar[str] = "wait_till_loaded"
    field: str = ""
    seconds: float = PATIENCE_SECONDS


@dataclass(frozen=True, slots=True)
class ScrollTo:
    """Bring a field's element to the middle of the screen."""

    name: ClassVar[str] = "scroll_to"
    field: str


PageAction = (
    ModifyText | ModifyCheckbox | ModifyRadio | ModifySelect | ModifyRange
    | GetHtml | CaptureScreen | Click | TypeText | ScrollBy | Maximize | WaitTillLoaded | ScrollTo
)  # fmt: skip

ACTIONS: Mapping[str, type[PageAction]] = {
    kind.name: kind
    for kind in (
        ModifyText, ModifyCheckbox, ModifyRadio, ModifySelect, ModifyRange,
        GetHtml, CaptureScreen, Click, TypeText, ScrollBy, Maximize, WaitTillLoaded, ScrollTo,
    )
}  # fmt: skip
MODIFIES = (ModifyText, ModifyCheckbox, ModifyRadio, ModifySelect, ModifyRange)
CHANGES = (*MODIFIES, Click, TypeText, ScrollBy, Maximize, ScrollTo)
"""What leaves the page other than it was; all else only looks."""
PLACED = (Click, ScrollBy, Maximize)
"""What does another thing on a screen of another size."""


def action_to_json(action: PageAction) -> dict[str, Any]:
    """`{"do": "modify_text", "field": …, "text": …}`."""
    return {"do": action.name, **asdict(action)}


def action_from_json(form: Mapping[str, Any]) -> PageAction:
    """Raises UserError for an action that there is not, and for one whose parts do not fit."""
    kind = ACTIONS.get(str(form.get("do")))
    if kind is None:
        raise UserError(f"There is no action {form.get('do')!r}.", hint=f"There are {', '.join(ACTIONS)}.")
    given = {name: value for name, value in form.items() if name != "do"}
    if isinstance(given.get("values"), list | tuple):
        given["values"] = tuple(str(value) for value in given["values"])
    try:
        return dataclass_of(kind, given)
    except ValueError as error:
        raise UserError(f"{form.get('do')} cannot be done: {error}.") from error
