"""`stepscope ambiguous`: tasks made, reviewed, counted and written, and what cannot be is one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from stepscope.core.domain.action import Tap, Target, Type
from stepscope.core.domain.episode import Ask, Episode, Observation, Platform, Step
from stepscope.core.domain.geometry import Box, Point, Size
from stepscope.core.sources.recording_writer import write_recording
from stepscope.models.chat import servers
from tests.models.chat.conftest import ring, stage  # noqa: F401 - fixtures
from tests.models.chat.faults import completion

SIZE = Size(100, 200)


def step(index: int, words: str, field: str = "") -> Step:
    box = Box(0, 0, 50, 20, SIZE)
    action = Type(words, None, Target(box, field)) if field else Tap(Point(5, 5, SIZE), Target(box, words))
    return Step(index, Observation(SIZE), action)


def write(folder: Path, name: str, goal: str, *steps: Step, **more) -> None:
    write_recording(Episode(name, "recording", Platform.ANDROID, goal, steps, "shop", **more), folder / name)


@pytest.fixture
def walks(tmp_path: Path) -> Path:
    """`mug` has two informative steps, `late` one, `back` none; `asked` has a question already."""
    folder = tmp_path / "walks"
    write(folder, "mug", "Send the red mug to Porto", step(0, "Red mug"), step(1, "Porto", "City"), step(2, "Send"))
    write(folder, "late", "Tell Perla that I am late", step(0, "Perla Jellicoe"))
    write(folder, "back", "Look around", step(0, "More"))
    write(folder, "asked", "Buy a lamp", step(0, "Lamp"), asks=(Ask(0, "Which?", "Red"),))
    return folder


@pytest.fixture
def made(cli, walks: Path, store: Path) -> Path:
    ended = cli("ambiguous", "make", walks, "--removed", "1,2", "--json")
    assert ended.status == 0, ended.err
    return walks


def test_what_is_made_is_told_and_not_made_again(cli, made: Path) -> None:
    again = cli("ambiguous", "make", made, "--removed", "2,1", "--json").json
    assert (again["known"], again["made"], again["asking_already"]) == (3, 0, 1)
    anew = cli("ambiguous", "make", made, "--removed", "1,2", "--again", "--json").json
    assert (anew["made"], anew["tasks"], anew["not_enough"], anew["failing"]) == (3, 3, 3, 0)
    listed = cli("ambiguous", "list", made, "--json").json
    assert [(one["episode_id"], one["removed"], one["standing"]) for one in listed] == [
        ("late", 1, "open"), ("mug", 1, "open"), ("mug", 2, "open")
    ]  # fmt: skip
    assert listed[2]["ambiguous_task"] == "Send the item to a certain place"
    shown = cli("ambiguous", "show", made, listed[0]["id"][:6]).out
    assert "Goal: Tell [-Perla-][+someone+] that I am late" in shown and "A: Perla." in shown


def test_people_accept_reject_edit_and_take_back(cli, made: Path) -> None:
    one, two, three = (task["id"] for task in cli("ambiguous", "list", made, "--json").json)

    def review(*arguments: str):
        return cli("ambiguous", "review", made, *arguments, "--json")

    assert review("--accept", one, "--reviewer", " Ann ").json["standing"] == "accepted"
    assert review("--reject", one, "--reviewer", "ben", "--note", "odd").json["standing"] == "disputed"
    assert review("--undo", one, "--reviewer", "ben").json["standing"] == "accepted"
    assert review("--undo", one, "--reviewer", "ben").status == 2, "there is nothing to take back"
    review("--reject", two, "--reviewer", "Ann")
    edit = review("--edit", three, "--reviewer", "Ann", "--goal", "Go away", "--answer", "1:Porto!")
    assert edit.json["standing"] == "edited" and "lost more" in edit.err
    assert edit.json["settled"]["asks"][1] == {
        "step": 1, "question": "Which place should I enter for “City”?", "answer": "Porto!"
    }  # fmt: skip
    review("--accept", three, "--reviewer", "ben")
    agreed = cli("ambiguous", "agreement", made, "--json").json
    assert (agreed["reviewed_by_several"], agreed["kappa"], agreed["observed"]) == (1, 1.0, 1.0)
    assert agreed["standing"] == {"accepted": 1, "rejected": 1, "edited": 1}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--reviewer", "a"], "one thing"),
        (["--accept", "x", "--reject", "x", "--reviewer", "a"], "one thing"),
        (["--accept", "zz", "--reviewer", "a"], "no task 'zz'"),
        (["--accept", "", "--reviewer", "a"], "no task"),
        (["--accept", "{id}", "--reviewer", "  "], "reviewer's name"),
        (["--accept", "{id}", "--reviewer", "a", "--goal", "x"], "go with --edit"),
        (["--edit", "{id}", "--reviewer", "a", "--goal", " "], "must not be empty"),
        (["--edit", "{id}", "--reviewer", "a", "--question", "x"], "of which step"),
    ],
)
def test_a_review_that_cannot_be_is_one_line(cli, made: Path, arguments: list[str], words: str) -> None:
    two = next(task["id"] for task in cli("ambiguous", "list", made, "--json").json if task["removed"] == 2)
    ended = cli("ambiguous", "review", made, *(one.replace("{id}", two) for one in arguments))
    assert ended.status == 2 and words in ended.line


def test_statistics_are_those_of_the_paper(cli, made: Path) -> None:
    found = cli("ambiguous", "statistics", made, "--json").json["rules"]
    assert (found["episodes"], found["mean_steps"], found["mean_informative"]) == (3, 5 / 3, 1.0)
    assert found["steps"] == {"1": 2, "3": 1} and found["informative"] == {"0": 1, "1": 1, "2": 1}
    assert [(one["removed"], one["enough"], one["share"]) for one in found["enough"]] == [(1, 2, 2 / 3), (2, 1, 1 / 3)]
    told = cli("ambiguous", "statistics", made, "--apps", "--figure", made.parent / "x.svg").out
    assert "enough: 2 of 3" in (made.parent / "x.svg").read_text("utf-8")
    assert "1 left out: 2 of 3 tasks have enough steps (66.7%)" in told


def test_tasks_leave_as_recordings_and_in_navi_plus_and_open_equal(cli, made: Path, tmp_path: Path) -> None:
    """Three layouts, one content; the recordings are evaluated as they are."""
    out = {name: tmp_path / name for name in ("recordings", "naviplus", "asks.jsonl")}
    for name, path in out.items():
        ended = cli("ambiguous", "export", made, "-o", path, "--as", name.removesuffix(".jsonl"), "--json")
        assert (ended.status, ended.json["written"]) == (0, 3), ended.err
    read = {name: cli("asks", path).out.splitlines() for name, path in out.items()}
    assert read["recordings"] == read["naviplus"]
    forms = [json.loads(line) for line in read["recordings"]]
    assert [form["episode_id"] for form in forms] == ["late", "mug-1", "mug-2"]
    assert [[ask["step"] for ask in form["asks"]] for form in forms][0::2] == [[0], [0, 2]]
    neutral = [json.loads(line) for line in read["asks.jsonl"]]
    assert [ask["step"] for ask in neutral[2]["asks"]] == [0, 1], "the steps of the data itself"
    assert cli("ambiguous", "export", made, "-o", out["naviplus"], "--as", "naviplus").status == 2, "it is not empty"
    assert cli("ambiguous", "export", made, "-o", tmp_path / "x", "--accepted").status == 2, "nobody reviewed any"
    scored = cli("evaluate", "ask", out["recordings"], "--model", "never-ask", "--json")
    assert scored.status == 0, scored.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--removed", "0"], "no number of steps"),
        (["--removed", "1,x"], "no list of numbers"),
        (["--removed", "99"], "no number of steps"),
        (["--model", "text-match"], "makes no tasks"),
        (["--model", "served:nobody/m"], "nobody"),
        (["--prompt", "navi-plus"], "asked in no words"),
        (["--budget", "1"], "no price"),
        (["--filter", "goal:zebra"], "No episode is left"),
    ],
)
def test_what_cannot_be_made_is_one_line(cli, walks: Path, store: Path, arguments: list[str], words: str) -> None:
    ended = cli("ambiguous", "make", walks, *arguments)
    assert ended.status == 2 and words in ended.line


def test_data_without_goals_or_actions_is_one_line(cli, tmp_path: Path, store: Path) -> None:
    write(tmp_path / "empty", "none", "Look", Step(0, Observation(SIZE)))
    write(tmp_path / "silent", "none", "", step(0, "More"))
    for folder in ("empty", "silent"):
        ended = cli("ambiguous", "make", tmp_path / folder)
        assert ended.status == 2 and "no episode here with a goal and with recorded actions" in ended.line
    for command in ("list", "statistics", "agreement"):
        assert "no task was made" in cli("ambiguous", command, tmp_path / "empty").line
        assert "nothing at this place" in cli("ambiguous", command, tmp_path / "nowhere").line


def test_prompts_are_listed_and_copied(cli, store: Path, own_home: Path) -> None:
    assert [one["name"] for one in cli("ambiguous", "prompts", "--json").json] == ["navi-plus"]
    assert cli("ambiguous", "prompts", "--copy", "navi-plus", "--to", "mine").status == 0
    assert "mine" in cli("ambiguous", "prompts").out
    assert cli("ambiguous", "prompts", "--copy", "navi-plus").status == 2


@pytest.mark.needs("openai")
def test_a_model_makes_tasks_within_its_questions(cli, walks: Path, store: Path, stage) -> None:  # noqa: F811
    """Two steps of `mug` are answered, the third question is one too many; the rest is made by the next call."""
    did = [completion(json.dumps({"Step Instruction": f"Do {number}"})) for number in range(3)]
    form = {
        "Overlapping Information": "red mug", "Incomplete Task Description": "Send an item to Porto",
        "Follow Up Question": "Which item?", "Human Answer": "The red mug.",
    }  # fmt: skip
    none = completion(json.dumps({"Overlapping Information": "None"}))
    stage.plays(did[0], completion(json.dumps(form)), did[1], none, did[2], none)
    servers.add(stage.server(parallel=1, pictures=False))
    asked = ("ambiguous", "make", walks, "--model", "served:lab/m", "--filter", "goal:mug", "--json")
    first = cli(*asked, "--most-questions", "3")
    assert (first.status, first.json["over"], first.json["questions"], first.json["made"]) == (1, True, 3, 0)
    second = cli(*asked)
    assert (second.status, second.json["questions"], second.json["remembered"]) == (0, 3, 3), second.err
    (task,) = cli("ambiguous", "list", walks, "--json").json
    assert (task["ambiguous_task"], task["made_by"], task["checks"]) == ("Send an item to Porto", "served:lab/m", [])
    assert cli(*asked).json["known"] == 1 and len(stage.seen) == 6
