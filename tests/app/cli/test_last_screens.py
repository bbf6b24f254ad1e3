"""The screen that an episode ends on, asked about as AgentCPM-GUI's data do."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from stepscope.core.domain.action import Finish, Tap, Wait
from stepscope.core.domain.episode import Episode, Observation, Picture, Platform, Step
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.evaluation.tasks.automation import with_finish
from stepscope.core.imaging.draw import encode_png
from stepscope.core.sources.recording_writer import write_recording

from .conftest import Cli

SIZE = Size(100, 200)


def episode(name: str, *actions: Tap | Wait | Finish | None, screen: Path | None = None) -> Episode:
    seen = Observation(SIZE, None if screen is None else Picture(screen, SIZE))
    steps = tuple(Step(n, seen, one) for n, one in enumerate(actions))
    return Episode(name, "recording", Platform.ANDROID, "Do it", steps)


TAP = Tap(Point(50, 50, SIZE))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Two episodes with a screen after their last action, one with its end, one with a gap before its last."""
    folder = tmp_path / "data"
    folder.mkdir()
    screen = folder / "screen.png"
    screen.write_bytes(encode_png(np.full((SIZE.height, SIZE.width, 3), 200, np.uint8)))
    for name, actions in {
        "open": (TAP, TAP, None), "short": (TAP, None), "ended": (TAP, Finish()), "gap": (None, TAP),
    }.items():  # fmt: skip
        write_recording(episode(name, *actions, screen=screen), folder / name)
    return folder


def test_only_an_episode_that_ends_on_a_screen_gets_a_finish() -> None:
    assert [step.action for step in with_finish(episode("a", TAP, None)).steps] == [TAP, Finish()]
    for actions in ((TAP,), (TAP, Finish()), (None,), (), (None, None), (None, TAP), (Finish(), None)):
        plain = episode("b", *actions)
        assert with_finish(plain) is plain


def test_an_evaluation_asks_about_last_screens_where_its_rule_says_so(cli: Cli, data: Path) -> None:
    plain = cli("evaluate", "automation", data, "--model", "reference", "--protocol", "android_control",
                "--set", "rule=agentcpm", "--json")  # fmt: skip
    assert plain.status == 0, plain.err
    assert plain.json["n"] == 6 and plain.json["metrics"]["step_accuracy"] == 1.0
    ended = cli("evaluate", "automation", data, "--model", "reference", "--protocol", "android_control",
                "--set", "rule=agentcpm", "--set", "last_screen=finish", "--json")  # fmt: skip
    assert ended.status == 0, ended.err
    form = ended.json
    assert form["n"] == 8 and form["metrics"]["step_accuracy"] == 1.0 and form["metrics"]["complete_match"] == 1.0
    assert not form.get("note"), "it has all items that it should have"
    rules = {one["rule"]: one for one in cli("runs", "rescore", form["run"], "--all", "--json").json["rules"]}
    assert (rules["agentcpm"]["n"], rules["os_atlas"]["n"], rules["qwen_vl"]["n"]) == (8, 8, 5), "and under all rules"
    assert rules["aitw"]["n"] == 8
    wrong = cli(
        "evaluate",
        "automation",
        data,
        "--model",
        "noisy-copy",
        "--protocol",
        "android_control",
        "--set",
        "last_screen=ask",
    )
    assert wrong.status == 2 and "last_screen cannot be 'ask'" in wrong.err
