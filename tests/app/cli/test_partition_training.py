"""`models train` on a partition that the data does not name, with further data, and `evaluate` on what is left."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.app.app_grid import grid, shown, written

pytestmark = [pytest.mark.usefixtures("store"), pytest.mark.needs("torch")]


def test_trained_on_what_is_left_and_measured_on_the_rest(cli, tmp_path: Path) -> None:
    """Of the grid eight are learned from (two of them chosen by), three are the new app's with tasks that are seen; of
    the further data one shows the new app."""
    data = written(tmp_path / "grid", grid())
    more = written(tmp_path / "more", [shown("d", "zoom", "of-d"), shown("z", "zoom", "of-z")])
    ended = cli(
        "models", "train", "automation", "--recipe", "seq2act", "--name", "mine", "--data", data, "--train-data", more,
        "--train-split", "app_unseen_task_seen", "--validation-split", "", "--held-out-split", "app_unseen_task_seen",
        "--epochs", "1", "--workers", "0", "--no-onnx", "--device", "cpu", "--json",
    )  # fmt: skip
    assert ended.status == 0, ended.err
    own, further = ended.json["data"]["sources"]
    episodes = {part: one["episodes"] for part, one in own["splits"].items()}
    assert episodes == {"train": 6, "validation": 2, "held_out": 3} and not own["dealt"]
    assert (further["splits"]["train"]["episodes"], further["left_out"]) == (1, 1)
    assert ended.json["held_out"]["n"] == 3
    run = cli(
        "evaluate",
        "automation",
        data,
        "--model",
        "mine",
        "--protocol",
        "motif",
        "--split",
        "app_unseen_task_seen",
        "--json",
    )
    assert run.status == 0 and run.json["n"] == 3


def test_a_partition_that_the_data_cannot_have(cli, tmp_path: Path) -> None:
    data = written(tmp_path / "one", [shown("a", "search"), shown("a", "rate")])
    ended = cli("evaluate", "automation", data, "--model", "text-match", "--split", "app_unseen_task_seen")
    assert ended.status == 2 and "The partition app_unseen_task_seen of this data is empty." in ended.err
    assert "It needs two apps or more, with goals." in ended.err
