"""The requirements of the models' reasons, linked to the trajectory: worked out in the background, shown under the
reasons; a click goes to the step and outlines the element."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from stepscope.app.gui.features.judge.requirement_words import groups_of, speaks_for
from stepscope.app.gui.features.judge.trajectory_controller import TrajectoryController
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.ports import JudgeViews
from stepscope.core.domain.episode import Episode
from stepscope.core.domain.geometry import Box
from stepscope.core.domain.judgement import Judgement
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.app.services import goal_trajectory, judged_requirements
    from stepscope.app.services.judged_requirements import LinkedRequirement
else:
    goal_trajectory = lazy_module("stepscope.app.services.goal_trajectory")
    judged_requirements = lazy_module("stepscope.app.services.judged_requirements")


class RequirementController(QObject):
    """`show` says whose requirements; nothing is shown of a pair that is not finished."""

    def __init__(self, context: Context, views: JudgeViews, trajectory: TrajectoryController) -> None:
        super().__init__(context)
        self._context, self._centre, self._trajectory = context, views.judge, trajectory
        self._list = views.judged.answers.requirements
        self._asked: tuple[Episode, tuple[Judgement, ...], int] | None = None
        self._found: tuple[LinkedRequirement, ...] = ()
        self._chosen, self._next = -1, 0
        self._list.chosen.connect(self._go)

    def show(self, episode: Episode | None, judgements: Sequence[Judgement], seed: int) -> None:
        """Those of the models' judgements of the pair that is shown, whose sides stand by `seed`; None: of none."""
        asked = None if episode is None or not judgements else (episode, tuple(judgements), seed)
        if asked == self._asked:
            return
        self._asked = asked
        self._take((), {}, 0)
        if asked is None or episode is None:
            return
        said = asked[1]

        def work(_token: object) -> tuple[tuple[LinkedRequirement, ...], dict[int, int]]:
            steps = goal_trajectory.trajectory_of(episode)
            numbers = {step.place: number for number, step in enumerate(steps, start=1)}
            return judged_requirements.linked_requirements(said, episode), numbers

        def arrived(found: tuple[tuple[LinkedRequirement, ...], dict[int, int]]) -> None:
            if self._asked is asked:
                self._take(*found, seed)

        self._context.start("requirements and their steps", work, arrived)

    def _take(self, found: tuple[LinkedRequirement, ...], numbers: dict[int, int], seed: int) -> None:
        groups, order = groups_of(found, numbers, seed)
        self._found, self._chosen, self._next = order, -1, 0
        self._list.set_groups(groups)
        self._list.set_chosen(-1)
        self._trajectory.outline({})

    def _go(self, place: int) -> None:
        """To the first step of a requirement; of the one that is chosen already, to its next."""
        evidence = self._found[place].link.evidence
        if not evidence:
            return
        self._next = (self._next + 1) % len(evidence) if place == self._chosen else 0
        self._chosen = place
        self._list.set_chosen(place)
        boxes: dict[int, list[tuple[Box, bool]]] = {}
        for piece in evidence:
            if piece.box is not None:
                boxes.setdefault(piece.place, []).append((piece.box, speaks_for(self._found[place])))
        self._trajectory.outline(boxes)
        self._centre.show_page("trajectory")
        self._trajectory.go_to(evidence[self._next].place)
