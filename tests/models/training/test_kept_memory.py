"""Memory of a process that makes batches, used again for each."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays_in

from stepscope.models.training import batches
from stepscope.models.training.batches import BatchLoader
from stepscope.models.training.examples import MemoryExamples
from stepscope.models.training.kept_memory import SharedRing, arrays_of

from .toy import Toy, toy_data

pytestmark = pytest.mark.needs("torch")

KINDS = st.sampled_from(["u1", "i8", "f2", "f4", "f8", "?", "U3"]).map(np.dtype)
LISTS = st.lists(arrays_in.arrays(KINDS, arrays_in.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4)))


@given(lists=st.lists(LISTS, min_size=1, max_size=4))
def test_what_is_put_comes_back(lists: list[list[Any]]) -> None:
    ring = SharedRing(2)
    for wanted in lists:
        block, layout = ring.put(wanted)
        assert block.is_shared()
        for one, other in zip(arrays_of(block, layout), wanted, strict=True):
            assert one.dtype == other.dtype and one.shape == other.shape
            assert one.tobytes() == other.tobytes()


def test_a_block_holds_until_its_turn_comes_again() -> None:
    ring = SharedRing(3)
    kept = [arrays_of(*ring.put([np.full(5, number)]))[0] for number in range(4)]
    assert [one[0] for one in kept] == [3, 1, 2, 3]  # the fourth lies where the first lay


def test_a_strided_array_is_put_as_it_reads() -> None:
    turned = np.arange(12).reshape(3, 4).T
    assert (arrays_of(*SharedRing(1).put([turned]))[0] == turned).all()


def test_arrays_of_python_objects_are_refused() -> None:
    with pytest.raises(TypeError, match="a batch holds numbers and texts of a fixed length"):
        SharedRing(1).put([np.array([{}], object)])


class Spoiled(Toy):
    """Collates what the next batches of its process overwrite, were memory used again too early."""

    def collate(self, examples: Any) -> Any:
        return (np.stack([one["number"] for one in examples]),)

    def collate_targets(self, targets: Any, config: Any) -> Any:
        return (np.stack([one["label"] for one in targets]),)


def numbered(count: int) -> MemoryExamples:
    data = MemoryExamples()
    for number, target in enumerate(toy_data(count, 0).targets):
        data.examples.append({"number": np.full(1000, number)})
        data.targets.append(target)
    return data


def test_a_batch_and_the_one_before_hold_while_their_process_works_ahead() -> None:
    rows = [np.array([number]) for number in range(40)]
    loader = BatchLoader(Spoiled(), {}, numbered(40), workers=1)
    try:
        for _ in range(2):  # the second epoch begins anywhere in the ring
            found = loader.batches(rows)
            for number, (before, now) in enumerate(pairwise(found)):
                _let_them_work_ahead(loader)
                assert (before[1][0] == number).all() and (now[1][0] == number + 1).all()
    finally:
        loader.close()


def _let_them_work_ahead(loader: BatchLoader) -> None:
    """Wait until each batch that may be made is made."""
    working: Any = loader._loader
    iterator = working._iterator
    asked = iterator._send_idx - iterator._rcvd_idx
    ready = sum(len(one) > 1 for one in iterator._task_info.values())
    assert asked <= batches._AHEAD
    while ready + iterator._worker_result_queue.qsize() < asked:
        pass
