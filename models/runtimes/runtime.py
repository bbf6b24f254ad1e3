"""The interface that torch and ONNX Runtime have in common here."""

from __future__ import annotations

from typing import Any, Protocol

from numpy.typing import NDArray

from stepscope.core.frozen import dataclass
from stepscope.core.progress import CancelToken
from stepscope.models.runtimes.devices import ComputeDevice

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class TensorFact:
    """What a network's file tells of an input or output: numpy's name of its numbers ("" where it is not told), and its
    shape, None for a length that is not fixed; `shape` None: not told."""

    name: str
    dtype: str = ""
    shape: tuple[int | None, ...] | None = None


class Runtime(Protocol):
    """A loaded network. Everything but reading the attributes belongs to the one thread that it runs in.

    `fingerprint` names all that an answer depends on beside the input: weights, runtime, precision, kind of device and
    preparation. Two runtimes of one fingerprint give the same answers. `computed_by` is the part of it that is about
    this machine: runtime and its version, precision, kind of device.
    """

    device: ComputeDevice
    fingerprint: str
    computed_by: str

    def run(self, *inputs: Array) -> list[Array]:
        """The outputs for a batch; the first axis of every array counts the batch's items.

        Raises OutOfMemory when the batch is too large for the device.
        """
        ...

    def warm_up(self, *inputs: Array) -> None:
        """Run a batch for nothing: the first one is slow, it takes memory and chooses ways of computing."""
        ...

    def set_token(self, token: CancelToken) -> None:
        """A batch that would not end by itself ends soon after the token is cancelled."""
        ...

    def close(self) -> None:
        """Give the memory back; nothing can be run any more."""
        ...
