"""`stepscope references`, and the model `reference`: truth against itself."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from stepscope.core.domain.action import Action, Finish, Swipe, Tap, Target, Type
from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.episode import Episode, Observation, Picture, Platform, Step
from stepscope.core.domain.geometry import Box, Point, Size
from stepscope.core.imaging.draw import encode_png
from stepscope.core.sources.recording_writer import write_recording

from .conftest import Cli

SIZE = Size(100, 200)
BUTTON, PANEL = Box(10, 10, 50, 30, SIZE), Box(0, 0, 100, 150, SIZE)


def at(x: float, y: float) -> Point:
    return Point(x, y, SIZE)


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    """One tap on its button, one 30 pixels below it that names it all the same, one on a panel of three quarters of the
    screen, one in no element, a swipe, a text and the end."""
    folder = tmp_path / "recorded"
    folder.mkdir()
    (folder / "screen.png").write_bytes(encode_png(np.full((200, 100, 3), 200, np.uint8)))
    tree = UITree(
        (UIElement(0, PANEL, text="Panel", clickable=True), UIElement(1, BUTTON, 0, 1, text="Go", clickable=True)),
        TreeOrigin.VIEW_HIERARCHY,
        SIZE,
    )
    seen = Observation(SIZE, Picture(folder / "screen.png", SIZE), tree)
    actions: list[Action] = [
        Tap(at(30, 20), Target(BUTTON, "Go")),
        Tap(at(30, 60), Target(BUTTON, "Go")),
        Tap(at(80, 120), Target(PANEL, "Panel")),
        Tap(at(80, 180)),
        Swipe(at(50, 150), at(50, 50)),
        Type("milk"),
        Finish(),
    ]
    steps = tuple(Step(place, seen, action) for place, action in enumerate(actions))
    write_recording(Episode("e", "recording", Platform.ANDROID, "Go", steps), folder / "e")
    return folder


def test_references_that_fail_their_own_rule_are_listed(cli: Cli, recorded: Path) -> None:
    form = cli("references", recorded, "--json").json
    assert form["steps"] == 7 and form["kinds"]["tap"] == 4
    rules = {one["rule"]: one for one in form["rules"]}
    assert {"aitw", "aitz", "smallest_box", "radius14", "motif-point"} <= rules.keys()
    assert rules["aitw"] == {"rule": "aitw", "judged": 7, "wrong": 0, "unscored": 0}, "it looks at points"
    failed = {one["step"]: one for one in form["failed"] if "motif-point" in one["rules"]}
    assert failed.keys() == {1, 3}, "the point outside its own box, and the one without"
    assert failed[1]["kind"] == "tap" and "Outside the reference box" in failed[1]["why"]
    assert form["large"] == [{"episode": "e", "step": 2}], "a nearly free hit"
    assert form["boxless"] == [{"episode": "e", "step": 3}] and form["unreadable"] == []
    told = cli("references", recorded).out
    assert "7 recorded actions" in told and "motif-point" in told


def test_one_rule_can_be_named(cli: Cli, recorded: Path) -> None:
    form = cli("references", recorded, "--rule", "aitw", "--json").json
    assert [one["rule"] for one in form["rules"]] == ["aitw"] and form["failed"] == []
    assert "Every reference is right" in cli("references", recorded, "--rule", "aitw").out
    refused = cli("references", recorded, "--rule", "aitv")
    assert refused.status == 2 and "There is no rule 'aitv'" in refused.err


def test_the_same_as_a_run(cli: Cli, recorded: Path) -> None:
    """A run keeps it, can be looked at step by step, and is scored under any rule."""
    form = cli("evaluate", "automation", recorded, "--model", "reference", "--protocol", "aitw", "--json").json
    assert form["n"] == 7 and form["metrics"]["step_accuracy"] == 1.0
    again = cli("runs", "rescore", form["run"], "--rule", "motif-point", "--json").json
    assert [(one["episode"], one["step"]) for one in again["flips"]] == [("e", 1), ("e", 3)]


def test_an_episode_that_cannot_be_read_is_told_and_the_rest_is_checked(cli: Cli, recorded: Path) -> None:
    seen = Observation(SIZE, Picture(recorded / "screen.png", SIZE))
    broken = Episode("b", "recording", Platform.ANDROID, "Go", (Step(0, seen, Tap(at(1, 1))), Step(1, seen, Finish())))
    write_recording(broken, recorded / "b")
    file = next((recorded / "b").glob("*.json"))
    file.write_text(file.read_text()[:-20])
    ended = cli("references", recorded, "--json")
    assert ended.json["steps"] == 7
