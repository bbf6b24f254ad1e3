"""Batches in memory that two processes see: the same numbers, and no copy where there is none to make."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from stepscope.core.lazy import lazy_module
from stepscope.models.learned.shared_arrays import as_tensor, batch_zeros

torch = lazy_module("torch")
pytestmark = pytest.mark.needs("torch")


def in_a_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.utils.data, "get_worker_info", lambda: SimpleNamespace(id=0))


@pytest.mark.parametrize("kind", [np.uint8, np.float32, np.int64])
@pytest.mark.parametrize("shape", [(2, 3, 4), (5,), (0, 3)])
def test_in_a_process_that_makes_batches_the_memory_is_shared(
    monkeypatch: pytest.MonkeyPatch, kind: Any, shape: tuple[int, ...]
) -> None:
    in_a_worker(monkeypatch)
    array = batch_zeros(shape, kind)
    assert array.shape == shape and array.dtype == kind and not array.any()
    array[...] = np.arange(array.size).reshape(shape)
    tensor = as_tensor(array)
    assert tensor.is_shared() and np.array_equal(tensor.numpy(), array)
    tensor.zero_()
    assert not array.any()  # the same memory


def test_elsewhere_they_are_plain_arrays() -> None:
    array = batch_zeros((2, 2), np.float32)
    tensor = as_tensor(array)
    assert not tensor.is_shared() and tensor.data_ptr() == array.ctypes.data


def test_what_is_not_in_order_or_cannot_be_written_is_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    in_a_worker(monkeypatch)
    turned = batch_zeros((2, 3), np.float32).T
    assert as_tensor(turned).shape == (3, 2) and as_tensor(turned).is_contiguous()
    fixed = np.arange(3)
    fixed.flags.writeable = False
    as_tensor(fixed)[0] = 7
    assert fixed[0] == 0


def test_a_part_of_a_batch_is_that_part(monkeypatch: pytest.MonkeyPatch) -> None:
    in_a_worker(monkeypatch)
    array = batch_zeros((4, 2), np.int64)
    array[:] = np.arange(8).reshape(4, 2)
    assert as_tensor(array[1:3]).tolist() == [[2, 3], [4, 5]]
