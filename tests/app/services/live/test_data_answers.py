"""The data answers: of several questions that of the nearest, each once."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.app.services.library import whole_index
from stepscope.app.services.live.agent_words import GO_ON
from stepscope.app.services.live.data_answers import (
    NO_EPISODE,
    DataAnswers,
    answers_in,
    answers_of,
    answers_of_source,
    answers_to_goal,
)
from stepscope.core.domain.episode import Ask, Episode, Platform
from stepscope.core.errors import UsageError
from stepscope.core.progress import CancelToken
from stepscope.core.settings import store_url
from stepscope.core.sources.recording_writer import write_recording
from stepscope.core.sources.registry import open_source
from stepscope.core.store.engine import Database

SIZE, COLOUR = Ask(2, "Which size?", "Large"), Ask(6, "Which colour?", "Sand")
BOTH = DataAnswers("watch", (SIZE, COLOUR))


def episode(name: str, goal: str, *asks: Ask) -> Episode:
    return Episode(name, "recording", Platform.ANDROID, goal, (), asks=asks)


@pytest.mark.parametrize(("step", "answer"), [(0, "Large"), (3, "Large"), (4, "Large"), (5, "Sand"), (40, "Sand")])
def test_the_nearest_answers_and_of_equally_near_ones_the_earlier(step: int, answer: str) -> None:
    found = BOTH.nearest(step, "What?")
    assert found is not None and found.answer == answer


def test_each_is_given_once_but_to_the_same_words() -> None:
    after = BOTH.having_answered(3, "Which  SIZE?")
    assert after.nearest(3, "And now?") == COLOUR
    assert after.nearest(3, "which size?") == SIZE
    none_left = after.having_answered(3, "And now?")
    assert none_left.nearest(6, "Anything else?") is None
    assert none_left.why_not() == "The data's answers were given: watch has 2."


def test_what_nobody_answered_is_no_answer() -> None:
    found = answers_of(episode("e", "g", Ask(1, "A?", " "), Ask(2, "B?", GO_ON, "one too many")))
    assert found.asks == ()
    assert found.why_not() == "The data has no answer: nothing was asked in e."


def test_the_episode_is_found_by_its_goal() -> None:
    many = [episode("a", "Buy", SIZE), episode("b", "Sell"), episode("c", "sell ", COLOUR), episode("d", "Sell", SIZE)]
    assert answers_to_goal(many, " SELL") == DataAnswers("c", (COLOUR,))
    nothing = answers_to_goal(many, "Lend")
    assert (nothing.asks, nothing.why_not()) == ((), NO_EPISODE)


@given(st.lists(st.integers(0, 20), max_size=6), st.lists(st.tuples(st.integers(0, 20), st.integers(0, 3)), max_size=8))
def test_no_answer_is_given_to_two_different_questions(due: list[int], asked: list[tuple[int, int]]) -> None:
    data = answers_of(episode("e", "g", *(Ask(step, f"q{i}", f"a{i}") for i, step in enumerate(due))))
    told: dict[str, set[int]] = {}
    for step, words in asked:
        found = data.nearest(step, str(words))
        if found is not None:
            told.setdefault(found.answer, set()).add(words)
        data = data.having_answered(step, str(words))
    assert all(len(words) == 1 for words in told.values())
    assert len(told) == min(len(due), len({words for _step, words in asked}))


def test_from_an_index_and_from_a_source_without_one(tmp_path: Path) -> None:
    data = tmp_path / "walks"
    for one in (episode("a", "Buy a watch", SIZE), episode("b", "Buy a lamp"), episode("c", "Buy a lamp", COLOUR)):
        write_recording(one, data / one.id)
    source = open_source(data)
    with Database.open(store_url(tmp_path / "store.db")) as database:
        indexed = whole_index(database, data, CancelToken())
        assert indexed is not None
        assert answers_in(database, indexed.source_id, indexed.source, "buy a LAMP").asks == (COLOUR,)
        assert answers_in(database, indexed.source_id, indexed.source, "Buy").asks == ()
    assert answers_of_source(source, "Buy a lamp").episode == "c"
    assert answers_of_source(source, "", "a").asks == (SIZE,)
    with pytest.raises(UsageError):
        answers_of_source(source, "", "z")
