"""Episodes to train on, and a window with the Train dock and a recipe small enough to follow."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from stepscope.core.domain.action import Tap
from stepscope.core.domain.episode import Episode, Feasibility, FeasibilityLabel, Observation, Platform, Step
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.sources.recording_writer import write_recording
from tests.app.gui.learned import only_toy
from tests.models.training.toy import Toy

SIZE = Size(100, 200)
SPLITS = ["train"] * 24 + ["validation"] * 12 + ["app_unseen"] * 12


def recorded(folder: Path, splits: Sequence[str], *, labelled: bool = True) -> Path:
    """An episode a split, about seven apps; infeasible are goals of more than four words, where that is labelled."""
    for number, split in enumerate(splits):
        words = 1 + number % 8
        label = FeasibilityLabel.INFEASIBLE if words > 4 else FeasibilityLabel.FEASIBLE
        found = Episode(
            f"{number:03}", "recording", Platform.ANDROID, " ".join(["abcde"] * words),
            (Step(0, Observation(SIZE), Tap(Point(1, 1, SIZE))),), app=f"org.example.{number % 7}",
            feasibility=Feasibility(label if labelled else None), splits=(split,),
        )  # fmt: skip
        write_recording(found, folder / found.id)
    return folder


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> Toy:
    return only_toy(monkeypatch)


@pytest.fixture(scope="module")
def goals(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """48 episodes in three splits; infeasible are goals of more than four words."""
    return recorded(tmp_path_factory.mktemp("data") / "goals", SPLITS)


@pytest.fixture(scope="module")
def more_goals(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same episodes again, elsewhere, and 8 more that are held out."""
    return recorded(tmp_path_factory.mktemp("data") / "more-goals", [*SPLITS, *["app_unseen"] * 8])


@pytest.fixture(scope="module")
def whole_goals(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """14 episodes about seven apps, in one split of its own name."""
    return recorded(tmp_path_factory.mktemp("data") / "whole-goals", ["everything"] * 14)


@pytest.fixture(scope="module")
def unlabelled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Goals of which nobody says whether they are feasible."""
    return recorded(tmp_path_factory.mktemp("data") / "unlabelled", ["train"] * 4, labelled=False)


@pytest.fixture
def trainer(open_window, goals):
    """At a window with these episodes and the Train dock."""
    person = open_window(goals)
    person.choose("models.train")
    person.settle()
    return person
