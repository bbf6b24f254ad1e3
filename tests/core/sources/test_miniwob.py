"""MiniWoB++ demonstrations: raw events become what a person did, each on the page as it was before."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stepscope.core import limits
from stepscope.core.domain.action import Action, DoubleTap, Drag, PressKey, Scroll, Tap, Type
from stepscope.core.domain.elements import TreeOrigin
from stepscope.core.domain.episode import Episode, EpisodeSummary, Platform, Problem, summarise
from stepscope.core.domain.geometry import Direction, Size
from stepscope.core.errors import SourceError
from stepscope.core.sources.look import FolderScan
from stepscope.core.sources.miniwob import FORMAT, open_miniwob, outline, read_episode


def node(tag: str, box: tuple[float, float, float, float], *children: Any, **more: Any) -> dict[str, Any]:
    left, top, width, height = box
    made = {"tag": tag, "left": left, "top": top, "width": width, "height": height, "children": list(children)}
    return {**made, "id": "", "classes": "", "bgColor": "rgb(0, 0, 0)", "fgColor": "rgb(1, 1, 1)", "ref": 0, **more}


def page(shift: float = 0, *, target: str = "", focused: str = "", value: str = "") -> dict[str, Any]:
    """A form in the task's area; `shift` moves what is in the scrolling part."""
    parts = [
        node("INPUT_text", (7, 70 + shift, 120.5, 21), id="field", ref=4, text="", value=value),
        node(
            "LABEL",
            (7, 95 + shift, 60, 12),
            node("INPUT_checkbox", (9, 96 + shift, 10, 10), id="box", ref=6, text="", value=False),
            {
                "tag": "t",
                "left": 20,
                "top": 95 + shift,
                "width": 40,
                "height": 12,
                "ref": -1,
                "children": [],
                "text": "agree",
            },
            ref=5,
        ),
        node("SPAN", (30, 120 + shift, 12, 12), classes="star", ref=7, text=""),
        node("BUTTON", (2, 171 + shift, 88.5, 27), id="send", ref=8, text="Submit"),
    ]
    for part in parts:
        part["focused"] = part["id"] == focused and bool(focused)
        part["recordingTarget"] = bool(target) and target in (part["id"], part["classes"])
    parts[1]["children"][0]["recordingTarget"] = target == "box"
    area = node("DIV", (0, 50, 160, 154), *parts, id="area", ref=3, recordingTarget=target == "area")
    wrap = node("DIV", (0, 0, 160, 210), area, id="wrap", ref=2)
    return node("BODY", (0, 0, 1315, 210), wrap, ref=1, focused=not focused)


def mouse(kind: str, x: float, y: float) -> dict[str, Any]:
    return {"type": kind, "x": x, "y": y}


def click(x: float, y: float) -> list[dict[str, Any]]:
    return [mouse("mousedown", x, y), mouse("mouseup", x, y), mouse("click", x, y)]


def key(code: int, character: int = 0) -> list[dict[str, Any]]:
    """A key as Chrome reports it: what writes a character has a keypress between."""
    down = {"type": "keydown", "keyCode": code, "charCode": 0}
    press = [{"type": "keypress", "keyCode": character, "charCode": character}] if character else []
    return [down, *press, {"type": "keyup", "keyCode": code, "charCode": 0}]


def text(words: str) -> list[dict[str, Any]]:
    return [event for letter in words for event in key(ord(letter.upper()), ord(letter))]


Events = list[dict[str, Any] | tuple[dict[str, Any], dict[str, Any]]]


def demonstration(events: Events, **more: Any) -> dict[str, Any]:
    """What the recorder writes: each event twice, 10 ms apart; a tuple brings the page that was seen at it."""
    states: list[dict[str, Any]] = [{"time": 0, "action": None, "dom": page()}]
    for place, entry in enumerate(events):
        event, dom = entry if isinstance(entry, tuple) else (entry, page())
        timings = (1,) if event["type"] == "scroll" else (1, 3)
        for timing in timings:
            states.append({"time": 1000 + 10 * place + timing, "action": {**event, "timing": timing}, "dom": dom})
    return {"utterance": "Tick agree and press Submit.", "states": states, "reward": 0.7, "rawReward": 1, **more}


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    def write(form: object, name: str = "some-task_3AB_d1.json.gz") -> Path:
        path = tmp_path / "demos" / "some-task" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        data = json.dumps(form).encode()
        path.write_bytes(gzip.compress(data, mtime=0) if name.endswith(".gz") else data)
        return path

    return write


@pytest.fixture
def done(write: Callable[..., Path]) -> Callable[[Events], list[Action | None]]:
    def done(events: Events) -> list[Action | None]:
        return [step.action for step in only(write(demonstration(events))).steps]

    return done


def only(path: Path) -> Episode:
    """The only episode in the file; its row says the same as a full reading."""
    source = open_miniwob(path)
    (row,) = source.scan()
    assert isinstance(row, EpisodeSummary) and not row.checked
    episode = source.read(row.id, row.place)
    full = summarise(episode)
    assert (row.goal, row.app, row.steps, row.actions) == (full.goal, full.app, full.steps, full.actions)
    return episode


def places(action: Any) -> list[float]:
    found = [action.point, *([action.to] if hasattr(action, "to") else [])]
    return [value for place in found for value in (place.x, place.y)]


def test_an_episode_in_full(write: Callable[..., Path]) -> None:
    pressed = [(event, page(target="box")) for event in click(15, 100)]
    episode = only(write(demonstration([*pressed, *click(41, 187)], taskName="tick-box")))
    assert (episode.id, episode.goal, episode.app) == ("some-task_3AB_d1", "Tick agree and press Submit.", "tick-box")
    assert (episode.platform, episode.problems, len(episode.steps)) == (Platform.WEB, (), 2)
    first = episode.steps[0]
    assert isinstance(first.action, Tap) and places(first.action) == [15, 100]
    assert first.action.target is not None
    assert (first.action.target.text, first.action.target.id) == ("agree", "box")
    box = first.action.target.box
    assert box is not None and (box.left, box.top, box.right, box.bottom) == (9, 96, 19, 106)
    seen = first.observation
    assert (seen.size, seen.time, seen.screenshot) == (Size(160, 210), 1.001, None)
    assert seen.tree is not None and seen.tree.origin is TreeOrigin.DOM
    assert [(element.class_name, element.parent) for element in seen.tree] == [
        ("BODY", -1), ("DIV", 0), ("DIV", 1), ("INPUT_text", 2), ("LABEL", 2), ("INPUT_checkbox", 4), ("t", 4),
        ("SPAN", 2), ("BUTTON", 2),
    ]  # fmt: skip
    field, label, box_, words, star, button = seen.tree.elements[3:]
    assert field.editable and field.clickable and not label.clickable
    assert box_.checkable and not box_.checked and not box_.editable
    assert (words.text, star.content_description, button.text) == ("agree", "star", "Submit")
    assert seen.tree.elements[0].box.right == 1315


@pytest.mark.parametrize(
    ("events", "kinds"),
    [
        (click(15, 100), [Tap]),
        ([mouse("mousedown", 15, 100)], [Tap]),
        ([mouse("mousedown", 15, 100), mouse("mouseup", 18, 104), mouse("click", 18, 104)], [Tap]),
        ([mouse("mousedown", 15, 100), mouse("mouseup", 18, 105)], [Drag]),
        ([*click(15, 100), *click(15, 100)], [Tap, Tap]),
        ([*click(15, 100), *click(15, 100), mouse("dblclick", 15, 100)], [DoubleTap]),
        ([*click(1, 1), *click(15, 100), *click(15, 100), mouse("dblclick", 15, 100)], [Tap, DoubleTap]),
        ([*click(15, 100), mouse("click", 9, 9)], [Tap]),
        ([*key(9), *key(13), mouse("click", 0, 0)], [PressKey, PressKey]),
        ([mouse("click", 15, 100)], [Tap]),
        ([], [type(None)]),
    ],
)
def test_mouse_events_become_presses(done: Any, events: Events, kinds: list[type]) -> None:
    assert [type(action) for action in done(events)] == kinds


def test_a_drag_goes_from_where_the_button_went_down_to_where_it_went_up(done: Any) -> None:
    (drag,) = done([mouse("mousedown", 12.5, 60), mouse("mouseup", 140, 90.25), mouse("click", 140, 90.25)])
    assert isinstance(drag, Drag) and places(drag) == [12.5, 60, 140, 90.25]


def test_a_tap_is_where_the_button_went_down(done: Any) -> None:
    (tap,) = done([mouse("mousedown", 77, 151), mouse("mouseup", 76, 150), mouse("click", 76, 150)])
    assert places(tap) == [77, 151]


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        (text("chr"), [("type", "chr")]),
        ([*key(16)[:1], *key(67, 67), *key(16)[1:], *text("hr")], [("type", "Chr")]),
        ([*text("ab"), *key(8), *key(8), *text("c")],
         [("type", "ab"), ("press_key", "backspace"), ("press_key", "backspace"), ("type", "c")]),
        ([*text("a"), *key(9), *text("b"), *key(13, 13)],
         [("type", "a"), ("press_key", "tab"), ("type", "b"), ("press_key", "enter")]),
        ([*text("a"), *click(5, 5), *text("b")], [("type", "a"), ("tap", ""), ("type", "b")]),
        (key(36), [("press_key", "move_home")]),
        (key(116), [("press_key", "f5")]),
        (key(144), [None]),
        ([{"type": "keypress", "keyCode": 0, "charCode": 0xD800}], [None]),
        ([{"type": "keypress", "keyCode": 0, "charCode": 0x1F600}], [("type", "\U0001f600")]),
    ],
)  # fmt: skip
def test_key_events_become_texts_and_keys(done: Any, events: Events, expected: list[Any]) -> None:
    def told(action: Any) -> Any:
        return action and (action.kind, getattr(action, "text", "") or getattr(action, "key", ""))

    assert [told(action) for action in done(events)] == expected


def test_a_held_control_key_makes_a_shortcut_in_either_browser(done: Any) -> None:
    down, up = {"type": "keydown", "keyCode": 17}, {"type": "keyup", "keyCode": 17}
    firefox = [key(67)[0], {"type": "keypress", "keyCode": 0, "charCode": 99}, key(67)[1]]
    assert done([down, *key(67), up, *text("c")]) == [PressKey("ctrl+c"), Type("c")]
    assert done([down, *firefox, up]) == [PressKey("ctrl+c")]


def test_control_that_was_let_go_unseen_does_not_swallow_the_text(done: Any) -> None:
    actions = done([{"type": "keydown", "keyCode": 17}, *click(15, 75), *text("ab")])
    assert [action.kind for action in actions] == ["tap", "type"]


def test_text_goes_into_the_focused_field_which_is_seen_before_it(write: Callable[..., Path]) -> None:
    seen = [(event, page(focused="field", value="ab"[: place // 3])) for place, event in enumerate(text("ab"))]
    (step,) = only(write(demonstration(list(seen)))).steps
    assert isinstance(step.action, Type) and step.action.text == "ab" and step.action.target is not None
    assert step.action.target.id == "field" and step.action.target.text == ""


def scroll(shift: float) -> tuple[dict[str, Any], dict[str, Any]]:
    return {"type": "scroll"}, page(shift, target="area")


@pytest.mark.parametrize(
    ("shifts", "direction"),
    [((-2, -140), Direction.DOWN), ((3, 3), Direction.UP), ((-9, 40), Direction.UP), ((-2, 0), None)],
)
def test_scrolling_goes_where_the_page_has_moved_at_last(
    write: Callable[..., Path], shifts: tuple[float, float], direction: Direction | None
) -> None:
    first, last = shifts
    steps = only(write(demonstration([scroll(first), *((event, page(last)) for event in click(15, 100))]))).steps
    if direction is None:
        assert [type(step.action) for step in steps] == [Tap]
        return
    action = steps[0].action
    assert isinstance(action, Scroll) and action.direction is direction and action.point is None
    assert action.target is not None and action.target.id == "area"
    tree = steps[0].observation.tree
    assert tree is not None and tree.elements[3].box.top == 70
    assert [type(step.action) for step in steps] == [Scroll, Tap]


def test_a_grip_on_the_scroll_bar_is_one_scroll(write: Callable[..., Path]) -> None:
    grip: Events = [
        mouse("mousedown", 151, 189),
        scroll(-2),
        (mouse("mouseup", 151, 189), page(-20)),
        scroll(-26),
        *((event, page(-32)) for event in click(15, 100)),
    ]
    steps = only(write(demonstration(grip))).steps
    assert [type(step.action) for step in steps] == [Scroll, Tap]
    assert isinstance(steps[0].action, Scroll) and steps[0].action.direction is Direction.DOWN
    assert places(steps[0].action) == [151, 189]


def test_what_is_scrolled_out_of_the_window_is_not_visible(write: Callable[..., Path]) -> None:
    steps = only(write(demonstration([(event, page(40)) for event in click(15, 100)]))).steps
    tree = steps[0].observation.tree
    assert tree is not None and not tree.elements[8].visible and tree.elements[7].visible


def test_a_flight_page_is_as_large_as_its_window_and_measured_from_it(write: Callable[..., Path]) -> None:
    body = node("BODY", (0, -300, 360, 900), node("INPUT_text", (15, 154, 293.5, 30), ref=2, id="from"), ref=1)
    form = demonstration([])
    action = {"type": "mousedown", "x": 40, "y": 460, "cx": 40, "cy": 160, "timing": 1}
    form["states"] = [{"time": 0, "action": None, "dom": body}, {"time": 5, "action": action, "dom": body}]
    (step,) = only(write(form)).steps
    assert step.observation.size == Size(375, 667) and places(step.action) == [40, 160]


def test_without_a_task_name_the_file_says_it_and_plain_json_is_read_too(write: Callable[..., Path]) -> None:
    episode = only(write(demonstration(click(1, 2)), "click-tab-2-hard_1026.json"))
    assert (episode.id, episode.app) == ("click-tab-2-hard_1026", "click-tab-2-hard")


def test_where_it_is_known_and_where_not(write: Callable[..., Path], tmp_path: Path) -> None:
    states_first = {"states": demonstration(click(1, 2))["states"], "utterance": "x"}
    assert FORMAT.sniff(FolderScan(write(states_first)))
    assert FORMAT.sniff(FolderScan(tmp_path))
    for form in ({"states": []}, [1], {"utterance": "x", "states": [{"dom": {"tag": "BODY"}}]}):
        other = tmp_path / "other.json"
        other.write_text(json.dumps(form))
        assert not FORMAT.sniff(FolderScan(other))
    broken = tmp_path / "broken.json.gz"
    broken.write_bytes(b"\x1f\x8b\x08nothing")
    assert not FORMAT.sniff(FolderScan(broken))


def test_what_is_wrong_inside_is_said_and_the_rest_opens(write: Callable[..., Path]) -> None:
    form = demonstration([*click(15, 100), *click(41, 187)])
    form["states"][1]["dom"]["children"][0]["children"][0]["children"][0]["left"] = float("nan")
    form["states"][9]["action"]["x"] = None
    form["states"][11] = "gone"
    form["states"].append({"time": 9, "action": {"type": "shake", "timing": 1}, "dom": None})
    del form["utterance"]
    source = open_miniwob(write(form))
    (row,) = source.scan()
    assert isinstance(row, EpisodeSummary)
    episode = source.read(row.id)
    assert [type(step.action) for step in episode.steps] == [Tap, Tap]
    assert [(problem.field, problem.step) for problem in episode.problems] == [
        ("goal", None), ("action", None), ("action", None), ("action", None), ("dom", 0)
    ]  # fmt: skip
    assert {problem.file for problem in row.problems} == {"some-task_3AB_d1.json.gz"}


@pytest.mark.parametrize("form", [[], {}, {"states": []}, {"states": 3}, None, 7])
def test_a_file_that_is_no_demonstration_is_refused(write: Callable[..., Path], form: object) -> None:
    with pytest.raises(SourceError):
        read_episode(write(form, "a.json"), "x")


def test_half_a_file_is_a_problem(write: Callable[..., Path], tmp_path: Path) -> None:
    whole = write(demonstration(click(1, 2)))
    data = whole.read_bytes()
    whole.write_bytes(data[: len(data) // 2])
    (whole.parent / "b.json").write_bytes(gzip.decompress(data)[:3000])
    found = list(open_miniwob(tmp_path).scan())
    assert [type(row) for row in found] == [Problem, Problem]
    assert {problem.file for problem in found if isinstance(problem, Problem)} == {
        "demos/some-task/b.json",
        "demos/some-task/some-task_3AB_d1.json.gz",
    }


def test_a_file_that_inflates_without_end_is_refused(tmp_path: Path) -> None:
    limits.choose({"json-bytes": 1 << 20})
    bomb = tmp_path / "bomb.json.gz"
    bomb.write_bytes(gzip.compress(b" " * (1 << 22)))
    with pytest.raises(SourceError, match="inflates to more than"):
        read_episode(bomb, "x")


def test_a_page_nested_ten_thousand_deep_is_read_or_refused(write: Callable[..., Path], tmp_path: Path) -> None:
    deep = '{"tag": "DIV", "left": 0, "top": 0, "width": 1, "height": 1, "children": [' * 10_000 + "]}" * 10_000
    path = tmp_path / "deep.json"
    path.write_text('{"utterance": "x", "states": [{"time": 0, "action": null, "dom": ' + deep + "}]}")
    with pytest.raises(SourceError, match="nested too deeply"):
        read_episode(path, "x")


VALID = demonstration(
    [
        *((event, page(target="box")) for event in click(15, 100)),
        *((event, page(focused="field")) for event in text("ab")),
        *key(9),
        scroll(-4),
        *((event, page(-40)) for event in [mouse("mousedown", 5, 60), mouse("mouseup", 90, 60)]),
        *click(5, 60),
        *click(5, 60),
        mouse("dblclick", 5, 60),
    ]
)
ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.just(10**400),
    st.floats(allow_nan=True, allow_infinity=True),
    st.text(max_size=4),
    st.just("\ud800"),
    st.just([]),
    st.just({}),
    st.just([{}]),
)


def spots(form: Any, trail: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in the form that can be something else."""
    inner = form.items() if isinstance(form, dict) else enumerate(form) if isinstance(form, list) else ()
    return [trail, *(spot for name, value in inner for spot in spots(value, (*trail, name)))]


SPOTS = spots(VALID)


def changed(form: Any, trail: tuple[Any, ...], value: Any) -> Any:
    if not trail:
        return value
    copy = deepcopy(form)
    holder = copy
    for name in trail[:-1]:
        holder = holder[name]
    holder[trail[-1]] = value
    return copy


def survives(path: Path) -> None:
    for reading in (read_episode, outline):
        with suppress(SourceError):
            assert isinstance(reading(path, "x"), Episode | EpisodeSummary)


@given(st.lists(st.tuples(st.sampled_from(SPOTS), ODD), min_size=1, max_size=4))
@example([(("states", 0, "dom", "left"), 10**400)])
def test_no_change_of_a_demonstration_leads_astray(tmp_path: Path, changes: list[tuple[tuple[Any, ...], Any]]) -> None:
    form = VALID
    for trail, value in sorted(changes, key=lambda change: -len(change[0])):
        try:
            form = changed(form, trail, value)
        except (TypeError, KeyError, IndexError):
            continue
    path = tmp_path / "fuzzed.json"
    path.write_text(json.dumps(form), encoding="utf-8")
    survives(path)


@given(st.binary(max_size=200), st.sampled_from([b"", b"\x1f\x8b", b'{"states": [']))
def test_no_bytes_lead_astray(tmp_path: Path, data: bytes, before: bytes) -> None:
    path = tmp_path / "fuzzed_bytes.json"
    path.write_bytes(before + data)
    survives(path)


class TestRealDemonstrations:
    """Worked out by hand from the files' states."""

    @pytest.fixture
    def root(self, real_data: Path) -> Path:
        if not (real_data / "miniwob_demos").is_dir():
            pytest.skip("no miniwob_demos")
        return real_data / "miniwob_demos"

    def test_all_of_them_open(self, root: Path, rows: Any) -> None:
        assert FORMAT.sniff(FolderScan(root))
        episodes, problems = rows(open_miniwob(root))
        assert problems == [] and len(episodes) == 18
        assert sum(row.steps for row in episodes) == 81
        assert not any(row.problems for row in episodes)
        # 71 mousedowns: 14 on a scroll bar, 4 pairs that end in a dblclick
        totals: dict[str, int] = {}
        for row in episodes:
            for kind, count in row.actions:
                totals[kind] = totals.get(kind, 0) + count
        assert totals == {"tap": 49, "double_tap": 4, "press_key": 5, "type": 4, "scroll": 19}

    def read(self, root: Path, name: str) -> Episode:
        (path,) = root.rglob(f"{name}*")
        return only(path)

    def test_choosing_from_a_list(self, root: Path) -> None:
        episode = self.read(root, "choose-list_")
        assert episode.goal == "Select Rosella from the list and click Submit."
        assert [(places(step.action), step.observation.time) for step in episode.steps] == [
            ([87, 72], 1.038),
            ([87, 72], 1.551),
            ([66, 104], 1.934),
        ]
        submit: Any = episode.steps[2].action
        assert submit.target.text == "Submit"
        assert [submit.target.box.left, submit.target.box.top, submit.target.box.right, submit.target.box.bottom] == [
            2, 82, 97, 114
        ]  # fmt: skip

    def test_ticking_hits_the_boxes_of_the_words_asked_for(self, root: Path) -> None:
        actions: list[Any] = [step.action for step in self.read(root, "click-checkboxes-soft_1026085418").steps]
        assert [places(action) for action in actions] == [[15, 132], [12, 115], [12, 82], [41, 187]]
        # asked for: words similar to bunny, kill, despise
        assert [action.target.text for action in actions] == ["bunny", "assassinate", "loathe", "Submit"]
        assert actions[0].target.box.left == 4.890625

    def test_typing_into_the_time_field(self, root: Path) -> None:
        tap, typed, submit = (step.action for step in self.read(root, "enter-time_").steps)
        assert isinstance(typed, Type) and typed.text == "1245" and typed.target is not None
        assert typed.target.id == "tt" and typed.target.box is not None and typed.target.box.bottom == 82.5
        assert isinstance(tap, Tap) and places(tap) == [16, 71] and isinstance(submit, Tap)

    def test_text_with_capital_and_blank(self, root: Path) -> None:
        episode = self.read(root, "email-inbox-nl-turk_323Q6SJS8JAA5TITIXAJOB47KPNFHR_d3")
        # the page was scrolled and scrolled back before the first click: no action
        assert [step.action and step.action.kind for step in episode.steps] == ["tap", "tap", "tap", "type", "tap"]
        typed: Any = episode.steps[3].action
        assert (typed.text, typed.target.id, episode.app) == ("Tortor diam.", "reply-text", "email-inbox")

    def test_scrolling_by_wheel_and_by_the_bar(self, root: Path) -> None:
        wheel, star = self.read(root, "email-inbox-nl-turk_323Q6SJS8JAA5TITIXAJOB47KPNFHR_d5").steps
        assert isinstance(wheel.action, Scroll) and wheel.action.direction is Direction.DOWN
        assert isinstance(star.action, Tap) and star.action.target is not None and star.action.target.text == "star"
        bar = self.read(root, "social-media_30OG32W0SV5A9B48QKLQBDG3U0GNEP_d5").steps
        assert [step.action.kind for step in bar if step.action] == ["scroll"] * 11 + ["tap"] + ["scroll"] * 3 + ["tap"]
        last: Any = bar[15].action
        assert last.target.text == "Share via DM" and places(last) == [99, 107]

    def test_copying_and_double_clicks(self, root: Path) -> None:
        actions: list[Any] = [step.action for step in self.read(root, "login-user_").steps]
        assert [action.key for action in actions if isinstance(action, PressKey)] == [
            "ctrl+c", "ctrl+c", "ctrl+v", "ctrl+c", "ctrl+v"
        ]  # fmt: skip
        assert [places(action) for action in actions if isinstance(action, DoubleTap)] == [
            [84, 17],
            [105, 11],
            [84, 20],
        ]

    def test_links_that_are_asked_for_are_hit(self, root: Path) -> None:
        for name, expected in (
            ("click-tab-2-hard_30H4", ["eget."]),
            ("click-tab-2-hard_386C", ["2", "3", "4", "at"]),
            ("navigate-tree_", ["Vina"]),
        ):
            actions: list[Any] = [step.action for step in self.read(root, name).steps]
            assert [action.target.text for action in actions] == expected
