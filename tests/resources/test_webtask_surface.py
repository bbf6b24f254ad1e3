"""Waiting for a page that is drawn. In a process of its own: a browser engine is loaded before any window."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SETTLE = """
from types import SimpleNamespace
from stepscope.resources.webtask.surface import SurfaceError, Surface
told = []

class Page:
    _marks, _waiting = 0, {}
    _page = None
    def sender(self): return None
    told = SimpleNamespace(emit=told.append)
    def call(self, name, argument):
        HOW
        return None
        yield

page = Page()
steps = Surface.settle(page)
"""


def run(how: str, then: str) -> str:
    if importlib.util.find_spec("PySide6") is None:
        pytest.skip("there is no browser engine (PySide6)")
    done = subprocess.run(
        [sys.executable, "-c", SETTLE.replace("HOW", how) + then], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_what_is_drawn_before_the_call_is_answered_is_not_waited_for() -> None:
    early = "Surface._hear(self, {'painted': argument['number']})"
    assert run(early, "print(list(steps), page._waiting)") == "[] {}"


def test_what_is_drawn_later_is_waited_for() -> None:
    then = "next(steps)(told.append); Surface._hear(page, {'painted': 1}); print(told, page._waiting)"
    assert run("pass", then) == "[None] {}"


def test_a_call_that_fails_leaves_nobody_waiting() -> None:
    then = """
try:
    list(steps)
except SurfaceError as error:
    print(error, page._waiting)
"""
    assert run("raise SurfaceError('gone')", then) == "gone {}"
