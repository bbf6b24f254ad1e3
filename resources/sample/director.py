"""Performs a script on the simulated phone and records each step: what was seen, and what was then done to it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from stepscope.core.domain.action import (
    Action,
    AskUser,
    Finish,
    LongPress,
    OpenApp,
    PressKey,
    Swipe,
    Tap,
    Target,
    Type,
    Wait,
)
from stepscope.core.domain.elements import UIElement, UITree
from stepscope.core.domain.episode import (
    Ask,
    Episode,
    Feasibility,
    FeasibilityLabel,
    Observation,
    Picture,
    Platform,
    Step,
)
from stepscope.core.domain.geometry import Box, Point
from stepscope.resources.sample.phone import SimulatedPhone
from stepscope.resources.sample.script import Move, PhoneView, Script, what_is_seen

_WAYS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
_TRIES = 200


class ScriptError(RuntimeError):
    """The phone is not where the script thinks it is."""


@dataclass(slots=True)
class PerformedStep:
    """One performed step: the domain's step and the pixels that belong to it."""

    step: Step
    pixels: bytes


@dataclass(slots=True)
class Director:
    """Performs one script; `takes` is to be exhausted before `episode` is asked for.

    `first` is the script's first screen where the phone shows it already. Without `pictures` the takes have no pixels,
    which is enough to see whether a script works.
    """

    phone: SimulatedPhone
    script: Script
    first: PhoneView | None = None
    pictures: bool = True
    asks: list[Ask] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)

    def takes(self) -> Iterator[PerformedStep]:
        """Every step in order; raises ScriptError where the phone does not do what the script expects."""
        script, chance = self.script, random.Random(f"{self.script.id} {self.script.seed}")
        view = self.first or opened(self.phone, script)
        for index, move in enumerate(script.moves):
            pixels = self.phone.screenshot() if self.pictures else b""
            action = _action(move, view.tree, chance)
            step = Step(index, _observation(view), action, move.say)
            self.steps.append(step)
            yield PerformedStep(step, pixels)
            if move.kind == "ask":
                self.asks.append(Ask(index, move.text, move.answer))
            if move.kind not in ("ask", "finish"):
                self._perform(move, action)
                self.phone.pass_time(chance.randint(4, 16) * 100)
                view = self._verified(index, move, view)
        if not script.result(view):
            raise ScriptError(f"{script.id}: the last screen is not the result")

    def episode(self) -> Episode:
        script, infeasible = self.script, self.script.reason is not None
        label = FeasibilityLabel.INFEASIBLE if infeasible else FeasibilityLabel.FEASIBLE
        return Episode(
            id=script.id,
            format="recording",
            platform=Platform.ANDROID,
            goal=script.goal,
            steps=tuple(self.steps),
            app=f"com.stepscope.sample.{script.app}",
            feasibility=Feasibility(label, script.reason, (script.follow_up,) if script.follow_up else ()),
            asks=tuple(self.asks),
        )

    def _perform(self, move: Move, action: Action) -> None:
        phone = self.phone
        match action:
            case Tap(Point() as point):
                phone.tap(point)
            case LongPress(Point() as point):
                phone.long_press(point)
            case Swipe(point, to):
                phone.swipe(point, to)
            case Type(text):
                phone.type_text(text, replace=move.replace)
            case PressKey(key):
                {"back": phone.back, "home": phone.home, "enter": phone.enter}[key]()
            case OpenApp(title):
                phone.open_app(title.lower())
            case Wait():
                phone.pass_time(round(move.share * 1000))

    def _verified(self, index: int, move: Move, before: PhoneView) -> PhoneView:
        """The screen after a move; ScriptError when it is not what the move was made for."""
        expected: Callable[[PhoneView], bool] = move.then or (lambda view: True)
        view = look(self.phone)
        for _ in range(40):
            if expected(view) and what_is_seen(view.tree) != what_is_seen(before.tree):
                return view
            self.phone.settle()
            view = look(self.phone)
        where = f"{self.script.id}, step {index} ({move.say})"
        state = {name: view.state[name] for name in ("app", "page", "layer", "snackbar", "keyboard")}
        why = "not as expected" if not expected(view) else "unchanged"
        raise ScriptError(f"{where}: the screen is {why}: {state}")


def opened(phone: SimulatedPhone, script: Script) -> PhoneView:
    """The script's first screen, fresh from its seed."""
    parameters = {"seed": script.seed, "theme": script.theme, "without": script.without}
    phone.open(script.start or script.app, **{name: value for name, value in parameters.items() if value != ""})
    return look(phone)


def look(phone: SimulatedPhone) -> PhoneView:
    """The phone as it is now: what the app tells of itself and the UI tree, boxes in whole pixels of the screenshot."""
    return PhoneView(*phone.look())


def _observation(view: PhoneView) -> Observation:
    return Observation(
        size=view.tree.size,
        screenshot=Picture(Path("screen"), view.tree.size),
        tree=view.tree,
        time=view.state["elapsed"] / 1000,
        activity=view.tree.activity,
    )


def _action(move: Move, tree: UITree, chance: random.Random) -> Action:
    element = None
    if move.find is not None:
        element = move.find(tree)
        if element is None:
            raise ScriptError(f"nothing to {move.kind} for: {move.say}")
    target = Target(element.box, element.label, element.resource_id or None) if element else None
    match move.kind, element:
        case "tap", UIElement():
            return Tap(_place(tree, element, chance), target)
        case "long_press", UIElement():
            return LongPress(_place(tree, element, chance), target)
        case "swipe", UIElement():
            return Swipe(*_finger(move, element.box, chance), target)
        case "type", _:
            return Type(move.text, None, target)
        case "press_key", _:
            return PressKey(move.text)
        case "open_app", _:
            return OpenApp(move.text)
        case "wait", _:
            return Wait()
        case "ask", _:
            return AskUser(move.text)
    return Finish(move.status)


def _place(tree: UITree, element: UIElement, chance: random.Random) -> Point:
    """Somewhere in the middle of the element, as a person's finger lands, but on nothing else that can be touched."""
    box = element.box
    for _ in range(_TRIES):
        x = min(max(chance.gauss(0.5, 0.13), 0.15), 0.85)
        y = min(max(chance.gauss(0.5, 0.13), 0.2), 0.8)
        point = Point(round(box.left + box.width * x), round(box.top + box.height * y), tree.size)
        if box.contains(point) and tree.target_at(point) in (element, *_inside(tree, element)):
            return point
    raise ScriptError(f"{element.resource_id} is covered by something else")


def _inside(tree: UITree, element: UIElement) -> list[UIElement]:
    """Parts of the element that cannot be touched themselves."""
    return [e for e in tree if not (e.clickable or e.editable) and element in tree.ancestors(e.index)]


def _finger(move: Move, box: Box, chance: random.Random) -> tuple[Point, Point]:
    """Start and end of a swipe: `share` of the screen's width or height, a little off its line."""
    dx, dy = _WAYS[move.way]
    screen = box.size
    length = move.share * (screen.width if dx else screen.height) * chance.uniform(0.94, 1.06)
    drift = chance.uniform(-0.03, 0.03) * length
    start = [box.centre.x, box.centre.y]
    spot = chance.gauss(0.0, 0.06)
    if dx:
        start = [box.centre.x - dx * length / 2 + spot * box.width, box.top + box.height * (0.5 + spot)]
        end = [start[0] + dx * length, start[1] + drift]
    else:
        start = [box.left + box.width * (0.5 + spot), box.centre.y - dy * length / 2]
        end = [start[0] + drift, start[1] + dy * length]
    return _within(start, box), _within(end, Box(0, 0, screen.width, screen.height, screen))


def _within(place: list[float], box: Box) -> Point:
    """Whole pixels well inside the box: the element for the start, the screen for the end."""
    side, edge = box.size.width / 45, box.size.width / 90
    x = min(max(place[0], box.left + side), box.right - side)
    y = min(max(place[1], box.top + edge), box.bottom - edge)
    return Point(round(x), round(y), box.size)
