"""`stepscope score feasibility`: by hand, the published confusion, and beside scikit-learn."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.errors import UserError
from stepscope.core.scoring.feasibility import EARLY, FeasibilityScorer, early_score
from stepscope.core.scoring.feasibility_match import average_precision, f1, precision, recall
from stepscope.core.scoring.paired_tests import compare
from stepscope.core.scoring.records import Records
from stepscope.core.scoring.registry import score_file, score_records

SCORER = FeasibilityScorer()
NAMES = SCORER.info.metrics
YES, NO = "infeasible", "feasible"


def record(reference: Any, prediction: Any, score: Any = None) -> dict[str, Any]:
    return {"id": "r", "reference": reference, "prediction": prediction, "score": score}


def score(*records: dict[str, Any], **how: Any) -> Any:
    return score_records(SCORER, Records.of(records), {}, **how)


def values(*records: dict[str, Any]) -> dict[str, float | None]:
    return dict(score(*records).metrics.as_dict())


def many(**counts: int) -> list[dict[str, Any]]:
    """Records that give these counts of the confusion."""
    kinds = {"tp": (YES, YES), "fp": (NO, YES), "fn": (YES, NO), "tn": (NO, NO)}
    return [record(*kinds[name]) for name, count in counts.items() for _ in range(count)]


def test_the_worked_example() -> None:
    result = score(
        record(YES, YES, 0.9),
        record(NO, YES, 0.6),
        record(YES, None, 0.6),
        record(NO, NO, 0.1),
        record(NO, None, 0.3),
        record("unknown", NO, 0.5),
    )
    assert result.extra == {"confusion": {"tp": 1, "fp": 2, "fn": 1, "tn": 1}}
    # Thresholds 0.9: 1 of 1 right, recall 1/2; 0.6: 2 of 3 right, recall 1. 1/2 · 1 + 1/2 · 2/3.
    wanted = {"f1": 2 / 5, "precision": 1 / 3, "recall": 1 / 2, "accuracy": 2 / 5, "average_precision": 5 / 6}
    assert result.metrics.as_dict() == pytest.approx(wanted)
    assert (result.metrics.n, result.metrics.unscored) == (5, 1)
    assert (result.metrics.malformed, result.metrics.null) == (2, 2)
    assert [row["outcome"] for row in result.details] == ["tp", "fp", "fn", "tn", "fp", None]
    assert [row["accuracy"] for row in result.details] == [1, 0, 0, 1, 0, None]
    assert [row["malformed"] for row in result.details] == [False, False, True, False, True, False]
    assert [row["status"] for row in result.details] == ["scored"] * 5 + ["unscored"]
    assert result.details[2]["why"] == (
        "No usable prediction. It counts as the wrong class; the reference is infeasible."
    )


def test_what_the_published_confusion_implies() -> None:
    """MoTIF table 3, right: 76.4, 8.6, 4.0 and 11.0 % of all. The text says that 5 % of the feasible are taken for
    infeasible and that 44 % of the infeasible are missed; table 3, left, gives F1 61.1 as the mean of ten trainings."""
    found = values(*many(tn=764, fn=86, fp=40, tp=110)) | {"false alarms": 40 / (40 + 764)}
    assert found["accuracy"] == pytest.approx(0.874)
    assert found["precision"] == pytest.approx(110 / 150)
    assert 1 - found["recall"] == pytest.approx(0.44, abs=0.005)
    assert found["false alarms"] == pytest.approx(0.05, abs=0.005)
    assert found["f1"] == pytest.approx(220 / 346)
    # Whatever was cut off by rounding, this confusion cannot be the mean training's: F1 is 63 to 64, not 61.1.
    corners = [
        (tp, fp, fn, 1000 - tp - fp - fn)
        for tp in (109.5, 110.5)
        for fp in (39.5, 40.5)
        for fn in (85.5, 86.5)
    ]  # fmt: skip
    assert all(0.63 < value < 0.64 for value in f1(np.array(corners)))


def test_the_published_counts_add_up() -> None:
    """MoTIF table 2: demonstrations and follow-up questions add up."""
    assert 3337 + 911 + 159 + 300 == 4707
    assert 93 + 253 + 136 + 164 == 646


def test_zero_division_is_0_but_over_nothing_there_is_no_value() -> None:
    assert values(*many(tn=3)) == {"f1": 0, "precision": 0, "recall": 0, "accuracy": 1, "average_precision": None}
    assert values(*many(fn=2)) == {"f1": 0, "precision": 0, "recall": 0, "accuracy": 0, "average_precision": None}
    assert values(*many(fp=2))["f1"] == 0
    nothing = score(record(None, YES, 0.3), record("x", None), bootstrap=5)
    assert nothing.metrics.as_dict() == dict.fromkeys(NAMES)
    assert (nothing.metrics.n, nothing.metrics.unscored, nothing.metrics.malformed) == (0, 2, 0)
    assert nothing.extra["confusion"] == {"tp": 0, "fp": 0, "fn": 0, "tn": 0}
    none_at_all = np.zeros((1, 4))
    assert all(math.isnan(of(none_at_all)[0]) for of in (f1, precision, recall))


@pytest.mark.parametrize("reference", [None, "", "Infeasible", "impossible", 1, True, 0.5, [], {}, ["infeasible"]])
def test_any_other_reference_is_unscored(reference: Any) -> None:
    result = score(record(reference, None))
    assert (result.metrics.n, result.metrics.unscored, result.metrics.malformed) == (0, 1, 0)


def test_average_precision_needs_every_score_and_one_infeasible_record() -> None:
    full = [record(YES, NO, 0.2), record(NO, NO, 0.1)]
    assert values(*full)["average_precision"] == 1
    assert values(*full, record(NO, NO))["average_precision"] is None
    absent = record(NO, NO)
    del absent["score"]
    assert values(*full, absent)["average_precision"] is None
    assert values(*full, record("?", NO))["average_precision"] == 1  # an unscored record needs none
    assert values(record(NO, NO, 0.1))["average_precision"] is None
    assert values(record(YES, None, 0), record(NO, YES, 1))["average_precision"] == 0.5  # decisions have no say
    assert values(*(record(kind, NO, 0.5) for kind in (YES, NO, NO, NO)))["average_precision"] == 0.25  # all tied


def test_intervals_come_without_scores_too() -> None:
    found = dict(score(*many(tp=20, fp=2, tn=3), bootstrap=50, seed=1).metrics.intervals)
    assert list(found) == ["f1", "precision", "recall", "accuracy"]
    assert found["recall"] == (1.0, 1.0)
    ranked = [record(YES, YES, 0.9), record(NO, NO, 0.8), record(YES, NO, 0.4), record(NO, NO, 0.2)]
    low, high = dict(score(*ranked, bootstrap=200, seed=1).metrics.intervals)["average_precision"]
    assert 0.2 < low < values(*ranked)["average_precision"] < high == 1


def test_two_models_are_compared() -> None:
    a = SCORER.judge(Records.of([record(YES, YES, 0.9)] * 6 + [record(NO, NO, 0.1)]), {}).tally
    b = SCORER.judge(Records.of([record(YES, NO, 0.1)] * 6 + [record(NO, NO, 0.9)]), {}).tally
    found = {one.metric: one for one in compare(a, b, draws=100, seed=0)}
    assert found["accuracy"].test == "mcnemar" and found["accuracy"].p == pytest.approx(2 * 0.5**6)
    assert found["average_precision"].a == 1 and found["average_precision"].test == "bootstrap"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"id": None}, "id"),
        ({"id": 1.0}, "id"),
        ({"prediction": "Infeasible"}, "prediction"),
        ({"prediction": ""}, "prediction"),
        ({"prediction": True}, "prediction"),
        ({"prediction": ["infeasible"]}, "prediction"),
        ({"reference": None, "prediction": "maybe"}, "prediction"),
        ({"score": "0.5"}, "score"),
        ({"score": True}, "score"),
        ({"score": float("nan")}, "score"),
        ({"score": 10**400}, "score"),
        ({"score": 83}, "score"),
        ({"score": -0.1}, "score"),
    ],
)
def test_a_bad_field_is_named_with_its_line(change: dict[str, Any], field: str) -> None:
    good = record(YES, YES, 0.5)
    with pytest.raises(UserError) as caught:
        score(good, {**good, **change})
    assert caught.value.record == "2"
    assert caught.value.message.startswith(f"{field} ")
    left = score_records(SCORER, Records.of([good, {**good, **change}], skip_bad=True), {})
    assert (left.metrics.n, left.metrics.errors) == (1, 1)


@pytest.mark.parametrize("field", ["id", "reference", "prediction"])
def test_a_missing_field_is_not_null(field: str) -> None:
    form = record(YES, YES)
    del form[field]
    with pytest.raises(UserError, match=f"{field} is missing"):
        score(form)


def test_a_broken_file_names_its_line(tmp_path: Path) -> None:
    path = tmp_path / "f.jsonl"
    good = json.dumps(record(YES, YES, 0.5)).encode()
    for broken in (b'{"id": 1,', b"\x00\xff", b'{"id": 1, "score": NaN}', b"[" * 10_000):
        path.write_bytes(good + b"\n\n" + broken)
        with pytest.raises(UserError) as caught:
            score_file(SCORER, path, {})
        assert str(caught.value).startswith(f"{path}:3: ")


# --- beside scikit-learn ---------------------------------------------------------------------------------------------

references = st.sampled_from([YES, NO, NO, None, "other"])
predictions = st.sampled_from([YES, NO, None])
chances = st.sampled_from([0, 0.0, 0.25, 0.5, 0.5000000000000001, 1]) | st.floats(0, 1)
rows = st.lists(st.tuples(references, predictions, chances), max_size=30)


@given(rows, st.booleans())
def test_metrics_beside_scikit_learn(rows: list[tuple[Any, Any, float]], ranked: bool) -> None:
    from sklearn.metrics import accuracy_score, average_precision_score, precision_recall_fscore_support

    found = score(*(record(r, p, s if ranked else None) for r, p, s in rows)).metrics
    kept = [row for row in rows if row[0] in (YES, NO)]
    assert (found.n, found.unscored) == (len(kept), len(rows) - len(kept))
    assert found.malformed == found.null == sum(p is None for _, p, _ in kept)
    if not kept:
        assert found.as_dict() == dict.fromkeys(NAMES)
        return
    truth = [r == YES for r, _, _ in kept]
    said = [(not t) if p is None else p == YES for t, (_, p, _) in zip(truth, kept, strict=True)]
    p, r, f, _ = precision_recall_fscore_support(truth, said, average="binary", pos_label=True, zero_division=0)
    wanted = {"f1": f, "precision": p, "recall": r, "accuracy": accuracy_score(truth, said), "average_precision": None}
    if ranked and any(truth):
        wanted["average_precision"] = average_precision_score(truth, [s for *_, s in kept])
    assert found.as_dict() == pytest.approx(wanted)


@given(st.lists(st.tuples(st.booleans(), chances, st.integers(0, 3)), min_size=1, max_size=30))
def test_weighted_average_precision_beside_scikit_learn(rows: list[tuple[bool, float, int]]) -> None:
    from sklearn.metrics import average_precision_score

    truth, chance, weights = (np.array(column) for column in zip(*rows, strict=True))
    metric = average_precision(truth, chance.astype(float))
    got, again = metric(np.array([weights, weights * 2], dtype=float))
    if not (weights * truth).sum():
        assert math.isnan(got)
        return
    assert got == again == pytest.approx(average_precision_score(truth, chance, sample_weight=weights))
    repeated = np.repeat(np.arange(len(rows)), weights)
    assert got == pytest.approx(average_precision_score(truth[repeated], chance[repeated]))


@pytest.mark.parametrize(
    ("curve", "early"),
    [((0.1, 0.2, 0.3, 0.4), (0.1, 0.2, 0.3)), ((0.7,), (0.7, 0.7, 0.7)), ((0.1, 0.9), (0.1, 0.1, 0.9)),
     ((0.1, 0.2, 0.3, 0.4, 0.5), (0.2, 0.3, 0.4)), ((), (None, None, None))],
)  # fmt: skip
def test_what_was_known_after_a_share_of_the_steps(curve: tuple[float, ...], early: tuple[float | None, ...]) -> None:
    """By hand: 25 % of five steps are two of them, half of two is one."""
    found = [early_score(curve, share) for share in (25, 50, 75)]
    assert [None if math.isnan(one) else one for one in found] == list(early)


def test_average_precision_before_the_end_is_that_of_the_curves() -> None:
    """By hand: after a quarter the feasible one is first, at the end the infeasible one."""
    records = [
        {"id": 1, "reference": "infeasible", "prediction": "infeasible", "score": 0.9, "curve": [0.2, 0.6, 0.6, 0.9]},
        {"id": 2, "reference": "feasible", "prediction": "feasible", "score": 0.1, "curve": [0.5, 0.5, 0.5, 0.1]},
    ]
    found = score_records(SCORER, Records.of(records), {}).metrics.as_dict()
    early = [found[f"average_precision_{share}"] for share in (25, 50, 75)]
    assert early == [0.5, 1.0, 1.0] and found["average_precision"] == 1.0
    without = score_records(SCORER, Records.of([records[0], {**records[1], "curve": None}]), {}).metrics.as_dict()
    assert [without[name] for name in EARLY] == [None] * 3, "one of them has none"
    plain = score_records(SCORER, Records.of([{**one, "curve": None} for one in records]), {}).metrics.as_dict()
    assert not EARLY.keys() & plain.keys()


@pytest.mark.parametrize("curve", [0.5, [1.5], ["a"], [True], {"0": 1}])
def test_a_curve_that_is_none_is_bad_input(curve: object) -> None:
    record = {"id": 1, "reference": "infeasible", "prediction": "infeasible", "curve": curve}
    with pytest.raises(UserError, match="curve"):
        score_records(SCORER, Records.of([record]), {})


def test_a_run_with_curves_is_compared_with_one_without_by_what_both_have() -> None:
    records = [
        {"id": number, "reference": label, "prediction": label, "score": 0.5, "curve": [0.1, 0.5]}
        for number, label in enumerate(("infeasible", "feasible"))
    ]
    plain = [{name: value for name, value in record.items() if name != "curve"} for record in records]
    with_curves, without = (SCORER.judge(Records.of(some), {}).tally for some in (records, plain))
    assert [one.metric for one in compare(with_curves, without, draws=0, seed=0)] == list(NAMES)
    assert [one.metric for one in compare(without, with_curves, draws=0, seed=0)] == list(NAMES)
    assert len(compare(with_curves, with_curves, draws=0, seed=0)) == len(NAMES) + len(EARLY)
