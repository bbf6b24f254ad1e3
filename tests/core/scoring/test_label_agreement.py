"""`stepscope score label_agreement`: by hand, and beside an obvious implementation and other libraries."""

import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.errors import UserError
from stepscope.core.scoring.label_agreement import LabelAgreementScorer
from stepscope.core.scoring.records import Records
from stepscope.core.scoring.registry import score_file, score_records

SCORER = LabelAgreementScorer()


def score(*items: Any, **how: Any) -> Any:
    records = [{"id": place, "labels": labels} for place, labels in enumerate(items)]
    return score_records(SCORER, Records.of(records), {}, **how)


def values(*items: Any) -> tuple[float | None, float | None]:
    found = score(*items).metrics.as_dict()
    assert list(found) == ["kappa", "observed"]
    return found["kappa"], found["observed"]


EXAMPLE = [
    {"ann": "yes", "bob": "yes", "eve": "yes"},
    {"ann": "no", "bob": "no", "eve": "no"},
    {"ann": "yes", "bob": "no", "eve": None},
    {"ann": "no", "bob": "no"},
    {"ann": "yes"},
]


def test_the_worked_example() -> None:
    # ann, bob: 3 of 4 alike; yes 1/2 and 1/4, chance 1/2: kappa 1/2. Both pairs with eve: 2 of 2 alike: kappa 1.
    result = score(*EXAMPLE)
    assert result.metrics.as_dict() == pytest.approx({"kappa": (0.5 + 1 + 1) / 3, "observed": (0.75 + 1 + 1) / 3})
    assert (result.metrics.n, result.metrics.unscored, result.metrics.malformed) == (4, 1, 0)
    assert result.metrics.counts == (("kappa", 3), ("observed", 3))
    assert result.extra["pairs"] == [
        {"annotators": ["ann", "bob"], "n": 4, "kappa": 0.5, "observed": 0.75},
        {"annotators": ["ann", "eve"], "n": 2, "kappa": 1.0, "observed": 1.0},
        {"annotators": ["bob", "eve"], "n": 2, "kappa": 1.0, "observed": 1.0},
    ]
    # Disagreement: 2 ordered pairs of the third item over 10 labels; yes 4, no 6: chance 48 of 90.
    coefficients = result.extra["agreement"]
    assert coefficients["fleiss_kappa"] is None  # three labels on some items, two on others
    assert coefficients["krippendorff_alpha"] == pytest.approx(1 - (2 / 10) / (48 / 90))
    assert [row["observed"] for row in result.details] == [1, 1, 0, 1, None]
    assert [row["status"] for row in result.details] == ["scored"] * 4 + ["unscored"]
    assert result.details[0]["why"] == "3 labels; 3 of 3 pairs agree."
    json.dumps([dict(row) for row in result.details], allow_nan=False)


def test_constant_and_equal_labels_count_1() -> None:
    assert values({"a": "x", "b": "x"}, {"a": "x", "b": "x"}) == (1, 1)
    assert values({"a": "x", "b": "y"}, {"a": "x", "b": "y"}) == (0, 0)  # constant, not equal
    assert values({"a": "x", "b": "x"}, {"a": "x", "b": "y"}) == (0, 0.5)
    found = score({"a": "x", "b": "x"}).extra["agreement"]
    assert found == {"fleiss_kappa": 1.0, "krippendorff_alpha": 1.0}


def test_pairs_without_a_common_item_are_left_out() -> None:
    assert values({"a": 1, "b": 1}, {"a": 2, "b": 2}, {"c": 1, "d": 2}) == (0.5, 0.5)
    found = score({"a": 1, "b": 1}, {"c": 1, "d": 2})
    assert found.metrics.counts == (("kappa", 2), ("observed", 2))


def test_fewer_than_two_labels_are_no_item() -> None:
    result = score({}, {"a": 1}, {"a": None, "b": None}, {"a": 1, "b": None}, bootstrap=5)
    assert result.metrics.as_dict() == {"kappa": None, "observed": None}
    assert (result.metrics.n, result.metrics.unscored) == (0, 4)
    assert result.metrics.intervals == ()
    assert result.extra == {"agreement": {"fleiss_kappa": None, "krippendorff_alpha": None}, "pairs": []}


def test_labels_are_compared_with_their_json_type() -> None:
    for a, b, equal in ((1, True, 0), (0, False, 0), (1, "1", 0), ("true", True, 0), (1, 1.0, 1), ("a", "A", 0),
                        ("a ", "a", 0), ("", "", 1), (2**60, 2**60 + 1, 0)):  # fmt: skip
        assert values({"a": a, "b": b})[1] == equal, (a, b)


def test_equal_ids_are_two_items() -> None:
    records = [{"id": "same", "labels": {"a": 1, "b": label}} for label in (1, 2)]
    assert score_records(SCORER, Records.of(records), {}).metrics.as_dict()["observed"] == 0.5


def test_intervals_draw_whole_items() -> None:
    alike, apart = {"a": 1, "b": 1, "c": 1}, {"a": 1, "b": 2, "c": 3}
    low, high = dict(score(alike, apart, bootstrap=300, seed=2).metrics.intervals)["observed"]
    assert (low, high) == (0, 1)  # all pairs agree or disagree together
    records = [{"id": 0, "app": "x", "labels": alike}, {"id": 1, "app": "x", "labels": apart}]
    together = score_records(SCORER, Records.of(records, cluster="app"), {}, bootstrap=50)
    assert dict(together.metrics.intervals)["observed"] == (0.5, 0.5)


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({"id": 1}, "labels is missing"),
        ({"labels": {}}, "id is missing"),
        ({"id": 1, "labels": None}, "labels must be an object"),
        ({"id": 1, "labels": ["x", "y"]}, "labels must be an object"),
        ({"id": 1, "labels": {"a": ["x"]}}, "labels['a'] must be text, a number, true, false or null"),
        ({"id": 1, "labels": {"a": {}}}, "labels['a'] must be text"),
        ({"id": 1, "labels": {"a": float("inf")}}, "labels['a'] must be"),
        ({"id": 1.5, "labels": {}}, "id must be"),
    ],
)
def test_a_bad_field_is_named(form: dict[str, Any], said: str) -> None:
    with pytest.raises(UserError) as caught:
        score_records(SCORER, Records.of([form]), {})
    assert caught.value.record == "1" and caught.value.message.startswith(said)


def test_a_file(tmp_path: Path) -> None:
    path = tmp_path / "l.jsonl"
    lines = [json.dumps({"id": place, "labels": labels}) for place, labels in enumerate(EXAMPLE)]
    path.write_text("\n".join([*lines, '{"id": 9, "labels": {"a": NaN}}']), encoding="utf-8")
    with pytest.raises(UserError) as caught:
        score_file(SCORER, path, {})
    assert str(caught.value).startswith(f"{path}:6: ")
    found = score_file(SCORER, path, {}, skip_bad=True).metrics
    assert (found.n, found.unscored, found.errors) == (4, 1, 1)


# --- the obvious implementation --------------------------------------------------------------------------------------

labels = st.none() | st.booleans() | st.sampled_from(["", "a", "1", "ä", "a\u0308", 0, 1, 1.0, -0.0, 2.5])
items = st.lists(st.dictionaries(st.sampled_from(["ann", "bob", "eve", "ÿ"]), labels, max_size=4), max_size=12)


def kind(label: Any) -> str:
    """A name for what JSON takes for equal."""
    return json.dumps(float(label) + 0.0 if type(label) in (int, float) else label)


@given(items)
def test_agrees_with_the_obvious_implementation(items: list[dict[str, Any]]) -> None:
    from nltk.metrics.agreement import AnnotationTask
    from sklearn.metrics import cohen_kappa_score

    kept = [{name: kind(label) for name, label in item.items() if label is not None} for item in items]
    kept = [item for item in kept if len(item) > 1]
    kappas, shares = [], []
    for one, other in (("ann", "bob"), ("ann", "eve"), ("ann", "ÿ"), ("bob", "eve"), ("bob", "ÿ"), ("eve", "ÿ")):
        both = [(item[one], item[other]) for item in kept if one in item and other in item]
        if both:
            first, second = map(list, zip(*both, strict=True))
            constant = len({*first, *second}) == 1
            kappas.append(1.0 if constant else cohen_kappa_score(first, second))
            shares.append(sum(a == b for a, b in both) / len(both))
    result = score(*items)
    assert (result.metrics.n, result.metrics.unscored) == (len(kept), len(items) - len(kept))
    assert dict(result.metrics.counts)["kappa"] == len(kappas)
    mean = {"kappa": sum(kappas) / len(kappas), "observed": sum(shares) / len(shares)} if kappas else None
    assert result.metrics.as_dict() == (pytest.approx(mean) if mean else {"kappa": None, "observed": None})
    data = [(name, place, label) for place, item in enumerate(kept) for name, label in item.items()]
    alpha = AnnotationTask(data=data).alpha() if data else None
    assert result.extra["agreement"]["krippendorff_alpha"] == (None if alpha is None else pytest.approx(alpha))
    assert not any(math.isnan(value) for value in result.extra["agreement"].values() if value is not None)
