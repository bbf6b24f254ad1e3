"""Pictures in prediction files: from beside them or inside them, never from elsewhere."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path

import numpy as np
import pytest

import stepscope.core.sources.prediction_pictures
from stepscope.core.domain.geometry import Box, Size
from stepscope.core.domain.prediction import LARGEST_PICTURE, AttachedPicture
from stepscope.core.imaging.draw import encode_png
from stepscope.core.sources.predictions import iterate_predictions, read_predictions

SIZE, SECOND = Size(100, 200), Size(50, 50)
PNG = encode_png(np.arange(24, dtype=np.uint8).reshape(4, 2, 3))
TEXT = base64.b64encode(PNG).decode()


def size_of(_episode: str, step: int) -> Size | None:
    return {0: SIZE, 1: SECOND}.get(step)


@pytest.fixture
def read(tmp_path: Path):
    """Read one line with these pictures, beside `map.png`."""
    folder = tmp_path / "predictions"
    folder.mkdir()
    (folder / "map.png").write_bytes(PNG)
    (tmp_path / "secret.png").write_bytes(PNG)
    (folder / "large.png").write_bytes(bytes(LARGEST_PICTURE + 1))
    (folder / "link.png").symlink_to(tmp_path / "secret.png")

    def one(pictures: object, **more: object):
        line = {"episode": "lamp", "step": 0, "action": {"kind": "wait"}, "pictures": pictures, **more}
        path = folder / "run.jsonl"
        path.write_text(json.dumps(line) + "\n")
        return read_predictions(path, size_of)

    return one


def test_beside_the_file_and_inside_it(read) -> None:
    found = read(
        [
            {"name": "occlusion", "file": "map.png"},
            {"name": "saliency", "data": TEXT, "box": [10, 20, 30.5, 200]},
            {"name": "as a page has it", "data": f"data:image/png;base64,{TEXT}"},
        ]
    )
    assert found.problems == ()
    assert found.predictions[0].pictures == (
        AttachedPicture("occlusion", PNG),
        AttachedPicture("saliency", PNG, Box(10, 20, 30.5, 200, SIZE)),
        AttachedPicture("as a page has it", PNG),
    )


def test_without_pictures_all_is_as_before(read) -> None:
    assert read(None).predictions[0].pictures == () == read([]).predictions[0].pictures


def test_a_picture_about_another_step_has_its_box_there(read) -> None:
    found = read([{"name": "map", "file": "map.png", "step": 1, "box": [0, 0, 50, 50]}])
    assert found.predictions[0].pictures == (AttachedPicture("map", PNG, Box(0, 0, 50, 50, SECOND), 1),)


@pytest.mark.parametrize(
    ("pictures", "words"),
    [
        ({"name": "map"}, "pictures must be a list of at most 8"),
        ([{"name": "map", "file": "map.png"}] * 9, "at most 8"),
        (["map.png"], r"pictures\[0\]: a picture has either file or data"),
        ([{"name": "map", "file": "map.png", "data": TEXT}], "either file or data"),
        ([{"file": "map.png"}], "needs a name"),
        ([{"name": "map", "file": "nowhere.png"}], "the file is not there"),
        ([{"name": "map", "file": "large.png"}], "larger than 2 MB"),
        ([{"name": "map", "file": "../secret.png"}], "leads out of the data's folder"),
        ([{"name": "map", "file": "/etc/hostname"}], "leads out of the data's folder"),
        ([{"name": "map", "file": "link.png"}], "link that leads out"),
        ([{"name": "map", "data": "?"}], "data is not base64"),
        ([{"name": "map", "data": base64.b64encode(b"GIF89a").decode()}], "not a PNG, JPEG or WebP"),
        ([{"name": "map", "file": "map.png", "box": [0, 0, 100]}], r"box must be \[left, top, right, bottom\]"),
        ([{"name": "map", "file": "map.png", "box": [9, 0, 1, 5]}], "right 1 < left 9"),
        ([{"name": "map", "file": "map.png", "box": [0, 0, 100, 201]}], "not on the screen"),
        ([{"name": "map", "file": "map.png", "step": -1}], "step must be a whole number"),
        ([{"name": "map", "file": "map.png", "step": 7, "box": [0, 0, 1, 1]}], "no screenshot that its box"),
    ],
)
def test_a_line_with_another_kind_of_picture_is_kept_out(read, pictures, words) -> None:
    found = read(pictures)
    assert found.predictions == ()
    (problem,) = found.problems
    assert problem.line == 1
    assert re.search(words, problem.message), problem.message


def test_all_of_a_file_together_have_a_limit(read, monkeypatch) -> None:
    monkeypatch.setattr(stepscope.core.sources.prediction_pictures, "MOST_BYTES", 2 * len(PNG))
    assert read([{"name": "map", "file": "map.png"}] * 2).problems == ()
    (problem,) = read([{"name": "map", "file": "map.png"}] * 3).problems
    assert "together" in problem.message


def test_whoever_only_looks_at_the_answers_reads_no_picture(tmp_path) -> None:
    path = tmp_path / "run.jsonl"
    line = {"episode": "lamp", "step": 0, "action": {"kind": "wait"}, "pictures": [{"name": "map", "file": "gone.png"}]}
    path.write_text(json.dumps(line))
    (found,) = iterate_predictions(path, size_of, pictures=False)
    assert found.pictures == ()
