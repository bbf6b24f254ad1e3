"""Two runs on the items both have, and several runs that differ in their seed only.

`aside` models tap one pixel aside of the reference at the steps they are given; the fake rule allows 0.5.
"""

from dataclasses import replace

import pytest

from stepscope.core.domain.run import ItemKey, RunState
from stepscope.core.errors import UsageError
from stepscope.core.evaluation.comparison import compare_runs, seed_summary, siblings
from stepscope.core.evaluation.rescore import rescore, scoring_of
from stepscope.core.store.repositories import runs, sources


@pytest.fixture(autouse=True)
def side(side_rule):
    return side_rule


def keys(*pairs):
    return tuple(ItemKey(*pair) for pair in pairs)


# -- two runs


def test_a_difference_by_hand(database, fakes, aside, evaluate):
    """a: 3 of 4 right, b: 1 of 4. b is wrong alone on two steps, a on none: McNemar's p is 2 × (1/2)²."""
    source = fakes.FakeSource.of(x=2, y=2)
    a = evaluate(source, aside({("x", 0)}))
    b = evaluate(source, aside({("x", 0), ("x", 1), ("y", 1)}))
    found = compare_runs(database, a, b, draws=200, seed=3)
    assert (found.n_common, found.only_a, found.only_b) == (4, (), ())
    assert found.unscored == keys(("x", 2), ("y", 2)), "finishes are not judged"
    (difference,) = found.differences
    assert (difference.metric, difference.a, difference.b, difference.difference) == ("accuracy", 0.75, 0.25, 0.5)
    assert difference.ci == (0.5, 0.5), "each episode loses one of two steps"
    assert compare_runs(database, a, b, draws=0).differences[0].ci is None


def test_only_what_both_have_and_could_score_is_compared(database, fakes, aside, evaluate):
    a = evaluate(fakes.FakeSource.of(x=3, z=1), aside({("z", 0)}, broken={("x", 1)}))
    b = evaluate(fakes.FakeSource.of(w=1, x=2), aside({("x", 0)}))
    found = compare_runs(database, a, b, draws=50)
    assert found.n_common == 1
    assert found.only_a == keys(("x", 3), ("z", 0), ("z", 1))
    assert found.only_b == keys(("w", 0), ("w", 1))
    assert found.unscored == keys(("x", 1), ("x", 2))
    assert (found.differences[0].a, found.differences[0].b) == (1.0, 0.0)


def test_nothing_in_common(database, fakes, aside, evaluate):
    a = evaluate(fakes.FakeSource.of(x=1), aside(()))
    b = evaluate(fakes.FakeSource.of(y=1), aside(()))
    found = compare_runs(database, a, b)
    assert found.n_common == 0
    (difference,) = found.differences
    assert (difference.a, difference.difference, difference.ci, difference.p) == (None, None, None, None)


def test_another_order_of_items_makes_no_difference(database, fakes, aside, evaluate):
    wrong = {("x", 0), ("y", 1)}
    a = evaluate(fakes.FakeSource.of(x=4, y=2), aside(wrong))
    b = evaluate(fakes.FakeSource.of(y=2, x=4), aside(wrong))
    assert compare_runs(database, a, b, draws=20).differences[0].ci == (0.0, 0.0)


def test_under_another_rule_that_both_were_scored_by(database, fakes, aside, evaluate):
    source = fakes.FakeSource.of(x=2)
    a, b = evaluate(source, aside(())), evaluate(source, aside({("x", 0)}))
    wide = scoring_of("side", {"limit": "2"})
    list(rescore(database, a, source, [wide]))
    with pytest.raises(UsageError, match=f"Run {b} has no scores under side"):
        compare_runs(database, a, b, scoring=wide)
    list(rescore(database, b, source, [wide]))
    assert compare_runs(database, a, b).differences[0].difference == 0.5
    found = compare_runs(database, a, b, scoring=wide)
    assert (found.scoring, found.differences[0].difference) == (wide, 0.0)


def test_runs_under_different_rules_are_refused(database, fakes, aside, evaluate):
    source = fakes.FakeSource.of(x=2)
    a = evaluate(source, aside(()))
    b = evaluate(source, aside(()), options=(("limit", "2"),))
    with pytest.raises(UsageError, match=r"under side \(limit=0.5\).* under side \(limit=2.0\).*--rule"):
        compare_runs(database, a, b)


def test_half_scored_runs_and_other_versions_are_refused(database, fakes, aside, evaluate, side):
    source = fakes.FakeSource.of(x=2)
    a, b = evaluate(source, aside(())), evaluate(source, aside(()))
    wide = scoring_of("side", {"limit": "2"})
    list(rescore(database, a, source, [wide]))
    updates = rescore(database, b, source, [wide])
    next(updates), next(updates)
    updates.close()
    with pytest.raises(UsageError, match="1 of 3 items"):
        compare_runs(database, a, b, scoring=wide)
    list(rescore(database, b, source, [wide]))
    side.info = replace(side.info, version="8")
    assert compare_runs(database, a, b, scoring=wide).n_common == 2, "two old versions are the same rule"
    list(rescore(database, b, source, [wide]))
    with pytest.raises(UsageError, match="by version 7 of side"):
        compare_runs(database, a, b, scoring=wide)


@pytest.mark.parametrize("cluster", ["app", "goal"])
def test_intervals_by_app_and_goal(database, fakes, aside, evaluate, cluster):
    """Two apps (or goals) of two episodes each: a is better in all of the first, b in all of the second. Drawing them
    whole, a draw has both alike or one of them twice; drawing episodes gives values between."""
    source = fakes.FakeSource.of(k=1, l=1, m=1, n=1)
    for name in "klmn":
        same = {"app": "shop" if name in "kl" else "news", "goal": "buy" if name in "kl" else "read"}
        source.episodes[name] = replace(source.episodes[name], **same)
    a = evaluate(source, aside({("k", 0), ("l", 0)}))
    b = evaluate(source, aside({("m", 0), ("n", 0)}))
    with pytest.raises(UsageError, match="not in the store's index"):
        compare_runs(database, a, b, cluster=cluster)
    with database.unit_of_work() as db:
        sources.replace_index(db, fakes.SPEC.source, "fake", "f", list(source.scan()))
    assert compare_runs(database, a, b, draws=400, cluster=cluster).differences[0].ci == (-1.0, 1.0)
    assert compare_runs(database, a, b, draws=12, cluster=cluster) == compare_runs(
        database, a, b, draws=12, cluster=cluster
    )


def test_data_without_apps(database, fakes, aside, evaluate):
    source = fakes.FakeSource.of(x=1)
    source.episodes["x"] = replace(source.episodes["x"], app=None)
    a, b = evaluate(source, aside(())), evaluate(source, aside(()))
    with database.unit_of_work() as db:
        sources.replace_index(db, fakes.SPEC.source, "fake", "f", list(source.scan()))
    with pytest.raises(UsageError, match="The data names no app"):
        compare_runs(database, a, b, cluster="app")


# -- seeds


def test_mean_and_deviation_over_seeds(database, fakes, aside, evaluate):
    """Accuracies 1, 1/2 and 1/2: mean 2/3, deviation √(((1/3)² + 2 (1/6)²) / 2) = √(1/12)."""
    source = fakes.FakeSource.of(x=2)
    wrongs = ((), {("x", 0)}, {("x", 1)})
    ids = [evaluate(source, aside(wrong), seed=seed) for seed, wrong in enumerate(wrongs)]
    found = seed_summary(database, ids)
    assert [run.spec.seed for run in found.runs] == [0, 1, 2]
    ((name, over),) = found.metrics
    assert (name, over.n) == ("accuracy", 3)
    assert over.mean == pytest.approx(2 / 3)
    assert over.deviation == pytest.approx((1 / 12) ** 0.5)
    single = seed_summary(database, ids[:1]).metrics[0][1]
    assert (single.mean, single.deviation, single.n) == (1.0, None, 1)


@pytest.mark.parametrize(
    ("other", "words"),
    [
        ({"source": "elsewhere"}, "differ in their data"),
        ({"options": (("limit", "2"),)}, "differ in their options"),
        ({"seed": 0}, "the same seed, 0"),
    ],
)
def test_runs_that_have_no_mean(database, fakes, aside, evaluate, other, words):
    source = fakes.FakeSource.of(x=2)
    ids = [evaluate(source, aside(())), evaluate(source, aside(()), **{"seed": 1, **other})]
    with pytest.raises(UsageError, match=words):
        seed_summary(database, ids)


def test_other_models_episodes_and_unfinished_runs_have_no_mean(database, fakes, aside, evaluate):
    source = fakes.FakeSource.of(x=2)
    first = evaluate(source, aside(()))
    with pytest.raises(UsageError, match="differ in their model"):
        seed_summary(database, [first, evaluate(source, aside((), name="other"), seed=1)])
    with pytest.raises(UsageError, match="differ in their choice of episodes"):
        seed_summary(database, [first, evaluate(fakes.FakeSource.of(x=2, y=1), aside(()), seed=1)])
    with pytest.raises(UsageError, match="cancelled, not done"):
        seed_summary(database, [first, evaluate(source, aside(()), until=1, seed=1)])


def test_siblings_are_the_latest_finished_runs_of_other_seeds(database, fakes, aside, evaluate):
    source = fakes.FakeSource.of(x=2)
    first = evaluate(source, aside(()))
    third, _, second = (evaluate(source, aside(()), seed=seed) for seed in (2, 1, 1))
    evaluate(source, aside(()), seed=3, until=1)
    evaluate(source, aside((), name="other"), seed=4)
    evaluate(source, aside(()), seed=5, options=(("limit", "2"),))
    with database.reading() as db:
        run = runs.get(db, first)
    assert run.state is RunState.DONE
    assert [found.id for found in siblings(database, run)] == [second, third]
