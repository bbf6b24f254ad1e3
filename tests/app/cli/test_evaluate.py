"""`stepscope evaluate`: numbers worked out by hand, what fails, what is refused, and stopping in the middle."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import update

import stepscope.models.registry
from stepscope.core.settings import default_store_url
from stepscope.core.store import queries
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import sources, steps
from stepscope.core.store.tables import EpisodeRow
from stepscope.core.store.worker import WorkerClaim, hold, let_go

pytestmark = pytest.mark.usefixtures("store")

ROOT = Path(__file__).resolve().parents[3]
AITW = {"step_accuracy": 0.4, "partial_match": 1 / 3, "complete_match": 0.0}
"""Of the predictions in conftest: 2 of 5 steps; 2 of 3 and 0 of 2 in the episodes; none whole."""


def test_predictions_of_another_system(cli, recordings, predictions):
    ended = cli("evaluate", "automation", recordings, "--predictions", predictions, "--protocol", "aitw", "--json")
    assert ended.status == 0
    form = ended.json
    run = form.pop("run")
    assert form == {
        "task": "automation",
        "model": "elsewhere",
        "protocol": "aitw",
        "state": "done",
        "n": 5,
        "errors": 0,
        "unscored": 0,
        "malformed": 1,
        "null": 0,
        "note": "",
        "metrics": pytest.approx(AITW),
    }
    assert ended.line == f"stepscope: run {run}: elsewhere under aitw, 5 items"


def test_with_instructions_and_the_goal_alone_in_one_go(cli, recordings):
    first = ("evaluate", "automation", recordings, "--model", "text-match", "--protocol", "aitw")
    ended = cli(*first, "--instructions", "both", "--json")
    assert ended.status == 0
    given, hidden = ended.json
    assert (given["model"], hidden["model"]) == ("text-match", "text-match?instructions=hidden")
    assert given["n"] == hidden["n"] == 5 and given["run"] != hidden["run"]
    alone = cli(*first, "--instructions", "hidden", "--json").json
    assert {**alone, "run": ""} == {**hidden, "run": ""}
    assert cli(*first, "--instructions", "both").out.count("on automation under aitw, done") == 2
    assert "instructions hidden" in cli("runs", "board", "automation").out


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("automation", "--model", "random", "--instructions", "none"), "Give given, hidden, both."),
        (
            ("feasibility", "--model", "always-feasible", "--instructions", "both"),
            "only shown to models for automation",
        ),
    ],
)
def test_instructions_that_cannot_be_hidden_are_refused(cli, recordings, words, why):
    task, *rest = words
    ended = cli("evaluate", task, recordings, *rest)
    assert (ended.status, ended.out) == (2, "") and why in ended.line


def test_predictions_have_seen_what_they_have_seen(cli, recordings, predictions):
    ended = cli("evaluate", "automation", recordings, "--predictions", predictions, "--instructions", "hidden")
    assert ended.status == 2 and "only shown to models for automation" in ended.line


def test_a_run_of_the_goal_alone_is_resumed_as_it_was_begun(cli, recordings):
    run = cli(
        *("evaluate", "automation", recordings, "--model", "random", "--instructions", "hidden", "--limit", "1"),
        "--json",
    ).json["run"]
    again = cli("evaluate", "automation", recordings, "--resume", run, "--instructions", "hidden")
    assert again.status == 2 and "--instructions cannot be given with --resume" in again.line


def test_a_preset_keeps_how_instructions_are_shown(cli, recordings):
    first = ("evaluate", "automation", recordings, "--model", "text-match", "--instructions", "both")
    assert len(cli(*first, "--save-preset", "mine", "--json").json) == 2
    assert len(cli("evaluate", "automation", recordings, "--preset", "mine", "--json").json) == 2
    one = cli("evaluate", "automation", recordings, "--preset", "mine", "--instructions", "given", "--json").json
    assert one["model"] == "text-match"


def test_whose_reading_is_waited_for_is_told(cli, recordings, monkeypatch):
    owner = WorkerClaim.here()
    hold(owner)
    with Database.open(default_store_url()) as database, database.unit_of_work() as db:
        sources.begin_index(db, recordings.resolve(), "recording", owner)
    told = []

    def heard(line):
        told.append(line)
        let_go(owner)  # the other program is gone

    monkeypatch.setattr("stepscope.app.cli.progress._LINE_SECONDS", 0.0)
    monkeypatch.setattr("stepscope.app.cli.progress.tell", heard)
    ended = cli("evaluate", "automation", recordings, "--model", "random", "--protocol", "aitw", "--json")
    assert told[0] == "Another program is reading this data: 0 episodes so far"
    assert (ended.status, ended.json["n"]) == (0, 5)


def test_items_that_the_data_should_have_given_are_told(cli, recordings):
    assert cli("evaluate", "automation", recordings, "--model", "random", "--json").status == 0
    with Database.open(default_store_url()) as database, database.unit_of_work() as db:
        db.execute(update(EpisodeRow).values(action_count=4, checked=True))
        index = sources.find(db, recordings.resolve())
        steps.put(db, index.id, dict.fromkeys(queries.matching(db, index.id), ()))
    ended = cli("evaluate", "automation", recordings, "--model", "random", "--json")
    note = "The data's index has 8 items for this run, and 5 were done."
    assert (ended.status, ended.json["note"]) == (1, note)
    assert f"stepscope: warning: {note}" in ended.err


def test_the_result_in_words(cli, recordings):
    ended = cli("evaluate", "automation", recordings, "--model", "random", "--seed", "3")
    assert ended.status == 0
    assert "random on automation under motif, done" in ended.out
    assert "stand-in" in ended.out


def test_options_of_the_protocol_count(cli, recordings, predictions):
    arguments = ["--predictions", predictions, "--protocol", "aitw", "--set", "text=exact", "direction=exact"]
    form = cli("evaluate", "automation", recordings, *arguments, "--json").json
    assert form["metrics"]["step_accuracy"] == pytest.approx(0.2), "the typed text is another one"


@pytest.mark.parametrize(
    ("arguments", "items"),
    [
        (["--limit", "1"], 3),
        (["--split", "test"], 2),
        (["--filter", "goal:chair"], 2),
        (["--device", "cpu"], 5),
        (["--filter", "text:search"], 3),
        (["--filter", "none(text:search)"], 2),
    ],
)
def test_a_selection(cli, recordings, arguments, items):
    form = cli("evaluate", "automation", recordings, "--model", "noisy-copy", *arguments, "--json").json
    assert form["n"] + form["unscored"] == items


def test_a_run_says_how_its_episodes_were_chosen_and_keeps_them(cli, recordings):
    arguments = ["--model", "random", "--filter", "goal:chair  steps>1"]
    run = cli("evaluate", "automation", recordings, *arguments, "--json").json["run"]
    form = cli("runs", "show", run, "--json").json
    assert (form["filter"], form["limit"], form["chosen"]) == ("goal:chair steps>1", None, None)
    assert "goal:chair steps>1" in cli("runs", "show", run).out
    assert {item["episode"] for item in form["items"]} == {"chair"}


def test_the_same_seed_gives_the_same_answers(cli, recordings):
    shown = []
    for _ in range(2):
        cli("evaluate", "automation", recordings, "--model", "random", "--seed", "5")
        shown.append(cli("runs", "show", "last", "--json").json["items"])
    assert shown[0] == shown[1]


def test_a_store_of_ones_own(cli, recordings, tmp_path):
    url = f"sqlite:///{tmp_path / 'own.db'}"
    assert cli("evaluate", "automation", recordings, "--model", "random", "--store", url).status == 0
    assert len(cli("runs", "list", "--store", url, "--json").json) == 1
    assert cli("runs", "list", "--json").json == []


def test_lines_that_cannot_be_read_are_listed(cli, recordings, predictions):
    with predictions.open("a") as stream:
        stream.write('{"episode": "sofa", "step": 0, "action": null}\n{"episode": \n')
    ended = cli("evaluate", "automation", recordings, "--predictions", predictions, "--protocol", "aitw", "--json")
    assert (ended.status, ended.json["n"]) == (1, 5)
    told = ended.err.splitlines()
    assert told[0].startswith(f"stepscope: {predictions}:7: ")
    assert told[1].startswith(f"stepscope: {predictions}:8: ")


class _Sick:
    """The real predictor, which breaks on one step."""

    def __init__(self, name: str) -> None:
        self._real = _load(name)
        self.info = self._real.info

    def predict(self, request):
        if (request.episode, request.step) == ("lamp", 1):
            raise RuntimeError("no idea")
        return self._real.predict(request)


_load = stepscope.models.registry.load


def test_items_that_fail_are_listed(cli, recordings, monkeypatch):
    monkeypatch.setattr(stepscope.models.registry, "load", lambda name, **_: _Sick(name))
    ended = cli("evaluate", "automation", recordings, "--model", "random", "--protocol", "aitw", "--json")
    assert (ended.status, ended.json["errors"], ended.json["n"]) == (1, 1, 4)
    assert "stepscope: 1 item failed:\nlamp:1: The model failed: RuntimeError: no idea" in ended.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["juggling", "DATA", "--model", "random"], "there is no task 'juggling'"),
        (["feasibility", "DATA", "--model", "random"], "random is no model for feasibility"),
        (["feasibility", "DATA", "--model", "always-feasible", "--protocol", "aitw"], "aitw is no protocol for feasib"),
        (["automation", "DATA", "--model", "random", "--device", "cuda"], "random does not run on cuda"),
        (["webtask", "DATA", "--predictions", "FILE"], "The data has no web tasks"),
        (["automation", "DATA", "--preset", "mine"], "There is no preset 'mine'. Presets: none so far."),
        (["automation", "DATA"], "there is nothing to evaluate. Give --model NAME or --predictions FILE"),
        (["automation", "DATA", "--model", "random", "--predictions", "FILE"], "exclude each other"),
        (["automation", "DATA", "--model", "randm"], "There is no model 'randm'"),
        (["automation", "DATA", "--model", "random", "--protocol", "eye"], "There is no protocol 'eye'"),
        (["automation", "DATA", "--model", "random", "--set", "speed=9"], "no option 'speed'"),
        (["automation", "DATA", "--model", "random", "--device", "cuda"], "cuda"),
        (["automation", "DATA", "--model", "random", "--device", "abacus"], "There is no device 'abacus'"),
        (["automation", "DATA", "--model", "random", "--split", "dev"], "The data has no split 'dev'. It has: test"),
        (["automation", "DATA", "--model", "random", "--filter", "sofa"], "No episode is left"),
        (["automation", "DATA", "--model", "random", "--resume", "0"], "There is no run '0'"),
        (["automation", "nowhere", "--model", "random"], "nowhere: "),
        (["automation", "DATA", "--predictions", "nowhere"], "there is no such file"),
        (["automation", "DATA", "--model", "random", "--store", "results"], "is no address of a store"),
    ],
)
def test_what_does_not_fit(cli, recordings, predictions, arguments, words):
    given = {"DATA": recordings, "FILE": predictions}
    ended = cli("evaluate", *[given.get(word, word) for word in arguments], "--json")
    assert (ended.status, ended.out) == (2, "")
    assert words in ended.line
    assert cli("runs", "list", "--json").json == [], "nothing was begun"


def test_a_rule_that_finds_nothing_to_score_says_why(cli, recordings):
    ended = cli("evaluate", "automation", recordings / "2", "--model", "random", "--json")
    assert (ended.status, ended.json["n"], ended.json["unscored"]) == (0, 0, 2)
    assert "stepscope: warning: no item can be scored under motif: " in ended.err


def test_a_run_that_is_done_is_not_resumed(cli, recordings):
    run = cli("evaluate", "automation", recordings, "--model", "random", "--json").json["run"]
    ended = cli("evaluate", "automation", recordings, "--model", "random", "--resume", run)
    assert ended.status == 2
    assert "is done" in ended.line


SLOW = """
import sys
import stepscope.models.registry
real = stepscope.models.registry.load

class Slow:
    def __init__(self, *arguments, **options):
        self.model = real(*arguments, **options)
        self.info, self.asked = self.model.info, 0

    def predict(self, request):
        self.asked += 1
        if self.asked == 3:
            print("waiting", file=sys.stderr, flush=True)
            sys.stdin.readline()
        return self.model.predict(request)

stepscope.models.registry.load = Slow
from stepscope.app.cli.main import run
sys.exit(run(sys.argv[1:]))
"""


@pytest.fixture
def halfway(recordings):
    """An evaluation in a process of its own that waits inside its third item; its run's id and the process."""
    arguments = ["evaluate", "automation", str(recordings), "--model", "random", "--protocol", "aitw", "--json"]
    command = [sys.executable, "-c", SLOW, *arguments]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, text=True, env=environment, **pipes) as process:
        try:
            announced = process.stderr.readline()
            assert announced.startswith("stepscope: run "), announced + process.stderr.read()
            assert process.stderr.readline() == "waiting\n"
            yield announced.split()[2].rstrip(":"), process
        finally:
            process.kill()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stopped_in_the_middle_and_resumed(cli, recordings, halfway, number):
    run, process = halfway
    process.send_signal(number)
    out, err = process.communicate("\n", timeout=60)
    assert process.returncode == 130
    form = json.loads(out)
    assert (form["run"], form["state"], form["n"]) == (run, "cancelled", 3), "the item in hand is finished"
    assert "interrupted: 3 of 5 items are kept" in err
    assert f"stepscope evaluate automation {recordings} --resume {run}" in err

    other = cli("evaluate", "automation", recordings, "--model", "text-match", "--resume", run, "--json")
    assert other.status == 2
    assert f"run {run} was begun with model random, not text-match." in other.line
    other = cli("evaluate", "automation", recordings / "1", "--resume", run)
    assert "was begun with path" in other.line

    resumed = cli("evaluate", "automation", recordings, "--model", "random", "--resume", run[:6], "--json")
    assert resumed.status == 0
    assert (resumed.json["run"], resumed.json["state"], resumed.json["n"]) == (run, "done", 5)
    items = cli("runs", "show", run, "--json").json["items"]
    keys = [(item["episode"], item["step"]) for item in items]
    assert keys == [("lamp", 0), ("lamp", 1), ("lamp", 2), ("chair", 0), ("chair", 1)]


def test_killed_in_the_middle_and_resumed(cli, recordings, halfway):
    run, process = halfway
    assert "is at work" in cli("evaluate", "automation", recordings, "--resume", run).line
    assert "is at work" in cli("runs", "delete", run).line
    process.kill()
    process.communicate(timeout=60)
    ended = cli("runs", "list", "--json")
    assert [(entry["run"], entry["state"]) for entry in ended.json] == [(run, "interrupted")]
    assert f"run {run} was interrupted" in ended.line
    resumed = cli("evaluate", "automation", recordings, "--resume", run, "--json")
    assert (resumed.status, resumed.json["n"], resumed.json["state"]) == (0, 5, "done")


@pytest.mark.parametrize(("folder", "items"), [("llamatouch", 4), ("aitz_coat", 4), ("rico_traces", 18)])
def test_real_samples(cli, real_data, folder, items):
    for model in ("text-match", "nearest-element"):
        form = cli("evaluate", "automation", real_data / folder, "--model", model, "--json").json
        assert (form["n"] + form["unscored"], form["errors"]) == (items, 0)


def test_a_preset_says_what_is_not_given(cli, recordings):
    first = cli("evaluate", "automation", recordings, "--model", "random", "--seed", "5", "--limit", "1", "--protocol",
                "aitw", "--set", "text=exact", "--save-preset", "mine", "--json")  # fmt: skip
    assert "saved as preset 'mine'" in first.err
    again = cli("evaluate", "automation", recordings, "--preset", "mine", "--json")
    assert {**again.json, "run": ""} == {**first.json, "run": ""}
    whole = cli("evaluate", "automation", recordings, "--preset", "mine", "--limit", "2", "--json")
    assert whole.json["n"] == 5
    other = cli("evaluate", "feasibility", recordings, "--preset", "mine")
    assert other.status == 2
    assert "the preset 'mine' is about automation, not feasibility" in other.err
    (listed,) = cli("presets", "list", "--json").json
    assert (listed["name"], listed["model"], listed["seed"], listed["limit"]) == ("mine", "random", 5, 1)
    assert cli("presets", "show", "mine", "--json").json["options"] == [["text", "exact"]]
    assert cli("presets", "delete", "mine").status == 0
    assert cli("presets", "list", "--json").json == []
    assert "There is no preset 'mine'" in cli("presets", "delete", "mine").err


@pytest.mark.parametrize("index", [2**31, 2**63, 10**400, -1, 0])
def test_an_index_that_cannot_be_costs_one_step_of_the_run(cli, recordings, index):
    """The lamp's second step names an index that no step can have, or that of its first one."""
    file = recordings / "1" / "episode.json"
    form = json.loads(file.read_text())
    form["steps"][1]["index"] = index
    file.write_text(json.dumps(form))
    ended = cli("evaluate", "automation", recordings, "--model", "noisy-copy", "--json")
    assert ended.status == 0
    items = cli("runs", "show", ended.json["run"], "--json").json["items"]
    assert [(one["episode"], one["step"]) for one in items] == [
        ("lamp", 0), ("lamp", 2), ("chair", 0), ("chair", 1),
    ]  # fmt: skip
    (problem,) = cli("inspect", recordings, "--json").json["problems"]
    assert (problem["episode"], problem["step"], problem["field"]) == ("lamp", 1, "steps")
