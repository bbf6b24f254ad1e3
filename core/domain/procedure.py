"""Procedures: a goal and steps whose order is to be found."""

from __future__ import annotations

from dataclasses import dataclass

from stepscope.core.domain.episode import Picture, Problem

LEAST_STEPS = 2
"""One step has no order."""


@dataclass(frozen=True, slots=True)
class ProcedureStep:
    """One step; `id` is unique in its procedure, `pictures` may be empty. `title` is a headline apart from the text."""

    id: str
    text: str
    pictures: tuple[Picture, ...] = ()
    title: str = ""


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
