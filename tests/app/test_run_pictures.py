"""File names of pictures: they stay in the folder, and no two items share one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.run_pictures import _Names
from core.domain.prediction import Prediction, PredictionStatus
from core.domain.run import ItemKey, Outcome
from core.domain.score import Score


def item(episode, step=0):
    prediction = Prediction(episode, None if step < 0 else step, None, PredictionStatus.EMPTY)
    return Outcome(ItemKey(episode, step), prediction, Score.error("x"))


@pytest.mark.parametrize(
    ("episode", "step", "name"),
    [
        ("lamp", 3, "lamp-3.png"),
        ("lamp", -1, "lamp.png"),
        ("../../etc/passwd", 0, "-..-etc-passwd-0.png"),
        ("C:\\x\x00y", 0, "C--x-y-0.png"),
        ("..", 0, "episode-0.png"),
        ("Tee für zwei", 1, "Tee-f-r-zwei-1.png"),
        ("a" * 300, 12, "a" * 80 + "-12.png"),
    ],
)
def test_a_name_is_the_episode_and_the_step(episode, step, name):
    assert _Names().of(item(episode, step)) == name


def test_two_that_would_share_a_name_are_told_apart():
    names = _Names()
    found = [names.of(item(*key)) for key in (("a/b", 0), ("a-b", 0), ("A-B", 0), ("a/b", 1), ("a-b", 1), ("a/b", 0))]
    assert found[0] == found[5] == "a-b-0.png" and found[3] == "a-b-1.png"
    assert len({name.casefold() for name in found}) == 5


@given(st.lists(st.tuples(st.text(min_size=1), st.integers(-1, 30)), max_size=20, unique=True))
def test_whatever_the_ids(keys):
    names = _Names()
    found = [names.of(item(*key)) for key in keys]
    assert len({name.casefold() for name in found}) == len(keys)
    assert all(name.isascii() and not set(name) & set('/\\:*?"<>|\0') and not name.startswith(".") for name in found)
    assert all(len(name) < 120 for name in found)
