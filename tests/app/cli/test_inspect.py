"""What is at a path, and one episode of it."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from stepscope.app.cli.data import inspection


def test_inspect_counts_what_is_there(cli, recordings):
    ended = cli("inspect", recordings, "--json")
    assert (ended.status, ended.err) == (0, "")
    assert ended.json == {
        "path": str(recordings),
        "format": "recording",
        "episodes": 2,
        "steps": 6,
        "screens": 2,
        "actions": {"tap": 3, "type": 1, "press_key": 1},
        "platform": "android",
        "problems": [],
    }
    assert list(ended.json["actions"]) == ["tap", "type", "press_key"], "first seen first"


def test_inspect_tells_a_reader_in_words(cli, recordings):
    ended = cli("inspect", recordings / "1")
    assert ended.status == 0
    assert "1 episode, 4 steps, 2 screens" in ended.out
    assert "\x1b" not in ended.out


def test_a_damaged_part_is_named_and_is_no_failure(cli, recordings):
    (recordings / "1" / "screens" / "0000.png").write_bytes(b"no picture")
    ended = cli("inspect", recordings, "--json")
    assert ended.status == 0
    assert ended.json["screens"] == 0, "steps 0 and 1 show the same file"
    problem = ended.json["problems"][0]
    assert (problem["episode"], problem["step"], problem["field"]) == ("lamp", 0, "screenshot")
    assert problem["message"]


def test_an_unreadable_episode_is_a_problem_and_the_rest_is_counted(cli, recordings):
    form = recordings / "2" / "episode.json"
    form.write_text(form.read_text().replace('"platform": "android"', '"platform": "fridge"'))
    ended = cli("inspect", recordings, "--json")
    assert (ended.status, ended.json["episodes"], ended.json["steps"]) == (0, 1, 4)
    assert [problem["field"] for problem in ended.json["problems"]] == ["platform"]
    assert "1 problem:" in cli("inspect", recordings).out


@pytest.mark.parametrize(
    ("filter", "goals"),
    [
        ("infeasible", 1), ("steps>=2", 2), ("lamp | chair", 2), ("none(action:type)", 1), ("sofa", 0), ("step:4", 1),
        ("text:search action:tap", 1), ("typed:lamp", 1), ("key:back step:3", 1), ("text:sofa", 0),
    ],
)  # fmt: skip
def test_inspect_takes_the_filter_language(cli, recordings, filter, goals):
    ended = cli("inspect", recordings, "--filter", filter, "--json")
    assert (ended.status, ended.json["episodes"]) == (0, goals)


def test_the_episodes_that_pass_are_written_one_a_row(cli, recordings, tmp_path):
    ended = cli("inspect", recordings, "--filter", "typed:lamp", "-o", tmp_path / "list.csv", "--json")
    assert (ended.status, ended.json["episodes"]) == (0, 1)
    (row,) = csv.DictReader((tmp_path / "list.csv").read_text("utf-8").splitlines())
    assert (row["goal"], row["matching_steps"], row["filter"]) == ("Buy a lamp", "1", "typed:lamp")
    assert cli("inspect", recordings, "-o", tmp_path / "list.jsonl").status == 0
    rows = [json.loads(line) for line in (tmp_path / "list.jsonl").read_text("utf-8").splitlines()]
    assert [row["matching_steps"] for row in rows] == [[], []]
    assert (rows[0]["goal"], rows[0]["runs"]) == ("Buy a lamp", {})
    ended = cli("inspect", recordings, "-o", tmp_path / "list.txt")
    assert (ended.status, ended.out) == (2, "")
    assert ended.line.endswith("a list of episodes is no .txt. Name a file that ends in .csv or .jsonl.")


@pytest.mark.parametrize(("filter", "place"), [("lamp text:search", 6), ("step:1", 1)])
def test_outlines_do_not_tell_what_is_on_a_screen(cli, recordings, filter, place):
    ended = cli("inspect", recordings, "--quick", "--filter", filter)
    assert ended.status == 2
    assert ended.line.startswith(f"stepscope: filter:{place}: ") and "leave out --quick" in ended.line


def test_a_wrong_filter_is_told_with_its_place(cli, recordings):
    ended = cli("inspect", recordings, "--filter", "gaol:lamp", "--json")
    assert (ended.status, ended.out) == (2, "")
    assert ended.line == "stepscope: filter:1: No field “gaol”. Did you mean goal?"


def test_a_format_can_be_named(cli, recordings):
    assert cli("inspect", recordings, "--format", "recording", "--json").json["episodes"] == 2
    ended = cli("inspect", recordings, "--format", "vhs")
    assert ended.status == 2
    assert "there is no format 'vhs'" in ended.line
    assert "llamatouch" in ended.line


def test_nothing_at_the_path(cli, tmp_path):
    ended = cli("inspect", tmp_path / "nowhere", "--json")
    assert (ended.status, ended.out) == (2, "")
    assert ended.line.startswith(f"stepscope: {tmp_path / 'nowhere'}: there is no such file or folder. ")


def test_an_unknown_folder(cli, tmp_path):
    (tmp_path / "notes.txt").write_text("milk")
    ended = cli("inspect", tmp_path)
    assert ended.status == 2
    assert "no known format" in ended.line


def test_an_episode_in_normalised_form(cli, recordings):
    ended = cli("episode", recordings, "lamp", "--json")
    assert (ended.status, ended.err) == (0, "")
    form = ended.json
    assert form["id"], form["goal"] == ("lamp", "Buy a lamp")
    assert form["asks"] == [{"step": 1, "question": "Which lamp?", "answer": "The red one", "kind": ""}]
    assert form["steps"][0]["observation"] == {"screenshot": "0000.png", "size": [100, 200], "elements": 1}
    assert form["steps"][0]["action"]["kind"] == "tap"
    assert form["steps"][0]["action"]["point"] == [50.0, 100.0]
    assert form["steps"][3]["action"] is None


def test_an_episode_in_words(cli, recordings):
    ended = cli("episode", recordings, "chair")
    assert ended.status == 0
    assert "Goal: Order a chair" in ended.out
    assert "infeasible (unclear)" in ended.out
    assert "tap (90, 190)" in ended.out


def test_control_characters_of_data_never_reach_the_terminal(cli, recordings):
    form = recordings / "1" / "episode.json"
    document = json.loads(form.read_text())
    document["goal"] = "red \x1b[31m alert \x07"
    form.write_text(json.dumps(document))
    assert "\x1b" not in cli("episode", recordings, "lamp").out


def test_an_unknown_episode_names_the_nearest(cli, recordings):
    ended = cli("episode", recordings, "lampe", "--json")
    assert (ended.status, ended.out) == (2, "")
    assert ended.line == f"stepscope: {recordings}: there is no episode 'lampe'. Nearest: lamp."


def test_problems_of_an_episode_go_to_stderr(cli, recordings):
    (recordings / "1" / "screens" / "0000.png").unlink()
    ended = cli("episode", recordings, "lamp", "--json")
    assert ended.status == 0
    assert ended.json["steps"][0]["observation"]["screenshot"] is None
    assert ended.err.startswith("stepscope: warning: lamp:0:screenshot: ")


@pytest.mark.parametrize(
    ("folder", "format", "episodes", "steps"),
    [("llamatouch", "llamatouch", 1, 5), ("aitz_coat", "aitz", 1, 4), ("rico_traces", "rico", 6, 19)],
)
def test_real_samples(cli, real_data: Path, folder, format, episodes, steps):
    found = cli("inspect", real_data / folder, "--json").json
    assert (found["format"], found["episodes"], found["steps"]) == (format, episodes, steps)


def test_episodes_are_listed_on_demand(cli, recordings):
    ended = cli("inspect", recordings, "--episodes", "--json")
    ids = ended.json["ids"]
    assert (len(ids), len(set(ids))) == (2, 2)
    assert all(cli("episode", recordings, name, "--json").json["id"] == name for name in ids)
    assert set(ids) <= set(cli("inspect", recordings, "--episodes").out.splitlines())


def test_a_named_format_that_finds_nothing_is_bad_usage(cli, recordings):
    ended = cli("inspect", recordings, "--format", "rico", "--json")
    assert (ended.status, ended.out) == (2, "")
    assert "nothing of the format rico is here. Leave --format out" in ended.line


def test_a_source_of_another_kind_says_so(cli, tmp_path):
    (tmp_path / "order.csv").write_text("goal,steps,ordered?\nHow to X,Do a. Do b.,1\n", "utf-8")
    report = cli("inspect", tmp_path, "--json").json
    assert (report["episodes"], report["steps"], report["procedures"], report["procedure_steps"]) == (0, 0, 1, 2)
    form = cli("episode", tmp_path, "1", "--json").json
    assert [step["text"] for step in form["procedure"]["steps"]] == ["Do a.", "Do b."]


def test_a_source_of_another_kind_says_so_even_when_it_is_empty():
    report = inspection(Path("x"), "turkingbench", [])
    assert (report["episodes"], report["tasks"], report["instances"]) == (0, 0, 0)
    assert inspection(Path("x"), "wikihow", [])["procedures"] == 0
    assert "procedures" not in inspection(Path("x"), "rico", [])


def test_outlines_alone_do_not_look_into_episodes(cli, recordings):
    (recordings / "1" / "screens" / "0000.png").write_bytes(b"no picture")
    assert cli("inspect", recordings, "--quick", "--json").json["problems"] == []
    assert cli("inspect", recordings, "--json").json["problems"] != []
    assert cli("inspect", recordings, "--as", "junk").status == 2


def test_as_procedures_leaves_out_what_has_no_order_and_says_so(cli, tmp_path):
    (tmp_path / "asks.jsonl").write_text(
        '{"episode_id": "7", "original_task": "a b", "ambiguous_task": "a", "asks": []}\n', "utf-8"
    )
    report = cli("inspect", tmp_path / "asks.jsonl", "--format", "asks", "--as", "procedures", "--json").json
    assert (report["episodes"], report.get("procedures", 0)) == (0, 0)
    assert [problem["message"] for problem in report["problems"]][-1].endswith("there is no order to find")


def test_data_without_actions_is_not_evaluated(cli, tmp_path):
    (tmp_path / "order.csv").write_text("goal,steps,ordered?\nHow to X,Do a. Do b.,1\n", "utf-8")
    ended = cli("evaluate", "automation", tmp_path, "--model", "random", "--store", f"sqlite:///{tmp_path / 's.db'}")
    assert ended.status == 2 and "nothing to evaluate" in ended.err
    assert cli("runs", "list", "--store", f"sqlite:///{tmp_path / 's.db'}", "--json").json == []


def test_what_people_say_is_not_looked_for_in_the_data(cli, recordings):
    ended = cli("inspect", recordings, "--filter", "lamp -checked")
    assert (ended.status, ended.out) == (2, "")
    assert "checked is no part of the data: 'stepscope annotations' lists" in ended.line
