"""The scripts in `packaging`, imported by their names as they import each other."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "packaging"


@pytest.fixture(scope="session")
def script() -> Callable[[str], ModuleType]:
    """`script(NAME)`: the module of that name in `packaging` or beside the spec."""

    def load(name: str) -> ModuleType:
        places = [str(FOLDER), str(FOLDER / "pyinstaller")]
        sys.path[:0] = places
        try:
            return importlib.import_module(name)
        finally:
            for place in places:
                sys.path.remove(place)

    return load
