"""ScreenSpot and its like: boxes of three conventions become pixels, and what cannot be used is named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.action import Finish, FinishStatus, Tap
from stepscope.core.domain.episode import Episode, FeasibilityLabel, Platform, Problem
from stepscope.core.domain.geometry import Size
from stepscope.core.imaging.draw import encode_png
from stepscope.core.sources.look import FolderScan
from stepscope.core.sources.screenspot import FORMAT, open_screenspot

SPOT = {"img_filename": "a.png", "bbox": [10, 20, 30, 40], "instruction": "close this", "data_type": "icon",
        "data_source": "ios"}  # fmt: skip
PRO = {"id": "cad_1", "img_filename": "deep/b.png", "bbox": [10, 20, 30, 40], "img_size": [200, 100],
       "instruction": "the eraser", "application": "android_studio", "platform": "macos", "group": "Dev",
       "ui_type": "text"}  # fmt: skip


def written(folder: Path, name: str, records: Any, pictures: tuple[str, ...] = ()) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(json.dumps(records), encoding="utf-8")
    for picture in pictures:
        place = folder.parent / picture
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(encode_png(np.full((100, 200, 3), 9, np.uint8)))
    return folder


def episodes(path: Path) -> list[Episode]:
    source = open_screenspot(path)
    rows = list(source.scan())
    assert not any(isinstance(row, Problem) for row in rows)
    return [source.read(row.id, row.place) for row in rows]  # type: ignore[union-attr]


def box_of(episode: Episode) -> tuple[float, ...]:
    action = episode.steps[0].action
    assert isinstance(action, Tap) and action.target is not None and action.target.box is not None
    box = action.target.box
    return (box.left, box.top, box.right, box.bottom)


def test_its_boxes_are_left_top_width_height(tmp_path: Path) -> None:
    folder = written(tmp_path / "set", "screenspot_mobile_v2.json", [SPOT], ("set/screenspotv2_image/a.png",))
    assert FORMAT.sniff(FolderScan(folder))
    (one,) = episodes(folder)
    assert (one.id, one.goal, one.platform) == ("screenspot_mobile_v2:1", "close this", Platform.ANDROID)
    assert one.steps[0].observation.size == Size(200, 100) and one.problems == ()
    assert box_of(one) == (10, 20, 40, 60)
    assert one.steps[0].instruction == "close this"
    assert one.splits == ("platform/mobile", "type/icon")


def test_those_of_pro_are_edges_on_a_screen_of_its_own_size(tmp_path: Path) -> None:
    half = {**PRO, "id": "cad_2", "img_size": [400, 200]}
    folder = written(tmp_path / "annotations", "android_studio_macos.json", [PRO, half], ("images/deep/b.png",))
    one, other = episodes(folder)
    assert (one.id, one.app, one.platform) == ("cad_1", "android_studio", Platform.WEB)
    assert box_of(one) == (10, 20, 30, 40) and box_of(other) == (5, 10, 15, 20)
    assert one.splits == ("platform/desktop", "type/text", "group/Dev") and one.problems == ()


def test_numbers_within_one_are_fractions_and_edges(tmp_path: Path) -> None:
    """The copies that others made of it: 0.1 of 200 is 20, 0.5 of 100 is 50."""
    folder = written(tmp_path / "s", "screenspot_web.json", [{**SPOT, "bbox": [0.1, 0.2, 0.25, 0.5]}], ("s/a.png",))
    (one,) = episodes(folder)
    assert box_of(one) == (20, 20, 50, 50) and one.splits[0] == "platform/mobile"  # its source says ios


def test_a_refusal_is_a_task_that_cannot_be_done(tmp_path: Path) -> None:
    records = [
        {"id": "r", "image_path": "a.png", "image_size": [200, 100], "instruction": "the moon", "box_type": "refusal",
         "box_coordinates": [-1, -1, -1, -1]},
        {"id": "b", "image_path": "a.png", "image_size": [200, 100], "instruction": "the sun", "box_type": "bbox",
         "box_coordinates": [10, 20, 30, 40]},
        {"id": "p", "image_path": "a.png", "image_size": [200, 100], "instruction": "a star", "box_type": "polygon",
         "box_coordinates": [1, 2, 3, 4, 5, 6]},
    ]  # fmt: skip
    refusal, box, polygon = episodes(written(tmp_path / "s", "g.json", records, ("s/images/a.png",)))
    assert refusal.steps[0].action == Finish(FinishStatus.IMPOSSIBLE)
    assert refusal.feasibility.label is FeasibilityLabel.INFEASIBLE
    assert box_of(box) == (10, 20, 40, 60)
    assert polygon.steps[0].action is None
    assert [problem.message for problem in polygon.problems] == [
        "the element's box: a polygon is not read, only boxes and refusals are"
    ]


@pytest.mark.parametrize(
    ("change", "field", "words"),
    [
        ({"bbox": [1, 2, 3]}, "bbox", "four numbers are needed"),
        ({"bbox": [1, 2, "3", 4]}, "bbox", "numbers are needed"),
        ({"bbox": None}, "bbox", "four numbers are needed"),
        ({"instruction": ""}, "instruction", "there is no instruction"),
        ({"img_filename": "../secret.png"}, "screenshot", ""),
        ({"img_filename": "missing.png"}, "screenshot", ""),
    ],
)
def test_what_is_wrong_is_named_and_the_rest_opens(
    tmp_path: Path, change: dict[str, Any], field: str, words: str
) -> None:
    (tmp_path / "secret.png").write_bytes(b"no")
    folder = written(tmp_path / "s", "screenspot_web.json", [{**SPOT, **change}, SPOT], ("s/a.png",))
    broken, whole = episodes(folder)
    assert whole.problems == () and box_of(whole) == (10, 20, 40, 60)
    (problem,) = broken.problems
    assert problem.field == field and words in problem.message


@pytest.mark.fuzz
@given(
    st.lists(
        st.dictionaries(
            st.sampled_from([*SPOT, *PRO, "box_type", "box_coordinates", "image_path"]),
            st.none() | st.booleans() | st.floats() | st.text(max_size=5)
            | st.lists(st.integers() | st.floats(), max_size=5),
        ),
        max_size=4,
    )
)  # fmt: skip
def test_whatever_a_list_holds_it_is_read_or_named(tmp_path_factory: pytest.TempPathFactory, records: Any) -> None:
    records = [SPOT, *records]  # the first tells that it is such a list
    source = open_screenspot(written(tmp_path_factory.mktemp("s"), "l.json", records))
    rows = list(source.scan())
    assert len(rows) == len(records), "nothing is lost in silence"
    for row in rows:
        if not isinstance(row, Problem):
            assert source.read(row.id, row.place).id == row.id
