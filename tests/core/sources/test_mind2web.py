"""Mind2Web's JSON: boxes of the page, nesting and words by the cleaned HTML, actions, conversations, damage."""

from __future__ import annotations

import contextlib
import copy
import json
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stepscope.core.domain.action import Hover, Select, Tap, Type
from stepscope.core.domain.elements import TreeOrigin, UIElement
from stepscope.core.domain.episode import Episode, EpisodeSummary, Platform, Problem
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import SourceError
from stepscope.core.sources.look import FolderScan
from stepscope.core.sources.mind2web import FORMAT, load, open_mind2web, outline, split_of
from stepscope.core.sources.mind2web_page import candidates_of, page_size, page_tree, rect_of
from stepscope.core.sources.mind2web_step import operation_of
from stepscope.core.sources.tree_builder import Placement

HTML = """<html backend_node_id="1"><body backend_node_id="2"><div backend_node_id="3">
  <text backend_node_id="4">Where to?</text><input backend_node_id="5" aria_label="City"/>
  <button backend_node_id="6"><span backend_node_id="7"><text backend_node_id="8">Find  a
 room</text></span></button></div></body></html>"""


def candidate(identity: str, tag: str, rect: str, **more: Any) -> dict[str, Any]:
    """As released: the attributes are JSON text. Flags go to the candidate, the rest to its attributes."""
    flags: dict[str, Any] = {
        name: more.pop(name) for name in ("is_original_target", "is_top_level_target") if name in more
    }
    attributes = {"backend_node_id": identity, "bounding_box_rect": rect, **more}
    return {"tag": tag, "backend_node_id": identity, "attributes": json.dumps(attributes), **flags}


def action(op: str, original: str, value: str, positives: list[Any]) -> dict[str, Any]:
    chosen = {positive["backend_node_id"] for positive in positives}
    others = [
        candidate("1", "html", "0,0,1280,2400.25"),
        candidate("2", "body", "0,0,1280,2400.25"),
        candidate("3", "div", "100,200.5,900,300"),
        candidate("5", "input", "110,210.75,400,44.5", aria_label="City", type="text", input_value="Ulm"),
        candidate("6", "button", "520.5,210,180,60", is_clickable="true"),
        candidate("7", "span", "-1,-1,-1,-1"),
        candidate("9", "a", "1500,90,200,40", title="Beside the page"),
    ]
    return {
        "action_uid": "a-1",
        "raw_html": '<!DOCTYPE html><a title="[{\\"actions\\"">',
        "cleaned_html": HTML,
        "operation": {"op": op, "original_op": original, "value": value},
        "pos_candidates": positives,
        "neg_candidates": [other for other in others if other["backend_node_id"] not in chosen],
    }


BUTTON = candidate("6", "button", "520.5,210,180,60", is_clickable="true", is_original_target=True)
FIELD = candidate("5", "input", "110,210.75,400,44.5", aria_label="City", value="Bonn", is_original_target=True)


def task(identity: str = "t-1", **more: Any) -> dict[str, Any]:
    return {
        "annotation_id": identity,
        "website": "inns",
        "domain": "Travel",
        "subdomain": "Hotel",
        "confirmed_task": "Find a room in Ulm",
        "action_reprs": ["[textbox]  City -> TYPE: Ulm", "[button]  Find a room -> CLICK"],
        "actions": [action("TYPE", "TYPE", "Ulm", [FIELD]), action("CLICK", "CLICK", "", [BUTTON])],
        **more,
    }


def write(path: Path, form: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(form), encoding="utf-8")
    return path


def only(path: Path) -> Episode:
    source = open_mind2web(path)
    (row,) = [row for row in source.scan() if isinstance(row, EpisodeSummary)]
    return source.read(row.id, row.place)


def test_index_rows_and_episodes(tmp_path: Path, rows: Any) -> None:
    write(tmp_path / "data" / "train" / "train_0.json", [task("t-1"), task("t-2")])
    write(tmp_path / "data" / "test_task" / "test_task_10.json", [task("t-3")])
    source = open_mind2web(tmp_path)
    found, problems = rows(source)
    assert problems == [] and [(row.id, row.splits) for row in found] == [
        ("t-3", ("test_task",)), ("t-1", ("train",)), ("t-2", ("train",)),
    ]  # fmt: skip
    row = found[2]
    assert (row.goal, row.app, row.steps, row.actions) == ("Find a room in Ulm", "inns", 2, (("type", 1), ("tap", 1)))
    assert not row.checked and row.screens == 0
    episode = source.read("t-2", row.place)
    assert episode == source.read("t-2")
    assert (episode.id, episode.platform, episode.splits, episode.problems) == ("t-2", Platform.WEB, ("train",), ())


def test_places_are_pixels_of_the_whole_page(tmp_path: Path) -> None:
    typed, tapped = (step for step in only(write(tmp_path / "train_0.json", [task()])).steps)
    assert typed.observation.size == Size(1280, 2401) and typed.observation.screenshot is None
    assert isinstance(typed.action, Type) and typed.action.text == "Ulm"
    assert typed.action.target is not None and typed.action.target.id == "5" and typed.action.target.text == "City"
    box = typed.action.target.box
    assert box is not None and (box.left, box.top, box.right, box.bottom) == (110, 210.75, 510, 255.25)
    assert typed.action.point is not None and (typed.action.point.x, typed.action.point.y) == (310, 233)
    assert isinstance(tapped.action, Tap) and tapped.action.target is not None
    box = tapped.action.target.box
    assert box is not None and (box.left, box.top, box.right, box.bottom) == (520.5, 210, 700.5, 270)
    assert tapped.action.target.text == "Find a room"


def test_the_tree_is_nested_and_named_by_the_html() -> None:
    candidates = candidates_of(action("CLICK", "CLICK", "", [BUTTON]), [])
    reading = page_tree(candidates, HTML, Placement(page_size(candidates)))
    assert reading.tree is not None and reading.tree.origin is TreeOrigin.DOM and reading.notes == ()
    assert [(e.resource_id, e.parent, e.depth) for e in reading.tree] == [
        ("1", -1, 0), ("2", 0, 1), ("3", 1, 2), ("5", 2, 3), ("6", 2, 3), ("7", 4, 4), ("9", -1, 0),
    ]  # fmt: skip
    by_id: dict[str, UIElement] = {element.resource_id: element for element in reading.tree}
    assert by_id["3"].text == "Where to?" and by_id["7"].text == "Find a room"
    field = by_id["5"]
    assert (field.text, field.content_description, field.class_name) == ("Ulm", "City", "input")
    assert field.editable and field.clickable and by_id["6"].clickable and not by_id["3"].clickable
    assert not by_id["7"].visible and by_id["7"].box.area == 0
    assert by_id["9"].content_description == "Beside the page"


@pytest.mark.parametrize("html", [None, "", 7, "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "\0"])
def test_without_html_the_tree_is_a_list(html: object) -> None:
    candidates = candidates_of(action("CLICK", "CLICK", "", [BUTTON]), [])
    tree = page_tree(candidates, html, Placement(page_size(candidates))).tree
    assert tree is not None and len(tree) == 7 and all(element.parent == -1 for element in tree)
    assert tree.elements[0].resource_id == "6"


def test_html_that_is_no_xml_is_read_as_html() -> None:
    candidates = candidates_of(action("CLICK", "CLICK", "", [BUTTON]), [])
    html = '<div backend_node_id="3"><br>Choose & go<input backend_node_id=5></div>'
    tree = page_tree(candidates, html, Placement(page_size(candidates))).tree
    assert tree is not None
    assert [(e.resource_id, e.parent, e.text) for e in tree][:2] == [("3", -1, "Choose & go"), ("5", 0, "Ulm")]


def test_a_deep_page_opens() -> None:
    candidates = candidates_of(action("CLICK", "CLICK", "", [BUTTON]), [])
    html = "<a>" * 100_000 + '<b backend_node_id="6"/>' + "</a>" * 100_000
    tree = page_tree(candidates, html, Placement(page_size(candidates))).tree
    assert tree is not None and len(tree) == 7


def test_thousands_of_candidates_open() -> None:
    many = [candidate(str(number), "div", f"0,{number},10,{number % 7}.5") for number in range(4000)]
    record = {**action("CLICK", "CLICK", "", [BUTTON]), "neg_candidates": many}
    candidates = candidates_of(record, [])
    tree = page_tree(candidates, None, Placement(page_size(candidates))).tree
    assert tree is not None and len(tree) == 4000


@pytest.mark.parametrize(
    ("op", "original", "kind", "value"),
    [
        ("CLICK", "CLICK", Tap, None),
        ("CLICK", "HOVER", Hover, None),
        ("CLICK", "ENTER", Tap, None),
        ("TYPE", "TYPE", Type, "two words"),
        ("SELECT", "SELECT", Select, "two words"),
        ("select", "", Select, "two words"),
    ],
)
def test_operations(tmp_path: Path, op: str, original: str, kind: type, value: str | None) -> None:
    path = write(tmp_path / "train_0.json", [task(actions=[action(op, original, "two words", [BUTTON])])])
    done = only(path).steps[0].action
    assert isinstance(done, kind) and getattr(done, "text", None) == value
    assert getattr(done, "target").id == "6" and getattr(done, "point").x == 610.5  # noqa: B009


def test_an_operation_may_be_text_or_unknown(tmp_path: Path) -> None:
    assert operation_of('{"op": "TYPE", "original_op": "TYPE", "value": "a b"}').value == "a b"
    assert operation_of("{").kind == operation_of(None).kind == operation_of({"op": 3}).kind == ""
    episode = only(write(tmp_path / "train_0.json", [task(actions=[action("DRAG", "DRAG", "", [BUTTON])])]))
    (problem,) = episode.problems
    assert episode.steps[0].action is None
    assert (problem.message, problem.step, problem.field) == ("the operation 'DRAG' is not known", 0, "operation")


def test_a_lost_target_leaves_the_action_and_is_no_problem(tmp_path: Path) -> None:
    episode = only(write(tmp_path / "train_0.json", [task(actions=[action("TYPE", "TYPE", "Ulm", [])])]))
    assert episode.steps[0].action == Type("Ulm", None, None) and episode.problems == ()


def test_of_several_positives_the_labelled_one_that_was_drawn_is_the_target(tmp_path: Path) -> None:
    hidden = candidate("7", "span", "-1,-1,-1,-1", is_original_target=True)
    around = candidate("6", "button", "520.5,210,180,60", is_top_level_target=True)
    other = candidate("3", "div", "100,200.5,900,300")
    done = only(
        write(tmp_path / "train_0.json", [task(actions=[action("CLICK", "CLICK", "", [other, hidden, around])])])
    )
    target = done.steps[0].action.target  # type: ignore[union-attr]
    assert target is not None and target.id == "6"
    lone = only(write(tmp_path / "train_0.json", [task(actions=[action("CLICK", "CLICK", "", [hidden])])]))
    acted = lone.steps[0].action
    assert isinstance(acted, Tap) and acted.point is None and acted.target is not None
    assert (acted.target.id, acted.target.box, acted.target.text) == ("7", None, "Find a room")


@pytest.mark.parametrize(
    ("text", "rect"),
    [
        ("587,596.59375,93,54", (587, 596.59375, 93, 54)),
        (" 1 , 2 ,3, 4", (1, 2, 3, 4)),
        ("-40,-3.5,10,0", (-40, -3.5, 10, 0)),
        ("-1,-1,-1,-1", None),
        ("nan,0,1,1", None), ("inf,0,1,1", None), ("1e99,0,1,1", None), ("1,2,-3,4", None), ("1,2,3", None),
        ("", None), (None, None), ([1, 2, 3, 4], None),
    ],
)  # fmt: skip
def test_rects(text: object, rect: object) -> None:
    found, slip = rect_of(text)
    assert found == rect and bool(slip) == (rect is None and text != "-1,-1,-1,-1")


def test_conversations_open_turn_by_turn(tmp_path: Path, rows: Any) -> None:
    turns = [
        {key: value for key, value in task(name, confirmed_task=name).items() if key not in ("website", "domain")}
        for name in ("Find a room", "Now a cheaper one")
    ]
    path = write(tmp_path / "test_website_0.json", [{"task_id": "c", "website": "inns", "turns": turns}])
    assert FORMAT.sniff(FolderScan(tmp_path))
    source = open_mind2web(path)
    found, problems = rows(source)
    assert problems == []
    assert [(row.id, row.goal, row.app, row.steps) for row in found] == [
        ("Find a room", "Find a room", "inns", 2), ("Now a cheaper one", "Now a cheaper one", "inns", 2),
    ]  # fmt: skip
    assert source.read(found[1].id, found[1].place).goal == "Now a cheaper one"


def test_the_same_id_twice_is_told_apart(tmp_path: Path, rows: Any) -> None:
    write(tmp_path / "train_0.json", [task("t", confirmed_task="one"), task("t", confirmed_task="two")])
    source = open_mind2web(tmp_path)
    found, _ = rows(source)
    assert [row.id for row in found] == ["t", "t~2"] and source.read("t~2").goal == "two"


def test_splits_by_name(tmp_path: Path) -> None:
    names = {"train_7.json": "train", "test_domain_12.json": "test_domain", "test_website.json": "test_website"}
    assert {name: split_of(tmp_path / name)[0] for name in names} == names
    assert split_of(tmp_path / "test_task" / "3.json") == ("test_task",) and split_of(Path("/x/mine.json")) == ()


class TestDamage:
    def test_a_file_that_breaks_off(self, tmp_path: Path, rows: Any) -> None:
        path = write(tmp_path / "train_0.json", [task("t-1"), task("t-2")])
        path.write_bytes(path.read_bytes()[:-40])
        found, problems = rows(open_mind2web(tmp_path))
        assert [row.id for row in found] == ["t-1"]
        assert [problem.message for problem in problems] == [
            "the file ends before its list does; 1 whole records are in it"
        ]
        assert problems[0].file == "train_0.json"

    def test_one_broken_record_among_others(self, tmp_path: Path, rows: Any) -> None:
        text = json.dumps([task("t-1"), task("t-2"), task("t-3")]).replace('"t-2",', '"t-2";')
        (tmp_path / "train_0.json").write_text(text)
        found, problems = rows(open_mind2web(tmp_path))
        assert [row.id for row in found] == ["t-1", "t-3"]
        assert problems[0].message.startswith("record 2: broken JSON") and problems[0].file == "train_0.json"

    def test_a_place_that_is_no_longer_that(self, tmp_path: Path) -> None:
        path = write(tmp_path / "train_0.json", [task("t-1")])
        source = open_mind2web(path)
        for place in ("0 4", "1 999999999", "x", "-1 3", "1 99 turn 4", ""):
            with pytest.raises(SourceError):
                source.read("t-1", f"train_0.json\t{place}")

    def test_candidates_that_cannot_be_read_are_counted(self, tmp_path: Path) -> None:
        record = action("CLICK", "CLICK", "", [BUTTON])
        record["neg_candidates"] += [{"tag": "a"}, "{", None, candidate("77", "a", "1,2"), candidate("78", "a", "nan")]
        episode = only(write(tmp_path / "train_0.json", [task(actions=[record])]))
        assert [(problem.message, problem.step, problem.field) for problem in episode.problems] == [
            ("a candidate without backend_node_id (3 times)", 0, "candidates"),
            ("2 elements left out: no bounding_box_rect of four numbers", 0, "view_hierarchy"),
        ]

    def test_an_action_that_is_no_object_leaves_a_gap(self, tmp_path: Path) -> None:
        good = action("CLICK", "CLICK", "", [BUTTON])
        episode = only(write(tmp_path / "train_0.json", [task(actions=[good, 7, good])]))
        assert [step.index for step in episode.steps] == [0, 2]
        assert [(problem.step, problem.field) for problem in episode.problems] == [(1, "actions")]


MISSING = object()
JUNK: st.SearchStrategy[Any] = st.one_of(
    st.just(MISSING), st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8),
    st.sampled_from(["-1,-1,-1,-1", "nan,nan,nan,nan", "1e308,1e308,1e308,1e308", "[", "{", '{"op": 1}', "\ud800"]),
    st.lists(st.integers(), max_size=3), st.builds(dict), st.builds(lambda: [[]]),
)  # fmt: skip


def mutate(form: Any, data: st.DataObject, times: int) -> Any:
    """`form` with some of its parts deleted or replaced by junk, at any depth; JSON inside text too."""
    for _ in range(times):
        place, parent, key = form, cast(Any, None), cast(Any, None)
        while isinstance(place, dict | list) and place and (parent is None or data.draw(st.integers(0, 4))):
            keys = sorted(place) if isinstance(place, dict) else range(len(place))
            parent, key = place, data.draw(st.sampled_from(list(keys)))
            place = parent[key]
        if parent is None:
            return form
        junk = data.draw(JUNK)
        if isinstance(place, str) and place.startswith('{"') and data.draw(st.booleans()):
            junk = json.dumps(mutate(json.loads(place), data, 1))
        if junk is MISSING:
            del parent[key]
        else:
            parent[key] = junk
    return form


@given(st.data(), st.integers(1, 4), st.booleans())
def test_mutated_tasks_open_or_are_refused(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, times: int, talk: bool
) -> None:
    record: Any = {"task_id": "c", "turns": [task()]} if talk else task()
    form = mutate([copy.deepcopy(record)], data, times)
    path = tmp_path_factory.mktemp("fuzz") / "train_0.json"
    path.write_bytes(json.dumps(form).encode("utf-8", "surrogatepass"))
    read_all(path)


@given(st.binary(max_size=200) | st.text('[]{}",:\\ acints1', max_size=60).map(str.encode))
@example(b'[{"actions":[{"action_uid":')
@example(b'[{"turns": [null]}]')
@example(b"version https://git-lfs")
def test_any_bytes_open_or_are_refused(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.mktemp("fuzz") / "train_0.json"
    path.write_bytes(data)
    FORMAT.sniff(FolderScan(path))
    read_all(path)


def read_all(path: Path) -> None:
    """Walk the file as if it were one of ours: rows, and episodes or SourceError, nothing else."""
    with contextlib.suppress(SourceError):
        for row in outline(path):
            assert isinstance(row, EpisodeSummary | Problem)
            if isinstance(row, EpisodeSummary):
                assert len(load(path, row.place, row.id).steps) == row.steps


class TestSniffing:
    def test_by_content(self, tmp_path: Path) -> None:
        write(tmp_path / "anything.json", [task()])
        assert FORMAT.sniff(FolderScan(tmp_path)) and FORMAT.sniff(FolderScan(tmp_path / "anything.json"))

    @pytest.mark.parametrize(
        "form",
        [
            {"actions": [{"action_uid": "a"}]},
            [{"actions": [{"type": "click"}]}],
            [{"note": 'say "actions": [{"action_uid": 1}]'}],
            [{"action_uid": "a", "annotation_id": "b"}],
            [],
        ],
    )
    def test_not_others(self, tmp_path: Path, form: object) -> None:
        write(tmp_path / "anything.json", form)
        assert not FORMAT.sniff(FolderScan(tmp_path))
