"""Breakdowns of a run, on ten items worked out by hand, beside slow obvious counting, scikit-learn and statsmodels."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepscope.core.domain.filter_parser import parse
from stepscope.core.domain.prediction import Task
from stepscope.core.evaluation.breakdown import (
    Criterion,
    ItemSelection,
    NumberRange,
    as_decided,
    at_threshold,
    best_f1,
    calibration,
    confusion,
    episodes_of,
    mask_of,
    matching,
    pr_curve,
    recall_by_reason,
    versus,
    wilson,
    wrong_by,
)
from stepscope.core.lazy import lazy_module
from stepscope.core.scoring.feasibility_match import average_precision
from stepscope.core.store.column_reading import TextCodes
from stepscope.core.store.columns import ERROR, SCORED, UNSCORED, RunColumns

sklearn_metrics = lazy_module("sklearn.metrics")
proportion = lazy_module("statsmodels.stats.proportion")
pytestmark = pytest.mark.needs("scipy.stats")

NAN = float("nan")


def columns_of(items, *, task=Task.AUTOMATION, apps=None, reasons=None, lengths=None):
    """Columns of items given as (episode, step, value, reference, predicted, confidence or P(infeasible)).

    `value` None is unscored, "error" an error; `predicted` "?" is malformed and "" null. `apps`, `reasons`, `lengths`
    are by episode."""
    places, kinds, app, reason = TextCodes(), TextCodes(""), TextCodes(""), TextCodes("")
    episode, step, value, reference, predicted, score = zip(*items, strict=True) if items else ([],) * 6
    codes = places.of(episode)
    numbers = np.array([NAN if one in (None, "error") else one for one in value], float)
    nothing = np.full(len(items), NAN)
    scores = np.array([NAN if one is None else one for one in score], float)
    feasibility = task is Task.FEASIBILITY
    status = [ERROR if one == "error" else UNSCORED if one is None else SCORED for one in value]
    unusable = [kind in ("?", "") and state == SCORED for kind, state in zip(predicted, status, strict=True)]
    malformed = np.array(unusable, bool)
    return RunColumns(
        run_id="r",
        scoring_id=1,
        task=task,
        row=np.arange(1, len(items) + 1),
        episode=codes,
        step=np.array(step, np.int32),
        status=np.array(status, np.int8),
        value=numbers,
        right=numbers == 1,
        malformed=malformed,
        null=malformed & np.array([kind == "" for kind in predicted], bool),
        reference=kinds.of(reference),
        predicted=kinds.of([kind.strip("?") for kind in predicted]),
        confidence=nothing if feasibility else scores,
        episodes=tuple(places),
        kinds=tuple(kinds),
        app=app.of([(apps or {}).get(name, "") for name in places]),
        label=np.zeros(len(places), np.int32),
        reason=reason.of([(reasons or {}).get(name, "") for name in places]),
        steps=np.array([(lengths or {}).get(name, -1) for name in places], np.int32),
        apps=tuple(app),
        labels=("",),
        reasons=tuple(reason),
        _database=None,
        _source_id=None,
        _kept={"part score": scores} if feasibility else {},
    )


STEPS = (
    ("a", 0, 1, "tap", "tap", 0.9),
    ("a", 1, 0, "tap", "type", 0.4),
    ("a", 2, 1, "type", "type", 0.8),
    ("b", 0, 0, "tap", "?", None),
    ("b", 1, 0, "wait", "", 0.1),
    ("b", 2, None, "tap", "tap", 0.7),
    ("c", 0, "error", "tap", "", None),
    ("c", 1, 0.5, "type", "type", 0.6),
    ("c", 2, 1, "tap", "tap", 0.3),
    ("d", -1, 1, "", "tap", 1.0),
)
RUN = columns_of(
    STEPS, apps={"a": "Shop", "b": "mail", "c": "Shop"}, reasons={"b": "unclear"}, lengths={"a": 3, "b": 4, "c": 30}
)

COMMANDS = (
    ("a", -1, 1, "infeasible", "infeasible", 0.9),
    ("b", -1, 0, "infeasible", "feasible", 0.4),
    ("c", -1, 0, "feasible", "infeasible", 0.6),
    ("d", -1, 1, "feasible", "feasible", 0.4),
    ("e", -1, 0, "infeasible", "", None),
    ("f", -1, 0, "feasible", "?", None),
    ("g", -1, None, "", "feasible", 0.2),
    ("h", -1, 1, "infeasible", "infeasible", 0.5),
)
REASONS = {"a": "impossible", "b": "impossible", "e": "unclear", "h": "unclear", "c": "unclear"}
ASKED = columns_of(COMMANDS, task=Task.FEASIBILITY, reasons=REASONS)


def places(columns, *pairs):
    return np.flatnonzero(mask_of(columns, ItemSelection.of(*pairs))).tolist()


@pytest.mark.parametrize(
    ("pair", "found"),
    [
        (("reference", "wait"), [4]),
        (("kind", "type"), [2, 7]),
        (("predicted", ""), [3, 4, 6]),
        (("predicted", "swipe"), []),
        (("app", "Shop"), [0, 1, 2, 6, 7, 8]),
        (("app", ""), [9]),
        (("reason", "unclear"), [3, 4, 5]),
        (("label", ""), list(range(10))),
        (("step", 1), [1, 4, 7]),
        (("step", -1), [9]),
        (("step", NumberRange(1, None)), [1, 2, 4, 5, 7, 8]),
        (("length", NumberRange(1, 3)), [0, 1, 2]),
        (("length", NumberRange(21, None)), [6, 7, 8]),
        (("verdict", "hit"), [0, 2, 8, 9]),
        (("verdict", "miss"), [1, 7]),
        (("verdict", "malformed"), [3]),
        (("verdict", "null"), [4]),
        (("verdict", "unscored"), [5]),
        (("verdict", "error"), [6]),
        (("verdict", "wrong"), [1, 3, 4, 7]),
        (("verdict", "right"), [0, 2, 8, 9]),
        (("confidence", NumberRange(0.4, 0.8)), [1, 2, 5, 7]),
        (("confidence", NumberRange(0.4, 0.8, above=True)), [2, 5, 7]),
    ],
)
def test_what_a_criterion_means(pair, found):
    assert places(RUN, pair) == found


def test_several_criteria_all_hold_and_a_mask_narrows_them():
    both = ItemSelection.of(("app", "Shop")).with_(ItemSelection.of(("verdict", "wrong"), ("app", "Shop")))
    assert both.words() == ("app: Shop", "wrong")
    assert np.flatnonzero(mask_of(RUN, both)).tolist() == [1, 7]
    assert np.flatnonzero(mask_of(RUN, both, RUN.step < 1 + (RUN.episode == 0))).tolist() == [1]
    assert both.without(Criterion("app", "Shop")) == ItemSelection.of(("verdict", "wrong"))
    assert episodes_of(RUN, mask_of(RUN, both)) == ["a", "c"]


def test_criteria_that_make_no_sense_are_refused():
    for pair in (("verdict", "odd"), ("length", 3), ("confidence", "high"), ("step", "first")):
        with pytest.raises(ValueError, match=r"odd|takes"):
            places(RUN, pair)


@pytest.mark.parametrize(
    ("pairs", "chips", "text"),
    [
        ((), (), ""),
        ((("reference", "infeasible"),), ("reference: infeasible",), "infeasible"),
        ((("reference", "tap"), ("counted", "feasible")), ("reference: tap", "predicted: feasible"), None),
        ((("kind", "tap"), ("verdict", "wrong")), ("kind: tap", "wrong"), "action:tap wrong:A"),
        ((("app", "com.x"), ("verdict", "unscored")), ("app: com.x", "unscored"), "app=com.x unscored:A"),
        ((("app", "Play Store"),), ("app: Play Store",), 'app="Play Store"'),
        ((("app", ""),), ("app: unknown",), None),
        ((("step", 2), ("verdict", "right")), ("step: 3", "right"), "step:3 right:A"),
        ((("step", 2),), ("step: 3",), None),
        ((("step", NumberRange(0, 2)),), ("step: 1 – 3",), None),
        ((("length", NumberRange(4, 6)),), ("length: 4 – 6",), "steps:4..6"),
        ((("length", NumberRange(21, None)),), ("length: 21 or more",), "steps:21.."),
        ((("reason", "unclear"),), ("reason: unclear",), "reason:unclear"),
        ((("reason", ""),), ("reason: unknown",), None),
        ((("predicted", ""),), ("predicted: none",), None),
        ((("verdict", "malformed"),), ("malformed",), None),
        ((("step", -1),), ("step: whole episode",), None),
        (
            (("confidence", NumberRange(0.1, 0.2, above=True)),), ("confidence: 0.1 – 0.2",), "conf:A>0.1 conf:A<=0.2",
        ),
        ((("score", NumberRange(None, 0.5)),), ("P(infeasible): 0.5 or less",), None),
    ],
)  # fmt: skip
def test_chips_and_the_filter_that_says_the_same(pairs, chips, text):
    selection = ItemSelection.of(*pairs)
    assert selection.words() == chips
    assert selection.filter_text() == text
    if text:
        assert str(parse(text)) == text


def test_confusion_of_kinds():
    found = confusion(RUN)
    assert (found.references, found.predictions) == (("tap", "type", "wait", ""), ("tap", "type", ""))
    assert [[cell.count for cell in row] for row in found.cells] == [[2, 1, 1], [0, 2, 0], [0, 0, 1], [1, 0, 0]]
    assert (found.rows, found.right, found.total) == ((4, 2, 1, 1), (2, 1, 0, 1), 8)
    cell = found.cells[0][1]
    assert (cell.share, cell.row_share, cell.right, cell.name) == (1 / 8, 1 / 4, 0, "")
    for row in found.cells:
        for cell in row:
            chosen = mask_of(RUN, cell.selection.with_(ItemSelection.of(("verdict", "scored"))))
            assert np.count_nonzero(chosen) == cell.count
    assert confusion(RUN, RUN.episode == 0).total == 3


def test_confusion_of_two_counts_what_is_unusable_as_the_wrong_class():
    found = confusion(ASKED)
    assert [[(cell.name, cell.count) for cell in row] for row in found.cells] == [
        [("TP", 2), ("FN", 2)],
        [("FP", 2), ("TN", 1)],
    ]
    assert (found.rows, found.right, found.total) == ((4, 3), (2, 1), 7)
    assert found.cells[0][1].row_share == 0.5
    assert found.cells[0][1].selection.words() == ("reference: infeasible", "predicted: feasible")
    assert places(ASKED, *((c.field, c.value) for c in found.cells[0][1].selection.criteria)) == [1, 4]
    assert places(ASKED, *((c.field, c.value) for c in found.cells[1][0].selection.criteria)) == [2, 5]


def test_confusion_of_asking_has_both_classes_though_nobody_asks():
    steps = [("a", 0, 1, "no ask", "no ask", None), ("a", 1, 0, "ask", "no ask", None), ("b", 0, 0, "no ask", "", None)]
    found = confusion(columns_of(steps, task=Task.ASK))
    assert (found.references, found.predictions) == (("ask", "no ask"), ("ask", "no ask", ""))
    assert [[cell.count for cell in row] for row in found.cells] == [[0, 1, 0], [0, 1, 1]]
    assert (found.rows, found.right, found.total) == ((1, 2), (0, 1), 3)
    assert not mask_of(columns_of(steps, task=Task.ASK), found.cells[0][0].selection).any()


def test_wrong_shares_of_groups():
    found = wrong_by(RUN, "app", least=1)
    assert [(g.name, g.n, g.count) for g in found.groups] == [("mail", 2, 2), ("Shop", 5, 2), ("unknown", 1, 0)]
    assert found.groups[1].share == 0.4 and found.groups[1].interval == wilson(2, 5)
    assert np.flatnonzero(mask_of(RUN, found.groups[1].selection)).tolist() == [1, 7]
    assert [g.name for g in found.sorted("worst")] == ["mail", "Shop", "unknown"]
    assert [g.name for g in found.sorted("most")] == ["Shop", "mail", "unknown"]
    assert found.sorted("name") == found.groups
    few = wrong_by(RUN, "app", least=5)
    assert ([g.name for g in few.groups], few.total) == (["Shop"], 3)


@pytest.mark.parametrize(
    ("by", "groups"),
    [
        ("kind", [("tap", 4, 2), ("type", 2, 1), ("wait", 1, 1), ("none", 1, 0)]),
        ("step", [("whole episode", 1, 0), ("1", 2, 1), ("2", 3, 3), ("3", 2, 0)]),
        ("length", [("1 – 3", 3, 1), ("4 – 6", 2, 2), ("21 or more", 2, 1)]),
        ("reason", [("unclear", 2, 2), ("unknown", 6, 2)]),
        ("label", [("unknown", 8, 4)]),
    ],
)
def test_groups_of_each_sort(by, groups):
    found = wrong_by(RUN, by, least=1)
    assert [(g.name, g.n, g.count) for g in found.groups] == groups
    for group in found.groups:
        assert np.count_nonzero(mask_of(RUN, group.selection)) == group.count


def test_recall_by_reason():
    found = recall_by_reason(ASKED)
    assert [(g.name, g.n, g.count) for g in found.groups] == [("impossible", 2, 1), ("unclear", 2, 1)]
    assert found.groups[1].selection.words() == ("reference: infeasible", "reason: unclear", "predicted: infeasible")
    assert np.flatnonzero(mask_of(ASKED, found.groups[1].all)).tolist() == [4, 7]


@given(st.integers(1, 10_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_intervals_are_those_of_statsmodels(pair):
    assert wilson(*pair) == pytest.approx(proportion.proportion_confint(*pair, method="wilson"), abs=1e-12)


def test_wilson_of_nothing():
    assert wilson(0, 0) == (0, 1)


# --- curves ----------------------------------------------------------------------------------------------------------

scored = st.lists(st.tuples(st.booleans(), st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.9, 1.0])), min_size=1, max_size=40)


def ranked(pairs, threshold=0.5):
    """Commands that all have a score, decided at the threshold."""
    kinds = "feasible", "infeasible"
    items = [
        (str(n), -1, float(positive == (score >= threshold)), kinds[positive], kinds[score >= threshold], score)
        for n, (positive, score) in enumerate(pairs)
    ]
    return columns_of(items, task=Task.FEASIBILITY)


@given(scored)
def test_the_curve_is_that_of_scikit_learn(pairs):
    if not any(positive for positive, _ in pairs):
        return
    positive, scores = map(np.array, zip(*pairs, strict=True))
    found = pr_curve(ranked(pairs))
    precision, recall, thresholds = sklearn_metrics.precision_recall_curve(positive, scores)
    np.testing.assert_array_equal(found.thresholds, thresholds[::-1])
    np.testing.assert_allclose(found.precision, precision[-2::-1])
    np.testing.assert_allclose(found.recall, recall[-2::-1])
    assert found.average_precision == pytest.approx(
        sklearn_metrics.average_precision_score(positive, scores), abs=1e-12
    )
    protocol = average_precision(positive, scores)(np.ones((1, len(scores))))[0]
    assert found.average_precision == pytest.approx(protocol, abs=1e-14)


@given(scored, st.sampled_from([0.0, 0.2, 0.5, 0.7, 1.0]))
def test_what_a_threshold_would_give(pairs, threshold):
    positive, scores = map(np.array, zip(*pairs, strict=True))
    found = at_threshold(ranked(pairs), threshold)
    expected = sklearn_metrics.precision_recall_fscore_support(
        positive, scores >= threshold, average="binary", zero_division=0
    )[:3]
    assert (found.precision, found.recall, found.f1) == pytest.approx(expected)
    assert found.flips.tolist() == ((scores >= 0.5) != (scores >= threshold)).tolist()


@given(scored, st.sampled_from([0.0, 0.2, 0.5, 0.7, 1.0]))
def test_what_a_run_decided_lies_on_its_curve_at_its_own_threshold(pairs, threshold):
    positive, scores = map(np.array, zip(*pairs, strict=True))
    columns = ranked(pairs, threshold)
    found, explained = as_decided(columns, 0.5)
    expected = sklearn_metrics.precision_recall_fscore_support(
        positive, scores >= threshold, average="binary", zero_division=0
    )[:3]
    assert (found.precision, found.recall, found.f1) == pytest.approx(expected)
    assert explained and not at_threshold(columns, found.threshold).flips.any()


def test_decisions_that_follow_no_threshold_say_so():
    """The surer one is taken for feasible: no threshold does that. Of the two that are infeasible one is found."""
    items = [
        ("a", -1, 0.0, "infeasible", "feasible", 0.9),
        ("b", -1, 1.0, "infeasible", "infeasible", 0.2),
    ]
    found, explained = as_decided(columns_of(items, task=Task.FEASIBILITY), 0.5)
    assert not explained and (found.precision, found.recall) == (1.0, 0.5)


@given(scored)
def test_the_best_f1_is_the_best_of_all_thresholds(pairs):
    columns = ranked(pairs)
    best, threshold = best_f1(pr_curve(columns))
    assert best == pytest.approx(max(at_threshold(columns, score).f1 for _, score in pairs))
    assert at_threshold(columns, threshold).f1 == pytest.approx(best)


def test_commands_without_a_score_count_as_the_wrong_class_at_every_threshold():
    curve = pr_curve(ASKED)
    assert (curve.n, curve.missing, curve.average_precision) == (7, 2, None)
    assert curve.thresholds.tolist() == [0.9, 0.6, 0.5, 0.4]
    assert curve.precision.tolist() == [1 / 2, 1 / 3, 2 / 4, 3 / 6]
    assert curve.recall.tolist() == [1 / 4, 1 / 4, 2 / 4, 3 / 4]
    for threshold, precision, recall in zip(curve.thresholds, curve.precision, curve.recall, strict=True):
        found = at_threshold(ASKED, threshold)
        assert (found.precision, found.recall) == (precision, recall)
    found = at_threshold(ASKED, 0.4)
    assert (found.tp, found.fn, found.fp, found.tn, found.flip_count) == (3, 1, 3, 0, 2)
    assert np.flatnonzero(found.flips).tolist() == [1, 3]


def test_the_curve_of_a_step_run_is_about_being_right():
    curve = pr_curve(RUN)
    assert (curve.n, curve.missing, curve.average_precision) == (8, 1, None)
    assert curve.thresholds.tolist() == [1.0, 0.9, 0.8, 0.6, 0.4, 0.3, 0.1]
    assert curve.precision.tolist() == [1, 1, 1, 3 / 4, 3 / 5, 4 / 6, 4 / 7]
    assert curve.recall.tolist() == [1 / 4, 2 / 4, 3 / 4, 3 / 4, 3 / 4, 1, 1]
    assert curve.coverage.tolist() == [n / 8 for n in range(1, 8)]
    assert np.flatnonzero(at_threshold(RUN, 0.5).flips).tolist() == [1, 4, 8]


def test_a_curve_over_nothing():
    curve = pr_curve(columns_of([]))
    assert (len(curve.thresholds), curve.average_precision, best_f1(curve)) == (0, None, None)
    assert len(curve.shown().thresholds) == 0


def test_a_shown_curve_keeps_its_ends_and_its_shape():
    generator = np.random.default_rng(0)
    positive, scores = (generator.random(5000) < 0.3).tolist(), generator.random(5000).tolist()
    curve = pr_curve(ranked(list(zip(positive, scores, strict=True))))
    shown = curve.shown(100)
    assert len(shown.thresholds) <= 202
    assert (shown.thresholds[0], shown.thresholds[-1]) == (curve.thresholds[0], curve.thresholds[-1])
    assert np.diff(shown.recall).max() <= 0.01 + 1 / 1000


def test_calibration_by_hand():
    found = calibration(RUN, bins=2)
    low, high = found.bins
    assert (low.n, low.right, high.n, high.right) == (3, 1 / 3, 4, 3 / 4)
    assert low.score == pytest.approx((0.4 + 0.1 + 0.3) / 3) and high.score == pytest.approx(3.3 / 4)
    assert (found.n, found.missing) == (7, 1)
    assert found.error == pytest.approx(abs(1 - 0.8) / 7 + abs(3 - 3.3) / 7)
    assert low.interval == wilson(1, 3)
    assert places(RUN, *((c.field, c.value) for c in low.selection.criteria)) == [1, 4, 8]


def test_calibration_of_p_infeasible():
    found = calibration(ASKED, bins=2)
    assert [(one.n, one.right) for one in found.bins] == [(3, 2 / 3), (2, 1 / 2)]  # 0.5 is in the lower bin
    assert found.missing == 2


@given(st.lists(st.integers(0, 100), max_size=60), st.sampled_from([1, 3, 7, 10]))
def test_every_bin_is_the_items_of_its_selection(hundredths, bins):
    columns = columns_of([("e", n, n % 2, "tap", "tap", one / 100) for n, one in enumerate(hundredths)])
    found = calibration(columns, bins)
    assert sum(one.n for one in found.bins) == len(hundredths)
    for one in found.bins:
        assert np.count_nonzero(mask_of(columns, one.selection)) == one.n
    assert (found.error is None) == (not hundredths)


# --- two runs --------------------------------------------------------------------------------------------------------


def test_a_run_against_another():
    other = columns_of((
        ("z", 0, 1, "tap", "tap", None),
        ("c", 2, 0, "tap", "type", None),
        ("a", 1, 1, "tap", "tap", None),
        ("a", 0, 1, "tap", "tap", None),
        ("a", 2, None, "type", "type", None),
        ("c", 1, 0, "type", "tap", None),
    ))  # fmt: skip
    found = versus(RUN, other)
    assert (found.a.tolist(), found.b.tolist()) == ([0, 1, 7, 8], [3, 2, 5, 1])
    assert [mask.tolist() for mask in (found.both_right, found.only_a, found.only_b, found.both_wrong)] == [
        [True, False, False, False],
        [False, False, False, True],
        [False, True, False, False],
        [False, False, True, False],
    ]
    assert found.difference.tolist() == [0, -1, 0.5, 1]
    assert found.by_difference().tolist() == [3, 2, 1]
    assert found.by_difference(found.only_b).tolist() == [1]
    assert (found.only_in_a, found.only_in_b, found.unscored) == (5, 1, 1)
    assert versus(RUN, other, RUN.episode == 0).n == 2


item = st.tuples(st.sampled_from("abc"), st.integers(-1, 3), st.sampled_from([0, 0.5, 1, None]))
one_each = st.lists(item, max_size=12, unique_by=lambda one: one[:2])


@settings(max_examples=settings().max_examples * 2)
@given(one_each, one_each, st.booleans())
def test_runs_are_matched_as_by_a_table_of_keys(drawn_a, drawn_b, by_order):
    def made(drawn):
        return columns_of([(episode, step, value, "tap", "tap", None) for episode, step, value in drawn])

    with pytest.MonkeyPatch.context() as patch:
        if by_order:
            patch.setattr("stepscope.core.evaluation.breakdown.matching._CELLS", 0)
        found = versus(made(drawn_a), made(drawn_b))
    value_a, value_b = ({one[:2]: one[2] for one in drawn} for drawn in (drawn_a, drawn_b))
    common = [key for key in value_a if key in value_b]
    judged = [key for key in common if None not in (value_a[key], value_b[key])]
    assert [drawn_a[at][:2] for at in found.a] == judged
    assert [drawn_b[at][:2] for at in found.b] == judged
    assert found.unscored == len(common) - len(judged)
    assert (found.only_in_a, found.only_in_b) == (len(value_a) - len(common), len(value_b) - len(common))
    counted = Counter((value_a[key] == 1, value_b[key] == 1) for key in judged)
    masks = {(True, True): found.both_right, (True, False): found.only_a, (False, True): found.only_b}
    assert {pair: int(mask.sum()) for pair, mask in masks.items()} == {pair: counted[pair] for pair in masks}
    assert int(found.both_wrong.sum()) == counted[False, False]


steps_of = st.dictionaries(
    st.sampled_from("abcde"), st.lists(st.integers(-1, 200), min_size=1, unique=True), max_size=5
)


@given(steps_of, st.randoms(use_true_random=False), st.booleans())
def test_runs_over_the_same_items_are_matched_episode_by_episode(steps, draw, few):
    names = list(steps)
    order = draw.sample(names, draw.randint(1, len(names)) if few and names else len(names))
    a, b = (
        columns_of([(name, step, 1, "tap", "tap", None) for name in some for step in steps[name]])
        for some in (names, order)
    )
    found = matching.places(a, b)
    items = [(name, step) for name in order for step in steps[name]]
    expected = [(name, step) for name in names for step in steps[name]]
    assert found.tolist() == [items.index(one) if one in items else -1 for one in expected]
    assert not items or np.array_equal(matching._places_by_episode(a, b), found)
