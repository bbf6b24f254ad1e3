"""The sample episodes that ship with the program: they open, they are what they say, and they can be made again."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from stepscope.core.domain.action import (
    AskUser,
    Finish,
    FinishStatus,
    LongPress,
    Swipe,
    Tap,
    Type,
    action_point,
    action_target,
)
from stepscope.core.domain.episode import Episode, EpisodeSummary, FeasibilityLabel, Step
from stepscope.core.domain.geometry import Size
from stepscope.core.imaging.decode import decode
from stepscope.core.sources.registry import open_source
from stepscope.resources.sample.goals import all_scripts
from stepscope.resources.sample.pictures import reduced

ROOT = Path(__file__).resolve().parents[2]
EPISODES = ROOT / "resources" / "sample" / "episodes"
SIZE = Size(1080, 2400)
REBUILT = "messages-pin-hamza"


@cache
def shipped() -> tuple[Episode, ...]:
    source = open_source(EPISODES)
    return tuple(source.read(item.id) for item in source.scan() if isinstance(item, EpisodeSummary))


def ids(episodes: tuple[Episode, ...]) -> list[str]:
    return [episode.id for episode in episodes]


def touches(episode: Episode) -> list[Step]:
    return [step for step in episode.steps if isinstance(step.action, (Tap, LongPress, Swipe))]


def test_every_script_is_shipped_and_opens_without_a_problem() -> None:
    assert sorted(ids(shipped())) == sorted(script.id for script in all_scripts())
    assert [problem for episode in shipped() for problem in episode.problems] == []
    assert {episode.format for episode in shipped()} == {"recording"}


def test_the_sample_is_broad() -> None:
    assert len(shipped()) >= 32
    assert sum(len(episode.steps) for episode in shipped()) >= 170
    assert {(episode.app or "").rsplit(".", 1)[-1] for episode in shipped()} == {
        "clock", "settings", "shop", "messages", "player",
    }  # fmt: skip
    assert all(3 <= len(episode.steps) <= 12 for episode in shipped())
    kinds = Counter(step.action.kind for episode in shipped() for step in episode.steps if step.action)
    assert {"tap", "long_press", "swipe", "type", "press_key", "open_app", "wait", "ask", "finish"} <= set(kinds)
    assert kinds["swipe"] >= 10 and kinds["type"] >= 15 and kinds["long_press"] >= 4


def test_infeasible_goals_have_a_reason_and_a_question_and_end_as_impossible() -> None:
    infeasible = [e for e in shipped() if e.feasibility.label is FeasibilityLabel.INFEASIBLE]
    reasons = Counter(episode.feasibility.reason for episode in infeasible)
    assert len(infeasible) >= 8 and None not in reasons
    assert {str(reason): count for reason, count in reasons.items()} == {"impossible": 4, "unclear": 3, "premature": 2}
    for episode in infeasible:
        assert episode.feasibility.follow_up and all(text.endswith("?") for text in episode.feasibility.follow_up)
        assert episode.steps[-1].action == Finish(FinishStatus.IMPOSSIBLE)
        assert len(episode.steps) >= 3, "nobody gives up without an attempt"


def test_feasible_goals_end_as_complete() -> None:
    feasible = [e for e in shipped() if e.feasibility.label is FeasibilityLabel.FEASIBLE]
    assert len(feasible) + 9 == len(shipped())
    assert all(episode.steps[-1].action == Finish(FinishStatus.COMPLETE) for episode in feasible)


def test_ambiguous_goals_ask_where_the_question_was_due() -> None:
    asking = [episode for episode in shipped() if episode.asks]
    assert len(asking) >= 6
    for episode in asking:
        for ask in episode.asks:
            assert ask.question.endswith("?") and ask.answer
            assert episode.steps[ask.step].action == AskUser(ask.question)
    without = [episode for episode in shipped() if not episode.asks]
    assert not any(isinstance(step.action, AskUser) for episode in without for step in episode.steps)


@pytest.mark.parametrize("episode", shipped(), ids=ids(shipped()))
def test_every_touch_lies_on_its_target_and_the_target_in_the_tree(episode: Episode) -> None:
    for step in touches(episode):
        tree, target = step.observation.tree, action_target(step.action) if step.action else None
        point = action_point(step.action) if step.action else None
        assert tree is not None and target is not None and point is not None
        assert target.box.contains(point), f"step {step.index}"
        assert any(e.box == target.box and e.resource_id == target.id and e.label == target.text for e in tree)
        if isinstance(step.action, (Tap, LongPress)):
            hit = tree.target_at(point)
            assert hit is not None and target.box.contains(hit.box.centre), f"step {step.index} hits {hit}"


@pytest.mark.parametrize("episode", shipped(), ids=ids(shipped()))
def test_steps_are_complete(episode: Episode) -> None:
    times = [step.observation.time for step in episode.steps]
    assert None not in times and times == sorted(times, key=float), "the phone's clock runs on"  # type: ignore[arg-type]
    assert [step.index for step in episode.steps] == list(range(len(episode.steps)))
    for step in episode.steps:
        seen = step.observation
        assert step.instruction and step.action is not None
        assert seen.size == SIZE and seen.screenshot is not None and seen.screenshot.size == SIZE
        assert seen.tree is not None and len(seen.tree) > 5 and seen.tree.size == SIZE
        assert seen.activity.startswith("com.stepscope.sample.")
        if isinstance(step.action, Type):
            assert step.action.target is not None and any(e.focused and e.editable for e in seen.tree)


@pytest.mark.parametrize("episode", shipped(), ids=ids(shipped()))
def test_an_action_changes_the_screen_and_a_question_does_not(episode: Episode) -> None:
    for step, after in zip(episode.steps, episode.steps[1:], strict=False):
        before, then = step.observation.screenshot, after.observation.screenshot
        assert before is not None and then is not None
        asked = isinstance(step.action, AskUser)
        assert (before.path == then.path) == asked, f"step {step.index}"
        assert (step.observation.tree == after.observation.tree) == asked, f"step {step.index}"


def test_the_sample_is_small_and_its_pictures_can_be_decoded() -> None:
    files = [file for file in EPISODES.rglob("*") if file.is_file()]
    assert sum(file.stat().st_size for file in files) < 11_000_000
    for episode in shipped()[::10]:
        picture = episode.steps[0].observation.screenshot
        assert picture is not None and decode(picture).shape == (2400, 1080, 3)


def test_the_manifest_lists_every_episode() -> None:
    listed = re.findall(r"^\| `([^`]+)`", (EPISODES / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(listed) == sorted(ids(shipped()))


def test_nothing_in_the_sample_names_this_machine() -> None:
    for file in EPISODES.rglob("*.json"):
        text = file.read_text(encoding="utf-8")
        assert "file://" not in text and str(ROOT) not in text


def test_colours_are_reduced_without_touching_a_picture_of_few() -> None:
    few = np.zeros((4, 4, 3), np.uint8)
    few[1, 1] = (9, 8, 7)
    assert (reduced(few, 4) == few).all()
    many = np.arange(30 * 30 * 3, dtype=np.uint32).reshape(30, 30, 3).astype(np.uint8)
    out = reduced(many, 16)
    assert len(np.unique(out.reshape(-1, 3), axis=0)) <= 16 and out.shape == many.shape
    assert (reduced(many, 16) == out).all()


@pytest.mark.e2e
@pytest.mark.timeout(300)
def test_an_episode_can_be_made_again(tmp_path: Path) -> None:
    pytest.importorskip("PySide6")
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        environment["QTWEBENGINE_DISABLE_SANDBOX"] = "1"
    command = [sys.executable, "-m", "stepscope.resources.sample.make", "--only", REBUILT, "--into", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stdout + done.stderr

    old, new = EPISODES / REBUILT, tmp_path / REBUILT
    assert json.loads((new / "episode.json").read_bytes()) == json.loads((old / "episode.json").read_bytes())
    for tree in sorted((old / "trees").iterdir()):
        assert (new / "trees" / tree.name).read_bytes() == tree.read_bytes(), tree.name
    made = open_source(new).read(REBUILT)
    for before, after in zip(open_source(old).read(REBUILT).steps, made.steps, strict=True):
        assert before.observation.screenshot is not None and after.observation.screenshot is not None
        pixels = [decode(step.observation.screenshot).astype(np.int16) for step in (before, after)]  # type: ignore[arg-type]
        # Equal on one machine; other builds of the font library may shade the edges of letters differently.
        assert float(np.abs(pixels[0] - pixels[1]).mean()) < 2.0
