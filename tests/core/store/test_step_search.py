"""Which episodes have a step of a kind, read off the three episodes and two runs by a person."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from stepscope.core.domain.annotation import Annotation, AnnotationKind
from stepscope.core.domain.prediction import AskAnswer
from stepscope.core.domain.run import ItemKey
from stepscope.core.domain.score import Score
from stepscope.core.store import step_search
from stepscope.core.store.repositories import annotations, outcomes

EPISODES = ("e1", "e2", "e3")
PATH = "data/phones"
Kind = AnnotationKind

# A: e1 right wrong right, e3 malformed unscored error. B: e1 right right wrong.


@pytest.fixture
def say(database):
    def said(episode, step, kind, value=""):
        made = datetime(2026, 3, 1, tzinfo=UTC)
        with database.unit_of_work() as db:
            annotations.put(db, Annotation(PATH, episode, step, kind, value, "Kim", made))

    return said


def test_wrong_are_misses_and_what_makes_no_sense(database, two_runs) -> None:
    with database.reading() as db:
        a, both = [two_runs["A"]], list(two_runs.values())
        assert step_search.wrong(db, a, EPISODES, {}) == {"e1": (1, 1), "e3": (0, 0)}
        assert step_search.wrong(db, both, EPISODES, {}) == {"e1": (1, 2), "e3": (0, 0)}
        assert step_search.wrong(db, both, ["e2", "e3"], {}) == {"e3": (0, 0)}
        assert step_search.wrong(db, [], EPISODES, {}) == {}
        assert step_search.wrong(db, both, None, {}) == {"e1": (1, 2), "e3": (0, 0)}


def test_a_scoring_that_is_named_takes_the_place_of_the_runs_own(database, two_runs) -> None:
    with database.unit_of_work() as db:
        other = outcomes.scoring(db, two_runs["A"], "motif", "1", ())
        found = [(ItemKey("e1", 0), Score.scored(0, "far")), (ItemKey("e1", 1), Score.scored(1, "near"))]
        outcomes.add_scores(db, two_runs["A"], other, found)
    with database.reading() as db:
        assert step_search.wrong(db, [two_runs["A"]], EPISODES, {two_runs["A"]: other}) == {"e1": (0, 0)}
        both = list(two_runs.values())
        assert step_search.wrong(db, both, EPISODES, {two_runs["A"]: other}) == {"e1": (0, 2)}


def test_runs_differ_where_both_are_scored_and_one_is_right(database, two_runs) -> None:
    with database.reading() as db:
        assert step_search.differing(db, list(two_runs.values()), EPISODES, {}) == {"e1": (1, 2)}
        assert step_search.differing(db, [two_runs["A"]], EPISODES, {}) == {}


def test_questions_are_those_of_the_recording_and_of_the_runs(database, source_id, add_run, make_outcome) -> None:
    asks = AskAnswer("Which one?")
    run = add_run(
        make_outcome("e1", 1, 1, answer=asks),
        make_outcome("e1", 3, 0, answer=asks),
        make_outcome("e3", 0, 1, answer=AskAnswer(None)),
    )
    with database.reading() as db:
        assert step_search.asking(db, [run], EPISODES) == {"e1": (1, 3)}
        assert step_search.with_questions(db, source_id, EPISODES) == {"e2"}
        assert step_search.asking(db, [run], None) == {"e1": (1, 3)}
        assert step_search.with_questions(db, source_id, None) == {"e2"}


def test_flagged_are_steps_with_a_star_a_note_or_a_defect(database, source_id, say) -> None:
    say("e1", 2, Kind.STAR)
    say("e1", 3, Kind.NOTE, "odd")
    say("e1", 0, Kind.CHECKED)
    say("e2", None, Kind.STAR)
    say("e3", 1, Kind.TAG, "long")
    say("e3", 7, Kind.DEFECT, "wrong picture")
    with database.reading() as db:
        assert step_search.flagged(db, PATH, EPISODES) == {"e1": (2, 3), "e3": (7, 7)}
        assert step_search.flagged(db, "elsewhere", EPISODES) == {}
        assert step_search.flagged(db, PATH, None) == {"e1": (2, 3), "e3": (7, 7)}


def test_unchecked_is_an_episode_until_all_its_steps_are_checked_or_it_is_as_a_whole(database, source_id, say) -> None:
    """e1 has 4 steps, e2 has 2."""
    for step in range(3):
        say("e1", step, Kind.CHECKED)
    say("e2", None, Kind.CHECKED)
    with database.reading() as db:
        assert step_search.unchecked(db, source_id, PATH, EPISODES) == {"e1", "e3"}
        assert step_search.unchecked(db, source_id, PATH, None) == {"e1", "e3"}
        assert step_search.checked_steps(db, PATH, "e1") == {0, 1, 2}
        assert step_search.checked_steps(db, PATH, "e2") == set()
    say("e1", 3, Kind.CHECKED)
    with database.reading() as db:
        assert step_search.unchecked(db, source_id, PATH, EPISODES) == {"e3"}
