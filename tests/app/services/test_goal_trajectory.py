"""The trajectory that people judge is that of the request to a model: the same steps, words and marks."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from stepscope.app.services.goal_trajectory import trajectory_of, trajectory_screen
from stepscope.core.domain.action import AskUser, Finish, Tap, Type
from stepscope.core.domain.episode import Episode, Observation, Picture, Platform, Step
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.imaging.draw import encode_png

SIZE = Size(100, 200)


def episode(folder: Path, *actions) -> Episode:
    file = folder / "grey.png"
    file.write_bytes(encode_png(np.full((200, 100, 3), 128, np.uint8)))
    seen = Observation(SIZE, Picture(file, SIZE))
    steps = tuple(Step(index, seen, action) for index, action in enumerate(actions))
    return Episode("e1", "recording", Platform.ANDROID, "A goal", steps)


def test_questions_and_the_mark_of_the_end_are_left_out(tmp_path: Path) -> None:
    found = trajectory_of(
        episode(tmp_path, Tap(Point(50, 100, SIZE)), AskUser("Which?"), Type("lamp"), Finish(), Finish())
    )
    assert [step.place for step in found] == [0, 2, 4], "the last screen stays"
    assert found[1].words == "Type “lamp”" and found[2].words == ""


def test_a_tap_is_a_blue_plus_and_the_last_screen_bare(tmp_path: Path) -> None:
    shown = episode(tmp_path, Tap(Point(50, 100, SIZE)), None)
    marked, bare = trajectory_screen(shown, 0), trajectory_screen(shown, 1)
    assert marked is not None and (marked.size, marked.top) == (SIZE, 0)
    red, _, blue = map(int, marked.pixels[100, 50])
    assert blue > 220 and red < 40, "a thin line is drawn smoothly over the grey"
    assert bare is not None and (bare.pixels == 128).all()


def test_a_step_without_a_picture_has_none() -> None:
    step = Step(0, Observation(SIZE), Tap(Point(50, 100, SIZE)))
    assert trajectory_screen(Episode("e1", "x", Platform.ANDROID, "", (step,)), 0) is None
