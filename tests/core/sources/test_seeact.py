"""SeeAct's examples: questions about one action are one step, cut-outs lie where they were cut, tasks have no steps."""

from __future__ import annotations

import contextlib
import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stepscope.core.domain.action import Tap, Type
from stepscope.core.domain.episode import EpisodeSummary, Platform
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import SourceError
from stepscope.core.imaging.probe import probe_picture
from stepscope.core.sources.look import FolderScan
from stepscope.core.sources.mind2web import FORMAT as RAW
from stepscope.core.sources.seeact import FORMAT, open_seeact

SETUP, TASK, ACTION = "image_annotation", "task-1", "action-1"


def candidate(identity: str, rect: str, tag: str = "a", **more: Any) -> dict[str, Any]:
    attributes = {"backend_node_id": identity, "bounding_box_rect": rect, "aria_label": f"Element {identity}"}
    return {"tag": tag, "backend_node_id": identity, "attributes": json.dumps(attributes), "rank": 1, **more}


def query(*choices: str, action: str = ACTION, before: int = 2, **more: Any) -> dict[str, Any]:
    """A question about a page of 1280 × 5000 on which the target lies at (200.5, 3000.25), 80 × 40."""
    return {
        "confirmed_task": "Book a table",
        "website": "eats",
        "annotation_id": TASK,
        "previous_actions": ["[link]  Home -> CLICK"] * before,
        "action_uid": action,
        "operation": {"op": "CLICK", "original_op": "CLICK", "value": ""},
        "pos_candidates": [candidate("5", "200.5,3000.25,80,40", "button", is_original_target=True)],
        "neg_candidates": [
            candidate("1", "0,0,1280,5000", "html"),
            candidate("2", "10,40,100,20"),
            candidate("3", "700,2900,300,50"),
            candidate("4", "30,4000.5,60,25"),
        ],
        "cleaned_html": '<html backend_node_id="1"><a backend_node_id="3"><button backend_node_id="5"/></a></html>',
        "question": "What next?",
        "choices": [[identity, "<a>"] for identity in choices],
        "image_path": f"{TASK}_{ACTION}/images",
        **more,
    }


@pytest.fixture
def example_folder(tmp_path: Path) -> Path:
    return tmp_path / "examples" / SETUP / f"{TASK}_{ACTION}"


def write(folder: Path, *queries: Any) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "queries.jsonl"
    path.write_bytes(b"".join(json.dumps(one).encode("utf-8", "surrogatepass") + b"\n" for one in queries))
    return path


def test_questions_about_one_action_are_one_step(example_folder: Path, write_picture: Any, rows: Any) -> None:
    write(example_folder, query("2"), query("3", "5"), query("4"))
    for number, height in enumerate((1084, 3040 + 1024 - 1876, 2049)):
        write_picture(example_folder / "images" / f"{number}.jpg", 1280, height)
    source = open_seeact(example_folder.parents[1])
    (row,), problems = rows(source)
    assert problems == [] and (row.id, row.goal, row.app) == (f"{SETUP}/{TASK}_{ACTION}", "Book a table", "eats")
    assert (row.steps, row.screens, row.actions, row.platform) == (1, 1, (("tap", 1),), Platform.WEB)
    episode = source.read(row.id, row.place)
    assert episode.problems == () and source.read(row.id) == episode
    seen = episode.steps[0].observation
    assert seen.screenshot is not None and seen.screenshot.path.name == "1.jpg" and seen.size == Size(1280, 2188)
    done = episode.steps[0].action
    assert isinstance(done, Tap) and done.target is not None and done.target.box is not None
    box = done.target.box
    assert (box.left, box.top, box.right, box.bottom) == (200.5, 1124.25, 280.5, 1164.25)
    assert done.point is not None and (done.point.x, done.point.y) == (240.5, 1144.25)
    assert seen.tree is not None and [(e.resource_id, e.box.top) for e in seen.tree][1] == ("3", 1024)


def test_a_whole_page_is_preferred_to_a_cut_out(example_folder: Path, write_picture: Any) -> None:
    write(example_folder, query("3", "5"), query("2"))
    write_picture(example_folder / "images" / "0.jpg", 1280, 2188)
    write_picture(example_folder / "images" / "1.jpg", 1280, 5000)
    step = open_seeact(example_folder).read(f"{SETUP}/{TASK}_{ACTION}").steps[0]
    assert step.observation.size == Size(1280, 5000)
    assert isinstance(step.action, Tap) and step.action.point is not None and step.action.point.y == 3020.25


def test_a_cut_out_of_unknown_place_is_not_laid_on_the_page(example_folder: Path, write_picture: Any) -> None:
    write(example_folder, query("3", "5"))
    write_picture(example_folder / "images" / "0.jpg", 1280, 900)
    episode = open_seeact(example_folder).read(f"{SETUP}/{TASK}_{ACTION}")
    (problem,) = episode.problems
    assert "cut out of the page" in problem.message and (problem.step, problem.field) == (0, "screenshot")
    seen = episode.steps[0].observation
    assert seen.screenshot is None and seen.size == Size(1280, 5000) and seen.tree is not None


def test_actions_of_a_task_come_in_its_order(example_folder: Path) -> None:
    typed = query("5", action="later", before=7, operation={"op": "TYPE", "original_op": "TYPE", "value": "Ulm"})
    write(example_folder, typed, query("5"), query("2", action="later", before=7))
    source = open_seeact(example_folder)
    (row,) = [row for row in source.scan() if isinstance(row, EpisodeSummary)]
    assert [type(step.action) for step in source.read(row.id).steps] == [Tap, Type]


@pytest.mark.parametrize("name", ["../../../etc/passwd", "/etc", "task-1_action-1/images"])
def test_a_missing_or_hostile_picture_is_said(example_folder: Path, name: str) -> None:
    write(example_folder, query("5", image_path=name))
    episode = open_seeact(example_folder).read(f"{SETUP}/{TASK}_{ACTION}")
    assert [(problem.step, problem.field) for problem in episode.problems] == [(0, "screenshot")]
    assert episode.steps[0].observation.screenshot is None and isinstance(episode.steps[0].action, Tap)


def test_task_lists_have_no_steps(tmp_path: Path, rows: Any) -> None:
    tasks = [
        {"confirmed_task": "Compare phones", "website": "https://shop.example", "task_id": "t1"},
        {"confirmed_task": "Find jobs", "website": "jobs", "task_id": "t2"},
    ]
    (tmp_path / "one.json").write_text(json.dumps(tasks))
    (tmp_path / "two.json").write_text(json.dumps([*tasks[:1], 5]))
    source = open_seeact(tmp_path)
    found, problems = rows(source)
    assert [(row.id, row.goal, row.app, row.steps) for row in found] == [
        ("one/t1", "Compare phones", "https://shop.example", 0), ("one/t2", "Find jobs", "jobs", 0),
        ("two/t1", "Compare phones", "https://shop.example", 0),
    ]  # fmt: skip
    assert [problem.file for problem in problems] == ["two.json"]
    assert source.read("one/t2", found[1].place).goal == "Find jobs" and source.read("two/t1").steps == ()
    with pytest.raises(SourceError):
        source.read("one/t2", "one.json\t9")


def test_broken_lines_are_said(example_folder: Path, rows: Any) -> None:
    path = write(example_folder, query("5"))
    path.write_bytes(path.read_bytes() + b'{"previous_actions": \n')
    found, problems = rows(open_seeact(path))
    assert len(found) == 1 and "record 2" in problems[0].message


@pytest.mark.parametrize(
    "form",
    [
        [{"annotation_id": "a", "confirmed_task": "b", "website": "c", "task_id": "d"}],
        [{"task_id": "a", "website": "b", "turns": [], "confirmed_task": "c"}],
        {"task_id": "a", "website": "b", "confirmed_task": "c"},
    ],
)
def test_other_lists_are_not_claimed(tmp_path: Path, form: object) -> None:
    (tmp_path / "a.json").write_text(json.dumps(form))
    assert not FORMAT.sniff(FolderScan(tmp_path))


class TestRealData:
    @pytest.fixture
    def root(self, real_data: Path) -> Path:
        root = real_data / "mind2web_seeact"
        if not root.is_dir():
            pytest.skip("no mind2web_seeact")
        return root

    def test_what_inspect_tells(self, root: Path, rows: Any) -> None:
        assert FORMAT.sniff(FolderScan(root)) and not RAW.sniff(FolderScan(root))
        found, problems = rows(open_seeact(root))
        assert problems == [] and all(row.problems == () for row in found)
        files = [row.id.split("/")[0] for row in found]
        assert {name: files.count(name) for name in files} == {
            "element_atttribute": 1, "image_annotation": 1, "merged_online_90_tasks": 90, "sample_tasks": 18,
        }  # fmt: skip
        assert sum(row.steps for row in found) == sum(row.screens for row in found) == 2
        assert [row.actions for row in found if row.steps] == [(("tap", 1),)] * 2

    @pytest.mark.parametrize(("setup", "height"), [("element_atttribute", 7412), ("image_annotation", 2529)])
    def test_the_search_button(self, root: Path, setup: str, height: int) -> None:
        folder = next((root / "examples" / setup).iterdir())
        source = open_seeact(folder)
        (row,) = [row for row in source.scan() if isinstance(row, EpisodeSummary)]
        assert row.id == f"{setup}/{folder.name}" and row.app == "thumbtack"
        episode = source.read(row.id, row.place)
        assert episode.goal == "View the profile of a Wedding Photographer near 10203 for a 4 hour wedding on april 13"
        seen, done = episode.steps[0].observation, episode.steps[0].action
        assert seen.size == Size(1280, height) and seen.screenshot is not None and seen.tree is not None
        assert seen.screenshot.path == folder / "images" / "0.jpg"
        assert len(seen.tree) == 468
        assert isinstance(done, Tap) and done.target is not None and done.target.box is not None
        assert (done.target.id, done.target.text) == ("8635", "Search")
        box = done.target.box
        assert (box.left, box.top, box.right, box.bottom) == (587, 596.59375, 680, 650.59375)
        fields = {element.resource_id: element for element in seen.tree}
        zip_code = fields["8918"]
        assert (zip_code.text, zip_code.content_description, zip_code.editable) == ("10203", "Zip code", True)
        assert (zip_code.box.left, zip_code.box.top, zip_code.box.right, zip_code.box.bottom) == (
            447, 597.59375, 587, 649.59375,
        )  # fmt: skip
        link = fields["8701"]
        assert link.text == "Refer a friend, get $50 off"
        assert (link.box.left, link.box.top, link.box.right, link.box.bottom) == (596, 17.703125, 806, 41.703125)
        assert [element.resource_id for element in seen.tree.ancestors(link.index)][:2] == ["8696", "8690"]

    @pytest.mark.parametrize(("number", "top"), [(1, 239), (2, 4188)])
    def test_where_the_cut_outs_were_cut(self, root: Path, tmp_path: Path, number: int, top: int) -> None:
        """The tops were found by sliding each cut-out over the whole page's picture."""
        folder = next((root / "examples" / "image_annotation").iterdir())
        line = (folder / "queries.jsonl").read_text().splitlines()[number]
        own = tmp_path / SETUP / folder.name
        (own / "images").mkdir(parents=True)
        (own / "queries.jsonl").write_text(line + "\n")
        (own / "images" / "0.jpg").write_bytes((folder / "images" / f"{number}.jpg").read_bytes())
        source = open_seeact(own)
        (row,) = [row for row in source.scan() if isinstance(row, EpisodeSummary)]
        step = source.read(row.id, row.place).steps[0]
        assert step.observation.size == probe_picture(own / "images" / "0.jpg").size
        assert isinstance(step.action, Tap) and step.action.target is not None and step.action.target.box is not None
        assert step.action.target.box.top == 596.59375 - top


JUNK: st.SearchStrategy[Any] = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=6), st.builds(dict),
    st.lists(st.integers() | st.text(max_size=2) | st.builds(list), max_size=3),
    st.sampled_from(["-1,-1,-1,-1", "nan,0,1,1", "../x", "\ud800", "\0", "a" * 300]),
)  # fmt: skip


@given(st.lists(st.dictionaries(st.sampled_from(sorted(query("5"))), JUNK, max_size=3), min_size=1, max_size=3))
@example([{"image_path": "\0"}])
@example([{"image_path": "a" * 300}])
def test_mutated_questions_open_or_are_refused(
    tmp_path_factory: pytest.TempPathFactory, changes: list[dict[str, Any]]
) -> None:
    folder = tmp_path_factory.mktemp("fuzz") / TASK
    read_all(write(folder, *({**copy.deepcopy(query("5")), **change} for change in changes)))


@given(st.lists(st.dictionaries(st.sampled_from(["task_id", "website", "confirmed_task"]), JUNK) | JUNK, max_size=3))
def test_mutated_task_lists_open_or_are_refused(tmp_path_factory: pytest.TempPathFactory, tasks: list[Any]) -> None:
    path = tmp_path_factory.mktemp("fuzz") / "tasks.json"
    whole = {"task_id": "a", "website": "b", "confirmed_task": "c"}
    path.write_bytes(json.dumps([whole, *tasks]).encode("utf-8", "surrogatepass"))
    read_all(path)


def read_all(path: Path) -> None:
    source = open_seeact(path)
    for row in source.scan():
        if isinstance(row, EpisodeSummary):
            with contextlib.suppress(SourceError):
                source.read(row.id, row.place)
