"""Navi-plus: samples of several shapes open, a person's keys are obeyed, what is missing is named."""

from __future__ import annotations

import contextlib
import copy
import json
import os
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stepscope.core.domain.action import AskUser, Finish, OpenApp, Say, Scroll, Tap, Type
from stepscope.core.domain.episode import Ask, Episode, EpisodeSummary, Platform
from stepscope.core.domain.geometry import Direction, Size
from stepscope.core.errors import SourceError
from stepscope.core.sources.ask_records import FORMAT as ASKS
from stepscope.core.sources.ask_records import ask_record_of, episode_of_record
from stepscope.core.sources.look import FolderScan
from stepscope.core.sources.navi_plus import FORMAT, open_navi_plus
from stepscope.core.sources.sniffers.navi_plus_keys import GUESSES, KEYS_FILE, Keys, at_path, keys_for

FULL = "Track the moon phase of March 4 on the moon app"
PART = "Track the moon phase of a specific date on the moon app"
QUESTION, ANSWER = "Which date should I track?", "The date is March 4."

EPISODE: dict[str, Any] = {
    "episode_id": 17,
    "original_task": FULL,
    "ambiguous_task": PART,
    "app": "moon",
    "steps": [
        {"screenshot": "shots/a.png", "action": {"action_type": "open_app", "app_name": "moon"}},
        {"screenshot": "shots/b.png", "action": {"action_type": "ask", "text": QUESTION}},
        {"screenshot": "shots/b.png", "action": {"action_type": "say", "text": ANSWER}},
        {
            "screenshot": "shots/b.png",
            "action": {"action_type": "click", "x": 302, "y": 611},
            "bbox": [290, 600, 350, 640],
            "low_level_instruction": "Choose March 4",
        },
        {"screenshot": "shots/a.png", "action": {"action_type": "scroll", "direction": "down"}},
        {"screenshot": "shots/a.png", "action": {"action_type": "status", "goal_status": "successful"}},
    ],
}


@pytest.fixture
def data(tmp_path: Path, write_picture: Any) -> Path:
    folder = tmp_path / "naviplus"
    write_picture(folder / "shots" / "a.png", 540, 1200)
    write_picture(folder / "shots" / "b.png", 360, 800)
    return folder


def save(folder: Path, form: object, name: str = "samples_test.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(form))
    return path


def only(path: Path, rows: Any) -> Episode:
    """The only episode at the path, which its row describes."""
    source = open_navi_plus(path)
    (row,), problems = rows(source)
    assert problems == []
    episode = source.read(row.id, row.place)
    assert (row.id, row.goal, row.steps, row.asks) == (
        episode.id, episode.goal, len(episode.steps), len(episode.asks),
    )  # fmt: skip
    assert not row.checked
    return episode


def test_an_episode_in_full(data: Path, rows: Any) -> None:
    save(data, [EPISODE])
    assert FORMAT.sniff(FolderScan(data)) and not ASKS.sniff(FolderScan(data))
    episode = only(data, rows)
    assert (episode.id, episode.format, episode.platform, episode.app) == ("17", "navi_plus", Platform.ANDROID, "moon")
    assert (episode.goal, episode.original_goal, episode.splits, episode.problems) == (PART, FULL, ("test",), ())
    actions: list[Any] = [step.action for step in episode.steps]
    assert actions[:3] == [OpenApp("moon"), AskUser(QUESTION), Say(ANSWER)]
    tap = actions[3]
    assert isinstance(tap, Tap) and tap.point is not None and tap.target is not None and tap.target.box is not None
    assert (tap.point.x, tap.point.y, tap.point.size) == (302, 611, Size(360, 800))
    box = tap.target.box
    assert (box.left, box.top, box.right, box.bottom) == (290, 600, 350, 640)
    assert actions[4:] == [Scroll(Direction.DOWN), Finish()]
    assert [step.instruction for step in episode.steps] == [None, None, None, "Choose March 4", None, None]
    assert [step.observation.size for step in episode.steps[:2]] == [Size(540, 1200), Size(360, 800)]
    assert episode.asks == (Ask(1, QUESTION, ANSWER),)


def test_it_becomes_a_neutral_record(data: Path, rows: Any) -> None:
    save(data, [EPISODE])
    record = ask_record_of(only(data, rows))
    assert record == {
        "episode_id": "17",
        "original_task": FULL,
        "ambiguous_task": PART,
        "asks": [{"step": 1, "question": QUESTION, "answer": ANSWER, "kind": ""}],
    }
    assert ask_record_of(episode_of_record(record)) == record


@pytest.mark.parametrize("name", ["train.jsonl", "train.json"])
def test_one_step_a_record(data: Path, rows: Any, name: str) -> None:
    lines = []
    for number, count in (("17", 6), ("18", 2)):
        for index, step in enumerate(EPISODE["steps"][:count]):
            lines.append({"episode_id": number, "step_id": index, "full_task": FULL, "ambiguous_task": PART, **step})
    text = json.dumps(lines) if name == "train.json" else "\n".join(map(json.dumps, lines))
    (data / name).write_text(text)
    source = open_navi_plus(data)
    episodes, problems = rows(source)
    assert problems == [] and [(row.id, row.steps, row.screens, row.splits) for row in episodes] == [
        ("17", 6, 6, ("train",)), ("18", 2, 2, ("train",)),
    ]  # fmt: skip
    long, short = (source.read(row.id, row.place) for row in episodes)
    assert [step.action.kind for step in long.steps if step.action] == [
        "open_app", "ask", "say", "tap", "scroll", "finish",
    ]  # fmt: skip
    assert long.asks == (Ask(1, QUESTION, ANSWER),) and short.asks == (Ask(1, QUESTION, ""),)


def test_the_papers_own_words_and_a_file_for_each_episode(data: Path, rows: Any) -> None:
    form = {
        "Full Task": FULL,
        "Selected Step to Exclude": "Choose March 4",
        "Incomplete Task Description": "Track the moon phase",
        "Rephrased Incomplete Task Description": PART,
        "Follow Up Question": QUESTION,
        "Human Answer": ANSWER,
        "steps": [
            {"Step Action Code": "OPEN_APP(moon)"},
            {"Step Action Code": "CLICK(March 4)", "Step Instruction": "Choose March 4"},
            {"Step Action Code": "CLICK(UnKnown)", "Red Bbox Content": "OK"},
        ],
    }
    save(data, form, "one.json")
    save(data, form, "two.json")
    source = open_navi_plus(data)
    episodes, problems = rows(source)
    assert problems == [] and [row.id for row in episodes] == ["one-1", "two-1"]
    episode = source.read("one-1", episodes[0].place)
    assert (episode.goal, episode.original_goal) == (PART, FULL)
    assert episode.asks == (Ask(1, QUESTION, ANSWER),)
    march, fine = episode.steps[1].action, episode.steps[2].action
    assert isinstance(march, Tap) and march.point is None and march.target and march.target.text == "March 4"
    assert isinstance(fine, Tap) and fine.target and fine.target.text == "OK"


def test_lists_of_codes_and_pictures_beside_each_other(data: Path, rows: Any) -> None:
    form = {
        "id": "x", "task": FULL, "ambiguous_task": PART, "images": ["a.png", "b.png"],
        "actions": ["[link] Deals -> CLICK", "[textbox] City -> TYPE: Brest"], "step_instructions": ["one", "two"],
        "website": "kayak", "qa_pairs": [{"step": 1, "question": QUESTION, "answer": ANSWER, "type": "date"}],
    }  # fmt: skip
    (data / "shots").rename(data / "images")
    save(data, [form])
    episode = only(data, rows)
    assert (episode.platform, episode.app, episode.problems) == (Platform.WEB, "kayak", ())
    assert [step.instruction for step in episode.steps] == ["one", "two"]
    click, typed = (step.action for step in episode.steps)
    assert isinstance(click, Tap) and click.target is not None and click.target.text == "Deals"
    assert isinstance(typed, Type) and typed.text == "Brest" and typed.target and typed.target.text == "City"
    assert episode.asks == (Ask(1, QUESTION, ANSWER, "date"),)
    assert [step.observation.screenshot.path.name for step in episode.steps if step.observation.screenshot] == [
        "a.png", "b.png",
    ]  # fmt: skip


class TestKeysFile:
    FORM: ClassVar[dict[str, Any]] = {
        "meta": {"number": 5, "texts": [FULL, PART]},
        "walk": [{"picture": "/mnt/x/a.png", "what": "TAP", "where": {"at": [250, 125]}}],
        "talk": [{"at": 1, "agent": QUESTION, "user": ANSWER}],
        "a.b": "dotted",
    }
    KEYS: ClassVar[dict[str, Any]] = {
        "keys": {
            "id": "meta.number",
            "original_task": "meta.texts.0",
            "ambiguous_task": ["nowhere", "meta.texts.1"],
            "steps": "walk",
            "step.image": "picture",
            "action.kind": "what",
            "action.point": "where.at",
            "asks": "talk",
            "ask.step": "at",
            "ask.question": "agent",
            "ask.answer": "user",
            "app": "a.b",
        },
        "platform": "web",
        "coordinates": "thousandths",
        "first_step": 1,
        "image_folder": "shots",
        "image_prefix": "/mnt/x/",
    }

    def test_a_persons_keys_are_obeyed(self, data: Path, rows: Any) -> None:
        save(data, self.KEYS, KEYS_FILE)
        (data / "deeper").mkdir()
        path = save(data / "deeper", [self.FORM])
        for opened in (data, data / "deeper", path):
            assert FORMAT.sniff(FolderScan(opened))
            episode = only(opened, rows)
            assert (episode.id, episode.platform, episode.app) == ("5", Platform.WEB, "dotted")
            assert (episode.goal, episode.original_goal, episode.problems) == (PART, FULL, ())
            (step,) = episode.steps
            assert isinstance(step.action, Tap) and step.action.point is not None
            assert (step.action.point.x, step.action.point.y) == (135, 150)
            assert episode.asks == (Ask(0, QUESTION, ANSWER),)

    @pytest.mark.parametrize(
        ("changes", "words"),
        [
            ({"keys": {"goal": "x"}}, "'goal' is not ours; there are id, original_task"),
            ({"keys": {"id": 5}}, "keys.id must be a path"),
            ({"keys": {"id": []}}, "keys.id must be a path"),
            ({"keys": "id"}, "keys must be an object"),
            ({"key": {}}, "'key' is not known; there are keys, platform"),
            ({"platform": "ios"}, "platform must be one of android, web, text"),
            ({"coordinates": []}, "coordinates must be one of pixels, thousandths, fractions"),
            ({"box": "wide"}, "box must be one of edges, size"),
            ({"first_step": True}, "first_step must be 0 or 1"),
            ({"image_folder": "../.."}, "leads out"),
            ({"image_prefix": 5}, "image_prefix must be text"),
        ],
    )
    def test_a_slip_in_the_keys_file_is_named(self, data: Path, rows: Any, changes: dict[str, Any], words: str) -> None:
        (data / "below").mkdir()
        path = save(data / "below", {**self.KEYS, **changes}, KEYS_FILE)
        save(data / "below", [self.FORM])
        with pytest.raises(SourceError) as caught:
            open_navi_plus(data / "below")
        assert words in caught.value.message and caught.value.place == str(path)
        episodes, problems = rows(open_navi_plus(data))
        assert episodes == [] and [problem.file for problem in problems] == [f"below/{KEYS_FILE}"]

    def test_what_is_missing_is_named_with_what_is_there(self, data: Path, rows: Any) -> None:
        save(data, {"keys": {"ambiguous_task": "short.task"}}, KEYS_FILE)
        path = save(data, [{"goal": FULL, "shortened": {"task": PART}, "steps": []}])
        assert FORMAT.sniff(FolderScan(path))
        _, (problem,) = rows(open_navi_plus(data))
        assert problem.field == "ambiguous_task" and problem.file == path.name
        assert problem.message.startswith(
            "record 1: no ambiguous_task in the record: looked for 'short.task'; its keys are goal, shortened, steps."
        )
        assert KEYS_FILE in problem.message

    def test_without_a_keys_file_whoever_names_the_format_is_told_the_keys(self, data: Path, rows: Any) -> None:
        save(data, [{"goal": FULL, "vague": PART, "steps": []}])
        assert not FORMAT.sniff(FolderScan(data))
        _, (problem,) = rows(open_navi_plus(data))
        assert "its keys are goal, vague, steps" in problem.message

    def test_a_changed_keys_file_counts_at_once(self, data: Path, rows: Any) -> None:
        save(data, {"keys": {"app": "one"}}, KEYS_FILE)
        save(data, [{**EPISODE, "one": "first", "two": "second"}])
        assert only(data, rows).app == "first"
        path = save(data, {"keys": {"app": "two"}}, KEYS_FILE)
        os.utime(path, ns=(1, 10**18))
        assert only(data, rows).app == "second"

    def test_paths(self) -> None:
        form = {"a": {"b c": [None, {"D_e": 1}]}, "x.y": 2}
        assert at_path(form, "a.b c.1.de") == 1 and at_path(form, "a.B-C.0") is None and at_path(form, "x.y") == 2
        assert keys_for(Path("/")) == Keys()
        assert not Keys().has("app", form) and Keys(paths={"app": ("a.bc.0",)}).has("app", form)


def test_every_name_of_ours_is_in_the_documentation() -> None:
    page = (Path(__file__).parents[3] / "docs" / "formats" / "navi_plus.md").read_text(encoding="utf-8")
    assert [name for name in GUESSES if f"`{name}`" not in page] == []


def test_a_task_that_leaves_nothing_out(data: Path, rows: Any) -> None:
    save(data, [{**EPISODE, "ambiguous_task": None}])
    episode = only(data, rows)
    assert (episode.goal, episode.original_goal) == (FULL, None)


@pytest.mark.parametrize("name", ["../../etc/passwd", "/etc/passwd", "a\0b", "..\\x.png", ""])
def test_a_picture_that_leads_out_is_refused(data: Path, rows: Any, name: str) -> None:
    save(data, [{**EPISODE, "steps": [{"image": name, "action": "BACK"}]}])
    episode = only(data, rows)
    assert episode.steps[0].observation.screenshot is None
    assert [(problem.step, problem.field) for problem in episode.problems] == [(0, "screenshot")]


def test_a_pointer_in_a_pictures_place_is_named(data: Path, rows: Any) -> None:
    (data / "shots" / "a.png").write_text("version https://git-lfs.github.com/spec/v1\n")
    save(data, [EPISODE])
    assert {("git-lfs" in problem.message, problem.step) for problem in only(data, rows).problems} == {
        (True, 0), (True, 4), (True, 5),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("form", "action"),
    [
        ("ASK(Which date (or day)?)", AskUser("Which date (or day)?")),
        ('ASK["When?"]', AskUser("When?")),
        ("say: 'on March 4'", Say("on March 4")),
        ("PRESS_BACK", "press_key"),
        ("TASK_IMPOSSIBLE", "finish"),
        ({"op": "SELECT", "value": "4"}, "select"),
        ('{"action_type": "wait"}', "wait"),
        ("SWIPE(1, 2, 3, 4)", "swipe"),
        ("HOVER(OK)", "hover"),
    ],
)
def test_forms_of_actions(data: Path, rows: Any, form: object, action: object) -> None:
    save(data, [{**EPISODE, "steps": [{"action": form}]}])
    episode = only(data, rows)
    found = episode.steps[0].action
    assert episode.problems == () and found is not None
    assert (found.kind if isinstance(action, str) else found) == action


def test_a_finger_that_moves_up_shows_what_is_below(data: Path, rows: Any) -> None:
    steps = [{"action": "SWIPE(up)"}, {"action": "SCROLL(up)"}]
    save(data, [{**EPISODE, "steps": steps}])
    assert [step.action for step in only(data, rows).steps] == [Scroll(Direction.DOWN), Scroll(Direction.UP)]


@pytest.mark.parametrize(
    ("option", "box", "edges"),
    [
        ({}, [10, 20, 30, 50], (10, 20, 30, 50)),
        ({"box": "size"}, "10,20,30,50", (10, 20, 40, 70)),
        ({"box": "size"}, {"left": 10, "top": 20, "right": 30, "bottom": 50}, (10, 20, 30, 50)),
        ({}, {"x": 10, "y": 20, "width": 30, "height": 50}, (10, 20, 40, 70)),
        ({"coordinates": "fractions"}, [0.1, 0.2, 0.3, 0.5], (20, 80, 60, 200)),
    ],
)
def test_boxes(data: Path, rows: Any, option: dict[str, str], box: object, edges: tuple[float, ...]) -> None:
    save(data, option, KEYS_FILE)
    save(data, [{**EPISODE, "width": 200, "height": 400, "steps": [{"action": "CLICK", "bbox": box}]}])
    action = only(data, rows).steps[0].action
    assert isinstance(action, Tap) and action.target is not None and action.target.box is not None
    found = action.target.box
    assert [found.left, found.top, found.right, found.bottom] == pytest.approx(edges)
    assert action.point == found.centre


@pytest.mark.parametrize(
    "form",
    ["", "CLICK", "CLICK(1, 2, 3, 1)", "dance(1, 2)", {"action_type": 5}, {"x": 1}, 7, [1], "[x] y", "{", "SCROLL(far)",
     {"action_type": "click", "x": float("nan"), "y": 2}, {"action_type": "click", "x": 10**400, "y": 2},
     {"action_type": "click", "coordinate": [1]}, {"action_type": "click", "bbox": [5, 5, 1, 9]}],
)  # fmt: skip
def test_an_action_that_cannot_be_read_is_named_and_the_rest_opens(data: Path, rows: Any, form: object) -> None:
    save(data, [{**EPISODE, "steps": [{"action": form}, {"action": "BACK"}]}])
    episode = only(data, rows)
    assert episode.steps[0].action is None and episode.steps[1].action is not None
    assert [(problem.step, problem.field) for problem in episode.problems] == [(0, "action")]


def test_questions_without_a_step_or_a_text_are_told(data: Path, rows: Any) -> None:
    asks = [{"question": "A?"}, {"answer": "b"}, {"step": 99, "question": "C?"}, {"step": 3, "question": "D?"}, 5]
    save(data, [{**EPISODE, "asks": asks}])
    episode = only(data, rows)
    assert episode.asks == (Ask(0, "A?", ""), Ask(0, "C?", ""), Ask(3, "D?", ""))
    assert [problem.message[:11] for problem in episode.problems] == [
        "question 0:", "question 1 ", "question 2:", "question 4 ",
    ]  # fmt: skip


def test_broken_records_cost_themselves_only(data: Path, rows: Any) -> None:
    other = {**EPISODE, "episode_id": "a"}
    lines = [
        json.dumps(EPISODE),
        '{"episode_id": ',
        json.dumps({**EPISODE, "original_task": 5}),
        "[]",
        json.dumps(other),
    ]
    (data / "all.jsonl").write_text("\n".join(lines) + "\n" + json.dumps(other))
    episodes, problems = rows(open_navi_plus(data))
    assert [row.id for row in episodes] == ["17", "a", "a~2"]
    assert [problem.message[:9] for problem in problems] == ["record 2:", "record 3:", "record 4:"]


def test_a_first_record_longer_than_what_is_looked_at(data: Path, rows: Any) -> None:
    save(data, [{**EPISODE, "steps": EPISODE["steps"] * 200}])
    assert FORMAT.sniff(FolderScan(data))
    assert len(only(data, rows).steps) == 1200


def test_other_json_is_left_alone(data: Path) -> None:
    save(data, [{"task": FULL, "steps": []}])
    save(data, {"keys": {"id": "number"}}, "nothing.json")
    assert not FORMAT.sniff(FolderScan(data))
    save(data, {"keys": {"id": "number"}}, KEYS_FILE)
    assert not FORMAT.sniff(FolderScan(data / KEYS_FILE))


PARTS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
    | st.sampled_from(["CLICK(1,2)", "ask", "[a] b -> CLICK", "x -> TYPE: y", "{}", "../x", "down", "web"]),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(
        st.text(max_size=6) | st.sampled_from(["action", "x", "bbox", "step", "question", "image", "steps"]),
        inner, max_size=4,
    ),
    max_leaves=12,
)  # fmt: skip


def places(form: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Paths of all values in a JSON value."""
    found = [path] if path else []
    items = form.items() if isinstance(form, dict) else enumerate(form) if isinstance(form, list) else ()
    for key, value in items:
        found += places(value, (*path, key))
    return found


def mutated(form: Any, changes: list[tuple[int, Any, bool]]) -> Any:
    """`form` with some of its values replaced or taken away."""
    form = copy.deepcopy(form)
    for number, value, gone in changes:
        found = places(form)
        if not found:
            return form
        *way, last = found[number % len(found)]
        holder = form
        for key in way:
            holder = holder[key]
        if gone:
            del holder[last]
        else:
            holder[last] = value
    return form


CHANGES = st.lists(st.tuples(st.integers(0, 10_000), PARTS, st.booleans()), max_size=4)


@given(CHANGES, CHANGES, st.binary(max_size=20), st.booleans())
@example([(5, [{"question": "?", "step": 10**30}], False)], [], b"", True)
def test_any_file_is_rows_or_problems(
    tmp_path: Path,
    changes: list[tuple[int, Any, bool]],
    slips: list[tuple[int, Any, bool]],
    junk: bytes,
    as_list: bool,
) -> None:
    folder = tmp_path / "fuzz"
    folder.mkdir(exist_ok=True)
    records = [mutated({**EPISODE, "asks": [{"step": 1, "question": "a", "answer": "b"}]}, changes), *EPISODE["steps"]]
    text = json.dumps(records) if as_list else "\n".join(map(json.dumps, records))
    (folder / "a.json").write_bytes(text.encode() + junk)
    (folder / KEYS_FILE).write_text(json.dumps(mutated({"keys": {"app": "app.0"}}, slips) if slips else {}))
    FORMAT.sniff(FolderScan(folder))
    try:
        source = open_navi_plus(folder)
    except SourceError:
        return
    for row in source.scan():
        if isinstance(row, EpisodeSummary):
            with contextlib.suppress(SourceError):
                episode = source.read(row.id, row.place)
                assert (len(episode.steps), len(episode.asks)) == (row.steps, row.asks)
