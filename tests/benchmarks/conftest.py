"""Figures of the benches: gathered in one file, told against their budgets at the end."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.figures import MADE, Figure, Tell, calibration, missed, read, write

_FIGURES: dict[str, Figure] = {}


@pytest.fixture
def figure() -> Tell:
    """`figure(name, value, unit, budget=…, more=…)` keeps one figure under a name of its own. Without a unit it is a
    ratio within this run; `more`: the larger the better."""

    def tell(name: str, value: float, unit: str = "", *, budget: float | None = None, more: bool = False) -> None:
        assert name not in _FIGURES, f"two figures are called {name!r}"
        _FIGURES[name] = Figure(float(value), unit, budget, more, 1.0 if not unit else calibration())

    return tell


def pytest_sessionfinish() -> None:
    if _FIGURES:
        write(MADE, read(MADE) | _FIGURES)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    if not _FIGURES:
        return
    terminalreporter.section(f"figures (load {os.getloadavg()[0]:.1f}), kept in {MADE.relative_to(Path.cwd())}")
    for name, one in _FIGURES.items():
        budget = "" if one.budget is None else f"  (budget {one.budget:g}{', missed' if missed(one) else ''})"
        terminalreporter.line(f"{name}: {one.value:.3g} {one.unit}".rstrip() + budget)
