"""The shared selection and the history of places."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from stepscope.app.gui.shell.selection import History, NavigationPlace, Selection
from stepscope.core.domain.episode import Episode, Observation, Platform, Step
from stepscope.core.domain.geometry import Size
from stepscope.core.scoring.named_rules import RULES, rule_by_id


def episode(steps: int) -> Episode:
    seen = Observation(Size(100, 200))
    return Episode("e", "test", Platform.ANDROID, "do it", tuple(Step(i, seen) for i in range(steps)))


def test_steps_stay_inside_the_episode(qtbot: QtBot) -> None:
    selection = Selection(RULES[0])
    selection.set_episode(episode(3), step=9)
    assert selection.step_index == 2
    selection.set_step(-5)
    assert selection.step_index == 0
    changes: list[int] = []
    selection.step_changed.connect(lambda: changes.append(selection.step_index))
    selection.set_step(0)
    selection.set_step(1)
    assert changes == [1]


def test_an_episode_without_steps_has_no_step(qtbot: QtBot) -> None:
    selection = Selection(RULES[0])
    selection.set_episode(episode(0))
    selection.set_step(1)
    assert selection.step is None


def test_at_most_eight_runs_and_the_oldest_goes(qtbot: QtBot) -> None:
    selection = Selection(RULES[0])
    for number in range(9):
        selection.toggle_run(f"run{number}")
    assert selection.runs == tuple(f"run{number}" for number in range(1, 9))
    assert selection.letter_of("run1") == "A"
    selection.toggle_run("run1")
    assert selection.letter_of("run2") == "A"
    assert selection.letter_of("run1") == ""


def test_an_unknown_rule_becomes_the_first_one() -> None:
    assert rule_by_id("no such rule") is RULES[0]
    assert [rule_by_id(rule.id) for rule in RULES] == list(RULES)


def test_going_back_and_on_and_somewhere_else() -> None:
    history = History()
    a, b, c = NavigationPlace("one", "a", 0), NavigationPlace("one", "b", 0), NavigationPlace("one", "c", 0)
    for place in (a, b, NavigationPlace("one", "b", 3), c):
        history.visit(place)
    assert history.back() == NavigationPlace("one", "b", 3)
    assert history.back() == a
    assert not history.can_go_back
    assert history.back() is None
    assert history.forward() == NavigationPlace("one", "b", 3)
    history.visit(NavigationPlace("two", "x", 0))
    assert not history.can_go_forward
    assert history.back() == NavigationPlace("one", "b", 3)
