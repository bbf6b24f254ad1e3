"""What judgements of pairs of texts say together: verdicts, several people as one, agreement. Knows no store.

Sources: User goals from UI trajectories, section 3.1 (relations) and 3.2 (Cohen's kappa of each two judges on
fulfilment and on satisfaction). How a label is made of several answers is ours; rules and marks in
docs/protocols/intent.md.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from math import isnan

import numpy as np

from stepscope.core.domain.judgement import (
    QUESTIONS,
    JudgeId,
    Judgement,
    PairAnswers,
    TextPair,
    TextPairKey,
    is_swapped,
)
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.agreement import label_pairs
from stepscope.core.scoring.intent_match import Relation, relation

FULFILLED, SATISFIES, VERDICT = "fulfilled", "satisfies", "verdict"
COLUMNS = (FULFILLED, SATISFIES, VERDICT, *QUESTIONS)
"""What two judges' agreement is told about: both texts' fulfilment together, both directions together, the verdict that
follows, and each question by itself."""


def verdict_of_answers(answers: PairAnswers) -> Relation | None:
    """Match, partial or non match; None without answers on both directions."""
    return relation(answers.first_satisfies, answers.second_satisfies)


def outlook(answers: PairAnswers) -> Mapping[bool, Relation] | None:
    """The verdict if the one open direction is answered with yes, and with no; None where not just one is open."""
    forth, back = answers.first_satisfies, answers.second_satisfies
    if (forth is None) == (back is None):
        return None
    known = forth if back is None else back
    return {last: found for last in (True, False) if (found := relation(known, last)) is not None}


def differs(one: PairAnswers, other: PairAnswers) -> bool:
    """Whether two judges of a pair came to another verdict, or answered a question about fulfilment otherwise; what one
    of them left open does not count (ours)."""
    verdicts = verdict_of_answers(one), verdict_of_answers(other)
    said = [verdicts, (one.first_fulfilled, other.first_fulfilled), (one.second_fulfilled, other.second_fulfilled)]
    return any(mine is not None and theirs is not None and mine != theirs for mine, theirs in said)


def as_shown(answers: PairAnswers, seed: int) -> PairAnswers:
    """Answers about the texts as they stand, left and right; applied twice it gives them back."""
    return answers.swapped() if is_swapped(seed) else answers


@dataclass(frozen=True, slots=True)
class JointJudgement:
    """What several people said of a pair: each answer by majority, None where as many said yes as no (ours).

    `rejected`: more than half of them rejected the pair; their answers then count for nothing.
    """

    key: TextPairKey
    answers: PairAnswers
    rejected: bool
    judges: int


def together(judgements: Iterable[Judgement]) -> list[JointJudgement]:
    """One for each pair, in the order in which pairs come first."""
    by_pair: dict[TextPairKey, list[Judgement]] = defaultdict(list)
    for one in judgements:
        by_pair[one.pair.key].append(one)
    return [_joint(key, found) for key, found in by_pair.items()]


def _joint(key: TextPairKey, found: Sequence[Judgement]) -> JointJudgement:
    rejected = 2 * sum(bool(one.rejected) for one in found) > len(found)
    counted = [one.answers for one in found if not one.rejected]
    answers = PairAnswers() if rejected else PairAnswers(*(_majority(said) for said in zip(*counted, strict=True)))
    return JointJudgement(key, answers, rejected, len(found))


def _majority(said: Sequence[bool | None]) -> bool | None:
    counts = Counter(said)
    yes, no = counts[True], counts[False]
    return None if yes == no else yes > no


@dataclass(frozen=True, slots=True)
class KappaValue:
    """Cohen's kappa of two judges and the share of equal labels, over `n` labels that both gave; None without any."""

    kappa: float | None
    observed: float | None
    n: int


NO_KAPPA = KappaValue(None, None, 0)


@dataclass(frozen=True, slots=True)
class JudgeAgreement:
    """Agreement of two judges by the names in COLUMNS; `pairs` were judged by both and rejected by neither. `verdicts`
    counts pairs by the first's verdict and the second's, of those on which both came to one."""

    judges: tuple[JudgeId, JudgeId]
    pairs: int
    kappas: Mapping[str, KappaValue] = field(default_factory=dict)
    verdicts: Mapping[tuple[Relation, Relation], int] = field(default_factory=dict)


def judge_agreement(judgements: Sequence[Judgement]) -> list[JudgeAgreement]:
    """Every two judges who judged a common pair, people before models, each by name. What is rejected has no labels."""
    counted = [one for one in judgements if not one.rejected and one.answers.given]
    judges = sorted({one.judge for one in counted}, key=lambda judge: (judge.by_model, judge.name))
    codes = {judge: str(place) for place, judge in enumerate(judges)}
    by_pair: dict[TextPairKey, dict[str, Judgement]] = defaultdict(dict)
    for one in counted:
        by_pair[one.pair.key][codes[one.judge]] = one
    columns = {name: _kappas([items for both in by_pair.values() for items in _items(both, name)]) for name in COLUMNS}
    return [
        JudgeAgreement(
            (first, second),
            sum({codes[first], codes[second]} <= both.keys() for both in by_pair.values()),
            {name: found.get((codes[first], codes[second]), NO_KAPPA) for name, found in columns.items()},
            _confused(by_pair.values(), codes[first], codes[second]),
        )
        for place, first in enumerate(judges)
        for second in judges[place + 1 :]
        if any({codes[first], codes[second]} <= both.keys() for both in by_pair.values())
    ]


def _confused(
    pairs: Iterable[Mapping[str, Judgement]], first: str, second: str
) -> Mapping[tuple[Relation, Relation], int]:
    """How often the one verdict of the first judge met the other of the second."""
    found: Counter[tuple[Relation, Relation]] = Counter()
    for both in pairs:
        if first in both and second in both:
            mine, theirs = (verdict_of_answers(both[one].answers) for one in (first, second))
            if mine is not None and theirs is not None:
                found[mine, theirs] += 1
    return found


def _items(said: Mapping[str, Judgement], column: str) -> list[dict[str, bool | str | None]]:
    """The labels that judges gave to a pair, by judge: one item, or two where two questions stand together."""
    answers = {judge: one.answers for judge, one in said.items()}
    if column == VERDICT:
        return [{judge: verdict_of_answers(given) for judge, given in answers.items()}]
    if column == FULFILLED:
        names = ("first_fulfilled", "second_fulfilled")
    elif column == SATISFIES:
        names = ("first_satisfies", "second_satisfies")
    else:
        names = (column,)  # type: ignore[assignment]
    return [{judge: getattr(given, name) for judge, given in answers.items()} for name in names]


def _kappas(items: Sequence[Mapping[str, bool | str | None]]) -> dict[tuple[str, str], KappaValue]:
    """By the codes of two judges, in the order of their numbers."""
    pairs = label_pairs(items)
    alike = np.ones(len(items))
    rows = zip(pairs.names, pairs.sizes(), pairs.kappas(alike), pairs.observed(alike), strict=True)
    return {
        (min(names, key=int), max(names, key=int)): KappaValue(_known(kappa), _known(observed), int(n))
        for names, n, kappa, observed in rows
    }


def _known(value: float) -> float | None:
    return None if isnan(value) else float(value)


def unseen_left_out(judgements: Iterable[Judgement], person: str, pairs: Iterable[TextPair]) -> list[Judgement]:
    """Judgements without those of models on pairs that the person has not finished: these stay hidden."""
    known = list(judgements)
    finished = {one.pair.key for one in known if one.judge == JudgeId(person) and one.done}
    shown = {pair.key for pair in pairs}
    return [one for one in known if one.pair.key in shown and (not one.judge.by_model or one.pair.key in finished)]
