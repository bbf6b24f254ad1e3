"""What `stepscope agents parse` writes is read as predictions, each of the step that its id names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from stepscope.core.domain.action import PressKey, Tap
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.domain.prediction import PredictionStatus
from stepscope.core.sources.look import FolderScan
from stepscope.core.sources.predictions import read_predictions
from stepscope.core.sources.sniffers.predictions import FORMAT

SIZE = Size(100, 200)
TAP = {"kind": "tap", "point": [7, 9]}


def read(tmp_path: Path, *lines: dict[str, Any]) -> Any:
    file = tmp_path / "parsed.jsonl"
    file.write_text("\n".join(json.dumps(line) for line in lines))
    assert FORMAT.sniff(FolderScan(file))
    return read_predictions(file, lambda episode, step: SIZE if episode.startswith("e") and step < 9 else None)


def parsed(identity: Any, *actions: dict[str, Any], problem: str | None = None) -> dict[str, Any]:
    return {"id": identity, "actions": [*actions], "space": "thousand", "said": [[7, 9]], "problem": problem}


@pytest.mark.parametrize(
    "identity", ["e/x/3", "e/x:3", "e/x#3", ["e/x", 3], {"episode": "e/x", "step": 3}]
)  # fmt: skip
def test_an_id_names_episode_and_step(tmp_path: Path, identity: Any) -> None:
    found = read(tmp_path, parsed(identity, TAP))
    (one,) = found.predictions
    assert (one.episode, one.step, one.action) == ("e/x", 3, Tap(Point(7, 9, SIZE))) and found.problems == ()


def test_what_could_not_be_read_is_malformed_and_of_several_the_first_counts(tmp_path: Path) -> None:
    back = {"kind": "press_key", "key": "back"}
    found = read(tmp_path, parsed("e/0", problem="no action of UI-TARS is in the answer"), parsed("e/1", back, TAP))
    first, second = found.predictions
    assert (first.status, first.why) == (PredictionStatus.MALFORMED, "no action of UI-TARS is in the answer")
    assert (second.action, second.why) == (PressKey("back"), "It said 2 actions; the first counts.")


@pytest.mark.parametrize("identity", ["e", 4, None, ["e"], "e/x", "other/1", "e/77"])
def test_an_id_that_names_no_step_of_the_data_is_told(tmp_path: Path, identity: Any) -> None:
    found = read(tmp_path, parsed(identity, TAP))
    assert found.predictions == () and len(found.problems) == 1
