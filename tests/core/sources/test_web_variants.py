"""Web data written in other ways than the released files, but with the same meaning."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from stepscope.core.domain.episode import EpisodeSummary, Problem
from stepscope.core.errors import SourceError
from stepscope.core.sources.mind2web import open_mind2web
from stepscope.core.sources.recipeqa import open_recipeqa
from stepscope.core.sources.registry import open_source


@pytest.fixture
def picture() -> Callable[[Path], None]:
    """Writes a picture of 5 by 4 pixels."""

    def write(path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(cv2.imencode(".jpg", np.zeros((4, 5, 3), np.uint8))[1].tobytes())

    return write


@pytest.mark.parametrize("indent", [None, 1, 4])
def test_mind2web_with_indents_is_found(tmp_path: Path, indent: int | None) -> None:
    action = {"action_uid": "u", "operation": {"op": "TYPE", "value": "x"}, "pos_candidates": [], "neg_candidates": []}
    task = {"annotation_id": "a-1", "confirmed_task": "Look", "website": "w", "actions": [action, action]}
    (tmp_path / "test_website_0.json").write_text(json.dumps([task], indent=indent))
    assert open_source(tmp_path).format == "mind2web"
    rows = [row for row in open_mind2web(tmp_path).scan() if isinstance(row, EpisodeSummary)]
    assert [(row.id, row.steps, row.splits) for row in rows] == [("a-1", 2, ("test_website",))]


def test_a_row_of_no_task_is_told_with_its_number(tmp_path: Path) -> None:
    shared = {"action_uid": "u", "pos_candidates": [], "neg_candidates": [], "cleaned_html": "", "operation": "{}"}
    rows = [{**shared, "annotation_id": name, "confirmed_task": "Look"} for name in ("a", None, "b", "")]
    (tmp_path / "test_task.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = list(open_source(tmp_path).scan())
    assert [row.id for row in found if isinstance(row, EpisodeSummary)] == ["a", "b"]
    told = [(row.message, row.field, row.file) for row in found if isinstance(row, Problem)]
    assert told == [
        (f"record {number}: it has no annotation_id and is left out", "annotation_id", "test_task.jsonl")
        for number in (2, 4)
    ]


@pytest.mark.parametrize("name", ["{recipe}_{step}.jpg", "{recipe}_{step}_0.jpg"])
def test_recipes_whose_ids_end_in_numbers_have_their_own_pictures(
    tmp_path: Path, name: str, picture: Callable[[Path], None]
) -> None:
    recipes = ("apple-pie_2", "stew", "a_1_b_22")
    steps = [{"id": number, "title": "", "body": f"Do {number}.", "images": []} for number in range(6)]
    data = [{"recipe_id": recipe, "context": steps, "task": "visual_ordering"} for recipe in recipes]
    (tmp_path / "val.json").write_text(json.dumps({"version": "1", "data": data}))
    for recipe in recipes:
        for step in range(1, 6):
            picture(tmp_path / "images-qa" / "val" / "images-qa" / name.format(recipe=recipe, step=step))
    source = open_recipeqa(tmp_path)
    for recipe in recipes:
        procedure = source.read_procedure(recipe)
        assert [(step.id, step.pictures[0].path.name) for step in procedure.steps] == [
            (str(step), name.format(recipe=recipe, step=step)) for step in range(1, 6)
        ]


@pytest.mark.parametrize(
    "line",
    [
        {"run": {"model": "m"}},
        {"episode": "a", "step": 0, "action": None},
        {"task": "T", "instance": "0", "fields": {"good": "1"}},
    ],
)
def test_a_file_of_predictions_is_told_from_data(tmp_path: Path, line: object) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text(json.dumps(line) + "\n")
    for format in (None, "predictions"):
        with pytest.raises(SourceError, match="file of predictions, not of episodes") as caught:
            open_source(path, format)
        assert "--predictions" in caught.value.hint
    with pytest.raises(SourceError, match="no known format found in the folder"):
        open_source(tmp_path)
    with pytest.raises(SourceError, match="predictions are files"):
        open_source(tmp_path, "predictions")


@pytest.mark.parametrize("line", [{"run": 5}, {"episode": "a"}, {"task": "T", "fields": {}}, ["episode"]])
def test_other_lines_are_no_predictions(tmp_path: Path, line: object) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text(json.dumps(line) + "\n")
    with pytest.raises(SourceError, match="no known format in this file"):
        open_source(path)
