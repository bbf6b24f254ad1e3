"""`stepscope runs compare` and `seeds`: the whole way from predictions over rescoring to differences."""

from __future__ import annotations

import json

import pytest

pytestmark = pytest.mark.usefixtures("store")


@pytest.fixture
def first(evaluated) -> str:
    """Right on lamp's steps 0 and 1 of five."""
    return evaluated


@pytest.fixture
def second(cli, recordings, tmp_path) -> str:
    """lamp only: right on 0 and 2."""
    lines = [
        {"run": {"model": "second"}},
        {"episode": "lamp", "step": 0, "action": {"kind": "tap", "point": [50, 100]}},
        {"episode": "lamp", "step": 1, "action": {"kind": "press_key", "key": "back"}},
        {"episode": "lamp", "step": 2, "action": {"kind": "press_key", "key": "back"}},
    ]
    path = tmp_path / "second.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return _evaluated(cli, recordings, path)


def _evaluated(cli, recordings, predictions, *more):
    arguments = ["--predictions", predictions, "--protocol", "aitw", "--json", *more]
    return cli("evaluate", "automation", recordings, *arguments).json["run"]


def test_two_runs(cli, first, second):
    ended = cli("runs", "compare", first, second, "--bootstrap", 50, "--json")
    assert (ended.status, ended.err) == (0, "")
    form = ended.json
    assert (form["a"], form["b"], form["n_common"], form["only_b"], form["unscored"]) == (first, second, 3, [], [])
    assert form["only_a"] == [{"episode": "chair", "step": 0}, {"episode": "chair", "step": 1}]
    accuracy = form["metrics"]["step_accuracy"]
    assert (accuracy["a"], accuracy["b"], accuracy["difference"]) == (2 / 3, 2 / 3, 0.0)
    assert (accuracy["ci"], accuracy["test"], accuracy["p"]) == (None, "mcnemar", 1.0), "one episode has no interval"
    assert set(accuracy) == {"a", "b", "difference", "ci", "p", "p_holm", "test"}


def test_in_words(cli, first, second):
    out = cli("runs", "compare", first, second, "--bootstrap", 50).out
    assert f"A: run {first}, elsewhere, done, 5 items" in out
    assert "3 common items scored in both; 0 not scored in both, only in A 2, only in B 0." in out
    line = next(line for line in out.splitlines() if line.startswith("step_accuracy"))
    assert line.split() == [
        "step_accuracy", "0.6667", "0.6667", "0.0000", "–", "1.000", "1.000", "mcnemar",
    ]  # fmt: skip


def test_under_another_rule_after_scoring_again(cli, first, second):
    ended = cli("runs", "compare", first, second, "--rule", "aitw-exact")
    assert (ended.status, ended.out) == (2, "")
    assert f"stepscope runs rescore {first} --rule aitw-exact" in ended.line
    for run in (first, second):
        assert cli("runs", "rescore", run, "--rule", "aitw-exact").status == 0
    form = cli("runs", "compare", first, second, "--rule", "aitw-exact", "--bootstrap", 0, "--json").json
    accuracy = form["metrics"]["step_accuracy"]
    assert (form["rule"], accuracy["a"], accuracy["b"], accuracy["ci"]) == ("aitw-exact", 1 / 3, 2 / 3, None)
    assert accuracy["difference"] == 1 / 3 - 2 / 3
    out = cli("runs", "compare", first, second, "--rule", "aitw-exact", "--bootstrap", 20).out
    assert "−0.3333" in out


def test_runs_under_different_rules(cli, recordings, first):
    arguments = ("automation", recordings, "--model", "random", "--protocol", "motif", "--json")
    other = cli("evaluate", *arguments).json["run"]
    ended = cli("runs", "compare", first, other)
    assert (ended.status, ended.out) == (2, "")
    assert "--rule ID" in ended.line and "under motif" in ended.line


@pytest.mark.parametrize("cluster", ["app", "goal"])
def test_other_clusters(cli, first, second, cluster):
    form = cli("runs", "compare", first, second, "--cluster", cluster, "--bootstrap", 20, "--json").json
    assert (form["cluster"], form["n_common"]) == (cluster, 3)


def test_the_same_seed_draws_the_same(cli, first, second):
    one, two = (cli("runs", "compare", first, second, "--seed", 4, "--json").json for _ in range(2))
    assert one == two


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["compare", "A"], "Missing argument"),
        (["compare", "A", "zzz"], "There is no run 'zzz'"),
        (["compare", "A", "A", "--cluster", "step"], "--cluster"),
        (["compare", "A", "A", "--bootstrap", "-1"], "--bootstrap"),
        (["seeds"], "Missing argument"),
        (["seeds", "A", "zzz"], "There is no run 'zzz'"),
    ],
)
def test_what_does_not_fit(cli, first, arguments, words):
    ended = cli("runs", *[first if word == "A" else word for word in arguments])
    assert (ended.status, ended.out) == (2, "")
    assert words in ended.line


def test_mean_and_deviation_over_seeds(cli, recordings):
    runs = [
        cli(
            "evaluate", "automation", recordings, "--model", "random", "--protocol", "aitw", "--seed", seed, "--json"
        ).json
        for seed in (0, 1, 2)
    ]
    form = cli("runs", "seeds", *[run["run"] for run in runs], "--json").json
    assert (form["n"], form["runs"], form["seeds"]) == (3, [run["run"] for run in runs], [0, 1, 2])
    values = [run["metrics"]["step_accuracy"] for run in runs]
    mean = sum(values) / 3
    accuracy = form["metrics"]["step_accuracy"]
    assert accuracy["mean"] == pytest.approx(mean)
    assert accuracy["deviation"] == pytest.approx((sum((value - mean) ** 2 for value in values) / 2) ** 0.5)
    alone = cli("runs", "seeds", runs[1]["run"], "--json").json
    assert sorted(alone["seeds"]) == [0, 1, 2], "a single run brings its siblings"
    out = cli("runs", "seeds", *[run["run"] for run in runs]).out
    assert "3 runs, seeds 0, 1, 2" in out and "random is a stand-in" in out


def test_runs_without_a_mean(cli, recordings, first):
    other = cli("evaluate", "automation", recordings, "--model", "random", "--protocol", "aitw", "--json").json["run"]
    ended = cli("runs", "seeds", first, other)
    assert (ended.status, ended.out) == (2, "")
    assert "differ in their model" in ended.line
