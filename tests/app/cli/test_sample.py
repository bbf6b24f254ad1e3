"""`stepscope sample build` with a stand-in for the worker: what is printed, the statuses, and going on."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from stepscope.resources.sample.generator import worker_pool

ROOT = Path(__file__).resolve().parents[3]

FAKE = """
import json, os, signal, sys
sys.path.insert(0, ROOT)
from pathlib import Path
from stepscope.resources.sample.generator.catalogue import chosen_apps
from stepscope.resources.sample.generator.choose import drawn
order = json.loads(sys.stdin.readline())
apps, trouble = chosen_apps(order["apps"]), set(TROUBLE)
print("ready", flush=True)
for line in sys.stdin:
    number = int(line)
    draw = drawn(order["seed"], number, 0, apps)
    if number in trouble:
        made = {"number": number, "id": draw.id, "steps": 0, "replaced": ["failed: the menu is gone"]}
        print(json.dumps(made), flush=True)
        continue
    folder = Path(order["into"]) / draw.id
    folder.mkdir()
    form = {"format": "stepscope-recording", "version": 1, "id": draw.id, "platform": "android", "goal": "Ring",
            "app": "com.stepscope.sample.clock", "feasibility": {"label": "feasible", "reason": None, "follow_up": []},
            "splits": [draw.split], "meta": {"means": draw.means, "attempt": 0, "trees": order["trees"]},
            "steps": [{"index": 0, "size": [270, 600], "action": None}]}
    (folder / "episode.json").write_text(json.dumps(form))
    if number == STOP:
        os.kill(os.getppid(), signal.SIGINT)
        signal.sigtimedwait([], 0.3)
    print(json.dumps({"number": number, "id": draw.id, "steps": 1, "replaced": []}), flush=True)
"""


def stand_in(folder, patch, trouble=(), stop=-1):
    script = folder / "fake.py"
    script.write_text(f"ROOT, TROUBLE, STOP = {str(ROOT)!r}, {trouble!r}, {stop}\n{FAKE}", encoding="utf-8")
    patch.setattr(worker_pool, "COMMAND", (sys.executable, str(script)))


def test_a_build_says_what_it_made(cli, tmp_path, monkeypatch):
    stand_in(tmp_path, monkeypatch)
    out = tmp_path / "out"
    ended = cli("sample", "build", out, "--episodes", 5, "--seed", 2, "--apps", "clock", "--workers", 1)
    assert ended.status == 0
    assert "5 episodes, 5 steps" in ended.out and "no finding" in ended.out
    form = cli("sample", "build", out, "--episodes", 5, "--seed", 2, "--apps", "clock", "--json").json
    assert (form["complete"], form["built"], form["made"], form["missing"]) == (True, 5, 0, [])
    assert sum(form["splits"].values()) == sum(form["means"].values()) == 5
    assert cli("inspect", out, "--json").json["episodes"] == 5


def test_an_episode_that_cannot_be_made_is_listed(cli, tmp_path, monkeypatch):
    stand_in(tmp_path, monkeypatch, trouble=(2,))
    ended = cli("sample", "build", tmp_path / "out", "--episodes", 4, "--apps", "clock", "--workers", 2, "--json")
    assert ended.status == 1
    assert ended.json["missing"] == ["00002-clock"] and not ended.json["complete"]
    assert "episode 2 could not be made: failed: the menu is gone" in ended.err


def test_a_folder_keeps_to_its_choice_of_trees(cli, tmp_path, monkeypatch):
    stand_in(tmp_path, monkeypatch)
    command = ("sample", "build", tmp_path / "out", "--episodes", 3, "--apps", "clock", "--workers", 1)
    form = cli(*command, "--trees", "rough", "--json").json
    assert form["order"]["trees"] == "rough" and form["trees"] == {"rough": 3}
    ended = cli(*command)
    assert ended.status == 2 and "built with another choice of trees" in ended.line


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT from another process")
def test_ctrl_c_keeps_what_is_done_and_the_same_command_goes_on(cli, tmp_path, monkeypatch):
    stand_in(tmp_path, monkeypatch, stop=2)
    command = ("sample", "build", tmp_path / "out", "--episodes", 8, "--apps", "clock", "--workers", 1, "--json")
    ended = cli(*command)
    assert ended.status == 130 and 3 <= ended.json["built"] < 8
    assert "The same command goes on" in ended.err
    stand_in(tmp_path, monkeypatch)
    again = cli(*command)
    assert again.status == 0 and again.json["made"] == 8 - ended.json["built"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--size", "270"], "'270' is no size"),
        (["--size", "600x270"], "cannot be 600x270"),
        (["--apps", "clock,abacus"], "no sample app 'abacus'"),
        (["--apps", ","], "no app is named"),
        (["--episodes", "0"], "--episodes"),
        (["--trees", "shrubs"], "--trees"),
    ],
)
def test_bad_usage_is_one_line(cli, tmp_path, words, said):
    ended = cli("sample", "build", tmp_path / "out", *words)
    assert ended.status == 2 and ended.out == ""
    assert said in ended.line
    assert not (tmp_path / "out").exists()


def test_a_folder_of_something_else_is_left_alone(cli, tmp_path):
    (tmp_path / "thesis.tex").touch()
    ended = cli("sample", "build", tmp_path)
    assert ended.status == 2 and "not empty" in ended.line
    assert [file.name for file in tmp_path.iterdir() if file.name != "home"] == ["thesis.tex"]
    assert "this is a file" in cli("sample", "build", tmp_path / "thesis.tex").line
