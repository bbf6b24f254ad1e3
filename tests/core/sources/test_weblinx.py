"""WebLINX: turns become steps, places lie on the screenshot, pages give trees, candidate rows are grouped."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.action import Action, Hover, OpenApp, PressKey, Say, Scroll, Select, Tap, Target, Type
from stepscope.core.domain.elements import TreeOrigin
from stepscope.core.domain.episode import Episode, Platform
from stepscope.core.domain.geometry import Box, Direction, Point, Size
from stepscope.core.errors import SourceError
from stepscope.core.sources import weblinx_candidates
from stepscope.core.sources.look import FolderScan
from stepscope.core.sources.tree_builder import Placement
from stepscope.core.sources.weblinx import FORMAT, open_weblinx, read_episode
from stepscope.core.sources.weblinx_actions import ScrollPositions, action_of
from stepscope.core.sources.weblinx_candidates import open_weblinx_candidates

SIZE = Size(600, 300)
"""The viewport of 1200 × 400 as its screenshot shows it: half as wide, three quarters as high."""

HTML = (
    "<!DOCTYPE html><html><body data-webtasks-id='u-body'>Welcome <script>var x = 1</script>"
    "<div><a data-webtasks-id='u-link' href='#' title='Sign in'>Log <b>in</b></a> or "
    "<input data-webtasks-id='u-box' type='checkbox' checked>"
    "<input data-webtasks-id='u-gone' placeholder='City'></div></body></html>"
)
BOXES = {
    "u-body": {"x": 0, "y": 0, "width": 1200, "height": 2000, "top": 0, "right": 1200, "bottom": 2000, "left": 0},
    "u-link": {"x": 100, "y": 40, "width": 300, "height": 20},
    "u-box": {"x": 500.5, "y": 80, "width": 0, "height": 0},
}
AWAY = {"mouseX": 2, "mouseY": 4}
LINK = Target(Box(50, 30, 200, 45, SIZE), "Log in", "u-link")


def element(tag: str = "A", **attributes: str) -> dict[str, Any]:
    return {
        "tagName": tag,
        "textContent": "\n Log   in ",
        "attributes": {"data-webtasks-id": "u-link", **attributes},
        "bbox": {**BOXES["u-link"], "top": 40, "right": 400, "bottom": 60, "left": 100},
        "xpath": "/html/body/div/a",
    }


def browser(intent: str, number: int = 0, **arguments: Any) -> dict[str, Any]:
    metadata = {"url": "https://a.example/", "tabId": 7, "viewportWidth": 1200, "viewportHeight": 400, "zoomLevel": 1}
    return {
        "type": "browser",
        "timestamp": 3.5 + number,
        "action": {
            "intent": intent,
            "arguments": {"metadata": {**metadata, **arguments.pop("mouse", {})}, **arguments},
        },
        "state": {
            "screenshot": f"screenshot-{number}-0.png",
            "screenshot_status": "good",
            "page": f"page-{number}-0.html",
        },
    }


def chat(speaker: str, words: str) -> dict[str, Any]:
    return {"type": "chat", "timestamp": 1.0, "speaker": speaker, "utterance": words}


def turns() -> list[dict[str, Any]]:
    return [
        chat("instructor", "Log me in, please."),
        browser("load", 0, properties={"url": "https://a.example/", "transitionType": "typed"}),
        chat("navigator", "Sure!"),
        browser("click", 1, element=element(), mouse={"mouseX": 300, "mouseY": 44}),
    ]


@pytest.fixture
def demo(tmp_path: Path, write_picture: Any, write_json: Any) -> Path:
    folder = tmp_path / "demonstrations" / "abcdefg"
    write_json(folder / "replay.json", {"created": 1.0, "data": turns()})
    write_json(folder / "form.json", {"description": "Log in to a site", "tasks": ["x"], "shortcode": "abcdefg"})
    write_json(folder / "metadata.json", {"version": "1"})
    write_json(tmp_path / "splits.json", {"train": ["zzzzzzz"], "dev": ["abcdefg"], "valid": ["abcdefg"]})
    for number in (0, 1):
        write_picture(folder / "screenshots" / f"screenshot-{number}-0.png", 600, 300, grey=number)
        write_json(folder / "bboxes" / f"bboxes-{number}.json", BOXES)
        (folder / "pages").mkdir(exist_ok=True)
        (folder / "pages" / f"page-{number}-0.html").write_text(HTML)
    return folder


def read(folder: Path) -> Episode:
    return open_weblinx(folder).read("abcdefg")


def test_a_demonstration_in_full(demo: Path) -> None:
    episode = read(demo)
    assert (episode.id, episode.goal, episode.platform) == ("abcdefg", "Log in to a site", Platform.WEB)
    assert episode.splits == ("dev", "valid") and episode.problems == ()
    assert [step.action for step in episode.steps] == [
        None,
        OpenApp("https://a.example/"),
        Say("Sure!"),
        Tap(Point(150, 33, SIZE), LINK),
    ]
    assert [step.instruction for step in episode.steps] == ["Log me in, please.", None, None, None]
    assert [step.observation.time for step in episode.steps] == [1.0, 3.5, 1.0, 4.5]


def test_a_turn_without_a_screenshot_shows_the_one_before_it(demo: Path) -> None:
    steps = read(demo).steps
    names = [step.observation.screenshot.name if step.observation.screenshot else None for step in steps]
    assert names == [None, "screenshot-0-0.png", "screenshot-0-0.png", "screenshot-1-0.png"]
    assert [step.observation.tree is None for step in steps] == [True, False, False, False]


def test_the_page_is_a_tree_of_what_has_boxes(demo: Path) -> None:
    tree = read(demo).steps[3].observation.tree
    assert tree is not None and tree.origin is TreeOrigin.DOM
    assert [(e.resource_id, e.parent, e.class_name, e.text, e.content_description) for e in tree] == [
        ("u-body", -1, "body", "Welcome or", ""),
        ("u-link", 0, "a", "Log in", "Sign in"),
        ("u-box", 0, "input", "", ""),
    ]
    assert tree.elements[1].box == Box(50, 30, 200, 45, SIZE) and tree.elements[1].clickable
    assert (tree.elements[2].checked, tree.elements[2].visible, tree.elements[2].editable) == (True, False, False)


@pytest.mark.parametrize(
    ("turn", "action"),
    [
        (browser("click", element=element()), Tap(Point(125, 37.5, SIZE), LINK)),
        (browser("click", mouse={"mouseX": 1200, "mouseY": 0}), Tap(Point(600, 0, SIZE))),
        (browser("hover", element=element(), mouse={"mouseX": 2, "mouseY": 4}), Hover(Point(1, 3, SIZE), LINK)),
        (browser("textInput", text="a b", element=element(), mouse=AWAY), Type("a b", Point(125, 37.5, SIZE), LINK)),
        (browser("paste", pasted="c"), Type("c")),
        (browser("change", value="Rome", element=element("SELECT")), Select("Rome", Point(125, 37.5, SIZE), LINK)),
        (browser("change", value="on", element=element("INPUT", type="radio")), Tap(Point(125, 37.5, SIZE), LINK)),
        (browser("change", value=5, element=element("INPUT", type="range")), Type("5", Point(125, 37.5, SIZE), LINK)),
        (browser("submit", element=element("FORM")), PressKey("submit")),
        (browser("copy", selected="x"), PressKey("copy")),
        (browser("tabcreate"), PressKey("tabcreate")),
        (browser("tabswitch", properties={"tabId": 3, "tabIdOrigin": 1}), PressKey("tabswitch")),
        (browser("load", url="https://b.example/", properties={}), OpenApp("https://b.example/")),
        (browser("scroll", scrollX=0, scrollY=300), Scroll(Direction.DOWN)),
        (browser("scroll", scrollX=50, scrollY=-20), Scroll(Direction.RIGHT)),
        (browser("scroll", scrollX=0, scrollY=0), Scroll(Direction.UP)),
    ],
)  # fmt: skip
def test_turns(turn: dict[str, Any], action: Action) -> None:
    assert action_of(turn, Placement.stretched(1200, 400, SIZE), ScrollPositions()) == action


def test_scrolls_are_told_from_where_the_page_stood() -> None:
    scrolled = ScrollPositions()
    moves = [browser("scroll", scrollX=0, scrollY=y) for y in (500, 200, 700)]
    moves.insert(2, browser("load", properties={"url": "x"}))
    moves.append(browser("scroll", scrollX=0, scrollY=100, mouse={"tabId": 8}))
    found = [action_of(turn, Placement(SIZE), scrolled) for turn in moves]
    assert [getattr(action, "direction", None) for action in found] == ["down", "up", None, "down", "down"]


@pytest.mark.parametrize(
    "turn", [browser("dance"), browser("scroll"), {"type": "browser"}, {"type": "browser", "action": 5}, {}]
)
def test_an_unknown_turn_is_a_problem_of_its_step(demo: Path, write_json: Any, turn: dict[str, Any]) -> None:
    write_json(demo / "replay.json", {"data": [*turns(), turn]})
    episode = read(demo)
    assert len(episode.steps) == 5 and [(p.step, p.field) for p in episode.problems] == [(4, "action")]


def test_the_outline_leaves_pictures_and_pages_alone(demo: Path, rows: Any) -> None:
    for folder in ("screenshots", "pages", "bboxes"):
        for file in (demo / folder).iterdir():
            file.write_bytes(b"")
    (row,), problems = rows(open_weblinx(demo.parent))
    assert problems == [] and (row.steps, row.screens, row.checked, row.problems) == (4, 3, False, ())
    assert dict(row.actions) == {"open_app": 1, "say": 1, "tap": 1} and row.splits == ("dev", "valid")


def test_missing_parts_are_named_and_the_rest_opens(demo: Path) -> None:
    (demo / "screenshots" / "screenshot-1-0.png").unlink()
    (demo / "bboxes" / "bboxes-1.json").write_text("{")
    (demo / "form.json").unlink()
    episode = read(demo)
    assert [(p.step, p.field) for p in episode.problems] == [(3, "screenshot"), (3, "view_hierarchy"), (None, "goal")]
    assert episode.goal == "Log me in, please." and episode.steps[3].observation.size == Size(1200, 400)
    assert episode.steps[3].action == Tap(
        Point(300, 44, Size(1200, 400)), Target(Box(100, 40, 400, 60, Size(1200, 400)), "Log in", "u-link")
    )


def test_control_characters_in_a_page_do_no_harm(demo: Path) -> None:
    (demo / "pages" / "page-1-0.html").write_text(HTML.replace("<a ", "<a \x1f=1 b\0c='\x01' "))
    episode = read(demo)
    assert episode.problems == () and len(episode.steps[3].observation.tree or ()) == 3


def test_names_do_not_leave_the_folder(demo: Path, write_json: Any) -> None:
    form = turns()
    form[1]["state"] = {"screenshot": "../../../../etc/passwd", "page": "../../../etc/page-1-0.html"}
    write_json(demo / "replay.json", {"data": form})
    problems = read(demo).problems
    assert len([p for p in problems if "leads out" in p.message and p.field == "screenshot"]) == 1
    assert [p.step for p in problems if p.field == "view_hierarchy"] == [1, 2]


@pytest.mark.parametrize("text", ["", "[]", '{"data": []}', '{"data": {}}', '{"data": ['])
def test_what_has_no_turns_is_refused(demo: Path, text: str) -> None:
    (demo / "replay.json").write_text(text)
    with pytest.raises(SourceError):
        read_episode(demo / "replay.json", "x")


def test_other_replays_are_left_alone(demo: Path, tmp_path: Path, write_json: Any) -> None:
    assert FORMAT.sniff(FolderScan(demo)) and FORMAT.sniff(FolderScan(demo / "replay.json"))
    other = write_json(tmp_path / "other" / "replay.json", {"data": [{"type": "mouse"}]})
    assert not FORMAT.sniff(FolderScan(other.parent)) and not FORMAT.sniff(FolderScan(demo / "form.json"))


VALUES = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.lists(st.integers(), max_size=4)
)


def changed(data: st.DataObject, form: Any) -> Any:
    """`form` with one of its parts, wherever it lies, replaced or taken away."""
    keys: list[Any] = list(form) if isinstance(form, dict) else list(range(len(form)))
    if not keys:
        return data.draw(VALUES)
    key = data.draw(st.sampled_from(keys))
    if isinstance(form[key], dict | list) and data.draw(st.booleans()):
        form[key] = changed(data, form[key])
    elif data.draw(st.booleans()):
        form[key] = data.draw(VALUES)
    else:
        del form[key]
    return form


@given(data=st.data())
def test_changed_demonstrations_are_read_or_refused(data: st.DataObject, tmp_path: Path) -> None:
    folder = tmp_path / "changed"
    for name in ("pages", "bboxes"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    form: Any = {
        "data": [*turns(), browser("scroll", scrollX=1, scrollY=2), browser("change", value=1, element=element())]
    }
    boxes: Any = copy.deepcopy(BOXES)
    for _ in range(data.draw(st.integers(1, 4))):
        if data.draw(st.integers(0, 4)) and isinstance(form, dict):
            form = changed(data, form)
        elif isinstance(boxes, dict):
            boxes = changed(data, boxes)
    html = HTML
    if data.draw(st.booleans()):
        start = data.draw(st.integers(0, len(HTML)))
        html = HTML[:start] + data.draw(st.text(max_size=10)) + HTML[start + data.draw(st.integers(0, 30)) :]
    (folder / "replay.json").write_text(json.dumps(form))
    for number in (0, 1):
        (folder / "bboxes" / f"bboxes-{number}.json").write_text(json.dumps(boxes))
        (folder / "pages" / f"page-{number}-0.html").write_bytes(html.encode("utf-8", errors="replace"))
    try:
        episode = read_episode(folder / "replay.json", "x")
    except SourceError:
        return
    assert [step.index for step in episode.steps] == list(range(len(episode.steps)))


QUERY = (
    'Viewport(height=746, width=1536) ---- Instructor Utterances: [00:07] Hello ---- Previous Turns:say(speaker="x")'
)


def candidate(turn: int, uid: str, box: str, label: int = 0, demo: str = "abcdefg", text: str = "") -> dict[str, Any]:
    parts = {"tag": "div", "xpath": "/html/body/div", "text": text, "bbox": box, "attributes": "", "children": ""}
    doc = f"[[tag]] div\n[[text]] {text}\n[[bbox]] {box}"
    more = {"elem_dict": parts, "label": label, "score": 0.5, "rank": 1}
    return {"query": f"{QUERY} turn {turn}", "doc": doc, "uid": uid, "demo_name": demo, "turn_index": turn, **more}


CANDIDATES = [
    candidate(7, "u1", "x=745.8 y=42.6 width=41.2 height=20.8", 1, text="Life"),
    candidate(7, "u2", "x=0 y=0 width=1519.2 height=19664.7"),
    candidate(7, "u3", "none"),
    candidate(9, "u4", "x=-5 y=10 width=20 height=30"),
    candidate(2, "v1", "x=1 y=2 width=3 height=4", 1, "hijklmn"),
]


@pytest.fixture
def ranked(tmp_path: Path, write_json: Any) -> Path:
    write_json(tmp_path / "splits.json", {"train": ["abcdefg"], "test_vis": ["hijklmn"]})
    path = tmp_path / "candidates" / "train.jsonl"
    path.parent.mkdir()
    path.write_text("".join(json.dumps(row) + "\n" for row in CANDIDATES))
    return path


def test_candidates_are_grouped_by_demonstration_and_turn(ranked: Path, rows: Any) -> None:
    source = open_weblinx_candidates(ranked.parent)
    found, problems = rows(source)
    assert problems == [] and [(row.id, row.steps, row.splits, dict(row.actions)) for row in found] == [
        ("abcdefg", 2, ("train",), {"tap": 1}),
        ("hijklmn", 1, ("test_vis",), {"tap": 1}),
    ]
    episode = source.read("abcdefg", found[0].place)
    size = Size(1536, 746)
    assert [step.index for step in episode.steps] == [7, 9] and episode.goal == "[00:07] Hello"
    action = episode.steps[0].action
    assert isinstance(action, Tap) and action.target is not None and action.target.box is not None
    assert (action.target.text, action.target.id) == ("Life", "u1") and action.target.box.size == size
    box = action.target.box
    assert (box.left, box.top, box.right, box.bottom) == pytest.approx((745.8, 42.6, 787.0, 63.4))
    assert episode.steps[1].action is None
    assert [len(step.observation.tree or ()) for step in episode.steps] == [2, 1]
    assert [(p.step, p.field) for p in episode.problems] == [(7, "view_hierarchy")]


def test_a_demonstration_that_comes_twice_is_two_rows(ranked: Path, rows: Any) -> None:
    with ranked.open("a") as stream:
        stream.write("{broken\n" + json.dumps(CANDIDATES[3]) + "\n5\n")
    found, problems = rows(open_weblinx_candidates(ranked))
    assert [row.id for row in found] == ["abcdefg", "hijklmn", "abcdefg~2"]
    assert [problem.message[:9] for problem in problems] == ["record 6:", "record 8:"]
    assert problems[1].message.endswith("the record is no JSON object")


@pytest.mark.parametrize(
    "told", [None, 5, "", "x=nan y=1 width=2 height=3", "x=1 y=2 width=3", "x=1..2 y=1 width=2 height=3"]
)
def test_a_candidate_without_a_box_is_told_so(ranked: Path, told: object) -> None:
    row = copy.deepcopy(CANDIDATES[0])
    row["elem_dict"]["bbox"] = told
    ranked.write_text(json.dumps(row) + "\n")
    source = open_weblinx_candidates(ranked)
    episode = source.read(row["demo_name"])
    assert [problem.message for problem in episode.problems] == ["1 element left out: no bounds of four numbers"]
    assert episode.steps[0].action is None


@given(data=st.data())
def test_changed_candidates_are_read_or_refused(data: st.DataObject, tmp_path: Path) -> None:
    form: Any = copy.deepcopy(CANDIDATES)
    for _ in range(data.draw(st.integers(1, 4))):
        form = changed(data, form) if isinstance(form, list) else form
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in form) + data.draw(st.text(max_size=5)))
    try:
        for row in weblinx_candidates.outline(path):
            if hasattr(row, "place"):
                assert weblinx_candidates.load(path, row.place, "x").id == "x"
    except SourceError:
        return
