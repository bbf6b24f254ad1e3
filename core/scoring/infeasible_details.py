"""Beyond whether a goal is infeasible, for `feasibility`: why it is, and the question that would clear it up.

Sources: MoTIF's labels (Burns et al., ECCV 2022, section 3.1: impossible, unclear, premature, and follow-up questions);
that they be predicted is the paper's outlook (section 6). The metrics are ours: questions are compared as the content
of ASK is (Navi-plus, appendix F.4).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from stepscope.core.domain.episode import Feasibility, FeasibilityLabel, InfeasibilityReason
from stepscope.core.domain.prediction import FeasibilityAnswer
from stepscope.core.scoring.ask_content import FindEmbedder, QuestionPair, cosines, meteors
from stepscope.core.scoring.statistics import FloatArray, Statistic, quotient, ratio

REASONS = tuple(InfeasibilityReason)
REASON, SAID, COS_SIM, METEOR = "reason", "said_reason", "cos_sim", "meteor"
"""Parts of a score: the place of the reason in `REASONS`, that of the predicted one (-1: none), and how like the
question is to the recorded ones."""
REASON_METRICS = ("reason_accuracy", "reason_f1")
QUESTION_METRICS = {"question_cos_sim": COS_SIM, "question_meteor": METEOR}
DETAILS = (*REASON_METRICS, *QUESTION_METRICS)
_COLUMNS = 2 + 3 * len(REASONS) + 4
"""n and right; of each reason right, said and meant; of each likeness sum and n."""


class InfeasibleDetails(NamedTuple):
    """Of some items, NaN where there is none: `reason` and `said` as places in `REASONS`, likenesses -1..1."""

    reason: FloatArray
    said: FloatArray
    cos_sim: FloatArray
    meteor: FloatArray


def details_of(reference: Feasibility, answer: FeasibilityAnswer, embedder: FindEmbedder) -> dict[str, float]:
    """The parts of an item's score, none where the goal is feasible."""
    if reference.label is not FeasibilityLabel.INFEASIBLE:
        return {}
    found: dict[str, float] = {}
    infeasible = answer.label is FeasibilityLabel.INFEASIBLE
    if reference.reason is not None:
        found[REASON] = float(REASONS.index(reference.reason))
        if infeasible and answer.reason is not None:
            found[SAID] = float(REASONS.index(answer.reason))
    if infeasible and answer.question.strip():
        found |= likeness(answer.question, reference.follow_up, embedder)
    return found


def likeness(question: str, references: Sequence[str], embedder: FindEmbedder) -> dict[str, float]:
    """How like a question is to that of these which is most like it, each where it can be measured here."""
    pairs = [QuestionPair(question, one) for one in references if one.strip()]
    if not pairs:
        return {}
    measured = {COS_SIM: cosines(pairs, embedder), METEOR: meteors(pairs)}
    return {name: float(one.values.max()) for name, one in measured.items() if one.values is not None}


def detail_sums(found: InfeasibleDetails) -> FloatArray:
    """The columns of `detail_statistics`, a row for each item."""
    rows = len(found.reason)
    known = ~np.isnan(found.reason)
    meant = np.where(known, found.reason, -1).astype(np.int64)
    said = np.where(known, np.nan_to_num(found.said, nan=-1.0), -1).astype(np.int64)
    columns = [known, known & (meant == said)]
    for place in range(len(REASONS)):
        columns += [known & (meant == place) & (said == place), known & (said == place), meant == place]
    for values in (found.cos_sim, found.meteor):
        columns += [np.nan_to_num(values), ~np.isnan(values)]
    return np.stack(columns, axis=1).astype(np.float64) if rows else np.empty((0, _COLUMNS))


def detail_statistics(found: InfeasibleDetails, first: int) -> Mapping[str, Statistic]:
    """The metrics that these items have, as functions of sums whose columns from `first` on are those of
    `detail_sums`."""
    statistics: dict[str, Statistic] = {}
    if not np.isnan(found.said).all():
        statistics["reason_accuracy"] = ratio(first + 1, first)
        statistics["reason_f1"] = lambda sums: _macro_f1(sums[:, first + 2 : first + 2 + 3 * len(REASONS)])
    place = first + 2 + 3 * len(REASONS)
    for name, values in zip(QUESTION_METRICS, (found.cos_sim, found.meteor), strict=True):
        if not np.isnan(values).all():
            statistics[name] = ratio(place, place + 1)
        place += 2
    return statistics


def detail_counts(found: InfeasibleDetails) -> dict[str, int]:
    """Over how many items each of the metrics is."""
    counts: dict[str, int] = {}
    if not np.isnan(found.said).all():
        counts |= dict.fromkeys(REASON_METRICS, int((~np.isnan(found.reason)).sum()))
    for name, values in zip(QUESTION_METRICS, (found.cos_sim, found.meteor), strict=True):
        if not np.isnan(values).all():
            counts[name] = int((~np.isnan(values)).sum())
    return counts


def _macro_f1(sums: FloatArray) -> FloatArray:
    """The mean over reasons that occur; columns right, said and meant of each."""
    parts = sums.reshape(len(sums), len(REASONS), 3)
    scores = quotient(2 * parts[:, :, 0], parts[:, :, 1] + parts[:, :, 2], empty=0.0)
    occurs = parts[:, :, 2] > 0
    return quotient((scores * occurs).sum(axis=1), occurs.sum(axis=1).astype(np.float64))
