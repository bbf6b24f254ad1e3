"""The actions on a page done once more, as steps of an episode: the page before each, its elements, what was done.

A picture is the whole page, so that places are those of `PageLook` and every field is in it, whatever was scrolled.
How the library's calls become actions of episodes is ours:

* `modify_text` and `modify_range` are typing into the field, `modify_select` is choosing from it;
* `modify_radio` is a tap on the button, `modify_checkbox` one tap for each box that changes: the page is the same under
  all of them, and the call is done after the last;
* `click`, `type` and `scroll` are what they say; `scroll_to` is scrolling, where the page moved;
* `maximize` and calls that only look are no steps. Calls that failed are left out.

The last step is the page as it was left, with `finish`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from stepscope.core.domain.action import Action, Finish, Scroll, Select, Tap, Target, Type
from stepscope.core.domain.elements import UIElement, UITree
from stepscope.core.domain.episode import Observation, Step
from stepscope.core.domain.geometry import Box, Direction, Point, Size
from stepscope.core.domain.webtask import FieldType
from stepscope.core.frozen import dataclass
from stepscope.core.imaging.probe import probe_bytes
from stepscope.core.webtask import actions
from stepscope.core.webtask.actions import CHANGES, CaptureScreen, PageAction
from stepscope.core.webtask.page import ExecutedCall, Page, PageError, PageField, PageLook

_SCROLLS = (actions.ScrollBy, actions.ScrollTo)


@dataclass(frozen=True, slots=True, eq=False)
class ShownStep:
    """A step whose picture (a PNG file) is not on the disk yet. `problem` is what could not be done, in words."""

    step: Step
    picture: bytes
    problem: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class _PageScreen:
    """The page at one time, places on the picture's size."""

    picture: bytes
    size: Size
    look: PageLook
    tree: UITree
    scroll: Point


def trajectory(page: Page, log: Sequence[ExecutedCall], *, finished: bool = True) -> Iterator[ShownStep]:
    """Do the calls of `log` on a page that was just opened, and yield each as it is done.

    With `finished` False the last step has no action: the attempt ended otherwise. Raises PageGone.
    """
    index, screen, at, problems = 0, _screen(page), 0.0, list[str]()
    for one in log:
        if not one.ok or not isinstance(one.action, CHANGES):
            continue
        at = one.at
        try:
            page.do(one.action)
        except PageError as error:
            problems.append(f"{one.action.name} could not be done again: {error.message}")
        moved = isinstance(one.action, _SCROLLS)
        after = replace(screen, scroll=page.look(()).scroll) if moved else _screen(page)
        for action, field in _steps(one.action, screen, after):
            yield ShownStep(_step(index, screen, at, action, field), screen.picture, _told(problems))
            index += 1
        screen = after
    end = max(at, log[-1].at + log[-1].took) if log else at
    last = Finish() if finished else None
    yield ShownStep(_step(index, screen, end, last, None), screen.picture, _told(problems))


def _told(problems: list[str]) -> str:
    """What has not been told yet."""
    found = " ".join(filter(None, problems))
    problems.clear()
    return found


def _screen(page: Page) -> _PageScreen:
    picture = page.do(CaptureScreen("page")).png
    size = probe_bytes(picture, "page").size
    look, tree = page.look(), page.tree()
    elements = tuple(replace(one, box=_cut(one.box, size)) for one in tree)
    return _PageScreen(picture, size, look, replace(tree, elements=elements, size=size), look.scroll)


def _step(index: int, screen: _PageScreen, at: float, action: Action | None, field: PageField | None) -> Step:
    seen = Observation(screen.size, None, screen.tree, round(at, 3), screen.look.title)
    return Step(index, seen, action, (field.label or field.name) if field is not None else None)


_Steps = list[tuple[Action, PageField | None]]


def _steps(action: PageAction, before: _PageScreen, after: _PageScreen) -> _Steps:
    """What the call was as actions, each with the field that it is about."""
    match action:
        case actions.ModifyText(name, text):
            return [(Type(text, *_on(name, before)), _field(before, name))]
        case actions.ModifyRange(name, value):
            return [(Type(f"{value:g}", *_on(name, before)), _field(before, name))]
        case actions.ModifySelect(name, value):
            return [(Select(value, *_on(name, before)), _field(before, name))]
        case actions.ModifyRadio(name) | actions.ModifyCheckbox(name):
            return _taps(_field(before, name), _field(after, name), before.size)
        case actions.Click(x, y):
            return [_click(x, y, before)]
        case actions.TypeText(text):
            return [_typed(text, before)]
        case actions.ScrollBy():
            return _scrolled(before, after, "")
        case actions.ScrollTo(name):
            return _scrolled(before, after, name)
        case _:
            return []


def _field(screen: _PageScreen, name: str) -> PageField | None:
    return next((one for one in screen.look.fields if one.name == name), None)


def _on(name: str, screen: _PageScreen) -> tuple[Point | None, Target]:
    """The field's own element where the page's elements have it, else the field with its labels."""
    field = _field(screen, name)
    own = next((one for one in screen.tree if one.resource_id == name), None)
    box = own.box if own is not None else None
    if box is None and field is not None and field.box is not None:
        box = _cut(field.box, screen.size)
    return box.centre if box is not None else None, Target(box, field.label if field is not None else "", name)


def _taps(before: PageField | None, after: PageField | None, size: Size) -> _Steps:
    """One tap for each button that came to be chosen and each box that changed."""
    if before is None or after is None:
        return []
    chosen = {one.value for one in after.options if one.chosen}
    several = before.type is FieldType.CHECKBOX
    found: _Steps = []
    for option in before.options:
        now = option.value in chosen
        if now == option.chosen or not (now or several):
            continue
        box = _cut(option.box, size) if option.box is not None else None
        point = box.centre if box is not None else None
        found.append((Tap(point, Target(box, option.label or option.value, before.name)), before))
    return found


def _typed(text: str, screen: _PageScreen) -> tuple[Action, PageField | None]:
    """Into what had the focus."""
    focused = next((one for one in screen.tree if one.focused and one.editable), None)
    if focused is None:
        return Type(text), None
    field = _field(screen, focused.resource_id)
    return Type(text, focused.box.centre, Target(focused.box, _words(focused, field), focused.resource_id)), field


def _click(x: float, y: float, screen: _PageScreen) -> tuple[Action, PageField | None]:
    point = Point(screen.scroll.x + x, screen.scroll.y + y, screen.size)
    under = screen.tree.target_at(point)
    if under is None:
        return Tap(point), None
    field = _field(screen, under.resource_id)
    return Tap(point, Target(under.box, _words(under, field), under.resource_id or None)), field


def _words(element: UIElement, field: PageField | None) -> str:
    return element.text or element.content_description or (field.label if field is not None else "")


def _scrolled(before: _PageScreen, after: _PageScreen, name: str) -> _Steps:
    """The step of a scroll; none where the page did not move."""
    x, y = after.scroll.x - before.scroll.x, after.scroll.y - before.scroll.y
    if not (x or y):
        return []
    if abs(x) > abs(y):
        direction = Direction.RIGHT if x > 0 else Direction.LEFT
    else:
        direction = Direction.DOWN if y > 0 else Direction.UP
    target = _on(name, before)[1] if name else None
    return [(Scroll(direction, None, target), _field(before, name) if name else None)]


def _cut(box: Box, size: Size) -> Box:
    """The box on a picture that may be smaller than the page."""
    left, right = (min(max(edge, 0), size.width) for edge in (box.left, box.right))
    top, bottom = (min(max(edge, 0), size.height) for edge in (box.top, box.bottom))
    return Box(left, top, right, bottom, size)
