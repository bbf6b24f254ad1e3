"""Scores of automation over goals that can, and that cannot be reached, beside those over all."""

from __future__ import annotations

from pathlib import Path

import pytest

from stepscope.app.services.provenance import SAMPLE

from .conftest import Cli

INFEASIBLE = {"premature-checkout", "unclear-the-usual"}


def test_they_are_the_means_over_these_episodes(cli: Cli) -> None:
    form = cli("evaluate", "automation", SAMPLE, "--model", "text-match", "--protocol", "aitw",
               "--filter", "app:shop", "--json").json  # fmt: skip
    items = cli("runs", "show", form["run"], "--json").json
    parts = form["by_feasibility"]
    assert items["by_feasibility"] == parts and list(parts) == ["feasible", "infeasible"]
    for label, wanted in (("feasible", False), ("infeasible", True)):
        scores = [one["score"] for one in items["items"] if (one["episode"] in INFEASIBLE) is wanted]
        assert parts[label]["n"] == len(scores) > 0
        assert parts[label]["metrics"]["step_accuracy"] == pytest.approx(sum(scores) / len(scores))
    assert parts["feasible"]["n"] + parts["infeasible"]["n"] == form["n"]

    rescored = cli("runs", "rescore", form["run"], "--protocol", "motif", "--json")
    assert rescored.status == 0
    under = cli("runs", "show", form["run"], "--protocol", "motif", "--json").json["by_feasibility"]
    assert under["feasible"]["metrics"].keys() >= {"both_partial", "action_complete"}
    shown = cli("runs", "show", form["run"]).out
    assert f"feasible ({parts['feasible']['n']})" in shown and f"infeasible ({parts['infeasible']['n']})" in shown


def test_there_are_none_without_both_kinds_and_for_other_tasks(cli: Cli, recordings: Path) -> None:
    one_kind = cli("evaluate", "automation", recordings, "--model", "random", "--json").json
    assert "by_feasibility" not in one_kind, "one episode is infeasible, the other has no label"
    other = cli("evaluate", "feasibility", SAMPLE, "--model", "always-feasible", "--limit", "3", "--json").json
    assert "by_feasibility" not in other


def test_only_goals_on_which_annotators_agree(cli: Cli) -> None:
    asked = ("evaluate", "feasibility", SAMPLE, "--model", "always-feasible", "--limit", "9", "--json")
    assert cli(*asked, "--agreement", "all").json["n"] == cli(*asked).json["n"] == 9, "one annotator agrees with itself"
    ended = cli(*asked, "--agreement", "some")
    assert ended.status == 2 and "There is no agreement 'some'. Give all, majority." in ended.line
