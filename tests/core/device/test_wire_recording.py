"""A demonstration recorded from a phone at a real adb cable, which is pulled in the middle of it."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path

import pytest

from stepscope.app.services.live.recording import RecordingSession
from stepscope.core.device.adb import scrcpy_file
from stepscope.core.device.adb.video import VideoKind
from stepscope.core.device.device import DeviceLost
from stepscope.core.device.mirror import MirrorPhase
from stepscope.core.device.recorded import Survey, SurveyOutcome
from stepscope.core.device.session import LiveSession, PerformedAction
from stepscope.core.domain.action import Action, Finish, Type, action_rescaled
from stepscope.core.domain.episode import FeasibilityLabel
from stepscope.core.domain.geometry import Size
from stepscope.core.sources.recording import read_recording
from tests.core.device.wired import SECONDS, Eyes, opened, stand_in_server
from tests.device_side.device import DeviceSide
from tests.device_side.fixtures import Plug
from tests.device_side.screens import RecordedScreens

pytestmark = pytest.mark.xdist_group("adb")

EPISODE = Path(__file__).parents[3] / "resources" / "sample" / "episodes" / "messages-new-chat"
SIZE = Size(540, 1200)


def bare(action: Action) -> Action:
    """Without the element that it was meant for: that is to be found again."""
    return replace(action, target=None) if hasattr(action, "target") else action  # type: ignore[arg-type]


@pytest.mark.parametrize("way", [VideoKind.SCRCPY, VideoKind.SCREENRECORD])
def test_nothing_is_lost_when_the_cable_is_pulled(
    plug: Plug, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: VideoKind
) -> None:
    monkeypatch.setattr(scrcpy_file, "find", stand_in_server)
    wanted = read_recording(EPISODE)
    side = plug(RecordedScreens(wanted, SIZE))
    device = opened(side, way)
    recording = RecordingSession(wanted.goal, folder=tmp_path / "recording", device=device.facts(), durable=False)
    session = LiveSession(device, rest=0.05)
    eyes = Eyes(device)
    session.mirror = eyes.mirror
    session.watch_screen = True
    session.performed.add(recording.record)
    session.start()
    eyes.see(lambda frame: True)
    actions = [action_rescaled(step.action, SIZE) for step in wanted.steps if step.action is not None]
    actions = [bare(action) for action in actions if not isinstance(action, Finish)]
    try:
        for place, action in enumerate(actions):
            if place == 2:
                side.unplug()
                with pytest.raises(DeviceLost):
                    done(session.act(action))
                lost = eyes.hear(MirrorPhase.LOST)
                recording.mirror_state(lost)
                side.plug_in()
                recording.mirror_state(eyes.hear(MirrorPhase.LIVE, eyes.states.index(lost)))
            done(session.act(action))
            assert walked(side, place + 1), f"step {place} did nothing"
        recording.stop(session.look().result(SECONDS))
        recording.finish(Survey(SurveyOutcome.DONE)).result(SECONDS)
    finally:
        session.close()
        recording.close()
    episode = read_recording(tmp_path / "recording")
    found = [step for step in episode.steps if step.action is not None and not isinstance(step.action, Finish)]
    assert [bare(step.action) for step in found if step.action] == actions
    for step, original in zip(found, wanted.steps, strict=False):
        assert step.observation.screenshot is not None and step.observation.screenshot.size == SIZE
        assert step.observation.activity == original.observation.activity
        if not isinstance(original.action, Type):
            assert name_of(step.action) == name_of(original.action)
    assert episode.feasibility is not None and episode.feasibility.label is FeasibilityLabel.FEASIBLE
    assert any("away" in problem.message for problem in episode.problems), episode.problems


def walked(side: DeviceSide, count: int) -> bool:
    screens = side.phone.screens
    return side.phone.wait(lambda: screens.version >= count)


def name_of(action: Action | None) -> str | None:
    target = getattr(action, "target", None)
    return target.id if target is not None else None


def done(future: Future[PerformedAction]) -> PerformedAction:
    return future.result(SECONDS)
