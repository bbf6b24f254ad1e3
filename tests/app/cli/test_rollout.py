"""`stepscope rollout`: models walk alone on the sample, on recorded screens and on the simulated phone."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from stepscope.app.services.provenance import SAMPLE
from stepscope.core.domain.prediction import Prediction
from stepscope.core.evaluation.predictor import WalkRequest
from stepscope.core.evaluation.rollout.walker import Walker

from .conftest import Cli


def classes(form: dict[str, Any]) -> dict[str, str]:
    return {walk["episode"]: walk["class"] for walk in form["walks"]}


def test_two_models_walk_the_goals_of_an_app_side_by_side(cli: Cli) -> None:
    asked = ("rollout", "shop", "--on", "graph", "--model", "reference", "--model", "text-match")
    reference, rule = cli(*asked, "--json").json
    assert reference["task"] == "rollout" and reference["metrics"]["success"] == 1.0
    assert set(classes(reference).values()) == {"direct"}, "the truth walks its own way"
    assert classes(reference).keys() == classes(rule).keys() and reference["n"] == 10
    assert rule["metrics"]["success"] < 1.0
    assert sum(rule["metrics"][name] or 0 for name in ("wrong_element", "dead_end", "left_graph")) == pytest.approx(1.0)

    mug = next(walk for walk in reference["walks"] if walk["episode"] == "shop-stoneware-mug")
    assert (mug["world"], mug["check"], mug["end"], mug["said"]) == ("graph", "end state", "finished", "complete")
    assert mug["actions"] == mug["human_actions"] == 4 == mug["goal_at"]
    assert [step["course"] for step in mug["steps"]] == [*["on path"] * 4, "reached"]
    assert [step["screen"] for step in mug["steps"]] == mug["human"]

    table = cli(*asked, "--goal", "shop-stoneware-mug").out
    assert "direct, 4" in table and "goal" in table and "person" in table

    compared = cli("runs", "compare", reference["run"], rule["run"], "--json").json
    assert compared["n_common"] == 10 and compared["metrics"]["success"]["difference"] > 0
    shown = cli("runs", "show", rule["run"], "--json").json
    assert shown["items"][0]["prediction"]["walk"]["steps"]


def test_it_is_an_evaluation_and_can_be_scored_again(cli: Cli) -> None:
    form = cli("evaluate", "rollout", SAMPLE, "--model", "text-match", "--filter", "app:player", "--json").json
    again = cli("runs", "rescore", form["run"], "--protocol", "rollout", "--set", "ends=reached", "--json").json
    assert again["metrics"]["feasible_success"] == form["metrics"]["goal_seen"], "the goal's screen is enough now"
    walking = cli("runs", "rescore", form["run"], "--protocol", "rollout", "--set", "world=phone")
    assert walking.status == 2 and "world" in walking.line


def test_a_run_that_was_stopped_goes_on(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = cli("rollout", "shop", "--on", "graph", "--model", "reference", "--json").json
    with monkeypatch.context() as patched:
        patched.setattr(Walker, "predict", _cancelled_at("shop-quick-add"))
        ended = cli("rollout", "shop", "--on", "graph", "--model", "reference", "--json")
    assert ended.status == 130 and ended.json["n"] == len(ended.json["walks"]) == 4, "the broken walk is not kept"
    again = cli("rollout", "shop", "--resume", ended.json["run"], "--json").json
    assert (again["run"], again["state"]) == (ended.json["run"], "done")
    assert again["walks"] == whole["walks"]

    other = cli("evaluate", "automation", SAMPLE, "--model", "text-match", "--limit", "1", "--json").json
    refused = cli("rollout", SAMPLE, "--resume", other["run"])
    assert refused.status == 2 and "is no roll-out" in refused.line
    done = cli("rollout", SAMPLE, "--resume", again["run"])
    assert done.status == 2 and "is done" in done.line


def _cancelled_at(episode: str) -> Callable[[Walker, WalkRequest], Prediction]:
    """The walk of this episode is cancelled at its second step."""
    walk = Walker.predict

    def predict(self: Walker, request: WalkRequest) -> Prediction:
        if request.episode == episode:
            signal.raise_signal(signal.SIGINT)
        return walk(self, request)

    return predict


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("shop",), "nothing that walks"),
        (("no-such-app", "--model", "text-match"), "no data and no app 'no-such-app'. Give the path"),
        (("shop", "--model", "text-match", "--on", "moon"), "world cannot be 'moon'"),
        (("shop", "--model", "text-match", "--ends", "never"), "ends cannot be 'never'"),
        (("shop", "--model", "feasibility-mlp"), "no model for rollout"),
        (("shop", "--model", "text-match", "--goal", "clock-tokyo"), "No episode is left"),
    ],
)
def test_what_makes_no_sense_is_told_in_a_line(cli: Cli, arguments: tuple[str, ...], words: str) -> None:
    ended = cli("rollout", *arguments)
    assert ended.status == 2 and words in ended.line


def test_goals_without_screens_are_told_and_the_rest_walks(cli: Cli, recordings: Path) -> None:
    ended = cli("rollout", recordings, "--model", "reference", "--json")
    assert ended.status == 1 and "'chair' has no screen to walk on" in ended.err
    walks = {walk["episode"]: walk for walk in ended.json["walks"]}
    assert walks["lamp"]["class"] == "direct" and walks["chair"]["class"] == "error"


@pytest.mark.xdist_group("simulated phone")
@pytest.mark.needs("PySide6.QtWebEngineCore")
def test_on_the_simulated_phone_the_goals_own_check_tells(cli: Cli) -> None:
    goals = ("settings-dark-theme", "cannot-vpn")
    asked = [word for goal in goals for word in ("--goal", goal)]
    form = cli("rollout", "settings", "--model", "reference", *asked, "--json").json
    assert classes(form) == dict.fromkeys(goals, "direct")
    dark = form["walks"][0]
    assert (dark["world"], dark["check"], dark["way_on"]) == ("phone", "own", None)
    assert dark["human"][: len(dark["steps"])] == [step["screen"] for step in dark["steps"]], "the same screens"
