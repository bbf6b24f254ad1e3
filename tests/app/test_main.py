"""What the first word of a command line means: a command, a path, an address."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import stepscope.app.gui.main
import stepscope.app.main

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def collector_on_again() -> Iterator[None]:
    """The window turns it on after its first paint; none is opened here."""
    yield
    gc.enable()


@pytest.mark.parametrize(
    ("given", "opened"),
    [
        (["stepscope://shop/lamp/3?runs=A"], ["stepscope://shop/lamp/3?runs=A"]),
        (["/data/a shop"], ["/data/a shop"]),
        (["file:///data/a%20shop", "stepscope://shop/lamp/0"], ["/data/a shop", "stepscope://shop/lamp/0"]),
        ([], []),
    ],
)
def test_paths_and_links_open_the_window(monkeypatch, given, opened) -> None:
    asked: list[list[str]] = []
    monkeypatch.setattr(stepscope.app.gui.main, "open_window", lambda arguments: asked.append(arguments) or 0)
    monkeypatch.setattr(sys, "argv", ["stepscope", *given])
    assert stepscope.app.main.main() == 0
    assert asked == [opened]


def test_the_desktop_file_hands_over_links_as_well() -> None:
    text = (ROOT / "packaging" / "desktop" / "stepscope.desktop").read_text("utf-8")
    lines = dict(line.split("=", 1) for line in text.splitlines() if "=" in line)
    assert "x-scheme-handler/stepscope" in lines["MimeType"].split(";")
    assert lines["Exec"] == "stepscope %U"
