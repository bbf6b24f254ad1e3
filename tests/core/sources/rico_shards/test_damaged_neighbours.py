"""Files beside a data set's own shards that are called as they are and hold none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from stepscope.core.domain.episode import EpisodeSummary, Problem
from stepscope.core.sources.uibert import open_uibert_refexp

Rows = Callable[[Any], tuple[list[EpisodeSummary], list[Problem]]]

EXPRESSION = {
    "image/id": [b"18177"],
    "image/ref_exp/text": [b"the row"],
    "image/ref_exp/label": [0],
    **{
        f"image/object/bbox/{edge}": [place]
        for edge, place in zip(("xmin", "ymin", "xmax", "ymax"), (0.1, 0.2, 0.5, 0.75), strict=True)
    },
}


def test_empty_and_broken_shards_beside_an_own_one_are_told(write_shard: Callable[..., Path], rows: Rows) -> None:
    whole = write_shard(EXPRESSION, name="dev.tfrecord")
    (whole.parent / "test.tfrecord").write_bytes(b"")
    (whole.parent / "train.tfrecord").write_bytes(b"\x01" + whole.read_bytes()[1:])
    (whole.parent / "notes.txt").write_bytes(b"")
    write_shard({"other": [b"data set"]}, name="other.tfrecord")
    found, problems = rows(open_uibert_refexp(whole.parent))
    assert [row.id for row in found] == ["18177"]
    told = {problem.file: problem.message for problem in problems}
    assert sorted(told) == ["test.tfrecord", "train.tfrecord"]
    assert "is empty" in told["test.tfrecord"] and "broken length" in told["train.tfrecord"]
