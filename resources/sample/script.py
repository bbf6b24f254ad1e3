"""What a sample episode consists of before it is performed: a goal and moves, as data.

A move names what it touches by resource id or by words, never by place, and may say what must be true afterwards.
`director` performs a script on the simulated phone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from stepscope.core.domain.action import FinishStatus
from stepscope.core.domain.elements import UIElement, UITree
from stepscope.core.domain.episode import InfeasibilityReason
from stepscope.core.frozen import dataclass


@dataclass(frozen=True, slots=True)
class PhoneView:
    """One look at the phone: the app's own account of itself and its UI tree."""

    state: dict[str, Any]
    tree: UITree

    @property
    def data(self) -> dict[str, Any]:
        found: dict[str, Any] = self.state["data"]
        return found


Finder = Callable[[UITree], UIElement | None]
Then = Callable[[PhoneView], bool]


@dataclass(frozen=True, slots=True)
class Move:
    """One step. `kind` is an action's name; `text` is what is typed, asked, or the app's name; `way` where a finger
    goes and `share` how far, as a share of the screen's height or the element's width."""

    kind: str
    say: str
    find: Finder | None = None
    text: str = ""
    way: str = ""
    share: float = 0.0
    answer: str = ""
    replace: bool = False
    status: FinishStatus = FinishStatus.COMPLETE
    then: Then | None = None


@dataclass(frozen=True, slots=True)
class Script:
    """One sample episode. `result` must hold on the last screen; `reason` and `follow_up` make it infeasible."""

    id: str
    goal: str
    app: str
    seed: int
    moves: tuple[Move, ...]
    result: Then
    reason: InfeasibilityReason | None = None
    follow_up: str = ""
    theme: str = ""
    start: str = ""
    """The app whose first page is on the screen at the start, when it is not `app` (often `launcher`)."""
    without: str = ""
    """Short ids of elements that this phone does not have, separated by commas."""


CLOCK = "com.android.systemui:id/clock"
"""The status bar's time."""


def what_is_seen(tree: UITree) -> tuple[tuple[object, ...], ...]:
    """The tree without the status bar's time, to tell whether anything changed."""
    return tuple(
        (e.box, e.text, e.content_description, e.resource_id, e.checked, e.selected, e.focused)
        for e in tree
        if e.resource_id != CLOCK
    )


# --- finding ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ById:
    """Finds the visible element with this resource id, whole or its last part."""

    name: str

    def __call__(self, tree: UITree) -> UIElement | None:
        return next((e for e in tree if self.name in (e.resource_id, e.short_id)), None)


def by_id(name: str) -> Finder:
    """The visible element with this resource id, whole or its last part."""
    return ById(name)


def by_words(words: str, prefix: str = "") -> Finder:
    """The element called exactly `words`, or the smallest touchable thing around it; its id begins with `prefix`."""

    def find(tree: UITree) -> UIElement | None:
        for element in tree:
            if words not in (element.text, element.content_description):
                continue
            for candidate in (element, *tree.ancestors(element.index)):
                touchable = candidate.clickable or candidate.long_clickable or candidate.editable
                if touchable and candidate.short_id.startswith(prefix):
                    return candidate
        return None

    return find


def _finder(target: str | Finder) -> Finder:
    return by_id(target) if isinstance(target, str) else target


# --- moves -----------------------------------------------------------------------------------------------------------


def tap(target: str | Finder, say: str, then: Then | None = None) -> Move:
    """A short touch of the element, named by its id or by a finder."""
    return Move("tap", say, _finder(target), then=then)


def hold(target: str | Finder, say: str, then: Then | None = None) -> Move:
    """A long press of the element."""
    return Move("long_press", say, _finder(target), then=then)


def write(text: str, say: str, then: Then | None = None, *, replace: bool = False) -> Move:
    """Type into the field that has the focus; `replace` takes out first what is in it."""
    return Move("type", say, focused, text=text, replace=replace, then=then)


def focused(tree: UITree) -> UIElement | None:
    """The field that typed text goes to."""
    return next((e for e in tree if e.focused and e.editable), None)


def swipe(target: str | Finder, way: str, say: str, then: Then | None = None, *, share: float = 0.55) -> Move:
    """A finger across an element: `share` of the screen's width, or of its height for up and down."""
    return Move("swipe", say, _finder(target), way=way, share=share, then=then)


def scroll(target: str | Finder, say: str, then: Then | None = None, *, share: float = 0.4, way: str = "up") -> Move:
    """Scroll a list: the finger goes `way`, by `share` of the screen's height."""
    return Move("swipe", say, _finder(target), way=way, share=share, then=then)


def enter(say: str, then: Then | None = None) -> Move:
    """The key Enter."""
    return Move("press_key", say, text="enter", then=then)


def back(say: str, then: Then | None = None) -> Move:
    """The phone's back key."""
    return Move("press_key", say, text="back", then=then)


def home(say: str) -> Move:
    """The phone's home key; the launcher must be on the screen afterwards."""
    return Move("press_key", say, text="home", then=lambda v: v.state["app"].endswith(".launcher"))


def open_app(app: str, title: str, say: str) -> Move:
    """Start `app`, which people call `title`, as a phone's assistant does."""
    return Move("open_app", say, text=title, then=lambda v: v.state["app"].endswith(f".{app}"))


def wait(seconds: float, say: str, then: Then | None = None) -> Move:
    """Nothing is done for so many `seconds`."""
    return Move("wait", say, share=seconds, then=then)


def ask(question: str, answer: str, say: str = "Ask which one is meant") -> Move:
    """A question to the person, and the `answer` that the person gives."""
    return Move("ask", say, text=question, answer=answer)


def done(say: str = "The task is done") -> Move:
    """The last move of a goal that was reached."""
    return Move("finish", say)


def give_up(say: str) -> Move:
    """The last move of a goal that cannot be reached; `say` tells why."""
    return Move("finish", say, status=FinishStatus.IMPOSSIBLE)


# --- what must be true afterwards -----------------------------------------------------------------------------------


def page(name: str) -> Then:
    """The page of this name is on the screen."""
    return lambda view: view.state["page"] == name


def layer(name: str | None) -> Then:
    """This dialog, sheet or menu is open; None: none is."""
    return lambda view: view.state["layer"] == name


def data(test: Callable[[dict[str, Any]], Any]) -> Then:
    """`test` holds for the app's own data."""
    return lambda view: bool(test(view.data))


def shows(target: str | Finder) -> Then:
    """The element is on the screen."""
    return lambda view: _finder(target)(view.tree) is not None


def snack(text: str) -> Then:
    """The short message at the bottom begins with `text`."""
    return lambda view: (view.state["snackbar"] or "").startswith(text)


def both(*tests: Then) -> Then:
    """All of the tests hold, however many they are."""
    return lambda view: all(test(view) for test in tests)
