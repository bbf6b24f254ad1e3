"""`stepscope webtask` and evaluations of web tasks, from the command line to a real browser and back."""

from __future__ import annotations

import csv
import importlib.util
from pathlib import Path

import pytest

from stepscope.core.sources.recording import read_recording

if importlib.util.find_spec("PySide6") is None:
    pytest.skip("there is no browser engine (PySide6)", allow_module_level=True)

PAGE = """<p>${goal}</p><img src="https://pictures.example/${goal}.png">
<label><input type=radio name=good value=1> yes</label><label><input type=radio name=good value=0> no</label>
<label>Why <textarea name=why>because ${goal}</textarea></label>
<label><input type=checkbox name=box value=a> A</label><label><input type=checkbox name=box value=b> B</label>
<script>if ("${goal}" === "hang") document.title = "never"; let maker = "made";</script>"""
COLUMNS = ["Title", "goal", "Answer.good", "Answer.why", "Answer.box.a", "Answer.box.b", "Answer.made"]
ROWS = [
    ["Rate", "tea", "1", "because tea", "True", "False", "x"],
    ["Rate", "tea", "1", "it is hot", "False", "False", ""],
    ["Rate", "soup", "0", "it is cold", "True", "True", "y"],
]


@pytest.fixture
def bench(tmp_path: Path) -> Path:
    folder = tmp_path / "tasks" / "Rate it"
    folder.mkdir(parents=True)
    (folder / "template.html").write_text(PAGE)
    with (folder / "batch.csv").open("w", newline="") as stream:
        csv.writer(stream).writerows([COLUMNS, *ROWS])
    return tmp_path / "tasks"


def test_doing_nothing_and_the_oracle(cli, bench: Path) -> None:
    nothing = cli("evaluate", "webtask", bench, "--model", "do-nothing", "--json")
    assert nothing.status == 0, nothing.err
    # Tea: not yes, the draft is an answer, the second worker ticked nothing. Soup: not no, the draft shares no word
    # with "it is cold", both boxes were ticked. Nothing on the page is called "made".
    assert (nothing.json["n"], nothing.json["errors"], nothing.json["metrics"]) == (2, 0, {"score": 2 / 6})
    assert nothing.json["by_type"] == {"textarea": 0.5, "radio": 0, "checkbox": 0.5}
    assert nothing.json["by_task"] == {"Rate it": pytest.approx(2 / 6)}
    oracle = cli("evaluate", "webtask", bench, "--model", "oracle", "--limit", "1", "--json")
    assert (oracle.status, oracle.json["n"], oracle.json["metrics"]) == (0, 1, {"score": 1})
    assert oracle.json["by_type"] == {"textarea": 1, "radio": 1, "checkbox": 1}
    shown = cli("runs", "show", oracle.json["run"], "--json").json
    assert shown["by_task"] == {"Rate it": 1} and shown["by_type"] == oracle.json["by_type"]
    (item,) = shown["items"]
    assert item["why"] == "3 of 3 fields right, 1.00 on average. Not scored, for the page does not have it: made."
    assert "by_type" not in cli("runs", "list", "--json").json[0]
    assert "type of field" in cli("runs", "show", oracle.json["run"]).out


def test_a_run_as_a_trajectory_and_as_a_picture(cli, bench: Path, tmp_path: Path) -> None:
    run = cli("evaluate", "webtask", bench, "--model", "oracle", "--limit", "1", "--json").json["run"]
    ended = cli("webtask", "trajectory", bench, "Rate it/0", "--run", run, "-o", tmp_path / "tea")
    assert (ended.status, ended.err) == (0, ""), ended.err
    episode = read_recording(tmp_path / "tea")
    assert (episode.id, episode.goal, episode.platform, episode.app) == ("tea", "Rate · tea", "web", "Rate it")
    assert [step.action.kind for step in episode.steps if step.action] == ["tap", "tap", "finish"]
    assert all(step.observation.screenshot and step.observation.tree for step in episode.steps)
    tap = episode.steps[0].action
    assert (tap.target.id, tap.target.text, episode.problems) == ("good", "yes", ())
    again = cli("webtask", "trajectory", bench, "Rate it/0", "--run", run, "-o", tmp_path / "tea")
    assert again.status == 2 and "not empty" in again.line
    ended = cli("webtask", "trajectory", bench, "Rate it/1", "--run", run, "-o", tmp_path / "soup")
    assert ended.status == 2 and "has no answer to 'Rate it/1'" in ended.line and not (tmp_path / "soup").exists()
    picture, page = tmp_path / "page.png", tmp_path / "page.html"
    assert cli("webtask", "render", bench, "Rate it/0", "--run", run, "-o", picture).status == 0
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert cli("webtask", "render", bench, "Rate it/1", "--model", "oracle", "-o", page).status == 0
    assert "it is cold</textarea>" in page.read_text()


def test_what_the_pages_have(cli, bench: Path) -> None:
    (found,) = cli("webtask", "pages", bench, "--json").json
    assert (found["task"], found["instance"], found["instances"], found["error"]) == ("Rate it", "Rate it/0", 2, None)
    assert (found["fields"], found["found"]) == (4, 3)
    assert found["missing"] == {"made": "Only a script of the template names it, and has not made it."}
    assert found["blocked"] == [
        {"url": "https://pictures.example/tea.png", "kind": "image", "host": "pictures.example", "times": 1}
    ]
    words = cli("webtask", "pages", bench).out
    assert "made: Only a script" in words and "blocked: https://pictures.example/tea.png (image, 1×)" in words


def test_one_page_solved(cli, bench: Path) -> None:
    ended = cli("webtask", "solve", bench, "Rate it/0", "--model", "oracle", "--json")
    found = ended.json
    assert (ended.status, found["status"], found["score"]) == (0, "ok", 1)
    by_name = {one["name"]: one for one in found["fields"]}
    assert (by_name["good"]["value"], by_name["good"]["people"]) == ("1", [{"value": "1", "workers": 2}])
    assert (by_name["made"]["score"], by_name["made"]["why"]) == (None, "The page does not have this field.")
    assert {"do": "modify_radio", "field": "good", "value": "1"} in [one["action"] for one in found["log"]]
    words = cli("webtask", "solve", bench, "Rate it/1", "--model", "random-fields", "--seed", "3").out
    assert (
        words == cli("webtask", "solve", bench, "Rate it/1", "--model", "random-fields", "--seed", "3").out or "modify"
    )
    assert "random-fields on Rate it/1: score " in words and 'modify_radio("good"' in words


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("solve", "BENCH", "Rate it/9", "--model", "oracle"), "Rate it/9"),
        (("solve", "BENCH", "Rate it/0", "--model", "random"), "no model for webtask"),
        (("solve", "BENCH", "Rate it/0", "--model", "oracle", "--rules", "mine"), "no rules 'mine'"),
        (("pages", "BENCH", "--allow-host", "http://a.b/"), "is no host name"),
        (("render", "BENCH", "Rate it/0", "-o", "page.jpg"), "no kind of file"),
        (("trajectory", "BENCH", "Rate it/0", "-o", "there"), "nothing to replay"),
        (("trajectory", "BENCH", "Rate it/0", "-o", "there", "--model", "oracle", "--run", "x"), "exclude each other"),
    ],
)
def test_what_makes_no_sense_is_told(cli, bench: Path, words: tuple[str, ...], why: str) -> None:
    ended = cli("webtask", *[bench if word == "BENCH" else word for word in words])
    assert ended.status == 2 and why in ended.line
