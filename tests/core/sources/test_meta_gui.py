"""META-GUI: a dialogue's turns make one episode; the agent's replies are said or asked."""

from __future__ import annotations

import contextlib
import copy
import json
import xml.sax.saxutils
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stepscope.core.domain.action import AskUser, PressKey, Say, Swipe, Tap, Type
from stepscope.core.domain.elements import TreeOrigin
from stepscope.core.domain.episode import Ask, Episode, Platform
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import SourceError
from stepscope.core.sources.look import FolderScan
from stepscope.core.sources.meta_gui import FORMAT, open_meta_gui, outline, read_episode
from stepscope.core.sources.meta_gui_dialog import DialogTurn, line_action, turns_of

PHONE = Size(1440, 2560)
DIALOG = [
    {"isUser": True, "text": "What is the weather like tomorrow?", "program": "明天天气怎么样?"},
    {"isUser": False, "text": "In which city?"},
    {"isUser": True, "text": "In Brest."},
    {"isUser": False, "text": "It will rain."},
]


def dump(*nodes: tuple[str, tuple[int, int, int, int]], package: str = "com.weather") -> str:
    """A uiautomator dump: a root that is not the whole screen, and a clickable node for each text and box."""
    inner = "".join(
        f'<node index="{place}" text={xml.sax.saxutils.quoteattr(text)} resource-id="{package}:id/n{place}" '
        f'class="android.widget.TextView" package="{package}" content-desc="" clickable="true" enabled="true" '
        f'bounds="[{left},{top}][{right},{bottom}]" />'
        for place, (text, (left, top, right, bottom)) in enumerate(nodes)
    )
    root = f'<node package="{package}" class="android.widget.FrameLayout" bounds="[0,0][1440,2392]">{inner}</node>'
    return f"<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\">{root}</hierarchy>"


@pytest.fixture
def dialog(tmp_path: Path, write_picture: Any, write_json: Any) -> Path:
    """Two turns: a question on the first screen; seven things done and an answer on the eighth."""
    folder = tmp_path / "dataset" / "dev" / "dialog_12"
    write_json(folder / "dialog.json", DIALOG)
    (folder / "category.txt").write_text("weather\n")
    (folder / "dialog_id.txt").write_text("5f3a")
    write_json(folder / "meta.json", {"0": ["weather"]})
    write_json(folder / "turn_0" / "actions.json", {})
    write_json(
        folder / "turn_1" / "actions.json",
        {
            "0": "text|click|310,1240|NULL",
            "1": "text|input|NULL|Brest | France",
            "2": "text|swipe|700,2001|713,405",
            "3": "text|click|420,2392|NULL",
            "4": "text|enter|NULL|NULL",
            "5": "text|clear|NULL|NULL",
            "6": "text|read|NULL|NULL",
        },
    )
    picture = write_picture(tmp_path / "screen.png", 1440, 2560).read_bytes()
    for turn, count in ((0, 1), (1, 8)):
        for number in range(count):
            (folder / f"turn_{turn}" / f"{number}.png").write_bytes(picture)
            nodes = (("City", (100, 1200, 900, 1300)), ("Rain", (0, 1900, 1440, 2100)))
            (folder / f"turn_{turn}" / f"{number}.xml").write_text(dump(*nodes))
    return folder


def read(folder: Path) -> Episode:
    return open_meta_gui(folder).read(folder.name)


def test_an_episode_in_full(dialog: Path) -> None:
    episode = read(dialog)
    assert (episode.id, episode.format, episode.platform) == ("dialog_12", "meta_gui", Platform.ANDROID)
    assert episode.goal == "What is the weather like tomorrow?"
    assert (episode.app, episode.splits, episode.problems) == ("com.weather", ("dev", "category/weather"), ())
    assert [step.instruction for step in episode.steps] == [
        "What is the weather like tomorrow?", "In Brest.", *[None] * 7,
    ]  # fmt: skip
    actions: list[Any] = [step.action for step in episode.steps]
    assert actions[0] == AskUser("In which city?")
    tap = actions[1]
    assert isinstance(tap, Tap) and tap.point is not None and tap.target is not None and tap.target.box is not None
    assert (tap.point.x, tap.point.y, tap.point.size) == (310, 1240, PHONE)
    box = tap.target.box
    assert (box.left, box.top, box.right, box.bottom) == (100, 1200, 900, 1300)
    assert (tap.target.text, tap.target.id) == ("City", "com.weather:id/n0")
    assert actions[2] == Type("Brest | France")
    swipe = actions[3]
    assert isinstance(swipe, Swipe) and (swipe.point.x, swipe.point.y, swipe.to.x, swipe.to.y) == (700, 2001, 713, 405)
    assert swipe.target is not None and swipe.target.text == "Rain"
    assert actions[4:] == [PressKey("back"), PressKey("enter"), PressKey("clear"), None, Say("It will rain.")]
    assert episode.asks == (Ask(0, "In which city?", "In Brest."),)
    tree = episode.steps[1].observation.tree
    assert tree is not None and tree.origin is TreeOrigin.DUMP and tree.size == PHONE and len(tree) == 3


@pytest.mark.parametrize(
    ("y", "kind"), [(2391, "tap"), (2392, "press_key"), (2559, "press_key")]
)  # fmt: skip
def test_far_down_lies_the_back_key(y: int, kind: str) -> None:
    action = line_action(f"text|click|9,{y}|NULL", PHONE, None)
    assert action is not None and action.kind == kind


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("text|back|NULL|NULL", PressKey("back")),
        ("text|home|NULL|NULL", PressKey("home")),
        ("text|response|NULL|Which day?", AskUser("Which day?")),
        ("text|response|NULL|哪一天？", AskUser("哪一天？")),
        ("text|response|NULL|Done.", Say("Done.")),
        ("text|input|NULL|", Type("")),
        ("text|read", None),
        (None, None),
    ],
)
def test_lines(line: object, action: object) -> None:
    assert line_action(line, PHONE, None) == action


@pytest.mark.parametrize(
    "line",
    ["", "click", "text|click|NULL|NULL", "text|click|nan,3|NULL", "text|click|1;2|N", "text|swipe|1,2|3",
     "text||1,2|", 7, "text|fly|1,2|NULL", "text|click|99999999,2|NULL", [[]]],
)  # fmt: skip
def test_a_line_that_is_not_understood_is_named_and_the_rest_opens(dialog: Path, write_json: Any, line: object) -> None:
    write_json(dialog / "turn_1" / "actions.json", {"0": line, "1": "text|back|NULL|NULL", "7": None})
    episode = read(dialog)
    assert [step.action for step in episode.steps[1:3]] == [None, PressKey("back")]
    (problem,) = episode.problems
    assert (problem.step, problem.field, problem.file) == (1, "action", "turn_1/actions.json")


def test_a_reply_after_something_done_on_the_last_screen_is_a_step_without_a_picture(
    dialog: Path, write_json: Any
) -> None:
    write_json(dialog / "turn_0" / "actions.json", {"0": "text|click|5,6|NULL"})
    episode = read(dialog)
    assert [step.action.kind for step in episode.steps[:2] if step.action] == ["tap", "ask"]
    assert episode.steps[1].observation.screenshot is None and episode.steps[1].observation.size == PHONE
    assert episode.asks == (Ask(1, "In which city?", "In Brest."),) and episode.problems == ()


def test_a_turn_without_its_folder_keeps_its_words(dialog: Path) -> None:
    for file in (dialog / "turn_0").iterdir():
        file.unlink()
    (dialog / "turn_0").rmdir()
    episode = read(dialog)
    assert [step.instruction for step in episode.steps[:2]] == ["What is the weather like tomorrow?", "In Brest."]
    assert episode.steps[0].action == AskUser("In which city?")
    assert [(problem.field, problem.file) for problem in episode.problems] == [("turn", "turn_0")]


def test_a_turn_without_words_keeps_its_screens(dialog: Path, write_json: Any) -> None:
    write_json(dialog / "dialog.json", DIALOG[:2])
    episode = read(dialog)
    assert len(episode.steps) == 9 and episode.steps[8].action is None
    assert episode.asks == (Ask(0, "In which city?", ""),)
    assert [problem.message for problem in episode.problems] == ["turn_1 has no words in the dialogue"]


def test_words_without_sides_alternate_and_words_in_a_row_are_joined() -> None:
    assert turns_of([{"text": "a"}, {"text": "b"}, {"text": "c"}]) == (DialogTurn("a", "b"), DialogTurn("c", ""))
    twice = [{"isUser": True, "text": "a"}, {"isUser": True, "text": " b "}, {"isUser": False, "text": "c"}]
    assert turns_of(twice) == (DialogTurn("a b", "c"),)


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '[{"text": 5}]', "[null]", '["a"]'])
def test_words_that_cannot_be_read_refuse_the_dialogue(dialog: Path, rows: Any, text: str) -> None:
    (dialog / "dialog.json").write_text(text)
    with pytest.raises(SourceError):
        read_episode(dialog, "x")
    with pytest.raises(SourceError):
        outline(dialog, "x")


def test_missing_and_broken_files_are_named(dialog: Path) -> None:
    (dialog / "turn_1" / "0.png").unlink()
    (dialog / "turn_1" / "1.png").write_text("version https://git-lfs.github.com/spec/v1\n")
    (dialog / "turn_1" / "2.xml").write_text('<!DOCTYPE a [<!ENTITY b "c">]><hierarchy/>')
    (dialog / "turn_1" / "3.xml").unlink()
    (dialog / "turn_0" / "actions.json").write_text('{"0": ')
    (dialog / "category.txt").unlink()
    episode = read(dialog)
    assert len(episode.steps) == 9
    assert sorted((problem.step, problem.field, problem.file) for problem in episode.problems if problem.step) == [
        (1, "screenshot", "turn_1/0.png"),
        (2, "screenshot", "turn_1/1.png"),
        (3, "view_hierarchy", "turn_1/2.xml"),
        (4, "view_hierarchy", "turn_1/3.xml"),
    ]
    assert [(problem.field, problem.file) for problem in episode.problems if problem.step is None] == [
        ("action", "turn_0/actions.json"), ("category", "category.txt"),
    ]  # fmt: skip
    assert isinstance(episode.steps[1].action, Tap) and episode.splits == ("dev",)


def test_a_link_out_of_the_dialogue_is_not_followed(dialog: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.xml").write_text(dump())
    (dialog / "turn_0" / "0.xml").unlink()
    (dialog / "turn_0" / "0.xml").symlink_to(tmp_path / "secret.xml")
    episode = read(dialog)
    assert episode.steps[0].observation.tree is None
    assert [(problem.step, problem.field) for problem in episode.problems] == [(0, "view_hierarchy")]


def test_rows_come_from_words_and_action_files(dialog: Path, rows: Any) -> None:
    other = dialog.parents[1] / "train" / "dialog_12"
    (other / "turn_0").mkdir(parents=True)
    (other / "dialog.json").write_text(json.dumps(DIALOG[2:]))
    (other / "turn_0" / "actions.json").write_text("{}")
    root = dialog.parents[1]
    assert FORMAT.sniff(FolderScan(root)) and FORMAT.sniff(FolderScan(dialog))
    episodes, problems = rows(open_meta_gui(root))
    assert problems == []
    assert [(row.id, row.steps, row.screens, row.asks, row.checked, row.splits) for row in episodes] == [
        ("dialog_12", 9, 9, 1, False, ("dev", "category/weather")),
        ("dialog_12~2", 1, 0, 0, False, ("train",)),
    ]
    assert dict(episodes[0].actions) == {"ask": 1, "tap": 1, "type": 1, "swipe": 1, "press_key": 3, "say": 1}
    assert open_meta_gui(root).read("dialog_12~2").goal == "In Brest."


def test_other_dialogues_are_left_alone(tmp_path: Path, write_json: Any) -> None:
    write_json(tmp_path / "dialog.json", DIALOG)
    assert not FORMAT.sniff(FolderScan(tmp_path))


PARTS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.just("t|click|1,2|"),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
LINES = st.dictionaries(st.sampled_from(["0", "1", "01", "99", "x"]), PARTS | st.text(alphabet="text|click,12swipe-"))
WORDS = st.lists(st.dictionaries(st.sampled_from(["isUser", "text"]), PARTS, max_size=2) | st.sampled_from(DIALOG))


@given(WORDS | PARTS, LINES | PARTS, st.binary(max_size=60))
@example([{"text": "\ud800?"}], {"0": "\ud800|input||\udfff"}, b"")
def test_any_dialogue_is_an_episode_or_a_source_error(tmp_path: Path, words: Any, lines: Any, junk: bytes) -> None:
    folder = tmp_path / "fuzz" / "dialog_1"
    (folder / "turn_0").mkdir(parents=True, exist_ok=True)
    (folder / "dialog.json").write_text(json.dumps(copy.copy(words)))
    (folder / "turn_0" / "actions.json").write_text(json.dumps(lines))
    (folder / "turn_0" / "0.xml").write_bytes(junk)
    (folder / "category.txt").write_bytes(junk)
    FORMAT.sniff(FolderScan(folder))
    for reader in (read_episode, outline):
        with contextlib.suppress(SourceError):
            assert reader(folder, "a").id == "a"  # type: ignore[operator]


@given(st.text() | st.from_regex(r"t\|(click|swipe|input)\|-?[0-9]{1,8},[0-9]{1,4}\|[0-9,]{0,9}"))
def test_any_line_is_an_action_or_a_value_error(line: str) -> None:
    with contextlib.suppress(ValueError):
        line_action(line, PHONE, None)
