"""Roll-outs for both faces: a predictor of single steps made one that walks, on recorded screens or on the simulated
phone."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from stepscope.app.services.live.predicting import ScreenFiles
from stepscope.core.device.device import DeviceError, DeviceLost, UITreeUnavailableError
from stepscope.core.device.replay_graph import ReplayGraphBuilder
from stepscope.core.device.session import ScreenSnapshot
from stepscope.core.device.simulated import SimulatedDevice
from stepscope.core.domain.action import Action, Finish, Say
from stepscope.core.domain.elements import UITree
from stepscope.core.domain.episode import Episode, Observation
from stepscope.core.domain.walk import UNRECORDED, GoalCheck, World
from stepscope.core.errors import UserError
from stepscope.core.evaluation.predictor import Predictor, WalkRequest
from stepscope.core.evaluation.rollout.graph_world import AppDemonstrations, GraphWorld, RecordedWay, place_names
from stepscope.core.evaluation.rollout.walker import Walker, Watch
from stepscope.core.evaluation.rollout.world import WalkWorld
from stepscope.core.scoring.options import parse_options
from stepscope.core.scoring.rollout import INFO, STOP_AFTER, WORLD
from stepscope.core.sources.source import Source
from stepscope.resources.sample.goals import all_scripts
from stepscope.resources.sample.script import PhoneView, Script, what_is_seen

SAMPLE_APPS = "com.stepscope.sample."
_SCREENS = 1_000
"""Pictures of a walk that are kept while it lasts."""
_REST_SECONDS, _LONGEST_REST = 0.15, 3.0
"""A touched screen is looked at when it has stood still for so long, or after the longest at the latest."""


def walker(
    inner: Predictor[Any], source: Source, options: Sequence[tuple[str, str]], watch: Watch | None = None
) -> Walker:
    """The predictor as one that walks as these options of the rule say, and tells `watch` how far it is. Raises
    UsageError for options that there are not."""
    chosen = parse_options(INFO, dict(options))
    phone = chosen[WORLD] == World.PHONE
    world: WalkWorld = PhoneWorld(source) if phone else GraphWorld(source)
    return Walker(inner, world, stop_after=float(chosen[STOP_AFTER]), watch=watch)


def phone_goals() -> Mapping[str, Script]:
    """The goals that the simulated phone can be asked for, by the id of their sample episode."""
    return {script.id: script for script in all_scripts()}


_Known = tuple[ReplayGraphBuilder, tuple[str, ...], Mapping[str, Episode]]
"""An app's graph, the names of its states, and its demonstrations."""


class PhoneWorld:
    """A `WalkWorld` of the simulated phone: the goals of the sample, each with the check of its own script. Screens
    that a demonstration showed have its name."""

    kind = World.PHONE
    check = GoalCheck.OWN

    def __init__(self, source: Source) -> None:
        self._demonstrations = AppDemonstrations(source)
        self._goals = phone_goals()
        self._device: SimulatedDevice | None = None
        self._screens: ScreenFiles | None = None
        self._known: dict[str, _Known] = {}
        self._new: list[tuple[tuple[object, ...], ...]] = []
        self.human: tuple[str, ...] = ()
        self.human_actions = 0

    def begin(self, request: WalkRequest) -> None:
        """Raises UserError where the phone has no such goal, or there is no phone."""
        goal = self._goals.get(request.episode)
        if goal is None or not (request.app or "").startswith(SAMPLE_APPS):
            raise UserError(
                f"The simulated phone knows nothing of episode {request.episode!r}.",
                hint="Walk on recorded screens (world=graph), or choose the sample's episodes.",
            )
        self._goal = goal
        self._builder, self._names, episodes = self._graph_of(request)
        self._way = RecordedWay(self._builder.graph(), episodes[request.episode])
        self._new.clear()
        if self._screens is not None:
            self._screens.close()
        self._screens = ScreenFiles(pictures=True, kept=_SCREENS)  # states are told apart by pictures too
        self.human = tuple(self._names[state] for state, _ in self._way.steps)
        self.human_actions = self._way.actions
        if self._device is None:
            self._device = SimulatedDevice(seed=goal.seed, theme=goal.theme)
        self._device.reset(seed=goal.seed, theme=goal.theme, app=goal.start or goal.app, without=goal.without)
        self._settled()

    def look(self) -> tuple[str, Observation]:
        return self._place, self._seen

    def do(self, action: Action) -> bool:
        if isinstance(action, Finish | Say):
            return False
        before = self._marks
        assert self._device is not None
        try:
            self._device.perform(action)
        except DeviceLost:
            raise
        except DeviceError:  # what a phone cannot do leads nowhere
            return False
        self._settled()
        self._way.go(self._state)
        return self._marks != before

    def holds(self, *, at_end: bool = False) -> bool:
        if self._goal.reason is not None:
            return False
        end = time.monotonic() + (_LONGEST_REST if at_end else 0.0)
        while not (found := self._checked()) and time.monotonic() < end:
            time.sleep(_REST_SECONDS)
            self._tree = self._looked()
        return found

    def _checked(self) -> bool:
        assert self._device is not None
        try:
            return bool(self._goal.result(PhoneView(self._device.state(), self._tree)))
        except (KeyError, TypeError, IndexError, AttributeError):  # another app's data, in which there is no such thing
            return False

    def way_on(self) -> bool | None:
        return None

    def shown(self) -> Action | None:
        return self._way.shown

    def answer_to(self, question: str) -> str:
        return self._way.answer(self._state)

    def close(self) -> None:
        if self._device is not None:
            self._device.close()
            self._device = None
        if self._screens is not None:
            self._screens.close()
            self._screens = None

    def _graph_of(self, request: WalkRequest) -> _Known:
        app = request.app or ""
        if app not in self._known:
            builder = ReplayGraphBuilder()
            episodes = self._demonstrations.of(request.app, request.episode)
            for episode in episodes:
                builder.add(episode)
            self._known[app] = builder, place_names(builder.graph()), {one.id: one for one in episodes}
        return self._known[app]

    def _settled(self) -> None:
        """Look when nothing moves any more."""
        assert self._device is not None and self._screens is not None
        end = time.monotonic() + _LONGEST_REST
        tree = self._looked()
        while time.monotonic() < end:
            time.sleep(_REST_SECONDS)
            again = self._looked()
            if what_is_seen(again) == what_is_seen(tree):
                break
            tree = again
        self._tree = tree
        self._marks = what_is_seen(tree)
        shot = ScreenSnapshot(self._device.screenshot(), tree.size, tree, tree.activity, time.monotonic(), -1)
        self._seen = self._screens.observation(shot)
        self._state = self._builder.find(self._seen, self._goal.id, self._way.next_state)
        self._place = self._names[self._state] if self._state is not None else self._new_place()

    def _looked(self) -> UITree:
        assert self._device is not None
        try:
            return self._device.tree()
        except UITreeUnavailableError as error:
            raise UserError(f"The simulated phone shows nothing: {error.message}") from error

    def _new_place(self) -> str:
        if self._marks not in self._new:
            self._new.append(self._marks)
        return f"{UNRECORDED}{self._new.index(self._marks) + 1}"
