"""Match by app and by kind of goal, as figure 5 of the paper draws it: worked out by hand."""

from __future__ import annotations

import os
from datetime import UTC, datetime

import pytest

from stepscope.app.gui.features.judge.presenter import match_bars
from stepscope.app.services import judging
from stepscope.core.domain.episode import Platform
from stepscope.core.domain.judgement import (
    REFERENCE,
    JudgeId,
    Judgement,
    OriginKind,
    PairAnswers,
    TextOrigin,
    TextPair,
    TextPairKey,
)
from stepscope.core.domain.prediction import Task
from stepscope.core.evaluation.judging import ListedPair, PairList
from stepscope.widgets.judge.agreement_page import AgreementPage
from stepscope.widgets.judge.judge_values import AgreementShown
from stepscope.widgets.scores.figure_values import FigureTable

MADE = datetime(2026, 1, 1, tzinfo=UTC)
RUN = TextOrigin(OriginKind.RUN, "r")
ANA, RULES = JudgeId("ana", by_model=False), JudgeId("rules", by_model=True)
MATCHES = {"shop": (True, True, False), "clock": (True,), "": (False,)}
"""By app, whether each pair matches."""


def listed_and_said(*judges: JudgeId) -> tuple[PairList, list[Judgement]]:
    pairs, said = [], []
    for app, verdicts in MATCHES.items():
        for number, matches in enumerate(verdicts):
            pair = TextPair(TextPairKey("data", f"{app}{number}", -1, REFERENCE, RUN), "Buy tea", "Buy tea")
            pairs.append(ListedPair(pair, app or None, Platform.ANDROID, 3))
            said += [Judgement(pair, one, PairAnswers(True, True, matches, matches), MADE) for one in judges]
    return PairList(Task.GOAL, tuple(pairs)), said


def bars_of(*judges: JudgeId):
    listed, said = listed_and_said(*judges)
    apart = [judging.rates_by(said, listed, by) for by in judging.GROUPINGS]
    return match_bars(judging.result_of(said, listed), *apart)


def test_matches_are_counted_by_app_for_people_and_for_a_model():
    people, model = bars_of(ANA, RULES)
    assert (people.title, model.title) == ("Match by app: ana", "Match by app: rules (model)")
    assert [(one.label, one.count, one.total) for one in people.bars] == [
        ("shop", 2, 3),
        ("no app", 0, 1),
        ("clock", 1, 1),
    ]
    # Wilson's 95 % interval of 2 of 3.
    assert people.bars[0].interval == pytest.approx((0.2077, 0.9385), abs=1e-4)


def test_one_name_alone_is_not_told_apart():
    titles = [one.title for one in bars_of(ANA)]
    assert titles == ["Match by app: ana"], "every goal wants something done"


def test_nobody_judged():
    assert bars_of() == []


def test_the_page_shows_them_below_its_tables(qtbot):
    page = AgreementPage()
    qtbot.addWidget(page)
    page.resize(700, 700)
    table = FigureTable("Agreement", ("Judge",), ())
    page.show_agreement(AgreementShown(table, (table,), bars=tuple(bars_of(ANA, RULES))))
    page.show()
    assert [one.isVisible() for one in page.bars] == [True, True, False, False]
    page.bars[0].more.click()
    assert {bar.label for bar in page.bars[0].shown()} == {"shop", "clock", "no app"}
    if place := os.environ.get("STEPSCOPE_PICTURES"):
        page.grab().save(f"{place}/match-bars.png")
    page.show_agreement(AgreementShown(table, (table,)))
    assert not any(one.isVisible() for one in page.bars)
