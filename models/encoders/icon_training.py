"""Training of the icon classifier over pictures with their kinds; see `icons` for what becomes of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from stepscope.core.errors import UserError
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken
from stepscope.models.encoders.icon_samples import IconSample
from stepscope.models.encoders.icons import FILE_NAME, KEY, PREPARATION, VERSION
from stepscope.models.encoders.own_weights import write_weights
from stepscope.models.runtimes.torch_runtime import choose_device

if TYPE_CHECKING:
    import torch
    from torch import Tensor

    from stepscope.models.encoders.icon_network import IconNetwork
else:
    torch = lazy_module("torch")

_BATCH, _RATE = 64, 2e-3
_SHIFT = 3
"""Pixels: a tenth of the side, as the training that MoTIF's released code carries shifts (code)."""
_HELD_OUT = 10
"""One of so many samples of each kind is held out, where there are so many (ours)."""
_ADVICE = "Take data with more screens and descriptions."


@dataclass(frozen=True, slots=True)
class IconEpoch:
    """One epoch is over: the mean loss, and the share of held-out icons that are told right (None: none held out)."""

    epoch: int
    epochs: int
    loss: float
    accuracy: float | None


@dataclass(frozen=True, slots=True)
class _Samples:
    """`pixels` (n, 32, 32, 3), `classes` (n,) as places in `names`; `held` are the places that are not learned from."""

    pixels: NDArray[np.uint8]
    classes: NDArray[np.int64]
    names: tuple[str, ...]
    learned: NDArray[np.int64]
    held: NDArray[np.int64]


def train_icons(
    samples: Iterable[IconSample],
    folder: Path,
    *,
    seed: int = 0,
    epochs: int = 20,
    device: str = "auto",
    token: CancelToken | None = None,
) -> Iterator[IconEpoch]:
    """Train a classifier and, when the last epoch is over, write it into `folder`; yields each epoch. The same samples
    and seed give the same weights on one machine. A cancelled token ends it after the batch, and nothing is written.

    Icons are shifted and their greys turned round at random, as for themes light and dark (MoTIF, released code).
    Raises UnavailableError without torch, UserError for samples of fewer than two kinds, a loss that is no number and a
    folder that cannot be written.
    """
    from stepscope.models.encoders.icon_network import IconNetwork

    token = token or CancelToken()
    place = str(choose_device(device))
    data = _prepared(samples, seed, token)
    if data is None:
        return
    torch.manual_seed(seed)
    shades = data.pixels[data.learned].astype(np.float32) / 255
    mean, deviation = float(shades.mean()), max(float(shades.std()), 1e-3)
    network = IconNetwork(len(data.names), mean, deviation).to(place)
    optimizer = torch.optim.AdamW(network.parameters(), lr=_RATE)
    for epoch in range(epochs):
        loss = _learn(network, optimizer, data, np.random.default_rng((seed, epoch)), token)
        if loss is None:
            return
        yield IconEpoch(epoch, epochs, loss, _accuracy(network, data))
    if not token.cancelled:
        config = {"version": VERSION, "classes": list(data.names), "mean": mean, "deviation": deviation}
        write_weights(folder / FILE_NAME, KEY, network.state_dict(), config)


def _prepared(samples: Iterable[IconSample], seed: int, token: CancelToken) -> _Samples | None:
    """All samples at the network's size; None when it was cancelled meanwhile."""
    pixels, kinds = [], []
    for sample in samples:
        if token.cancelled:
            return None
        pixels.append(PREPARATION.apply(sample.pixels))
        kinds.append(sample.kind)
    names = tuple(sorted(set(kinds)))
    if len(names) < 2:
        raise UserError(f"The icons are of {len(names)} kinds, and two are needed.", hint=_ADVICE)
    classes = np.array([names.index(kind) for kind in kinds], np.int64)
    order = np.random.default_rng(seed).permutation(len(classes))
    held: list[int] = []
    for one in range(len(names)):
        places = order[classes[order] == one]
        held += [int(place) for place in places[: len(places) // _HELD_OUT]]
    learned = np.setdiff1d(np.arange(len(classes)), held)
    return _Samples(np.stack(pixels), classes, names, learned, np.array(sorted(held), np.int64))


def _learn(
    network: IconNetwork,
    optimizer: torch.optim.Optimizer,
    data: _Samples,
    seeded_random: np.random.Generator,
    token: CancelToken,
) -> float | None:
    """One epoch; the mean loss, None when it was cancelled."""
    network.train()
    place, total = network.grey.device, 0.0
    order = seeded_random.permutation(data.learned)
    for at in range(0, len(order), _BATCH):
        token.wait_if_paused()
        if token.cancelled:
            return None
        rows = order[at : at + _BATCH]
        greys = _varied(network.greys(torch.from_numpy(data.pixels[rows]).to(place)), seeded_random)
        wanted = torch.from_numpy(data.classes[rows]).to(place)
        loss = torch.nn.functional.cross_entropy(network.of_greys(greys)[1], wanted)
        if not torch.isfinite(loss):
            raise UserError("The loss is no number: nothing was learned.", hint=_ADVICE)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        total += float(loss.detach()) * len(rows)
    return total / len(order)


def _varied(greys: Tensor, seeded_random: np.random.Generator) -> Tensor:
    """Each picture shifted, its edge repeated, and half of them with dark and light turned round."""
    side = greys.shape[1]
    wide = torch.nn.functional.pad(greys.unsqueeze(1), (_SHIFT,) * 4, mode="replicate").squeeze(1)
    found = []
    for one in wide:
        top, left = (int(number) for number in seeded_random.integers(0, 2 * _SHIFT + 1, 2))
        part = one[top : top + side, left : left + side]
        found.append(1 - part if seeded_random.random() < 0.5 else part)
    return torch.stack(found)


def _accuracy(network: IconNetwork, data: _Samples) -> float | None:
    if not len(data.held):
        return None
    network.eval()
    right = 0
    with torch.inference_mode():
        for at in range(0, len(data.held), _BATCH):
            rows = data.held[at : at + _BATCH]
            found = network(torch.from_numpy(data.pixels[rows]).to(network.grey.device))[1].argmax(1)
            right += int((found.cpu().numpy() == data.classes[rows]).sum())
    return right / len(data.held)
