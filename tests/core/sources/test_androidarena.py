"""AndroidArena: pages are cut without trusting their words, pictures are places in the file, tasks come from lists."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stepscope.core.domain.action import (
    Action,
    Finish,
    FinishStatus,
    LongPress,
    OpenApp,
    PressKey,
    Scroll,
    Tap,
    Target,
    Type,
)
from stepscope.core.domain.elements import TreeOrigin
from stepscope.core.domain.episode import Encoding, Episode, Platform, Slice
from stepscope.core.domain.geometry import Direction, Size
from stepscope.core.errors import SourceError
from stepscope.core.imaging.decode import decode
from stepscope.core.sources import androidarena_tasks
from stepscope.core.sources.androidarena import FORMAT, open_androidarena, read_episode
from stepscope.core.sources.androidarena_tasks import open_androidarena_tasks
from stepscope.core.sources.androidarena_text import action_of, tree_of
from stepscope.core.sources.look import FolderScan

CLOCK = """The current APP is Clock.: \r
    [n6cb5] open_search_view_root ;focusable ; ;;: \r
        [n4263] EditText open_search ;click long-click ; ;;Search for a city : \r
        [n11aa] Switch ;check ; checked selected ; selected, ;On; off : \r
    [n95b5] TextView ;click ; ;;Messages Messages : \r
"""


def jpeg(width: int, height: int, grey: int) -> str:
    done, data = cv2.imencode(".jpg", np.full((height, width, 3), grey, np.uint8))
    assert done
    return base64.b64encode(data.tobytes()).decode()


def block(number: int, observed: str, thought: str = "", action: str = "", reward: str = "", picture: str = "") -> str:
    image = f'<img class="image" src="data:image/png;base64,{picture}">' if picture else ""
    text = f"<h2>Step {number}</h2><div class='row'>{image}<pre>{observed}</pre></div>"
    for colour, name, words in (("green", "Thought", thought), ("blue", "Action", action), ("red", "Reward", reward)):
        text += f'<br><div class="{colour}-font">{name}: {words}</div>' if words else ""
    return text


def page(*blocks: str, task: str = "Ring at <b>7</b>?", after: str = "") -> str:
    return (
        f"\n<!DOCTYPE html>\n<html><head><title>{task}</title><style>.green-font {{color: green;}}</style></head>\r\n"
        f"<body>\n<h2>Task</h2>\n<pre>{task}</pre>\n<h2>System Prompt</h2>\n<pre>You act. #click [node3]#</pre>\n"
        "<h2>Few-shot Examples</h2><pre></pre><h2>Previous Reflection</h2><pre></pre>\n"
        f'<div class="container">\n{"".join(blocks)}{after}\n</div>\n</body>\n</html>\n'
    )


BLOCKS = (
    block(
        0,
        "This is the home screen view.: \r\n",
        "Open it: #start [Clock]#.",
        "launch Clock APP",
        "0.0",
        jpeg(32, 64, 9),
    ),
    block(1, CLOCK, "I type.\r\n\r\nAction: #set_text [n4263] [Rome]#", "type Rome in X EditText of Clock APP", "0.0"),
    block(2, CLOCK, "Wrong: #click [n0000]#", "invalid action", "0.0", jpeg(30, 60, 90)),
    block(3, "Invalid node id.", "#finish [N/A]#", "task finished", "1.0", jpeg(30, 60, 90)),
    block(4, CLOCK, picture=jpeg(30, 60, 200)),
)


@pytest.fixture
def run(tmp_path: Path) -> Path:
    path = tmp_path / "trajectory" / "GPT4-Ring.html"
    path.parent.mkdir()
    path.write_bytes(page(*BLOCKS).encode())
    return path


def read(path: Path) -> Episode:
    return open_androidarena(path).read("GPT4-Ring")


def test_an_episode_in_full(run: Path) -> None:
    episode = read(run)
    assert (episode.goal, episode.app, episode.platform) == ("Ring at <b>7</b>?", "Clock", Platform.ANDROID)
    assert [step.action for step in episode.steps] == [
        OpenApp("Clock"),
        Type("Rome", None, Target(None, "Search for a city", "n4263")),
        None,
        Finish(FinishStatus.IMPOSSIBLE),
        None,
    ]
    assert episode.steps[1].instruction == "I type.\n\nAction: #set_text [n4263] [Rome]#"
    assert episode.splits == ("result/success",)
    assert [(p.step, p.field, p.file) for p in episode.problems] == [(2, "action", "GPT4-Ring.html")]


def test_pictures_are_base64_text_inside_the_page(run: Path) -> None:
    pictures = [step.observation.screenshot for step in read(run).steps]
    assert [picture.size if picture else None for picture in pictures] == [
        Size(32, 64),
        None,
        Size(30, 60),
        Size(30, 60),
        Size(30, 60),
    ]
    last = pictures[4]
    assert last is not None and isinstance(last.part, Slice) and last.part.encoding is Encoding.BASE64
    text = run.read_bytes()[last.part.offset :][: last.part.length]
    assert text.decode() == jpeg(30, 60, 200)
    assert decode(last).shape == (60, 30, 3) and abs(int(decode(last)[5, 5, 0]) - 200) < 3


def test_elements_lie_under_each_other_as_they_are_indented(run: Path) -> None:
    step = read(run).steps[1]
    tree = step.observation.tree
    assert tree is not None and tree.origin is TreeOrigin.DUMP and step.observation.size == Size(32, 64)
    assert [(e.resource_id, e.parent, e.class_name, e.text, e.content_description) for e in tree] == [
        ("n6cb5", -1, "open_search_view_root", "", ""),
        ("n4263", 0, "EditText open_search", "Search for a city", ""),
        ("n11aa", 0, "Switch", "On; off", ""),
        ("n95b5", -1, "TextView", "Messages", "Messages"),
    ]
    field, switch = tree.elements[1:3]
    assert (field.clickable, field.long_clickable, field.editable, field.checkable) == (True, True, True, False)
    assert (switch.clickable, switch.checkable, switch.checked, switch.selected) == (False, True, True, True)
    assert {e.box.area for e in tree} == {0.0}


@pytest.mark.parametrize(
    ("thought", "line", "action"),
    [
        ("#click [n4263]#", "", Tap(None, Target(None, "Search for a city", "n4263"))),
        (
            "not #click [n1111]# but #long_click [n4263]#.",
            "",
            LongPress(None, Target(None, "Search for a city", "n4263")),
        ),
        ("#[set_text] [n4263] [a b]#", "", Type("a b", None, Target(None, "Search for a city", "n4263"))),
        ("#set_text [n4263] [#1]#", "type #1 in X of Clock APP", Type("#1", None, Target(None, "X"))),
        ("#swipe_up#", "", Scroll(Direction.DOWN)),
        ("#swipe_left#", "", Scroll(Direction.RIGHT)),
        ("#press_back#", "", PressKey("back")),
        ("#press_recent#", "", PressKey("recents")),
        ("#finish [40 minutes]#", "", Finish()),
        ("#finish#", "", Finish()),
        ("", "click Add city Button on Clock APP", Tap(None, Target(None, "Add city Button"))),
        ("", "swip down on home APP", Scroll(Direction.UP)),
        ("", "press the enter key", PressKey("enter")),
        ("number #5 and #dance#", "task finished", Finish()),
    ],
)
def test_actions(thought: str, line: str, action: Action) -> None:
    assert action_of(thought, line, tree_of(CLOCK.replace("\r", ""), Size(30, 60))) == action


def test_an_unknown_action_is_a_problem_of_its_step(run: Path) -> None:
    run.write_text(page(block(0, CLOCK, "hm", "take a screenshot"), *BLOCKS[1:]))
    episode = read(run)
    assert len(episode.steps) == 5 and [problem.step for problem in episode.problems] == [0, 2]


def test_damaged_pictures_are_named_and_the_rest_opens(run: Path) -> None:
    cut, broken = jpeg(32, 64, 9)[:400], "a*b="
    run.write_text(
        page(block(0, CLOCK, picture=cut), block(1, CLOCK, picture=broken), block(2, CLOCK, picture=jpeg(8, 9, 1)))
    )
    episode = read(run)
    assert [(p.step, p.field) for p in episode.problems] == [(0, "screenshot"), (1, "screenshot")]
    assert [step.observation.size for step in episode.steps] == [Size(8, 9)] * 3


def test_a_page_cut_short_keeps_what_is_whole(run: Path) -> None:
    data = run.read_bytes()
    run.write_bytes(data[: data.index(b"<h2>Step 4</h2>") + 200])
    episode = read(run)
    assert [step.action is not None for step in episode.steps] == [True, True, False, True, False]
    assert (4, "screenshot") in {(problem.step, problem.field) for problem in episode.problems}


def test_the_page_of_a_run_that_broke_off_ends_before_its_exception(run: Path) -> None:
    run.write_text(page(*BLOCKS[:2], after="<h2>Exception</h2><pre>Traceback</pre>", task="Go</pre>\n<pre>No wifi."))
    episode = read(run)
    assert episode.goal == "Go\nNo wifi." and len(episode.steps) == 2 and episode.splits == ("result/failure",)


def test_what_is_not_such_a_page_is_left_alone(run: Path, tmp_path: Path, rows: Any) -> None:
    (tmp_path / "index.html").write_text("<html><h2>Task</h2><h2>Step 0</h2></html>")
    assert not FORMAT.sniff(FolderScan(tmp_path / "index.html"))
    assert FORMAT.sniff(FolderScan(run)) and FORMAT.sniff(FolderScan(tmp_path))
    run.write_text(page())
    episodes, problems = rows(open_androidarena(tmp_path))
    assert episodes == [] and [problem.message for problem in problems] == ["the page has no steps"]


WORDS = st.text(max_size=30) | st.sampled_from(
    [
        "<h2>Step 3</h2><div class='row'>",
        "<pre>",
        "</pre></div>",
        "base64,",
        '<br><div class="blue-font">Action: ',
        "</div>",
    ]
)


@given(data=st.data())
def test_changed_pages_are_read_or_refused(data: st.DataObject, tmp_path: Path) -> None:
    text = page(*BLOCKS)
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = start + data.draw(st.integers(0, 60))
        text = text[:start] + data.draw(WORDS) + text[end:]
    path = tmp_path / "page.html"
    path.write_bytes(text.encode("utf-8", errors="replace"))
    try:
        episode = read_episode(path, "x")
    except SourceError:
        return
    assert [step.index for step in episode.steps] == list(range(len(episode.steps)))


@given(
    thought=st.text(max_size=60) | st.from_regex(r"#\[?[a-z_]{3,10}\]? ?(\[.{0,5}\]){0,3}#"), line=st.text(max_size=30)
)
def test_any_words_are_an_action_or_refused(thought: str, line: str) -> None:
    try:
        action_of(thought, line, None)
    except ValueError:
        return


LIST = """
type: calendar
obs_type: mix
max_step: 15
max_repeat_step: 5
tasks:
  - instruction: Open the calendar.
    constrains: Do NOT swipe.
    action_seq:
      - d.app_start('com.google.calendar')
      - d.xpath('//*[@text="13"]').click()
      - d.xpath('//*[@resource-id="a:id/title"]').set_text('it''s')
      - d.xpath('//*[@resource-id="a:id/list"]/b.View[6]').long_click()
      - d.swipe_ext('up')
      - d.press('enter')
      - __import__('os').system('true')
  - instruction: 2024-13-45
  - constrains: alone
"""


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    path = tmp_path / "tasks" / "calendar.yaml"
    path.parent.mkdir()
    path.write_text(LIST)
    return path


def test_tasks_are_rows_and_their_solutions_steps(tasks: Path, rows: Any) -> None:
    source = open_androidarena_tasks(tasks.parent)
    episodes, problems = rows(source)
    assert [(row.id, row.goal, row.steps, row.screens) for row in episodes] == [
        ("calendar-0", "Open the calendar.\nDo NOT swipe.", 7, 0),
        ("calendar-1", "2024-13-45", 0, 0),
    ]
    assert [(problem.field, problem.file) for problem in problems] == [("goal", "calendar.yaml")]
    episode = source.read("calendar-0", episodes[0].place)
    assert [step.action for step in episode.steps] == [
        OpenApp("com.google.calendar"),
        Tap(None, Target(None, "13")),
        Type("it''s", None, Target(None, "", "a:id/title")),
        LongPress(None, Target(None, "", '//*[@resource-id="a:id/list"]/b.View[6]')),
        Scroll(Direction.DOWN),
        PressKey("enter"),
        None,
    ]
    assert episode.splits == ("calendar",) and [problem.step for problem in episode.problems] == [6]


@pytest.mark.parametrize("more", ["\n  - [", "\n\t- x", "\n - &a [*a]\n x"])
def test_a_broken_list_is_one_problem_that_names_the_line(tasks: Path, rows: Any, more: str) -> None:
    tasks.write_text(LIST + more)
    episodes, problems = rows(open_androidarena_tasks(tasks))
    assert episodes == [] and "broken YAML at line" in problems[0].message


@pytest.mark.parametrize("text", ["tasks: 5", "", "- a", "tasks: " + "[" * 5000])
def test_what_is_no_list_is_refused(tasks: Path, text: str) -> None:
    tasks.write_text(text)
    with pytest.raises(SourceError):
        list(androidarena_tasks.outline(tasks))


def test_tags_make_nothing(tasks: Path, rows: Any) -> None:
    tasks.write_text("# instruction: max_repeat_step:\ntasks: !!python/object/apply:os.mkdir [made]\n")
    episodes, problems = rows(open_androidarena_tasks(tasks))
    assert episodes == [] and [problem.message for problem in problems] == ["task 0 has no instruction"]
    assert not Path("made").exists()


def test_a_place_that_is_gone_is_refused(tasks: Path) -> None:
    for place in ("7", "", "x", "٣"):
        with pytest.raises(SourceError):
            androidarena_tasks.load(tasks, place, "x")


@given(data=st.data())
@example(data=None)
def test_changed_lists_are_read_or_refused(data: st.DataObject | None, tmp_path: Path) -> None:
    text = LIST if data else "tasks: &a\n  - instruction: x\n    action_seq: *a\n"
    for _ in range(data.draw(st.integers(1, 4)) if data else 0):
        assert data is not None
        start = data.draw(st.integers(0, len(text)))
        words = st.text(max_size=10) | st.sampled_from(["- ", ": ", "&a ", "*a", "!!int x", "{", "[", "'", "\n", "? "])
        text = text[:start] + data.draw(words) + text[start + data.draw(st.integers(0, 20)) :]
    path = tmp_path / "list.yaml"
    path.write_bytes(text.encode("utf-8", errors="replace"))
    try:
        for row in androidarena_tasks.outline(path):
            androidarena_tasks.load(path, getattr(row, "place", "0"), "x")
    except SourceError:
        return


@pytest.fixture
def released(real_data: Path) -> Path:
    folder = real_data / "androidarena"
    if not folder.is_dir():
        pytest.skip("AndroidArena's pages are not here")
    return folder


def test_the_released_runs(released: Path, rows: Any) -> None:
    episodes, problems = rows(open_androidarena(released))
    assert problems == [] and sum(row.screens for row in episodes) == 28
    assert [(row.app, row.steps, row.screens, dict(row.actions)) for row in episodes] == [
        ("Clock", 7, 7, {"scroll": 1, "open_app": 1, "tap": 2, "type": 1, "finish": 1}),
        ("Settings", 8, 8, {"open_app": 1, "tap": 4, "scroll": 1, "finish": 1}),
        ("Google Maps", 7, 7, {"open_app": 1, "type": 1, "tap": 3, "finish": 1}),
        ("Firefox", 6, 6, {"open_app": 1, "tap": 1, "type": 1, "press_key": 1, "finish": 1}),
    ]
    assert {row.splits for row in episodes} == {("result/success",)} and not any(row.problems for row in episodes)


def test_released_steps_in_detail(released: Path) -> None:
    source = open_androidarena(released / "trajectory")
    clock = source.read("GPT4-Add_a_new_city_Beijing_to_World_Clock_in_Google_Clock")
    assert [len(step.observation.tree or ()) for step in clock.steps] == [14, 29, 11, 3, 8, 12, 12]
    assert clock.steps[2].action == Tap(None, Target(None, "Add city", "nb7bd"))
    assert clock.steps[3].action == Type("Beijing", None, Target(None, "Search for a city", "n4263"))
    first, last = clock.steps[0].observation.screenshot, clock.steps[6].observation.screenshot
    assert (
        first is not None and first.size == Size(320, 640) and first.part == Slice(8879, 18464, False, Encoding.BASE64)
    )
    assert last is not None and last.part == Slice(149028, 23216, False, Encoding.BASE64)
    browser = (
        source.read("GPT4-Change_the_default_web_browser_to_chrome_on_my_Android_device").steps[5].observation.tree
    )
    assert browser is not None
    radios = [(e.checked, browser.elements[e.parent].text) for e in browser if e.class_name == "RadioButton checkbox"]
    assert radios == [(False, "Chrome"), (True, "Firefox")]


def test_the_released_lists(released: Path, rows: Any) -> None:
    episodes, problems = rows(open_androidarena_tasks(released))
    assert len(episodes) == 205 and [problem.file for problem in problems] == ["tasks/slack.yaml", "tasks/youtube.yaml"]
    solved = [row for row in episodes if row.steps]
    kinds = {
        kind: sum(dict(row.actions).get(kind, 0) for row in solved) for kind in ("tap", "type", "press_key", "scroll")
    }
    assert len(solved) == 7 and sum(row.steps for row in solved) == 50
    assert kinds == {"tap": 33, "type": 6, "press_key": 3, "scroll": 1}
