"""WebVoyager: turns are matched with screenshots, marks become targets without a place, actions follow the grammar."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stepscope.core.domain.action import Action, OpenApp, PressKey, Say, Scroll, Tap, Target, Type, Wait
from stepscope.core.domain.elements import TreeOrigin
from stepscope.core.domain.episode import Episode, Platform
from stepscope.core.domain.geometry import Direction, Size
from stepscope.core.errors import SourceError
from stepscope.core.sources.look import FolderScan
from stepscope.core.sources.webvoyager import FORMAT, open_webvoyager, read_episode
from stepscope.core.sources.webvoyager_turns import Mark, action_of, marks_of

LEFT_OUT = "Observation: A screenshot and some texts. (Omitted in context.)"
LISTED = (
    "Observation: please analyze the attached screenshot. Please focus more on the screenshot and then refer to the "
    'textual information.\n[0]: <input> "";\t[2]: <button> "Search";\t[7]: "Rome", "Rome, Italy";\t[31]: "a "b" c\nd";'
)
REFUSED = "The action you have chosen cannot be exected. Please double-check if you have selected the wrong label."


def told(text: str) -> dict[str, Any]:
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,{b64_img}"}}
    return {"role": "user", "content": [{"type": "text", "text": text}, picture]}


def said(action: str, thought: str = "I look") -> dict[str, Any]:
    return {"role": "assistant", "content": f"Thought: {thought}\n\nAction: {action}"}


def conversation() -> list[dict[str, Any]]:
    task = "Now given a task: Find a hotel.\nIn Rome?  Please interact with https://a.example/ and get the answer. \n"
    return [
        {"role": "system", "content": "Imagine you are a robot browsing the web"},
        {"role": "user", "content": task + LEFT_OUT},
        said("Click [4]"),
        told(LISTED),
        said("Type [0]; Rome; 2 nights"),
        {"role": "user", "content": REFUSED},
        said("Click [7]"),
        told(LISTED),
        said("ANSWER; Hotel Uno, $14"),
    ]


@pytest.fixture
def run(tmp_path: Path, write_picture: Any, write_json: Any) -> Path:
    """Four turns of which the third brought no new screenshot, as after an action that could not be done."""
    folder = tmp_path / "results" / "taskBooking Site--12"
    for number in (1, 2, 4):
        write_picture(folder / f"screenshot{number}.png", 400, 300, grey=number)
        write_picture(folder / f"screenshot{number}_no_box.png", 400, 300)
    write_json(folder / "interact_messages.json", conversation())
    return folder


def read(folder: Path) -> Episode:
    return open_webvoyager(folder).read("Booking Site--12")


def change(folder: Path, alter: Callable[[list[Any]], object]) -> None:
    path = folder / "interact_messages.json"
    form = json.loads(path.read_text())
    alter(form)
    path.write_text(json.dumps(form))


def test_an_episode_in_full(run: Path) -> None:
    episode = read(run)
    assert (episode.id, episode.app, episode.platform) == ("Booking Site--12", "Booking Site", Platform.WEB)
    assert (episode.goal, episode.problems) == ("Find a hotel.\nIn Rome?", ())
    assert [step.action for step in episode.steps] == [
        Tap(None, Target(None, "", "[4]")),
        Type("Rome; 2 nights", None, Target(None, "", "[0]")),
        Tap(None, Target(None, "", "[7]")),
        Say("Hotel Uno, $14"),
    ]
    assert {step.instruction for step in episode.steps} == {"I look"}
    assert [step.observation.activity for step in episode.steps] == ["https://a.example/", "", "", ""]


def test_each_turn_has_its_screenshot_and_a_refused_one_keeps_the_last(run: Path) -> None:
    pictures = [step.observation.screenshot for step in read(run).steps]
    assert [picture and picture.name for picture in pictures] == [
        "screenshot1.png",
        "screenshot2.png",
        "screenshot2.png",
        "screenshot4.png",
    ]
    assert pictures[0] is not None and pictures[0].size == Size(400, 300)


def test_listed_marks_are_elements_without_a_place(run: Path) -> None:
    steps = read(run).steps
    tree = steps[1].observation.tree
    assert steps[0].observation.tree is None and tree is not None and tree.origin is TreeOrigin.DOM
    assert [(e.resource_id, e.class_name, e.text, e.content_description, e.editable) for e in tree] == [
        ("[0]", "input", "", "", True),
        ("[2]", "button", "Search", "", False),
        ("[7]", "", "Rome", "Rome, Italy", False),
        ("[31]", "", 'a "b" c\nd', "", False),
    ]
    assert {e.box.area for e in tree} == {0.0} and steps[1].observation.shown is not None


MARKS = {"3": Mark("3", "button", "Go", ""), "4": Mark("4", "", "", "Menu")}


@pytest.mark.parametrize(
    ("words", "action"),
    [
        ("Click [3]", Tap(None, Target(None, "Go", "[3]"))),
        ("Click 4", Tap(None, Target(None, "Menu", "[4]"))),
        ("Click [99]", Tap(None, Target(None, "", "[99]"))),
        ("Type [3]; [two words]", Type("two words", None, Target(None, "Go", "[3]"))),
        ("Type [3]; Click [4]", Type("Click [4]", None, Target(None, "Go", "[3]"))),
        ("Scroll [WINDOW]; up", Scroll(Direction.UP)),
        ("Scroll [4]; [down]", Scroll(Direction.DOWN, None, Target(None, "Menu", "[4]"))),
        ("Wait", Wait()),
        ("GoBack", PressKey("back")),
        ("Google", OpenApp("Google")),
        ("ANSWER; line one\nline two", Say("line one\nline two")),
        ("I will Click [3] now", Tap(None, Target(None, "Go", "[3]"))),
    ],
)
def test_the_grammar(words: str, action: Action) -> None:
    assert action_of(words, MARKS) == action


@pytest.mark.parametrize(
    "words", ["", "Click", "Click [x]", "Type [3]", "Scroll [WINDOW]; left", "Hover [3]", "ANSWER"]
)
def test_anything_else_is_a_problem_of_its_step(run: Path, words: str) -> None:
    change(run, lambda form: form[2].update(said(words)))
    episode = read(run)
    assert episode.steps[0].action is None and len(episode.steps) == 4
    assert [(problem.step, problem.field) for problem in episode.problems] == [(0, "action")]


def test_a_reply_out_of_form_is_shown_and_said(run: Path) -> None:
    change(run, lambda form: form[4].update(content="I cannot help with that."))
    step = read(run).steps[1]
    assert (step.action, step.instruction) == (None, "I cannot help with that.")


def test_a_run_that_ended_before_a_reply_keeps_its_last_screen(run: Path) -> None:
    change(run, lambda form: form.pop())
    episode = read(run)
    assert len(episode.steps) == 4 and episode.steps[3].action is None and episode.problems == ()


def test_a_missing_screenshot_is_named(run: Path) -> None:
    (run / "screenshot2.png").unlink()
    episode = read(run)
    assert [(p.step, p.field, p.file) for p in episode.problems] == [(1, "screenshot", "screenshot2.png")]
    assert episode.steps[1].observation.size == Size(400, 300)


@pytest.mark.parametrize("text", ["", "[", "{}", "[]", "null", '[{"role": "system"}]', "[1, 2]"])
def test_what_is_no_conversation_is_refused(run: Path, text: str, rows: Any) -> None:
    (run / "interact_messages.json").write_text(text)
    with pytest.raises(SourceError):
        read_episode(run / "interact_messages.json", "x")


def test_a_pointer_file_is_found_and_named(run: Path, rows: Any) -> None:
    (run / "interact_messages.json").write_text("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n")
    episodes, problems = rows(open_webvoyager(run.parent))
    assert episodes == [] and [problem.episode for problem in problems] == ["Booking Site--12"]
    assert "git lfs pull" in problems[0].message


def test_one_file_is_enough_and_other_json_is_left_alone(run: Path, tmp_path: Path, write_json: Any) -> None:
    assert FORMAT.sniff(FolderScan(run / "interact_messages.json"))
    assert len(open_webvoyager(run / "interact_messages.json").read("Booking Site--12").steps) == 4
    other = write_json(tmp_path / "other" / "interact_messages.json", {"messages": conversation()})
    assert not FORMAT.sniff(FolderScan(other.parent)) and not FORMAT.sniff(FolderScan(run / "screenshot1.png"))


VALUES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | st.lists(st.text(max_size=5))


@given(data=st.data())
def test_changed_conversations_are_read_or_refused(data: st.DataObject, tmp_path: Path) -> None:
    form = conversation()
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(form) - 1)) if form else None
        if place is None:
            break
        message = form[place]
        field = data.draw(st.sampled_from(["role", "content", "text", "drop", "all"]))
        if field == "drop":
            form.pop(place)
        elif field == "all" or not isinstance(message, dict):
            form[place] = data.draw(VALUES)
        elif field == "text" and isinstance(message.get("content"), list) and message["content"]:
            message["content"][0] = data.draw(VALUES | st.dictionaries(st.sampled_from(["text", "type"]), VALUES))
        else:
            message[field] = data.draw(VALUES)
    path = tmp_path / "interact_messages.json"
    path.write_text(json.dumps(form), encoding="utf-8")
    try:
        episode = read_episode(path, "x")
    except SourceError:
        return
    assert all(step.index == place for place, step in enumerate(episode.steps))


@given(st.text(max_size=200) | st.from_regex(r"(Click|Type|Scroll|ANSWER)[ \[\];0-9A-Za-z]{0,20}"))
@example("Click [٣]")
@example('textual information.\n[1]: <a> "x";\t[1]: "y";')
def test_any_words_are_an_action_or_refused(words: str) -> None:
    marks_of(f"textual information.\n{words}")
    try:
        action_of(words, MARKS)
    except ValueError:
        return


@pytest.fixture
def released(real_data: Path) -> Path:
    folder = real_data / "webvoyager"
    if not folder.is_dir():
        pytest.skip("WebVoyager's runs are not here")
    return folder


def test_the_released_runs(released: Path, rows: Any) -> None:
    episodes, problems = rows(open_webvoyager(released))
    found = {row.id: (row.steps, row.screens, dict(row.actions), row.problems) for row in episodes}
    assert problems == [] and found["Apple--17"] == (6, 6, {"tap": 3, "type": 2, "say": 1}, ())
    assert found["ArXiv--11"] == (7, 7, {"tap": 6, "say": 1}, ())
    assert found["Coursera--16"] == (5, 5, {"tap": 2, "type": 2, "say": 1}, ())
    assert found["Wolfram Alpha--6"] == (3, 3, {"type": 1, "scroll": 1, "say": 1}, ())


def test_released_steps_in_detail(released: Path) -> None:
    source = open_webvoyager(released)
    apple, wolfram = source.read("Apple--17"), source.read("Wolfram Alpha--6")
    assert apple.app == "Apple" and wolfram.app == "Wolfram Alpha"
    assert wolfram.goal == "Simplify x^5-20x^4+163x^3-676x^2+1424x-1209 so that it has fewer items."
    assert [len(step.observation.tree or ()) for step in apple.steps] == [0, 0, 0, 19, 23, 21]
    assert [len(step.observation.tree or ()) for step in wolfram.steps] == [36, 13, 7]
    assert apple.steps[3].action == Tap(None, Target(None, "Apple Valley Fair", "[22]"))
    assert apple.steps[4].action == Type("90038", None, Target(None, "", "[0]"))
    assert wolfram.steps[2].action == Say("(x - 4)^5 + 3(x - 4)^3 + 7")
    assert {step.observation.size for step in apple.steps} == {Size(1024, 768)}
