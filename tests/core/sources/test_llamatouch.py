"""LlamaTouch: clicks are rescaled, trees come from the dump or else the views, ids stay text."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

from stepscope.core.domain.action import Action, Drag, LongPress, PressKey, Swipe, Tap, Type
from stepscope.core.domain.elements import TreeOrigin
from stepscope.core.domain.episode import Episode, Platform
from stepscope.core.domain.geometry import Size
from stepscope.core.sources.llamatouch import FORMAT, activity_of, open_llamatouch
from stepscope.core.sources.llamatouch_events import event_action
from stepscope.core.sources.look import FolderScan

ID = "13118642174915973036"
DUMP = (
    "<?xml version='1.0' encoding='UTF-8'?><hierarchy rotation=\"0\"><node bounds=\"[0,0][540,1100]\">"
    '<node text="Location" resource-id="a:id/title" clickable="true" bounds="[0,340][540,470]"/></node></hierarchy>'
)
CLICK = "[Click] Screen Resolution (320, 720), Click Position (204, 244)"


@pytest.fixture
def trace(tmp_path: Path, write_picture: Any, write_json: Any) -> Path:
    """Three states of 540 × 1200; pixels are 1.6875 and 1.6667 times the recorder's 320 × 720."""
    folder = tmp_path / "groundtruth" / "general" / "trace_7"
    views = [
        {"temp_id": 0, "parent": -1, "children": [1], "bounds": [[0, 0], [540, 1200]], "visible": True},
        {
            "temp_id": 1,
            "parent": 0,
            "children": [],
            "bounds": [[0, 340], [540, 470]],
            "text": "From views",
            "clickable": True,
        },
    ]
    for index in range(3):
        write_picture(folder / f"{index}.png", 540, 1200)
        write_picture(folder / f"{index}_drawed.png", 540, 1200)
        (folder / f"{index}.xml").write_text(DUMP)
        write_json(folder / f"{index}.vh", views)
    (folder / "instruction.txt").write_bytes(f"{ID}\r\ndelete location history".encode())
    (folder / "eventStructs.txt").write_text(f"[Home]\n{CLICK}\n")
    for index, activity in enumerate(
        ("com.old/.Main\n\n", "com.android.systemui.ImageWallpaper\n", "com.maps/.Main\n\n")
    ):
        (folder / f"{index}.activity").write_text(activity)
    return folder


def read(folder: Path) -> Episode:
    return open_llamatouch(folder).read(ID)


def test_an_episode_in_full(trace: Path) -> None:
    episode = read(trace)
    assert (episode.id, episode.goal) == (ID, "delete location history")
    assert (episode.app, episode.platform, episode.splits, episode.problems) == ("com.maps", Platform.ANDROID, (), ())
    home, click, last = (step.action for step in episode.steps)
    assert home == PressKey("home") and last is None
    assert isinstance(click, Tap) and click.point is not None
    assert (click.point.x, click.point.y) == pytest.approx((344.25, 406.667), abs=1e-3)
    assert click.target is not None and (click.target.text, click.target.id) == ("Location", "a:id/title")
    seen = episode.steps[2].observation
    assert (seen.size, seen.activity) == (Size(540, 1200), "com.maps/.Main")
    assert seen.tree is not None and seen.tree.origin is TreeOrigin.DUMP and len(seen.tree) == 2


@pytest.mark.parametrize("broken", ["", "<hierarchy>", "<!DOCTYPE a><hierarchy/>", None])
def test_a_dump_that_cannot_be_read_is_replaced_by_the_views_and_said(trace: Path, broken: str | None) -> None:
    if broken is None:
        (trace / "1.xml").unlink()
    else:
        (trace / "1.xml").write_text(broken)
    episode = read(trace)
    tree = episode.steps[1].observation.tree
    assert tree is not None and tree.origin is TreeOrigin.ACCESSIBILITY
    (problem,) = episode.problems
    assert (problem.step, problem.field, problem.file) == (1, "view_hierarchy", "1.xml")
    action = episode.steps[1].action
    assert isinstance(action, Tap) and action.target is not None and action.target.text == "From views"


def test_without_dump_and_views_there_is_no_tree(trace: Path) -> None:
    (trace / "1.xml").unlink()
    (trace / "1.vh").write_text("{")
    episode = read(trace)
    assert episode.steps[1].observation.tree is None and isinstance(episode.steps[1].action, Tap)
    assert [problem.file for problem in episode.problems] == ["1.xml", "1.vh", ""]


def test_states_are_numbers_not_words(trace: Path, write_picture: Any) -> None:
    for index in range(3, 11):
        write_picture(trace / f"{index}.png", 540, 1200, grey=index)
    pictures = [step.observation.screenshot for step in read(trace).steps]
    assert [picture.path.name for picture in pictures if picture] == [f"{index}.png" for index in range(11)]


def test_a_missing_screenshot_is_named_and_its_click_keeps_its_place(trace: Path) -> None:
    (trace / "1.png").unlink()
    episode = read(trace)
    assert [(p.step, p.field, p.file) for p in episode.problems] == [(1, "screenshot", "1.png")]
    action = episode.steps[1].action
    assert isinstance(action, Tap) and action.point is not None and action.point.x == pytest.approx(344.25)


@pytest.mark.parametrize("line", ["[Shake]", "Click", "[Click] nowhere", "[Swipe] Screen Resolution (320, 720)", ""])
def test_an_unknown_event_is_a_problem_that_names_file_and_line(trace: Path, line: str) -> None:
    (trace / "eventStructs.txt").write_text(f"[Home]\n{line}\n[Back]")
    episode = read(trace)
    assert [step.action for step in episode.steps] == [PressKey("home"), None, PressKey("back")]
    (problem,) = episode.problems
    assert (problem.step, problem.field, problem.file) == (1, "action", "eventStructs.txt")
    assert problem.message.startswith("line 2: ")


def test_more_events_than_states_are_a_problem(trace: Path) -> None:
    (trace / "eventStructs.txt").write_text("[Home]\n" * 5)
    episode = read(trace)
    assert [problem.message[:6] for problem in episode.problems] == ["line 4", "line 5"]


@pytest.mark.parametrize(
    ("line", "kind", "numbers"),
    [
        ("[Click] Screen Resolution (100, 200), Click Position (10, 20)", Tap, (54, 120)),
        ("【点击事件】屏幕大小：（w100，h200），触摸位置：（x10，y20）", Tap, (54, 120)),
        ("[Long Click] Screen Resolution (100, 200), Long Click Position (10, 20)", LongPress, (54, 120)),
        (
            "[Swipe] Screen Resolution (100, 200), Start Position (10, 20), End Position (50, 0)",
            Swipe,
            (54, 120, 270, 0),
        ),
        ("[Drag] Screen Resolution (100, 200), Start Position (10, 20), End Position (50, 0)", Drag, (54, 120, 270, 0)),
    ],
)
def test_events_with_places(line: str, kind: type, numbers: tuple[float, ...]) -> None:
    action: Any = event_action(line, Size(540, 1200), None)
    assert isinstance(action, kind)
    places = [action.point, *([action.to] if len(numbers) == 4 else [])]  # type: ignore[attr-defined]
    assert [value for place in places for value in (place.x, place.y)] == pytest.approx(list(numbers))


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("[Back]", PressKey("back")),
        ("[Enter]", PressKey("enter")),
        ("【Home键】", PressKey("home")),
        ("[Input] best buy", Type("best buy")),
        ("[Input] ", Type("")),
        ("【键盘输入】bestbuy", Type("bestbuy")),
    ],
)
def test_events_without_places(line: str, action: Action) -> None:
    assert event_action(line.strip(), Size(540, 1200), None) == action


@pytest.mark.parametrize(
    ("text", "activity"),
    [
        ("com.a/com.a.Main\n\n", "com.a/com.a.Main"),
        ("null\n", ""),
        ("", ""),
        ("mObscuringWindow=null", ""),
        ("  mObscuringWindow=Window{33ca9c8 u0 com.android.vending/com.android.vending.AssetBrowserActivity}",
         "com.android.vending/com.android.vending.AssetBrowserActivity"),
    ],
)  # fmt: skip
def test_activities(text: str, activity: str) -> None:
    assert activity_of(text) == activity


def test_app_and_category_from_the_table_above(trace: Path) -> None:
    header = "episode\tcategory\tpath\tdescription\tnsteps\tapp\n"
    row = f"{ID}\tgeneral\tgeneral/trace_7\tdelete location history\t3\tGoogle Maps\n"
    (trace.parents[1] / "llamatouch_task_metadata.tsv").write_text(header + row)
    for index in range(3):
        (trace / f"{index}.activity").write_text("null")
    csv.field_size_limit(4)  # as a reader of another table has left it, whose limit was that
    episode = read(trace)
    assert (episode.app, episode.splits) == ("Google Maps", ("general",))


def test_without_an_id_the_folder_names_the_episode(trace: Path, rows: Any) -> None:
    (trace / "instruction.txt").write_text("")
    episodes, _ = rows(open_llamatouch(trace.parents[1]))
    assert [row.id for row in episodes] == ["trace_7"]
    assert [problem.field for problem in episodes[0].problems] == ["goal"]


def test_a_trace_without_goal_file_opens_without_goal(trace: Path, rows: Any) -> None:
    (trace / "instruction.txt").unlink()
    assert FORMAT.sniff(FolderScan(trace))
    episodes, problems = rows(open_llamatouch(trace))
    assert problems == [] and [(row.id, row.goal, row.steps) for row in episodes] == [("trace_7", "", 3)]
    assert [(problem.field, problem.file) for problem in episodes[0].problems] == [("goal", "instruction.txt")]


def test_a_far_number_does_not_make_a_million_states(trace: Path, rows: Any) -> None:
    (trace / "999999.vh").write_text("[]")
    episodes, problems = rows(open_llamatouch(trace))
    assert episodes == [] and "most are missing" in problems[0].message


class TestRealTrace:
    def test_what_inspect_tells(self, real_data: Path, rows: Any) -> None:
        root = real_data / "llamatouch"
        if not (root / "trace_18").is_dir():
            pytest.skip("no llamatouch")
        source = open_llamatouch(root)
        episodes, problems = rows(source)
        assert problems == [] and [row.id for row in episodes if row.id == "18"] == ["18"]
        episode = source.read("18")
        assert episode.goal == "Practice pronunciation in French in Duolingo."
        assert (len(episode.steps), episode.app, episode.splits) == (5, "com.duolingo", ("generated",))
        assert len(list((root / "trace_18").glob("*.png"))) == sum(
            step.observation.screenshot is not None for step in episode.steps
        )
        assert all(step.observation.tree and step.observation.tree.origin is TreeOrigin.DUMP for step in episode.steps)

    def test_each_click_lands_on_the_expected_element(self, real_data: Path) -> None:
        folder = real_data / "llamatouch" / "trace_18"
        if not folder.is_dir():
            pytest.skip("no llamatouch")
        actions: list[Any] = [step.action for step in open_llamatouch(folder).read("18").steps]
        assert actions[0] == PressKey("home") and actions[4] is None
        assert [(action.point.x, action.point.y) for action in actions[1:4]] == [
            pytest.approx((204 * 1080 / 320, 170 * 2400 / 720)),
            pytest.approx((150 * 1080 / 320, 260 * 2400 / 720)),
            pytest.approx((191 * 1080 / 320, 385 * 2400 / 720)),
        ]
        assert actions[1].target.text == "Duolingo"
        assert actions[2].target.id == "com.duolingo:id/oval"
        assert actions[3].target.id == "com.duolingo:id/learnButton"
