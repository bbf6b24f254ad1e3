"""Procedures: a goal and steps whose order is to be found."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class ProcedureStep:
    """One step; `id` is unique in its procedure, `pictures` may be empty."""

    id: str
    text: str
    pictures: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class Procedure:
    """`steps` in the recorded order; `orders` lists further orders (of step ids) that are right too."""

    id: str
    goal: str
    steps: tuple[ProcedureStep, ...]
    orders: tuple[tuple[str, ...], ...] = ()
