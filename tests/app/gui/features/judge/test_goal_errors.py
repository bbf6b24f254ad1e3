"""What is wrong with a goal that does not match: proposed by rule, confirmed or changed by key, undone, counted."""

from __future__ import annotations

import os

from stepscope.app.services import judging
from stepscope.core.domain.goal_error import GoalErrorClass
from stepscope.core.domain.judgement import JudgeId, Judgement, PairAnswers, side_seed
from tests.app.gui.features.judge.test_judge import NOON, judge, judged, pair, shown  # noqa: F401 - a fixture


def chips(person) -> dict[str, str]:
    """The classes as they stand: chosen, proposed, or neither."""
    found = person.window.judged.answers.errors.chips
    return {one.text(): "chosen" if one.isChecked() else "proposed" if one.is_proposed() else "" for one in found}


def answer(person, first_satisfies: bool, second_satisfies: bool) -> None:
    """Both are fulfilled; the directions are about the texts, whichever side they stand on."""
    swapped = shown(person)[0] != "Buy a lamp"
    ways = (second_satisfies, first_satisfies) if swapped else (first_satisfies, second_satisfies)
    for yes in (True, True, *ways):
        person.press("Y" if yes else "N")
    person.settle()


def test_the_rule_proposes_and_a_key_takes_it_or_another(judge) -> None:  # noqa: F811
    """“Get a red lamp” has all words of “Buy a lamp” and more, and satisfies it only: too specific."""
    person, errors = judge, judge.window.judged.answers.errors
    person.press("7")
    person.settle()
    assert judged(person) == [] and not errors.isVisible(), "nothing is asked before the answers"
    answer(person, False, True)
    person.until(lambda: chips(person)["Too specific"] == "proposed", "the proposal")
    letter = "A" if side_seed(pair(person, person.run, "lamp").key, "ana") % 2 else "B"
    assert errors._title.text() == f"What is wrong with {letter}?" and "E takes it" in errors._note.text()
    _save(person, "error-proposed")
    person.press("E")
    person.settle()
    assert judged(person)[0].error is GoalErrorClass.TOO_SPECIFIC and chips(person)["Too specific"] == "chosen"
    person.press("7")
    person.settle()
    assert judged(person)[0].error is GoalErrorClass.WRONG_DETAIL
    assert chips(person) == {
        "Too specific": "proposed", "Too general": "", "Wrong detail": "chosen", "Invented": "", "Navigational": ""
    }  # fmt: skip
    person.press("Ctrl+Z")
    person.settle()
    assert judged(person)[0].error is GoalErrorClass.TOO_SPECIFIC, "undone"
    person.click(errors.chips[0])
    person.settle()
    assert judged(person)[0].error is None, "the one that holds is taken back"
    person.click(errors.chips[4])
    person.settle()
    assert judged(person)[0].error is GoalErrorClass.NAVIGATIONAL


def test_what_becomes_a_match_has_nothing_wrong(judge) -> None:  # noqa: F811
    person = judge
    answer(person, False, True)
    person.press("6")
    person.settle()
    assert judged(person)[0].error is GoalErrorClass.TOO_GENERAL
    first = 4 if shown(person)[0] != "Buy a lamp" else 3
    person.press(str(first))
    person.press("Y")
    person.settle()
    assert judged(person)[0].error is None and not person.window.judged.answers.errors.isVisible()
    person.press("Ctrl+Z")
    person.settle()
    assert judged(person)[0].error is GoalErrorClass.TOO_GENERAL


def test_classes_are_counted_on_the_agreement_page(judge) -> None:  # noqa: F811
    """Ana and Ben call the lamp the same: kappa 1, all equal."""
    person = judge
    answers = PairAnswers(True, True, False, True)
    bens = Judgement(pair(person, person.run, "lamp"), JudgeId("ben"), answers, NOON, error=GoalErrorClass.TOO_SPECIFIC)
    judging.make(person.bench.context.database, judging.JudgingChange(after=(bens,)))
    person.bench.judge.reload()
    person.settle()
    answer(person, False, True)
    person.press("5")
    person.press("A")
    person.settle()
    grids = {grid.accessibleName(): grid for grid in person.window.judge.agreement.grids if grid.isVisible()}
    counts = grids["What is wrong where it does not match"].rows()
    assert [row[0] for row in counts] == ["People together", "ana", "ben"]
    assert list(counts[0][1:]) == list("1000001"), "one of one, too specific"
    assert list(grids["Agreement on what is wrong"].rows()[0])[:2] == ["People", "1.00"]
    _save(person, "error-agreement")


def _save(person, name: str) -> None:
    folder = os.environ.get("STEPSCOPE_PICTURES")
    if not folder:
        return
    person.window.resize(1600, 1000)
    for theme in ("dark", "light"):
        person.bench.appearance.set_theme(theme)
        person.settle()
        person.window.grab().save(f"{folder}/{name}-{theme}.png")
