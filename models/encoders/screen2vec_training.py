"""Training of Screen2Vec on any data with UI trees.

As in the paper (Li et al. 2021) a component is told from the 16 nearest others, a layout is drawn again from 64
numbers, and the screens of a trace teach the screen's vector. Simplified here (ours): a component's text is told among
the texts of its batch, not of the whole data; the next screen is told among those of the batch from the one before it
alone, where the paper has an LSTM along the trace (a screen without a next one stands for its own); apps' descriptions
are not read; the three are learned side by side, the screen's part not changing the two below it, instead of one after
the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from stepscope.core.domain.episode import Observation
from stepscope.core.errors import UserError
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken
from stepscope.models.encoders.encoder import TextEncoder
from stepscope.models.encoders.own_weights import write_weights
from stepscope.models.encoders.screen2vec import FILE_NAME, KEY, VERSION
from stepscope.models.encoders.screen2vec_batches import batch_of, text_vectors
from stepscope.models.encoders.screen2vec_inputs import Components, Vector, components_of
from stepscope.models.runtimes.torch_runtime import choose_device

if TYPE_CHECKING:
    import torch
    from torch import Tensor

    from stepscope.models.encoders.screen2vec_network import Screen2VecTraining
else:
    torch = lazy_module("torch")

LAYOUT_WIDTHS = (2048, 256)
"""Of the layers between a layout and its 64 numbers (code)."""
_BATCH, _RATE = 32, 1e-3
"""The rate is that of the released code's layouts."""

Pair = tuple[Components, Components]


@dataclass(frozen=True, slots=True)
class Screen2VecEpoch:
    """One epoch is over: the mean losses of components, layouts and screens."""

    epoch: int
    epochs: int
    component_loss: float
    layout_loss: float
    screen_loss: float


def train_screen2vec(
    traces: Iterable[Sequence[Observation]],
    texts: TextEncoder,
    folder: Path,
    *,
    seed: int = 0,
    epochs: int = 20,
    layout_widths: tuple[int, int] = LAYOUT_WIDTHS,
    device: str = "auto",
    token: CancelToken | None = None,
) -> Iterator[Screen2VecEpoch]:
    """Train on the screens of these traces, each in order, and, when the last epoch is over, write the network into
    `folder`; yields each epoch. The same traces and seed give the same weights on one machine. A cancelled token ends
    it after the batch, and nothing is written.

    Raises UnavailableError without torch, UsageError for a text encoder that gives sequences, UserError for fewer than
    two screens with components, a loss that is no number and a folder that cannot be written.
    """
    from stepscope.models.encoders.screen2vec_network import Screen2VecTraining

    token = token or CancelToken()
    place = str(choose_device(device))
    pairs = _pairs(traces, token)
    if token.cancelled:
        return
    if len(pairs) < 2:
        hint = "Take data with UI trees."
        raise UserError(f"{len(pairs)} screens have components, and two are needed.", hint=hint)
    vectors = text_vectors(texts, [before for before, _ in pairs])
    torch.manual_seed(seed)
    training = Screen2VecTraining(texts.size, layout_widths).to(place)
    optimizer = torch.optim.Adam(training.parameters(), lr=_RATE)
    for epoch in range(epochs):
        order = np.random.default_rng((seed, epoch)).permutation(len(pairs))
        sums = np.zeros(3)
        for at in range(0, len(order), _BATCH):
            token.wait_if_paused()
            if token.cancelled:
                return
            part = [pairs[row] for row in order[at : at + _BATCH]]
            sums += len(part) * _learn(training, optimizer, part, vectors, texts.size)
        yield Screen2VecEpoch(epoch, epochs, *(float(one) for one in sums / len(pairs)))
    if not token.cancelled:
        config = {
            "version": VERSION,
            "text_size": texts.size,
            "layout_widths": list(layout_widths),
            "texts": texts.fingerprint,
        }
        write_weights(folder / FILE_NAME, KEY, training.network.state_dict(), config)


def _pairs(traces: Iterable[Sequence[Observation]], token: CancelToken) -> list[Pair]:
    """Each screen with components, and the next one of its trace or, at its end, itself."""
    pairs: list[Pair] = []
    for trace in traces:
        if token.cancelled:
            break
        screens = [found for one in trace if len(found := components_of(one))]
        pairs += zip(screens, [*screens[1:], *screens[-1:]], strict=True)
    return pairs


def _learn(
    training: Screen2VecTraining,
    optimizer: torch.optim.Optimizer,
    pairs: Sequence[Pair],
    vectors: dict[str, Vector],
    size: int,
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """One batch; its three losses."""
    place = training.following.weight.device
    network = training.network

    def tensor(array: np.ndarray[tuple[int, ...], np.dtype[np.generic]]) -> Tensor:
        return torch.from_numpy(array).to(place)

    batch = batch_of([one for pair in pairs for one in pair], vectors, size)
    classes, lengths, layouts = tensor(batch.classes), tensor(batch.lengths), tensor(batch.layouts)
    components, codes = network.components(tensor(batch.texts), classes), network.layout(layouts)
    known = torch.arange(classes.shape[1], device=place)[None, :] < lengths[:, None]
    screens = network.joined(components.detach(), tensor(batch.places), lengths, codes.detach())
    nearest, words, vocabulary = tensor(batch.nearest), tensor(batch.words), tensor(batch.vocabulary)
    losses = (
        training.component_loss(components, nearest, known, words, vocabulary, classes),
        training.layout_loss(layouts, codes),
        training.screen_loss(screens[::2], screens[1::2]),
    )
    loss = torch.stack(losses).sum()
    if not torch.isfinite(loss):
        raise UserError("The loss is no number: nothing was learned.", hint="Look at the data and its text encoder.")
    optimizer.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    optimizer.step()
    return np.array([float(one.detach()) for one in losses])
