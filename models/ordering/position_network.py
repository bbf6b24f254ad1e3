"""The network of `position-prior`: one straight line from the words of a step to its place. Source: ours."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from stepscope.models.ordering.position_words import BUCKETS

_MIDDLE = 0.5
"""Where a step stands of which no word is known: between the first, 0, and the last, 1."""


class PositionPrior(nn.Module):
    """A number for each bucket of words: how much later than the middle steps with such words stand."""

    def __init__(self) -> None:
        super().__init__()
        self.later = nn.Embedding(BUCKETS + 1, 1, padding_idx=0)
        nn.init.zeros_(self.later.weight)

    def forward(self, words: Tensor) -> Tensor:
        """`words` (n, steps, WORDS) numbers of buckets, 0 for none. Gives places (n, steps) from 0, first, to 1, last;
        they may lie a little outside.

        The sum is over the root of the number of words, so that the line is as steep for long steps as for short ones,
        and learning as stable.
        """
        count = (words > 0).sum(dim=2).clamp(min=1)
        total: Tensor = self.later(words).squeeze(3).sum(dim=2)
        return _MIDDLE + total / torch.sqrt(count.to(total.dtype))


def loss(places: Tensor, wanted: Tensor) -> Tensor:
    """The mean squared error over steps. `places` (n, steps) as found; `wanted` (n, steps) 0 to 1 as recorded, −1
    behind the end."""
    there = wanted >= 0
    squared = (places - wanted) ** 2
    return (squared * there).sum() / there.sum().clamp(min=1)
