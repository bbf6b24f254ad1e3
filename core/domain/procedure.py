"""Procedures: a goal and steps whose order is to be found."""

from __future__ import annotations

import random
from dataclasses import field

from stepscope.core.domain.elements import UITree
from stepscope.core.domain.episode import Picture, Problem
from stepscope.core.frozen import dataclass

LEAST_STEPS = 2
"""One step has no order."""


@dataclass(frozen=True, slots=True)
class ProcedureStep:
    """One step; `id` is unique in its procedure, `pictures` may be empty. `title` is a headline apart from the text,
    `tree` the UI tree of the screen on the first picture, where the data has one."""

    id: str
    text: str
    pictures: tuple[Picture, ...] = ()
    title: str = ""
    tree: UITree | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Procedure:
    """`steps` in the recorded order; `orders` lists further orders (of step ids) that are right too.

    `ordered` False: the data says that these steps have no order in time, so there is none to be found.
    """

    id: str
    format: str
    goal: str
    steps: tuple[ProcedureStep, ...]
    orders: tuple[tuple[str, ...], ...] = ()
    ordered: bool = True
    category: str | None = None
    splits: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def references(self) -> tuple[tuple[str, ...], ...]:
        """All orders that are right, by step ids: the recorded one first."""
        return (tuple(step.id for step in self.steps), *self.orders)

    def shuffled(self, seed: int) -> tuple[ProcedureStep, ...]:
        """The steps in the order in which they are shown to whoever is to order them, a person or a model: the same for
        the same seed on every machine."""
        steps = list(self.steps)
        random.Random(f"{seed}\x1f{self.id}".encode("utf-8", "replace")).shuffle(steps)
        return tuple(steps)
