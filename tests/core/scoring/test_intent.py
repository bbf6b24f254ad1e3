"""`stepscope score intent`: by hand, published tables, and beside an obvious implementation."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepscope.core.errors import UserError
from stepscope.core.scoring.agreement import pairwise_agreement
from stepscope.core.scoring.intent import VERDICTS, IntentScorer
from stepscope.core.scoring.intent_match import judged_satisfaction, relation
from stepscope.core.scoring.paired_tests import compare
from stepscope.core.scoring.records import Records
from stepscope.core.scoring.registry import score_records

SCORER = IntentScorer()
NAMES = SCORER.info.metrics


def record(fulfilled: Any, forth: Any, back: Any) -> dict[str, Any]:
    return {"id": 1, **dict(zip(VERDICTS, (fulfilled, forth, back), strict=True))}


def score(*verdicts: tuple[Any, Any, Any], **how: Any) -> Any:
    return score_records(SCORER, Records.of(record(*found) for found in verdicts), {}, **how)


def test_the_worked_example() -> None:
    result = score(
        (True, True, True), (True, True, False), (False, False, True), (False, False, False),
        (None, True, True), (True, None, False), (None, None, None),
    )  # fmt: skip
    # fulfillment: yes yes no no – yes –; relation: match, partial, partial, none, match, –, –.
    wanted = {"fulfillment": 3 / 5, "match": 2 / 5, "partial_match": 2 / 5, "non_match": 1 / 5}
    assert result.metrics.as_dict() == pytest.approx(wanted)
    assert (result.metrics.n, result.metrics.unscored) == (4, 3)
    assert (result.metrics.malformed, result.metrics.null) == (0, 0)
    assert result.extra == {"n_by_metric": dict.fromkeys(NAMES, 5)}
    assert result.metrics.n_of("match") == 5
    assert [row["status"] for row in result.details] == ["scored"] * 4 + ["unscored"] * 3
    assert [row["match"] for row in result.details] == [1, 0, 0, 0, 1, None, None]
    assert result.details[1]["why"] == "Fulfilled. Only the prediction satisfies the reference."
    assert result.details[5]["why"] == "Fulfilled. No verdicts on both directions."


def test_relations() -> None:
    assert relation(True, True) == "match"
    assert relation(True, False) == relation(False, True) == "partial_match"
    assert relation(False, False) == "non_match"
    for forth, back in ((None, True), (False, None), (None, None)):
        assert relation(forth, back) is None


def test_a_judge_of_satisfaction_alone_still_gives_shares() -> None:
    """The paper's model judge says nothing on fulfilment."""
    result = score((None, True, True), (None, False, False))
    assert result.metrics.as_dict() == {"fulfillment": None, "match": 0.5, "partial_match": 0, "non_match": 0.5}
    assert (result.metrics.n, result.metrics.unscored) == (0, 2)
    assert result.extra["n_by_metric"] == {"fulfillment": 0, "match": 2, "partial_match": 2, "non_match": 2}
    intervals = dict(score((None, True, True), (None, False, False), bootstrap=100).metrics.intervals)
    assert intervals["match"] == (0, 1) and "fulfillment" not in intervals


def test_nothing_judged_has_no_value() -> None:
    for verdicts in ([], [(None, None, None)], [(None, True, None)]):
        result = score(*verdicts, bootstrap=5)
        assert result.metrics.as_dict() == dict.fromkeys(NAMES)
        assert (result.metrics.n, result.metrics.unscored) == (0, len(verdicts))
        assert result.metrics.intervals == ()


def test_all_four_are_compared_by_mcnemar() -> None:
    a = SCORER.judge(Records.of([record(True, True, True)] * 5 + [record(True, None, True)]), {}).tally
    b = SCORER.judge(Records.of([record(True, False, False)] * 5 + [record(True, None, True)]), {}).tally
    found = {one.metric: one for one in compare(a, b, draws=20, seed=0)}
    assert {one.test for one in found.values()} == {"mcnemar"}
    assert found["match"].p == pytest.approx(2 * 0.5**5)
    assert found["fulfillment"].p == 1


@pytest.mark.parametrize(
    ("form", "said"),
    [
        (record(1, True, True), "fulfilled must be true or false"),
        (record(True, "yes", True), "prediction_satisfies_reference must be true or false"),
        (record(True, True, []), "reference_satisfies_prediction must be true or false"),
        ({**record(True, True, True), "id": None}, "id must be"),
        ({"id": 1, "fulfilled": True, VERDICTS[1]: True}, "reference_satisfies_prediction is missing"),
        ({"fulfilled": True, VERDICTS[1]: True, VERDICTS[2]: True}, "id is missing"),
    ],
)  # fmt: skip
def test_a_bad_field_is_named(form: dict[str, Any], said: str) -> None:
    with pytest.raises(UserError) as caught:
        score_records(SCORER, Records.of([record(True, True, True), form]), {})
    assert caught.value.record == "2" and caught.value.message.startswith(said)


# --- the published tables --------------------------------------------------------------------------------------------

PUBLISHED = {
    # Tables 1 and 2: percent of match, partial match, non match.
    "Mind2Web, GPT-4, people judging": (44, 42, 14),
    "Mind2Web, Gemini 1.5, people judging": (58, 22, 20),
    "Mind2Web, people, people judging": (80, 13, 7),
    "Mind2Web, two people": (81, 10, 9),
    "AitZ, GPT-4, people judging": (59, 19, 22),
    "AitZ, Gemini 1.5, people judging": (57, 26, 17),
    "AitZ, people, people judging": (76, 22, 2),
    "AitZ, two people": (94, 4, 2),
    "Mind2Web, GPT-4, model judging": (42, 40, 18),
    "Mind2Web, Gemini 1.5, model judging": (54, 28, 18),
    "AitZ, GPT-4, model judging": (34, 34, 32),
    "AitZ, Gemini 1.5, model judging": (36, 27, 37),
}


@pytest.mark.parametrize("row", PUBLISHED)
def test_published_shares_are_those_of_some_hundred_verdicts(row: str) -> None:
    match, partial, none = PUBLISHED[row]
    assert match + partial + none == 100
    verdicts = [(None, True, True)] * match + [(None, True, False)] * partial + [(None, False, False)] * none
    found = score(*verdicts).metrics.as_dict()
    assert [found[name] for name in NAMES[1:]] == [match / 100, partial / 100, none / 100]


def test_what_matches_is_fulfilled() -> None:
    """The trajectory fulfils the reference, so a prediction that the reference satisfies is fulfilled too: the
    published fulfilment is no less than the published match."""
    fulfilled = {"Mind2Web, GPT-4": 86, "Mind2Web, Gemini 1.5": 87, "AitZ, GPT-4": 78, "AitZ, Gemini 1.5": 88}
    for row, share in fulfilled.items():
        assert share >= PUBLISHED[f"{row}, people judging"][0]


# --- what a model judge said -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("A covers B. [SATISFACTION] YES [/SATISFACTION]", True),
        ("[SATISFACTION] NO [/SATISFACTION]", False),
        ("[SATISFACTION]YES[/SATISFACTION]", True),
        ("[SATISFACTION]\n  NO\t[/SATISFACTION] trailing words", False),
        ("[SATISFACTION] YES [/SATISFACTION] … no: [SATISFACTION] NO [/SATISFACTION]", False),
        ("[SATISFACTION] NO [/SATISFACTION][SATISFACTION] YES [/SATISFACTION]", True),
        ("[SATISFACTION] NO [/SATISFACTION] or [SATISFACTION] MAYBE [/SATISFACTION]", False),
        ("[SATISFACTION] [SATISFACTION] YES [/SATISFACTION]", True),
        ("[SATISFACTION] YES/NO [/SATISFACTION]", None),
        ("[SATISFACTION] YES NO [/SATISFACTION]", None),
        ("[SATISFACTION] yes [/SATISFACTION]", None),
        ("[satisfaction] YES [/satisfaction]", None),
        ("[SATISFACTION] YES", None),
        ("YES [/SATISFACTION]", None),
        ("[ SATISFACTION ] YES [ /SATISFACTION ]", None),
        ("YES", None),
        ("", None),
    ],
)
def test_the_judges_last_tag_counts(text: str, verdict: bool | None) -> None:
    assert judged_satisfaction(text) is verdict


@given(st.lists(st.sampled_from(["YES", "NO", "[SATISFACTION] YES [/SATISFACTION]", "[SATISFACTION] NO [/SATISFACTION]",
                                 " ", "[SATISFACTION]", "[/SATISFACTION]", "é"])))  # fmt: skip
def test_the_judges_tag_beside_a_search_from_the_end(parts: list[str]) -> None:
    text = "".join(parts)
    wanted = None
    for start in range(len(text) - 1, -1, -1):
        if not text.startswith("[SATISFACTION]", start):
            continue
        content, closed, _ = text[start + len("[SATISFACTION]") :].partition("[/SATISFACTION]")
        if closed and content.strip() in ("YES", "NO"):
            wanted = content.strip() == "YES"
            break
    assert judged_satisfaction(text) is wanted


def test_people_judging_agree_as_annotators_do() -> None:
    verdicts = [{"p": True, "q": True}, {"p": False, "q": False}, {"p": True, "q": None}]
    assert pairwise_agreement(verdicts) == (1, 1, 1)


# --- the obvious implementation --------------------------------------------------------------------------------------

verdict = st.sampled_from([True, False, None])


@settings(max_examples=settings().max_examples * 4)
@given(st.lists(st.tuples(verdict, verdict, verdict), max_size=25))
def test_agrees_with_the_obvious_implementation(rows: list[tuple[Any, Any, Any]]) -> None:
    fulfilled = [f for f, _, _ in rows if f is not None]
    both = [(a, b) for _, a, b in rows if a is not None and b is not None]
    wanted: dict[str, float | None] = dict.fromkeys(NAMES)
    if fulfilled:
        wanted["fulfillment"] = sum(fulfilled) / len(fulfilled)
    if both:
        wanted["match"] = sum(a and b for a, b in both) / len(both)
        wanted["partial_match"] = sum(a != b for a, b in both) / len(both)
        wanted["non_match"] = sum(not a and not b for a, b in both) / len(both)
    result = score(*rows)
    assert result.metrics.as_dict() == pytest.approx(wanted)
    assert result.metrics.unscored == sum(None in row for row in rows)
    assert result.metrics.n + result.metrics.unscored == len(rows) == len(result.details)
    assert result.extra["n_by_metric"] == dict(zip(NAMES, (len(fulfilled), *[len(both)] * 3), strict=True))
    for row, found in zip(rows, result.details, strict=True):
        assert found["fulfillment"] == row[0]
        assert (found["match"] is None) == (None in row[1:])
