"""WikiHow sections: five steps with a picture each, text without the headline, alternative orders."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.episode import EpisodeSummary, Platform, Problem
from stepscope.core.domain.geometry import Size
from stepscope.core.domain.procedure import Procedure
from stepscope.core.errors import SourceError
from stepscope.core.sources.findings import Findings
from stepscope.core.sources.look import FolderScan
from stepscope.core.sources.orders import orders_of
from stepscope.core.sources.source import ProcedureSource
from stepscope.core.sources.wikihow import FORMAT, open_wikihow

URL = "https://www.wikihow.com/Make-a-Kite"


def step(number: int, *bullets: str, **assets: Any) -> dict[str, Any]:
    """A step as the release writes it; its picture is `images/<number>.jpg` unless `assets` says otherwise."""
    return {
        "step_headline": f"Headline {number}.",
        "step_text": {"text": f"Text {number}.", "bullet_points": list(bullets)},
        "step_assets": assets or {"image-large": f"images/thumb/{number}.jpg"},
    }


def article(*sections: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    return {
        "url": URL,
        "title": "How to Make a Kite",
        "summary": "Paper and string.",
        "sections": [{"steps": steps} for steps in sections],
        **more,
    }


@pytest.fixture
def release(tmp_path: Path, write_picture: Any) -> Callable[..., Path]:
    """A folder of one file of articles, with pictures 1…7 of 10·n × 300 − n pixels under the host's name."""

    def make(*articles: object, name: str = "wikihow-test.json", host: str = "www.wikihow.com") -> Path:
        if host:
            for number in range(1, 8):
                write_picture(tmp_path / host / "images" / "thumb" / f"{number}.jpg", 10 * number, 300 - number)
        lines = [line if isinstance(line, str) else json.dumps(line) for line in articles]
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return tmp_path

    return make


def steps(*numbers: int) -> list[dict[str, Any]]:
    return [step(number) for number in numbers]


def read(folder: Path, section: int = 0) -> Procedure:
    return open_wikihow(folder).read_procedure(f"{URL}###{section}")


def test_a_section_gives_its_first_five_steps(release: Any, rows: Any) -> None:
    first = step(1, "Not too small.", "Nor too large.")
    folder = release(article([first, *steps(2, 3, 4, 5, 6, 7)], steps(7, 6, 5, 4, 3)))
    source = open_wikihow(folder)
    assert isinstance(source, ProcedureSource) and FORMAT.sniff(FolderScan(folder)) and FORMAT.kind == "procedures"
    found, problems = rows(source)
    assert problems == []
    assert [(row.id, row.kind, row.platform, row.goal) for row in found] == [
        (f"{URL}###{number}", "procedure", Platform.TEXT, "How to Make a Kite") for number in (0, 1)
    ]
    assert [(row.steps, row.screens, row.splits, row.checked) for row in found] == [(5, 5, ("test",), False)] * 2
    made = source.read_procedure(found[0].id, found[0].place)
    assert made.steps[0].text == "Text 1. Not too small. Nor too large." and made.steps[0].title == "Headline 1."
    assert [step.id for step in made.steps] == ["1", "2", "3", "4", "5"]
    assert [step.pictures[0].size for step in made.steps] == [Size(10 * n, 300 - n) for n in range(1, 6)]
    assert made.steps[2].pictures[0].path == folder / "www.wikihow.com/images/thumb/3.jpg"
    assert read(folder, 1).steps[0].pictures[0].size == Size(70, 293)
    shown = source.read(found[1].id, found[1].place)
    assert [step.instruction for step in shown.steps] == [f"Text {number}." for number in (7, 6, 5, 4, 3)]
    assert shown.steps[0].observation.size == Size(70, 293) and made.problems == ()


def test_a_step_without_its_picture_is_left_out_as_the_paper_does(release: Any, rows: Any) -> None:
    without = [
        step(2, **{"image-large": "images/thumb/gone.jpg"}),
        step(3, video="x.mp4"),
        step(4, **{"image-large": None}),
    ]
    folder = release(article([step(1), *without, *steps(5, 6, 7, 1)], [*without, *steps(1, 2, 3, 4)]))
    found, problems = rows(open_wikihow(folder))
    assert [row.id for row in found] == [f"{URL}###0"]
    assert [problem.message for problem in problems] == [
        "sections with fewer than 5 steps with a picture are left out: 1"
    ]
    assert [step.id for step in read(folder).steps] == ["1", "5", "6", "7", "8"]


def test_the_second_asset_is_taken_where_the_first_is_not_there(release: Any) -> None:
    assets = {"image-large": "images/thumb/gone.jpg", "image-src-1": "images/thumb/6.jpg"}
    folder = release(article([step(1, **assets), *steps(2, 3, 4, 5)]))
    assert read(folder).steps[0].pictures[0].size == Size(60, 294)


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("www.wikihow.com", "/images/thumb/2.jpg"),
        ("www.wikihow.com", "www.wikihow.com/images/thumb/2.jpg"),
        ("wikihow.com", "images/thumb/2.jpg"),
    ],
)
def test_pictures_lie_under_the_hosts_name(release: Any, host: str, name: str) -> None:
    folder = release(article([step(1, **{"image-large": name}), *steps(3, 4, 5, 6)]), host=host)
    assert [step.pictures[0].size.width for step in read(folder).steps] == [20, 30, 40, 50, 60]


def test_without_pictures_at_all_the_texts_open_and_that_is_said(release: Any, rows: Any) -> None:
    folder = release(article(steps(1, 2, 3, 4, 5, 6), steps(1, 2, 3, 4)), host="", name="wikihow-acl22_human-test.json")
    found, problems = rows(open_wikihow(folder))
    assert [(row.steps, row.screens, row.splits, row.checked) for row in found] == [(5, 0, ("acl22_human/test",), True)]
    assert [problem.message.partition(":")[0] for problem in problems] == [
        "there are no pictures beside the articles",
        "sections with fewer than 5 steps are left out",
    ]
    assert read(folder).steps[4].pictures == ()


def test_a_broken_picture_is_a_problem_of_its_step(release: Any, tmp_path: Path) -> None:
    folder = release(article(steps(1, 2, 3, 4, 5)))
    (folder / "www.wikihow.com/images/thumb/4.jpg").write_bytes(b"version https://git-lfs.github.com/spec/v1\n")
    made = read(folder)
    assert [len(step.pictures) for step in made.steps] == [1, 1, 1, 0, 1]
    assert [(problem.step, problem.field) for problem in made.problems] == [(3, "screenshot")]
    assert made.problems[0].file == "www.wikihow.com/images/thumb/4.jpg"


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "/etc/passwd", "~/x.jpg", "images/\0.jpg", "C:\\x", "x" * 5000, 7]
)
def test_a_name_that_leads_out_is_no_picture(release: Any, rows: Any, name: Any) -> None:
    folder = release(article([step(1, **{"image-large": name}), *steps(2, 3, 4, 5)]))
    found, problems = rows(open_wikihow(folder))
    assert found == [] and "left out: 1" in problems[0].message


@pytest.mark.parametrize(
    ("given", "orders"),
    [
        (None, ()),
        ([[1, 2, 3, 4, 5]], ()),
        # Ranks 2, 3, 1: the first step comes second, the second third, the third first.
        ([[1, 2, 3, 4, 5], [1, 3, 2, 4, 5], [2, 3, 1, 5, 4], [1, 3, 2, 4, 5]], ("13245", "31254")),
        ([[0, 1, 2, 3, 4], [4, 0, 1, 2, 3]], ("23451",)),
    ],
)
def test_alternative_orders_are_ranks_of_the_steps(release: Any, given: Any, orders: tuple[str, ...]) -> None:
    made = read(release(article(steps(1, 2, 3, 4, 5), multiref_gt=given)))
    assert made.orders == tuple(map(tuple, orders)) and made.problems == ()


def test_alternative_orders_are_of_the_steps_that_are_kept(release: Any) -> None:
    gone = step(1, **{"image-large": "images/gone.jpg"})
    orders = [[1, 2, 3, 4, 5], [2, 3, 4, 5, 1]]
    made = read(release(article([gone, *steps(2, 3, 4, 5, 6)], multiref_gt=orders)))
    assert made.orders == (("6", "2", "3", "4", "5"),)


@pytest.mark.parametrize(
    "given", ["12345", {}, [[1, 2]], [7], [[1, 2, 3, 4, 4]], [[1, 2, 3, 4, 5.0]], [[True] * 5], [[]]]
)
def test_orders_that_are_none_are_problems(release: Any, given: Any) -> None:
    made = read(release(article(steps(1, 2, 3, 4, 5), multiref_gt=given)))
    assert made.orders == () and [problem.field for problem in made.problems] == ["multiref_gt"]


def test_broken_articles_are_problems_and_the_rest_opens(release: Any, rows: Any) -> None:
    whole = article(steps(1, 2, 3, 4, 5))
    sections = {**whole, "sections": {}}
    folder = release(whole, json.dumps(whole)[:60], "[1]", sections, {**whole, "url": 7, "title": ""})
    found, problems = rows(open_wikihow(folder))
    assert [row.id for row in found] == [f"{URL}###0", "line 5###0"]
    assert [problem.message.split(":")[0] for problem in problems] == ["record 2", "record 3", "record 4"]
    assert [problem.field for problem in problems] == ["", "", "sections"]
    assert [problem.field for problem in open_wikihow(folder).read_procedure("line 5###0").problems] == ["goal"]


def test_an_article_that_comes_twice_keeps_both(release: Any, rows: Any) -> None:
    second = article(steps(7, 6, 5, 4, 3))
    folder = release(article(steps(1, 2, 3, 4, 5)), second)
    found, _ = rows(open_wikihow(folder))
    assert [row.id for row in found] == [f"{URL}###0", f"{URL}###0~2"] and found[1].problems[0].field == "id"
    assert open_wikihow(folder).read_procedure(f"{URL}###0~2").steps[0].text == "Text 7."


@pytest.mark.parametrize("place", ["", "0 9999", "x y 0", "0 10 0", "99999999 5 0", "0 {length} 3", "0 {length} x"])
def test_a_place_that_is_none_is_refused(release: Any, place: str) -> None:
    folder = release(article(steps(1, 2, 3, 4, 5)))
    name = "wikihow-test.json"
    inner = place.format(length=(folder / name).stat().st_size)
    with pytest.raises(SourceError):
        open_wikihow(folder).read_procedure(f"{URL}###0", f"{name}\t{inner}")


def test_other_files_are_not_claimed(tmp_path: Path, write_json: Any) -> None:
    write_json(tmp_path / "wikihow-train.json", {"url": "x", "sections": [], "title": "t"})
    write_json(tmp_path / "list.json", [article(steps(1))])
    (tmp_path / "wikihow-dev.json").write_bytes(b"version https://git-lfs.github.com/spec/v1\n")
    assert not FORMAT.sniff(FolderScan(tmp_path))


ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**20), 10**20),
    st.floats(),
    st.text(max_size=8),
    st.lists(st.integers(0, 6), max_size=6),
    st.dictionaries(st.sampled_from(["steps", "text", "image-large"]), st.integers(), max_size=2),
)


@st.composite
def damaged(draw: st.DrawFn) -> Any:
    """A whole article with a few values deleted or replaced at any depth."""
    form: Any = copy.deepcopy(article(steps(1, 2, 3, 4, 5, 6), multiref_gt=[[1, 2, 3, 4, 5], [2, 1, 3, 4, 5]]))
    for _ in range(draw(st.integers(1, 3))):
        inner, depth = form, draw(st.integers(0, 6))
        while isinstance(inner, dict | list) and inner:
            key = draw(st.sampled_from(sorted(inner) if isinstance(inner, dict) else list(range(len(inner)))))
            if depth == 0 or not isinstance(inner[key], dict | list):
                if draw(st.booleans()):
                    inner[key] = draw(ODD)
                else:
                    del inner[key]
                break
            inner, depth = inner[key], depth - 1
    return form


@given(st.one_of(damaged().map(lambda form: json.dumps(form).encode()), st.binary(max_size=80)), st.booleans())
def test_any_line_gives_rows_or_problems(tmp_path: Path, line: bytes, pictures: bool) -> None:
    folder = tmp_path / f"fuzz-wikihow-{pictures}"
    if pictures:
        for number in range(1, 7):
            path = folder / "www.wikihow.com" / "images" / "thumb" / f"{number}.jpg"
            if not path.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(b"no picture")
    folder.mkdir(exist_ok=True)
    whole = json.dumps(article(steps(1, 2, 3, 4, 5))).encode()
    (folder / "wikihow-train.json").write_bytes(whole + b"\n" + line + b"\n")
    source = open_wikihow(folder)
    for row in source.scan():
        if isinstance(row, EpisodeSummary):
            assert len(source.read_procedure(row.id, row.place).steps) == 5
        else:
            assert isinstance(row, Problem)


@given(ODD | st.lists(st.lists(st.integers(0, 6) | st.text(max_size=2), max_size=6), max_size=4))
def test_any_orders_are_permutations_or_findings(value: object) -> None:
    findings = Findings("x", Path("x"))
    for order in orders_of(value, list("abcde"), findings):
        assert sorted(order) == list("abcde")


@given(st.permutations(range(5)), st.permutations(range(5)))
def test_ranks_are_read_as_the_released_data_sets_read_them(ranks: list[int], shown: list[int]) -> None:
    """They show the steps in the order `shown`, take the ranks along, and want the shown steps sorted by these."""
    along = [ranks[step] for step in shown]
    wanted = [shown[place] for place in sorted(range(5), key=along.__getitem__)]
    made = orders_of([[0, 1, 2, 3, 4], ranks], list("abcde"), Findings("x", Path("x")))
    assert (made or (tuple("abcde"),)) == (tuple("abcde"[step] for step in wanted),)
