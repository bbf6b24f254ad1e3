"""Waiting for a page that is loaded and drawn. In a process of its own: an engine is loaded before any window."""

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


HANDS = """
from stepscope.resources.webtask.commands import PageCommands
done = []

class Page:
    viewport, scale = None, 1.0
    def __getattr__(self, name):
        def steps(*arguments):
            done.append(name)
            return (0, 0)
            yield
        return steps
    def wheel(self, *place): done.append("wheel")

def run(steps):
    for _ in steps: pass

commands = PageCommands(Page())
run(commands.do_open({"viewport": (1280, 800), "scale": 1.0, "html": "", "load_seconds": 1}))
FIRST
done.clear()
run(commands.do_act({"action": {"do": "scroll", "x": 0, "y": 10}}))
print(done[:done.index("wheel")])
"""


def test_hands_wait_until_a_page_was_drawn_once() -> None:
    assert run("pass", f"exec({HANDS.replace('FIRST', '')!r})") == "['heard', 'settle']"
    again = "run(commands.do_act({'action': {'do': 'scroll', 'x': 0, 'y': 10}}))"
    assert run("pass", f"exec({HANDS.replace('FIRST', again)!r})") == "['heard']"
