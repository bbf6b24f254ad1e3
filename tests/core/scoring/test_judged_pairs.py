"""What judgements say together: verdicts by hand, kappa by hand and against scikit-learn."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.judgement import (
    REFERENCE,
    WHOLE,
    JudgeId,
    Judgement,
    OriginKind,
    PairAnswers,
    TextOrigin,
    pair_of,
)
from stepscope.core.scoring.intent_match import RELATIONS, relation
from stepscope.core.scoring.judged_pairs import (
    as_shown,
    differs,
    judge_agreement,
    outlook,
    together,
    unseen_left_out,
    verdict_of_answers,
)

NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)
RUN = TextOrigin(OriginKind.RUN, "r1")
YES_NO = (True, False, None)


def pair(episode: str):
    return pair_of("data", episode, WHOLE, (REFERENCE, "goal"), (RUN, "answer"))


def said(who: str, episode: str, *answers: bool | None, rejected: str = "", by_model: bool = False) -> Judgement:
    given_answers = PairAnswers(*answers) if answers else PairAnswers()
    return Judgement(pair(episode), JudgeId(who, by_model), given_answers, NOON, rejected)


def test_the_outlook_says_what_the_last_direction_decides() -> None:
    assert outlook(PairAnswers(True, True, False, None)) == {True: "partial_match", False: "non_match"}
    assert outlook(PairAnswers(None, None, None, True)) == {True: "match", False: "partial_match"}
    assert outlook(PairAnswers(True, True, None, None)) is None
    assert outlook(PairAnswers(True, True, True, True)) is None


@pytest.mark.parametrize("seed", [0, 1, 6, 7])
def test_which_side_a_text_stands_on_does_not_change_the_verdict(seed: int) -> None:
    for answers in product(YES_NO, repeat=4):
        given_answers = PairAnswers(*answers)
        shown = as_shown(given_answers, seed)
        assert as_shown(shown, seed) == given_answers
        assert verdict_of_answers(shown) == verdict_of_answers(given_answers)
        assert (shown == given_answers) or seed % 2


def test_people_together_answer_by_majority_and_a_tie_answers_nothing() -> None:
    everybody = [
        said("ann", "e1", True, True, True, False),
        said("ben", "e1", True, False, True, None),
        said("eve", "e1", False, True, True, True),
        said("ann", "e2", True, True, True, True),
        said("ben", "e2", rejected="bad"),
        said("ann", "e3", True, True, True, True),
        said("ben", "e3", rejected="bad"),
        said("eve", "e3", rejected="bad"),
    ]
    first, second, third = together(everybody)
    assert first.answers == PairAnswers(True, True, True, None) and first.judges == 3
    assert (second.rejected, second.answers) == (False, PairAnswers(True, True, True, True))
    assert (third.rejected, third.answers) == (True, PairAnswers())


def test_agreement_by_hand() -> None:
    """Fulfilment: eight labels, six equal; ann says yes 6 of 8, ben 6 of 8: chance (36 + 4)/64, kappa (48 − 40)/24.
    Directions: seven of eight equal; ann 4 of 8, ben 5 of 8: chance 1/2, kappa 3/4. Verdicts: match, partial, partial,
    non against match, partial, match, non: 3 of 4; chance (1·2 + 2·1 + 1·1)/16, kappa (12 − 5)/11."""
    ann = [(True, True, True, True), (True, True, True, False), (True, False, False, True), (True, False, False, False)]
    ben = [(True, True, True, True), (True, False, True, False), (True, True, True, True), (True, False, False, False)]
    everybody = [said("ann", f"e{n}", *answers) for n, answers in enumerate(ann)]
    everybody += [said("ben", f"e{n}", *answers) for n, answers in enumerate(ben)]
    everybody += [said("ben", "e9", True, True, True, True), said("ann", "e9", rejected="bad")]
    (both,) = judge_agreement(everybody)
    assert (both.judges, both.pairs) == ((JudgeId("ann"), JudgeId("ben")), 4)
    assert (both.kappas["fulfilled"].kappa, both.kappas["fulfilled"].n) == (pytest.approx(8 / 24), 8)
    assert (both.kappas["satisfies"].kappa, both.kappas["satisfies"].observed) == (pytest.approx(0.75), 7 / 8)
    assert (both.kappas["verdict"].kappa, both.kappas["verdict"].n) == (pytest.approx(7 / 11), 4)
    assert both.kappas["first_fulfilled"].kappa == 1, "both said yes throughout"
    match, partial, non = RELATIONS
    wanted = {(match, match): 1, (partial, partial): 1, (partial, match): 1, (non, non): 1}
    assert dict(both.verdicts) == wanted, "ann's verdict first"


def test_a_model_that_judges_satisfaction_only_has_no_kappa_of_fulfilment() -> None:
    model = [said("judge", f"e{n}", None, None, True, n > 1, by_model=True) for n in range(4)]
    people = [said("ann", f"e{n}", True, True, True, n > 2) for n in range(4)]
    (both,) = judge_agreement([*model, *people])
    assert both.judges == (JudgeId("ann"), JudgeId("judge", True)) and both.pairs == 4
    assert both.kappas["fulfilled"].kappa is None and both.kappas["fulfilled"].n == 0
    assert both.kappas["satisfies"].n == 8
    assert sum(both.verdicts.values()) == 4


answers = st.tuples(*[st.sampled_from(YES_NO)] * 4)


@given(st.lists(st.tuples(answers, answers), min_size=1, max_size=12))
def test_kappa_is_that_of_scikit_learn(found) -> None:
    from sklearn.metrics import cohen_kappa_score

    mine = [said("ann", f"e{n}", *one) for n, (one, _) in enumerate(found)]
    theirs = [said("ben", f"e{n}", *other) for n, (_, other) in enumerate(found)]
    agreement = judge_agreement([*mine, *theirs])
    labels = {
        "fulfilled": [(one[n], other[n]) for one, other in found for n in (0, 1)],
        "satisfies": [(one[n], other[n]) for one, other in found for n in (2, 3)],
        "second_satisfies": [(one[3], other[3]) for one, other in found],
        "verdict": [(relation(*one[2:]), relation(*other[2:])) for one, other in found],
    }
    for name, every in labels.items():
        known = [both for both in every if None not in both]
        if not agreement:
            assert not known
            continue
        kappa = agreement[0].kappas[name]
        assert kappa.n == len(known)
        if known and len({label for both in known for label in both}) > 1:
            one, other = ([str(both[side]) for both in known] for side in (0, 1))
            assert kappa.kappa == pytest.approx(cohen_kappa_score(one, other))
        else:
            assert kappa.kappa == (1 if known else None)


def test_a_model_stays_hidden_until_the_person_has_finished_the_pair() -> None:
    everything = [
        said("ann", "e1", True, True, True, True),
        said("ann", "e2", True, True, True, None),
        said("ann", "e3", rejected="bad"),
        said("ben", "e2", True, True, True, True),
        *(said("judge", f"e{n}", None, None, True, True, by_model=True) for n in (1, 2, 3, 4)),
    ]
    seen = unseen_left_out(everything, "ann", [pair(f"e{n}") for n in (1, 2, 3)])
    assert [one.pair.key.episode for one in seen if one.judge.by_model] == ["e1", "e3"]
    assert sum(not one.judge.by_model for one in seen) == 4
    assert not [one for one in unseen_left_out(everything, "zoe", [pair("e1")]) if one.judge.by_model]


@pytest.mark.parametrize(("one", "other", "they_differ"), [
    ((True, True, True, True), (True, True, True, True), False),
    ((True, True, True, True), (True, True, True, False), True),
    ((True, True, True, False), (True, True, False, True), False),  # partial both, though in the other direction
    ((True, False, True, True), (True, True, True, True), True),
    ((True, None, True, True), (None, True, True, True), False),
    ((None, None, None, None), (True, True, False, False), False),
])  # fmt: skip
def test_judges_differ_in_verdict_or_fulfilment_and_not_in_what_is_open(one, other, they_differ) -> None:
    assert differs(PairAnswers(*one), PairAnswers(*other)) is they_differ
    assert differs(PairAnswers(*other), PairAnswers(*one)) is they_differ
