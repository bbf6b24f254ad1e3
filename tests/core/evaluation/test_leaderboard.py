"""The runs of a task side by side: groups that may be ranked, seeds in one row, what is worked out once, and as texts.

`aside` models tap one pixel aside of the reference at the steps they are given; the fake rule allows 0.5.
"""

import csv
import io
from dataclasses import replace

import pytest
from sqlalchemy import select

from stepscope.core.domain.machine import MachineFacts
from stepscope.core.domain.model_call import ModelCall
from stepscope.core.domain.prediction import Task
from stepscope.core.domain.run import Run, RunLabels, RunSpec, RunState
from stepscope.core.evaluation.comparison import compare_runs, seed_summary
from stepscope.core.evaluation.leaderboard import MAIN, SEED_SD, Leaderboard, ranked, training_step
from stepscope.core.evaluation.leaderboard_texts import SeenGroup, csv_text, latex_text, markdown_text
from stepscope.core.evaluation.rescore import rescore, scoring_of
from stepscope.core.evaluation.run_differences import settings_apart, telling_apart, where_apart
from stepscope.core.store.columns import load_columns
from stepscope.core.store.repositories import model_calls, runs, sources
from stepscope.core.store.tables import PredictionRow


@pytest.fixture(autouse=True)
def side(side_rule):
    return side_rule


@pytest.fixture
def table(database):
    """The groups with all their numbers."""
    kept = Leaderboard()

    def groups(**how):
        entries = kept.entries(database, Task.AUTOMATION)
        list(kept.each(database, entries))
        return kept.groups(entries, **how)

    groups.kept = kept
    return groups


def run_of(database, run_id):
    with database.reading() as db:
        return runs.get(db, run_id)


def test_runs_are_ranked_on_the_same_data_under_the_same_rule_only(database, fakes, aside, evaluate, table):
    """a is right on all of 4 taps, b on 3, c on 1; d is elsewhere, e under another limit."""
    source = fakes.FakeSource.of(x=2, y=2)
    a = evaluate(source, aside((), name="a"))
    b = evaluate(source, aside({("x", 0)}, name="b"))
    c = evaluate(source, aside({("x", 0), ("x", 1), ("y", 1)}, name="c"))
    d = evaluate(source, aside(()), source="elsewhere")
    e = evaluate(source, aside(()), options=(("limit", "2"),))
    groups = {frozenset(row.entry.run.id for row in group.rows): group for group in table()}
    assert set(groups) == {frozenset((a, b, c)), frozenset((d,)), frozenset((e,))}
    group = groups[frozenset((a, b, c))]
    assert [(row.entry.run.id, row.value(MAIN)) for row in ranked(group, MAIN)] == [(a, 1.0), (b, 0.75), (c, 0.25)]
    assert [row.entry.run.id for row in ranked(group, MAIN, best_first=False)] == [c, b, a]
    assert (group.main, group.common, group.items) == ("accuracy", 4, 4)
    assert ranked(group, "malformed")[0].value("malformed") == 0.0


def test_pinned_runs_stand_first_and_unfinished_ones_are_never_ranked(database, fakes, aside, evaluate, table):
    source = fakes.FakeSource.of(x=3)
    good = evaluate(source, aside((), name="good"))
    poor = evaluate(source, aside({("x", 0)}, name="poor"))
    stopped = evaluate(source, aside((), name="stopped"), until=1)
    with database.unit_of_work() as db:
        runs.set_labels(db, poor, RunLabels(pinned=True))
    (group,) = table()
    assert [row.entry.run.id for row in ranked(group, MAIN)] == [good, poor, stopped]
    assert [row.entry.run.id for row in ranked(group, MAIN, pinned_first=True)] == [poor, good, stopped]
    last = ranked(group, MAIN)[-1]
    assert (last.ranked, last.value(MAIN)) == (False, 1.0), "its value so far is shown"
    assert (group.common, group.items) == (3, 3), "what is not done has no say in what is common"


def test_items_that_differ_are_told(database, fakes, aside, evaluate, table):
    evaluate(fakes.FakeSource.of(x=3, y=2), aside((), name="all"))
    evaluate(fakes.FakeSource.of(x=3), aside((), name="some"), limit=1)
    (group,) = table()
    assert (group.common, group.items) == (3, 5)
    assert {row.entry.run.spec.model: row.settings for row in group.rows}["some"] == ("limit 1 episodes",)


def test_seeds_are_one_row_with_the_numbers_of_runs_seeds(database, fakes, aside, evaluate, table):
    """Accuracies 1, 1/2 and 1/2: mean 2/3, deviation √(1/12), as worked out for `runs seeds`."""
    source = fakes.FakeSource.of(x=2)
    wrongs = ((), {("x", 0)}, {("x", 1)})
    ids = [evaluate(source, aside(wrong), seed=seed) for seed, wrong in enumerate(wrongs)]
    other = evaluate(source, aside((), name="other"))
    (group,) = table()
    assert len(group.rows) == 2
    row = next(row for row in group.rows if len(row.members) > 1)
    assert [member.run.id for member in row.members] == ids
    assert row.value(MAIN) == pytest.approx(2 / 3) and row.value(SEED_SD) == pytest.approx((1 / 12) ** 0.5)
    assert row.spread == seed_summary(database, ids).metrics and row.interval(MAIN) is None
    assert row.values_of_seeds(MAIN) == (1.0, 0.5, 0.5)
    (group,) = table(fold_seeds=False)
    assert len(group.rows) == 4 and {row.entry.run.id for row in group.rows} == {*ids, other}
    assert {row.settings for row in group.rows if row.entry.run.id in ids} == {("seed 0",), ("seed 1",), ("seed 2",)}


def test_the_same_answers_under_another_rule_are_a_row_of_its_group(database, fakes, aside, evaluate, table):
    source = fakes.FakeSource.of(x=2)
    run = evaluate(source, aside({("x", 0)}))
    wide = scoring_of("side", {"limit": "2"})
    updates = rescore(database, run, source, [wide])
    next(updates), next(updates)
    updates.close()
    assert len(table()) == 1, "half of them are not shown"
    list(rescore(database, run, source, [wide]))
    own, again = sorted(table(), key=lambda group: not group.rows[0].entry.own)
    assert (own.rows[0].value(MAIN), again.rows[0].value(MAIN)) == (0.5, 1.0)
    assert again.scoring == wide and again.rows[0].entry.run.id == run


def test_numbers_are_worked_out_once_for_each_state_of_the_scores(database, fakes, aside, evaluate, table, side):
    source = fakes.FakeSource.of(x=2, y=1)
    run = evaluate(source, aside(()))
    first = table()[0].rows[0]
    before = len(side.tallied)
    assert table()[0].rows[0].numbers is first.numbers and len(side.tallied) == before
    evaluate(source, aside((), name="another"))
    table()
    assert len(side.tallied) == before + 1, "the new one alone"
    side.info = replace(side.info, version="8")
    list(rescore(database, run, source, [scoring_of("side", {"limit": "0.5"})]))
    again = next(row for group in table() for row in group.rows if row.entry.run.id == run)
    assert again.entry.version == "8" and again.numbers is not first.numbers


def test_a_rule_that_is_not_known_here_has_no_numbers(database, fakes, aside, evaluate, table, monkeypatch):
    from stepscope.core.scoring import registry

    evaluate(fakes.FakeSource.of(x=1), aside(()))
    monkeypatch.delitem(registry.PROTOCOLS._loaded, "side")
    (group,) = table()
    assert group.info is None and not group.rows[0].ranked and "side" in group.rows[0].numbers.why


@pytest.mark.parametrize(
    ("model", "tags", "step"),
    [
        ("pelican/checkpoint-4000", (), 4000),
        ("pelican?ckpt_12", (), 12),
        ("pelican", ("best", "step 250"), 250),
        ("checkpoint-1", ("step 2",), 2),
        ("step3-vl", (), None),
    ],
)
def test_how_long_a_model_was_trained(model, tags, step):
    from datetime import UTC, datetime

    spec = RunSpec(Task.AUTOMATION, model, "data", "fake", "side")
    run = Run("r", spec, RunState.DONE, datetime(2026, 1, 1, tzinfo=UTC), labels=RunLabels(tags=tags))
    assert training_step(run) == step


# What differs


def test_unequal_settings_and_which_of_them_move_scores(database, fakes, aside, evaluate):
    source = fakes.FakeSource.of(x=2)
    a = evaluate(source, aside((), name="chat:m?history=5"), runtime="onnx")
    b = evaluate(source, aside((), name="chat:m?history=1&pictures=2"), limit=7)
    unequal, equal = settings_apart(run_of(database, a), run_of(database, b))
    assert [(one.name, one.a, one.b, one.effect.value) for one in unequal] == [
        ("Model, history", "5", "1", "matters"),
        ("Runtime", "onnx", "", "matters"),
        ("Limit", "", "7 episodes", "items"),
        ("Model, pictures", "", "2", "matters"),
    ]
    assert {"Model", "Data", "Protocol", "Option limit", "Seed"} <= {one.name for one in equal}


def test_runs_of_one_model_with_other_weights_on_another_machine(database, fakes, aside, evaluate):
    source = fakes.FakeSource.of(x=1)
    ids = [evaluate(source, aside(())) for _ in range(2)]
    large, small = MachineFacts("Core i5", 4), MachineFacts("Xeon", 16, gpus=("H100", "H100"))
    with database.unit_of_work() as db:
        runs.set_made_with(db, ids[0], small, "ab" * 32)
        runs.set_made_with(db, ids[1], large, "cd" * 32)
    a, b = (run_of(database, one) for one in ids)
    unequal, _equal = settings_apart(a, b)
    assert [(one.name, one.a, one.b, one.effect.value) for one in unequal] == [
        ("Weights", "abababababab", "cdcdcdcdcdcd", "matters"),
        ("Machine", "H100, H100", "Core i5", ""),
    ]
    assert telling_apart([(a, "fake"), (b, "fake")])[ids[0]] == ("weights abababababab",)


def test_tokens_are_those_of_an_item_in_the_mean(database, fakes, aside, evaluate, table):
    """Three items: 100 + 20 tokens, in two calls 30 + 4 and 40 + 6, and 60 + 40: 300 in all."""
    run = evaluate(fakes.FakeSource.of(x=2), aside(()))
    evaluate(fakes.FakeSource.of(x=2), aside(()), seed=5)
    with database.unit_of_work() as db:
        items = [row_id for (row_id,) in db.execute(select(PredictionRow.id).where(PredictionRow.run_id == run))]
        calls = [[ModelCall((), tokens_in=100, tokens_out=20)]]
        calls.append([ModelCall((), tokens_in=30, tokens_out=4), ModelCall((), tokens_in=40, tokens_out=6)])
        calls.append([ModelCall((), tokens_in=60, tokens_out=40)])
        model_calls.add_many(db, run, items, calls)
    by_run = {row.entry.run.id: row for group in table(fold_seeds=False) for row in group.rows}
    assert by_run[run].value("tokens") == 100.0
    assert [row.value("tokens") for key, row in by_run.items() if key != run] == [None], "nothing tells"


def test_runs_of_one_name_are_told_apart(database, fakes, aside, evaluate):
    source = fakes.FakeSource.of(x=1)
    ids = [evaluate(source, aside(()), seed=seed) for seed in (1, 1, 2)]
    found = telling_apart([(run_of(database, one), "fake") for one in ids])
    assert len({found[one] for one in ids}) == 3 and found[ids[2]] == ("seed 2",)
    assert found[ids[0]][0] == "seed 1" and found[ids[0]][1].startswith("20"), "then by when they were made"


def test_what_all_runs_have_is_not_said(database, fakes, aside, evaluate):
    ids = [evaluate(fakes.FakeSource.of(x=1), aside((), name=name), limit=3) for name in ("a", "b")]
    found = telling_apart([(run_of(database, one), name) for one, name in zip(ids, "ab", strict=True)])
    assert found == {ids[0]: (), ids[1]: ()}


def test_where_a_difference_lies_adds_up_to_it(database, fakes, aside, evaluate):
    """b is wrong on 2 of 4 taps of y and on none of x: the whole difference lies in y's app."""
    source = fakes.FakeSource.of(x=4, y=4)
    source.episodes["y"] = replace(source.episodes["y"], app="news")
    a, b = evaluate(source, aside(())), evaluate(source, aside({("y", 0), ("y", 1)}))
    with database.unit_of_work() as db:
        sources.replace_index(db, fakes.SPEC.source, "fake", "f", list(source.scan()))
    columns = [load_columns(database, one) for one in (a, b)]
    by_kind = where_apart(*columns)
    assert by_kind.by == "kind" and [(p.name, p.n, p.difference) for p in by_kind.parts] == [("tap", 8, 0.25)]
    assert by_kind.parts[0].difference == compare_runs(database, a, b).differences[0].difference
    goal = [replace(one, task=Task.GOAL) for one in columns]
    by_app = where_apart(*goal)
    assert by_app.by == "app" and [(p.name, p.n, p.difference) for p in by_app.parts] == [
        ("news", 4, 0.5),
        ("app", 4, 0.0),
    ]


# As texts


@pytest.fixture
def seen(database, fakes, aside, evaluate, table):
    source = fakes.FakeSource.of(x=2, y=2)
    evaluate(source, aside((), name="one & only"))
    evaluate(source, aside({("x", 0), ("x", 1), ("y", 1)}, name="a|b"))
    (group,) = table()
    return SeenGroup(group, "Data_1", "Side", tuple(ranked(group, MAIN)), "sample, not a finding")


BELOW = "Below good on Real: 0.300 against 0.600"


@pytest.fixture
def below(seen):
    """The same, where the model of the second row is below a rule."""
    return replace(seen, below_rules={seen.rows[1].entry.run.id: BELOW})


def test_markdown_says_n_rule_and_version(seen):
    lines = markdown_text([seen], [MAIN, "malformed"], "stepscope 9").splitlines()
    assert lines[0] == r"### Data\_1, Side"
    assert lines[2] == "Rule side (limit=0.5), version 7; stepscope 9. Sample, not a finding."
    assert lines[4:8] == [
        "| Run | Settings | Accuracy | 95 % interval | Malformed ↓ | n |",
        "| :-- | :-- | --: | --: | --: | --: |",
        r"| one \& only |  | 1.000 | 1.000 – 1.000 | 0.0 % | 4 |",
        r"| a\|b |  | 0.250 | 0.000 – 0.500 | 0.0 % | 4 |",
    ]


def test_latex_is_escaped_and_named(seen):
    text = latex_text([seen], [MAIN], "stepscope 9")
    assert r"\multicolumn{5}{l}{\textit{Data\_1, Side (sample, not a finding)}} \\" in text
    assert r"    one \& only &  & 1.000 & 1.000 -- 1.000 & 4 \\" in text.splitlines()
    assert "version 7" in text.splitlines()[1] and text.splitlines()[1].startswith("% ")


def test_csv_has_numbers_as_they_are(seen):
    rows = list(csv.DictReader(io.StringIO(csv_text([seen], [MAIN, "accuracy"], "stepscope 9"))))
    assert [(row["name"], float(row["accuracy"]), row["main_metric"], row["n"]) for row in rows] == [
        ("one & only", 1.0, "accuracy", "4"),
        ("a|b", 0.25, "accuracy", "4"),
    ]
    assert [row["below_rules"] for row in rows] == ["", ""]
    assert rows[0]["version"] == "7" and rows[0]["options"] == "limit=0.5" and float(rows[1]["main_high"]) == 0.5


def test_rows_below_the_rules_say_so_in_every_form(below):
    assert rf"| a\|b | {BELOW} | 0.250 |" in markdown_text([below], [MAIN], "stepscope 9")
    assert rf"a|b & {BELOW} & 0.250" in latex_text([below], [MAIN], "stepscope 9")
    rows = list(csv.DictReader(io.StringIO(csv_text([below], [MAIN], "stepscope 9"))))
    assert [row["below_rules"] for row in rows] == ["", BELOW]
