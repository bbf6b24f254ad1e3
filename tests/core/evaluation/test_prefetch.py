"""Preparing ahead, and inference beside it: order, bounds, errors, ends. Events steer the threads, never time."""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from stepscope.core.errors import OutOfMemory
from stepscope.core.evaluation.batches import BatchSizer
from stepscope.core.evaluation.prefetch import predicted_ahead, prepared_ahead

WAIT = 20.0
"""Seconds after which a test that waits for a thread gives up."""


@pytest.fixture(autouse=True)
def no_thread_is_left() -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    assert set(threading.enumerate()) <= before


@pytest.fixture
def inference() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(1, thread_name_prefix="inference") as pool:
        yield pool


def given(values: Sequence[Any]) -> Generator[tuple[Any, Any], None, None]:
    """Prepared items: each value is its own preparation."""
    yield from ((value, value) for value in values)


def negative(batch: Sequence[int]) -> list[int]:
    return [-one for one in batch]


def test_order_is_kept_when_later_items_are_ready_first():
    third = threading.Event()

    def prepare(item: int) -> int:
        if item == 0:
            assert third.wait(WAIT)
        if item == 2:
            third.set()
        return item * 10

    found = list(prepared_ahead(iter(range(6)), prepare, workers=3, depth=3))
    assert found == [(item, item * 10) for item in range(6)]


def test_source_and_preparation_run_in_other_threads():
    names: set[str] = set()

    def source() -> Iterator[int]:
        names.add(threading.current_thread().name)
        yield 1

    def prepare(item: int) -> str:
        return threading.current_thread().name

    ((_item, worker),) = prepared_ahead(source(), prepare, workers=1, depth=1)
    assert names == {"read-ahead"}
    assert worker == "prepare_0"


def test_an_exception_of_preparation_is_the_value_of_its_item():
    found = list(prepared_ahead(iter([2, 0, 1]), lambda item: 2 // item, workers=2, depth=4))
    assert found[0] == (2, 1)
    assert isinstance(found[1][1], ZeroDivisionError)
    assert found[2] == (1, 2)


def test_what_the_source_raises_comes_after_the_items_before_it():
    def source() -> Iterator[int]:
        yield 1
        yield 2
        raise OSError("the disk is gone")

    ahead = prepared_ahead(source(), str, workers=2, depth=8)
    assert [next(ahead), next(ahead)] == [(1, "1"), (2, "2")]
    with pytest.raises(OSError, match="the disk is gone"):
        next(ahead)


def test_what_ends_a_program_is_raised():
    def prepare(item: int) -> int:
        raise SystemExit(3)

    with pytest.raises(SystemExit):
        next(prepared_ahead(iter([1]), prepare, workers=1, depth=1))


def test_the_source_is_never_more_than_depth_ahead():
    taken = 0
    reached = threading.Semaphore(0)

    def source() -> Iterator[int]:
        nonlocal taken
        for number in range(50):
            taken += 1
            reached.release()
            yield number

    ahead = prepared_ahead(source(), abs, workers=2, depth=4)
    for number in range(40):
        assert next(ahead) == (number, number)
        assert taken <= number + 1 + 4
    ahead.close()
    assert taken <= 44


def test_the_look_ahead_is_used_while_nothing_is_taken():
    fourth = threading.Event()

    def source() -> Iterator[int]:
        for number in range(50):
            if number == 4:
                fourth.set()
            yield number

    ahead = prepared_ahead(source(), abs, workers=1, depth=4)
    next(ahead)
    assert fourth.wait(WAIT)  # items 1 to 4 are read while item 0 is looked at
    ahead.close()


def test_closing_ends_a_source_that_waits_for_room_and_closes_it():
    closed = threading.Event()

    def source() -> Iterator[int]:
        try:
            while True:
                yield 0
        finally:
            assert threading.current_thread().name == "read-ahead"
            closed.set()

    ahead = prepared_ahead(source(), abs, workers=2, depth=2)
    next(ahead)
    ahead.close()
    assert closed.is_set()


def test_closing_prepares_nothing_more():
    prepared: list[int] = []
    begun, go_on = threading.Event(), threading.Event()

    def prepare(item: int) -> int:
        prepared.append(item)
        if item == 1:
            begun.set()
            assert go_on.wait(WAIT)
        return item

    ahead = prepared_ahead(iter(range(100)), prepare, workers=1, depth=10)
    next(ahead)
    assert begun.wait(WAIT)
    closing = threading.Thread(target=ahead.close)
    closing.start()
    go_on.set()
    closing.join(WAIT)
    assert not closing.is_alive()
    assert len(prepared) <= 11  # what had been handed out at most, never the hundred


def test_an_abandoned_generator_ends_its_threads():
    ahead = prepared_ahead(iter(range(100)), abs, workers=2, depth=2)
    next(ahead)
    del ahead  # the fixture looks for threads


def test_no_items():
    assert list(prepared_ahead(iter(()), abs, workers=1, depth=1)) == []


def test_answers_come_in_order_with_their_items(inference: ThreadPoolExecutor):
    found = list(predicted_ahead(given(range(7)), negative, sizer=BatchSizer(3), inference=inference))
    assert found == [(item, -item) for item in range(7)]


def test_the_model_runs_in_the_inference_thread(inference: ThreadPoolExecutor):
    def predict(batch: Sequence[int]) -> list[str]:
        return [threading.current_thread().name] * len(batch)

    found = predicted_ahead(given(range(5)), predict, sizer=BatchSizer(2), inference=inference)
    assert {answer for _item, answer in found} == {"inference_0"}


def test_what_could_not_be_prepared_is_not_shown_to_the_model(inference: ThreadPoolExecutor):
    seen: list[int] = []

    def predict(batch: Sequence[int]) -> list[int]:
        seen.extend(batch)
        return negative(batch)

    prepared = prepared_ahead(iter([1, 0, 2, 0, 0, 4]), lambda item: 4 // item, workers=2, depth=3)
    found = list(predicted_ahead(prepared, predict, sizer=BatchSizer(2), inference=inference))
    assert [item for item, _answer in found] == [1, 0, 2, 0, 0, 4]
    assert [answer for item, answer in found if item] == [-4, -2, -1]
    assert all(isinstance(answer, ZeroDivisionError) for item, answer in found if not item)
    assert seen == [4, 2, 1]


def test_memory_that_runs_out_makes_smaller_batches(inference: ThreadPoolExecutor):
    sizes: list[int] = []

    def predict(batch: Sequence[int]) -> list[int]:
        sizes.append(len(batch))
        if len(batch) > 2:
            raise OutOfMemory("full")
        return negative(batch)

    sizer = BatchSizer(8)
    found = list(predicted_ahead(given(range(40)), predict, sizer=sizer, inference=inference))
    assert found == [(item, -item) for item in range(40)]
    assert sizer.size == 2
    assert sizes[:3] == [8, 4, 2]
    assert max(sizes[3:]) == 2


def test_the_next_batch_runs_while_the_last_one_is_looked_at_and_no_third_waits(inference: ThreadPoolExecutor):
    begun: list[tuple[int, ...]] = []
    second = threading.Event()

    def predict(batch: Sequence[int]) -> list[int]:
        begun.append(tuple(batch))
        if len(begun) == 2:
            second.set()
        return negative(batch)

    taken: list[int] = []

    def source() -> Generator[tuple[int, int], None, None]:
        for number in range(20):
            taken.append(number)
            yield number, number

    answers = predicted_ahead(source(), predict, sizer=BatchSizer(2), inference=inference)
    assert [next(answers) for _ in range(3)] == [(0, 0), (1, -1), (2, -2)]
    assert second.wait(WAIT)  # with no further answer asked for
    assert len(taken) <= 6
    assert len(begun) <= 3
    answers.close()


def test_answers_are_not_held_back_by_slow_items(inference: ThreadPoolExecutor):
    asked: list[int] = []

    def source() -> Generator[tuple[int, int], None, None]:
        for number in range(8):
            asked.append(number)
            inference.submit(abs, 0).result()  # so long that what the model has got is done
            yield number, number

    answers = predicted_ahead(source(), negative, sizer=BatchSizer(2), inference=inference)
    assert next(answers) == (0, 0)
    assert asked == [0, 1, 2]  # the second batch is not full yet
    answers.close()


def test_closing_waits_for_the_running_batch_and_closes_the_preparation(inference: ThreadPoolExecutor):
    second_full, second_runs, go_on, closed = (threading.Event() for _ in range(4))
    ended: list[int] = []

    def predict(batch: Sequence[int]) -> list[int]:
        if batch[0] == 0:
            assert second_full.wait(WAIT)
        if batch[0] == 2:
            second_runs.set()
            assert go_on.wait(WAIT)
        ended.extend(batch)
        return negative(batch)

    def source() -> Generator[tuple[int, int], None, None]:
        try:
            for number in range(100):
                if number == 3:
                    second_full.set()
                yield number, number
        finally:
            closed.set()

    answers = predicted_ahead(source(), predict, sizer=BatchSizer(2), inference=inference)
    assert next(answers) == (0, 0)
    assert second_runs.wait(WAIT)
    closing = threading.Thread(target=answers.close)
    closing.start()
    go_on.set()
    closing.join(WAIT)
    assert not closing.is_alive()
    assert closed.is_set()
    assert ended == [0, 1, 2, 3]


def test_what_ends_a_program_in_the_model_is_raised(inference: ThreadPoolExecutor):
    def predict(batch: Sequence[int]) -> list[int]:
        raise SystemExit(3)

    with pytest.raises(SystemExit):
        list(predicted_ahead(given([1]), predict, sizer=BatchSizer(2), inference=inference))


def test_an_error_of_the_source_costs_no_answer_before_it(inference: ThreadPoolExecutor):
    def source() -> Generator[tuple[int, int], None, None]:
        yield from ((number, number) for number in range(5))
        raise OSError("gone")

    found = []
    with pytest.raises(OSError, match="gone"):
        for answer in predicted_ahead(source(), negative, sizer=BatchSizer(2), inference=inference):
            found.append(answer)
    assert found == [(number, -number) for number in range(5)]
