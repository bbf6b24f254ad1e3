"""The fakes, and a store in memory, in a file and on a server."""

import importlib.util
import sys
from pathlib import Path

import pytest

from stepscope.core.store.engine import Database


def _load(name):
    spec = importlib.util.spec_from_file_location(f"evaluation_{name}", Path(__file__).with_name(f"{name}.py"))
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


_FAKES = _load("fakes")
_load("bundled")


@pytest.fixture
def fakes():
    return _FAKES


@pytest.fixture(params=["memory", "file", "postgresql"])
def database(request, tmp_path):
    if request.param == "postgresql":
        with request.getfixturevalue("postgresql").store() as url, Database.open(url) as opened:
            yield opened
        return
    url = "sqlite://" if request.param == "memory" else f"sqlite:///{tmp_path}/one.db"
    with Database.open(url) as opened:
        yield opened


class Clock:
    """Time that passes only when it is told to."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()
