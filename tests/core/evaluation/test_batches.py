"""Halving of batches, against a model whose memory ends at a known size."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.errors import OutOfMemory
from stepscope.core.evaluation.batches import BatchSizer


class Fake:
    """Squares numbers; has room for `room` at a time, and breaks on those in `broken`. Notes how many it was given."""

    def __init__(self, room: int = 1000, broken: Sequence[int] = ()) -> None:
        self.room, self.broken = room, broken
        self.seen: list[int] = []

    def __call__(self, batch: Sequence[int]) -> list[int]:
        self.seen.append(len(batch))
        if len(batch) > self.room:
            raise OutOfMemory("the device is full")
        if set(batch) & set(self.broken):
            raise ZeroDivisionError("a bug")
        return [one * one for one in batch]


def test_the_size_that_fits_is_found_and_kept():
    fake, sizer = Fake(room=3), BatchSizer(16)
    assert sizer.run(range(16), fake) == [one * one for one in range(16)]
    assert fake.seen == [16, 8, 4, 2, 2, 2, 2, 2, 2, 2, 2]
    assert sizer.size == 2
    fake.seen.clear()
    assert sizer.run(range(5), fake) == [0, 1, 4, 9, 16]
    assert fake.seen == [2, 2, 1]


def test_what_was_answered_before_memory_ran_out_is_not_asked_again():
    asked: list[int] = []

    def predict(batch: Sequence[int]) -> Sequence[int]:
        if 4 in batch and len(batch) > 2:  # one large picture
            raise OutOfMemory("full")
        asked.extend(batch)
        return batch

    sizer = BatchSizer(4)
    assert sizer.run(range(8), predict) == list(range(8))
    assert asked == list(range(8))
    assert sizer.size == 2


def test_one_item_that_does_not_fit_is_its_own_error():
    sizer = BatchSizer(2)
    found = sizer.run([1, 2, 3], Fake(room=0))
    assert [type(one) for one in found] == [OutOfMemory] * 3
    assert sizer.size == 1
    assert all(isinstance(one, Exception) and one.__traceback__ is None for one in found)


def test_the_input_whose_fault_it_is_is_found_and_the_size_stays():
    fake, sizer = Fake(broken=[5]), BatchSizer(8)
    found = sizer.run(range(8), fake)
    assert isinstance(found[5], ZeroDivisionError)
    assert [one for one in found if not isinstance(one, Exception)] == [0, 1, 4, 9, 16, 36, 49]
    assert fake.seen == [8, 4, 4, 2, 1, 1, 2]
    assert sizer.size == 8


@pytest.mark.parametrize("garbage", [lambda batch: [1], lambda batch: None, lambda batch: [1] * 9])
def test_a_wrong_number_of_answers_is_an_error_of_the_inputs(garbage: Callable[[Sequence[int]], list[int]]):
    found = BatchSizer(4).run([1, 2], lambda batch: garbage(batch) if len(batch) > 1 else [])
    assert [type(one) for one in found] == [ValueError, ValueError]
    assert str(found[0]) == "the model gave 0 answers to 1 inputs"


def test_what_ends_the_program_goes_through():
    def predict(batch: Sequence[int]) -> Sequence[int]:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        BatchSizer(4).run([1], predict)


def test_nothing_is_asked_about_nothing():
    fake = Fake()
    assert BatchSizer(4).run([], fake) == []
    assert fake.seen == []


def test_a_batch_of_none_is_refused():
    with pytest.raises(ValueError, match="at least one"):
        BatchSizer(0)


@given(st.integers(1, 40), st.integers(1, 40), st.sets(st.integers(0, 60)), st.integers(0, 60))
def test_every_input_has_its_answer(largest: int, room: int, broken: set[int], count: int):
    fake, sizer = Fake(room, tuple(broken)), BatchSizer(largest)
    found = sizer.run(range(count), fake)
    assert len(found) == count
    for one, answer in enumerate(found):
        assert isinstance(answer, ZeroDivisionError) if one in broken else answer == one * one
    assert sizer.size <= max(room, 1) or sizer.size == largest
