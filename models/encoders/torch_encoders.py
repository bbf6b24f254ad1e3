"""What stands around a network of torch that makes vectors: batches, order, one thread at a time.

Each family of encoders builds its own network and says how texts or pictures are made ready for it; the rest is here.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from stepscope.core.errors import OutOfMemory, UserError
from stepscope.core.frozen import dataclass
from stepscope.core.imaging.parts import Pixels
from stepscope.models.features.cache import Vector
from stepscope.models.runtimes.memory import HINT, ran_out
from stepscope.models.runtimes.runtime import Array
from stepscope.models.runtimes.torch_runtime import TorchRuntime
from stepscope.models.runtimes.weights import first_line

if TYPE_CHECKING:
    from torch.nn import Module

BATCH = 32
"""Texts or pictures that are computed at once."""


@dataclass(frozen=True, slots=True)
class TokenBatch:
    """Texts as a network takes them: its inputs in order, (n, tokens) each, and which of the tokens are there (n,
    tokens), None for networks that are asked for one vector only."""

    inputs: tuple[Array, ...]
    mask: NDArray[np.bool_] | None = None


class TorchTexts:
    """A `TextEncoder`: texts, tokens, network. A sequence has all tokens of its text, the special ones too, in order.

    The network gives (n, size), or, where `sequence` is true, (n, tokens, size), of which padding is cut off.
    """

    def __init__(
        self,
        runtime: TorchRuntime,
        tokens: Callable[[Sequence[str]], TokenBatch],
        fingerprint: str,
        *,
        sequence: bool = False,
    ) -> None:
        self.fingerprint, self.computed_by, self.sequence = fingerprint, runtime.computed_by, sequence
        self._runtime, self._tokens = runtime, tokens
        self._lock = threading.Lock()  # tokenizers keep how they pad, networks their buffers
        self.size = int(self.embed(["size"])[0].shape[-1])

    @property
    def network(self) -> Module:
        """What makes vectors of a `TokenBatch`'s inputs, for a training that begins with it."""
        return self._runtime.module

    def tokens(self, texts: Sequence[str]) -> TokenBatch:
        """The texts as the network takes them."""
        with self._lock:
            return self._tokens([text.encode("utf-8", "replace").decode() for text in texts])

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One entry a text, in order; those of like length are computed together, which wants little padding."""
        # JSON may hold half of a surrogate pair, which is no character.
        whole = [text.encode("utf-8", "replace").decode() for text in texts]
        order = sorted(range(len(whole)), key=lambda place: len(whole[place]))
        found: dict[int, Vector] = {}
        with self._lock:
            for at in range(0, len(order), BATCH):
                places = order[at : at + BATCH]
                found.update(zip(places, self._embed([whole[place] for place in places]), strict=True))
        return [found[place] for place in range(len(whole))]

    def _embed(self, texts: Sequence[str]) -> list[Vector]:
        tokens = self._tokens(texts)
        rows = self._runtime.run(*tokens.inputs)[0].astype(np.float32, copy=False)
        if not self.sequence or tokens.mask is None:
            return list(rows)
        return [row[there] for row, there in zip(rows, tokens.mask, strict=True)]


class TorchViews:
    """A `ViewEncoder`: pictures, bytes of one size, network. The network gives (n, size), or, where `sequence` is true,
    (n, places, size)."""

    def __init__(
        self, runtime: TorchRuntime, prepare: Callable[[Pixels], Pixels], fingerprint: str, *, sequence: bool = False
    ) -> None:
        self.fingerprint, self.computed_by, self.sequence = fingerprint, runtime.computed_by, sequence
        self._runtime, self._prepare = runtime, prepare
        self.size = int(self.embed([prepare(np.zeros((64, 48, 3), np.uint8))])[0].shape[-1])

    @property
    def network(self) -> Module:
        """What makes vectors of prepared pictures, n × height × width × 3 bytes, for a training that begins with it."""
        return self._runtime.module

    def prepared(self, pixels: Pixels) -> Pixels:
        """The picture as the network takes it, in bytes."""
        return self._prepare(pixels)

    def embed(self, prepared: Sequence[Pixels]) -> list[Vector]:
        """One entry a picture, in order."""
        found: list[Vector] = []
        for at in range(0, len(prepared), BATCH):
            rows = self._runtime.run(np.stack(prepared[at : at + BATCH]))[0]
            found.extend(rows.astype(np.float32, copy=False))
        return found


@contextmanager
def told(place: Path, what: str, hint: str = "Choose another file or folder.") -> Iterator[None]:
    """Around calls of libraries, which raise many kinds of errors: each becomes a UserError that says `what` about
    `place`, or OutOfMemory."""
    try:
        yield
    except UserError:
        raise
    except Exception as error:
        why = first_line(error)
        if ran_out(error):
            raise OutOfMemory(f"the model does not fit into memory: {why}", place=place, hint=HINT) from error
        raise UserError(f"{what}: {why}", place=place, hint=hint) from error
