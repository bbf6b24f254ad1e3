"""RecipeQA: questions become recipes, each once, with five steps that have pictures."""

from __future__ import annotations

import copy
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.episode import EpisodeSummary, Platform, Problem
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import SourceError
from stepscope.core.sources.look import FolderScan
from stepscope.core.sources.recipeqa import FORMAT, goal_of, open_recipeqa
from stepscope.core.sources.source import ProcedureSource

PIE = "apple-pie_2"


def step(number: int) -> dict[str, Any]:
    body = f"Do part {number}."
    return {
        "id": number,
        "title": f"Step {number}: Part",
        "body": body,
        "videos": [],
        "images": [f"{PIE}_{number}_0.jpg"],
    }


def question(recipe: str, *numbers: int, **more: Any) -> dict[str, Any]:
    return {
        "recipe_id": recipe,
        "qid": "3000-17",
        "split": "val",
        "task": "visual_ordering",
        "question_text": "Choose the correct order",
        "question": [],
        "choice_list": ["a.jpg", "b.jpg"],
        "answer": 1,
        "context_modality": ["texts"],
        "question_modality": ["images"],
        "context": [step(number) for number in numbers],
        **more,
    }


@pytest.fixture
def release(tmp_path: Path, write_picture: Any, write_json: Any) -> Callable[..., Path]:
    """The data set with one file of questions; `pictures` name files of 20 · n × 90 pixels, n from 1."""

    def make(
        *questions: object, pictures: tuple[str, ...] = (), name: str = "texts/val.json", at: str = "images"
    ) -> Path:
        for number, picture in enumerate(pictures, start=1):
            write_picture(tmp_path / at / "images-qa" / "val" / "images-qa" / picture, 20 * number, 90)
        write_json(tmp_path / name, {"version": "1.0", "data": list(questions)})
        return tmp_path

    return make


def pictures_of(recipe: str, *numbers: int) -> tuple[str, ...]:
    return tuple(f"{recipe}_{number}_0.jpg" for number in numbers)


def test_a_recipe_comes_once_with_its_first_five_steps(release: Any, rows: Any) -> None:
    folder = release(
        question(PIE, 0, 1, 2, 3, 4, 5),
        question("tea", 9, 8, 7, 6, 5, 4),
        question(PIE, 5, 4, 3, 2, 1, 0),
        pictures=(*pictures_of(PIE, 0, 1, 2, 3, 4, 5), *pictures_of("tea", 4, 5, 6, 7, 8, 9)),
    )
    source = open_recipeqa(folder)
    assert isinstance(source, ProcedureSource) and FORMAT.sniff(FolderScan(folder)) and FORMAT.platform is Platform.TEXT
    found, problems = rows(source)
    assert problems == []
    assert [(row.id, row.goal, row.steps, row.screens, row.splits, row.checked, row.kind) for row in found] == [
        (PIE, "Apple pie 2", 5, 5, ("val",), False, "procedure"),
        ("tea", "Tea", 5, 5, ("val",), False, "procedure"),
    ]
    pie, tea = (source.read_procedure(row.id, row.place) for row in found)
    assert [(step.id, step.text) for step in pie.steps] == [(str(n), f"Do part {n}.") for n in range(5)]
    assert pie.steps[3].title == "Step 3: Part" and pie.problems == ()
    assert [step.pictures[0].size for step in pie.steps] == [Size(20 * n, 90) for n in range(1, 6)]
    assert [step.id for step in tea.steps] == ["9", "8", "7", "6", "5"]
    assert tea.steps[0].pictures[0].size == Size(240, 90)
    assert source.read("tea").steps[0].instruction == "Do part 9."


def test_pictures_are_told_by_the_numbers_at_the_end_of_their_names(release: Any) -> None:
    pictures = (
        "a_b_1.jpg",
        "a_b_2_10.jpg",
        "a_b_2_9.jpg",
        "a_b_3_0.jpg",
        "a_b_4_0.jpg",
        "a_b_5_1.jpg",
        "a_6_0.jpg",
        "b_1_0.jpg",
    )
    folder = release(question("a_b", 1, 2, 3, 4, 5), pictures=pictures)
    made = open_recipeqa(folder).read_procedure("a_b")
    assert [[picture.path.name for picture in step.pictures] for step in made.steps] == [
        ["a_b_1.jpg"],
        ["a_b_2_9.jpg", "a_b_2_10.jpg"],
        ["a_b_3_0.jpg"],
        ["a_b_4_0.jpg"],
        ["a_b_5_1.jpg"],
    ]


def test_a_step_without_a_picture_is_left_out_and_then_perhaps_its_recipe(release: Any, rows: Any) -> None:
    folder = release(
        question(PIE, 0, 1, 2, 3, 4, 5, 6),
        question("tea", 0, 1, 2, 3, 4),
        pictures=(*pictures_of(PIE, 0, 2, 3, 5, 6), *pictures_of("tea", 1, 2, 3, 4)),
    )
    found, problems = rows(open_recipeqa(folder))
    assert [row.id for row in found] == [PIE]
    assert [problem.message for problem in problems] == [
        "recipes with fewer than 5 steps with a picture are left out: 1"
    ]
    assert [step.id for step in open_recipeqa(folder).read_procedure(PIE).steps] == ["0", "2", "3", "5", "6"]


@pytest.mark.parametrize(
    ("name", "at", "splits"),
    [
        ("texts/train.json", "images", ("train",)),
        ("new_splits/test-human_annot.json", "images", ("human_annot/test",)),
        ("val.json", ".", ("val",)),
        ("texts/mine.json", ".", ()),
    ],
)
def test_where_texts_and_pictures_may_lie(release: Any, rows: Any, name: str, at: str, splits: tuple[str, ...]) -> None:
    folder = release(question(PIE, 0, 1, 2, 3, 4), pictures=pictures_of(PIE, 0, 1, 2, 3, 4), name=name, at=at)
    for path in (folder, folder / name):
        ((row,), problems) = rows(open_recipeqa(path))
        assert (row.screens, row.splits, problems) == (5, splits, [])


def test_without_pictures_at_all_the_texts_open_and_that_is_said(release: Any, rows: Any) -> None:
    folder = release(question(PIE, 0, 1, 2, 3, 4), question("tea", 1))
    found, problems = rows(open_recipeqa(folder))
    assert [(row.id, row.steps, row.screens, row.checked) for row in found] == [(PIE, 5, 0, True)]
    assert [problem.message.partition(":")[0] for problem in problems] == [
        "there is no folder images-qa of pictures",
        "recipes with fewer than 5 steps are left out",
    ]
    assert [problem.file for problem in problems] == ["texts/val.json"] * 2


def test_alternative_orders_are_of_the_kept_steps(release: Any) -> None:
    orders = [[0, 1, 2, 3, 4], [2, 0, 1, 4, 3], [0, 1]]
    made = open_recipeqa(release(question(PIE, 3, 4, 5, 6, 7, multiref_gt=orders))).read_procedure(PIE)
    assert made.orders == (("4", "5", "3", "7", "6"),)
    assert [problem.field for problem in made.problems] == ["multiref_gt"]


def test_broken_records_are_problems_and_the_rest_opens(release: Any, rows: Any) -> None:
    odd = question("odd", 1, 2, 3, 4, 5, 6)
    odd["context"][2]["id"] = "three"
    odd["context"][3]["id"] = " 1 "
    folder = release({"context": []}, question("none", context=7), odd, [1], question(PIE, 0, 1, 2, 3, 4))
    found, problems = rows(open_recipeqa(folder))
    assert [row.id for row in found] == ["odd", PIE]
    assert [(problem.message.partition(":")[0], problem.field) for problem in problems[1:]] == [
        ("record 1", "recipe_id"),
        ("record 2", "context"),
        ("record 4", ""),
    ]
    made = open_recipeqa(folder).read_procedure("odd")
    assert [step.id for step in made.steps] == ["1", "2", "1~2", "5", "6"]
    assert [problem.message for problem in made.problems] == ["step 3 is left out: its id is no number"]


def test_a_broken_picture_is_a_problem_of_its_step(release: Any) -> None:
    folder = release(question(PIE, 0, 1, 2, 3, 4), pictures=pictures_of(PIE, 0, 1, 2, 3, 4))
    broken = folder / "images" / "images-qa" / "val" / "images-qa" / f"{PIE}_1_0.jpg"
    broken.write_bytes(broken.read_bytes()[:40])
    made = open_recipeqa(folder).read_procedure(PIE)
    assert [len(step.pictures) for step in made.steps] == [1, 0, 1, 1, 1]
    assert [(problem.step, problem.file) for problem in made.problems] == [(1, f"val/images-qa/{PIE}_1_0.jpg")]


def test_a_new_picture_is_seen_without_opening_anew(release: Any, write_picture: Any) -> None:
    folder = release(question(PIE, 0, 1, 2, 3, 4), pictures=pictures_of(PIE, 0, 1, 2, 3))
    source = open_recipeqa(folder)
    assert [type(row) for row in source.scan()] == [Problem]
    inner = folder / "images" / "images-qa" / "val" / "images-qa"
    write_picture(inner / f"{PIE}_4_0.jpg", 50, 60)
    os.utime(inner, (2_000_000_000, 2_000_000_000))
    assert [type(row) for row in source.scan()] == [EpisodeSummary]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"version": "1", "data": [', "ends before its list does"),
        ('{"version": "1", "data": {}}', "no list of records"),
        ('{"version": {"a": 1}, "data": []}', "no list of records"),
        ("version https://git-lfs.github.com/spec/v1\n", "no list of records"),
        ("", "no list of records"),
    ],
)
def test_a_file_that_cannot_be_read_is_said(release: Any, rows: Any, text: str, said: str) -> None:
    from stepscope.core.sources.recipeqa import outline

    folder = release()
    (folder / "texts" / "val.json").write_text(text)
    try:
        message = [row.message for row in outline(folder / "texts" / "val.json") if isinstance(row, Problem)][-1]
    except SourceError as error:
        message = error.message
    assert said in message


def test_other_files_are_not_claimed(tmp_path: Path, write_json: Any) -> None:
    write_json(tmp_path / "a.json", {"version": "1", "data": [{"paragraphs": []}]})
    write_json(tmp_path / "b.json", [question(PIE, 1)])
    write_json(tmp_path / "c.json", {"meta": {"data": 1}, "data": [question(PIE, 1)]})
    assert not FORMAT.sniff(FolderScan(tmp_path))


@pytest.mark.parametrize(("recipe", "goal"), [("apple-pie_2", "Apple pie 2"), ("--", ""), ("Éclairs", "Éclairs")])
def test_a_recipes_name_is_told_by_its_id(recipe: str, goal: str) -> None:
    assert goal_of(recipe) == goal


ODD = st.one_of(
    st.none(), st.booleans(), st.integers(-9, 10**20), st.floats(), st.text(max_size=6), st.lists(st.integers(0, 5))
)


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A whole file with a few values deleted or replaced at any depth, perhaps cut short."""
    form: Any = {
        "version": "1",
        "data": [question(PIE, 0, 1, 2, 3, 4, 5, multiref_gt=[[0, 1, 2, 3, 4]]), question("tea", 1)],
    }
    form = copy.deepcopy(form)
    for _ in range(draw(st.integers(0, 3))):
        inner, depth = form["data"], draw(st.integers(0, 5))
        while isinstance(inner, dict | list) and inner:
            key = draw(st.sampled_from(sorted(inner) if isinstance(inner, dict) else list(range(len(inner)))))
            if depth == 0 or not isinstance(inner[key], dict | list):
                inner[key] = draw(ODD)
                break
            inner, depth = inner[key], depth - 1
    data = json.dumps(form).encode()
    return data[: draw(st.integers(0, len(data)))] if draw(st.booleans()) else data


@given(damaged() | st.binary(max_size=60), st.booleans())
def test_any_file_gives_rows_or_problems(tmp_path: Path, data: bytes, pictures: bool) -> None:
    from stepscope.core.sources.recipeqa import load, outline

    folder = tmp_path / f"fuzz-recipeqa-{pictures}"
    folder.mkdir(exist_ok=True)
    if pictures:
        inner = folder / "images-qa" / "val" / "images-qa"
        inner.mkdir(parents=True, exist_ok=True)
        for number in range(6):
            (inner / f"{PIE}_{number}_0.jpg").write_bytes(b"no picture")
    path = folder / "val.json"
    path.write_bytes(data)
    try:
        for row in outline(path):
            if isinstance(row, EpisodeSummary):
                assert len(load(path, row.place, row.id).steps) == 5
            else:
                assert isinstance(row, Problem)
    except SourceError:
        pass
