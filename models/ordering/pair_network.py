"""The network of `pairwise-topological`: which of two steps comes first, told from these two and the goal alone.

Source: a classifier of pairs (Prabhumoye et al. 2020), there BERT over both sentences; here a small
network over frozen vectors of words and pictures, with the goal beside them and both ways of asking in one (ours).
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from stepscope.models.learned.encoder_choice import VectorSizes

_WORDS, _VIEW, _PAIR = 64, 32, 64


class PairClassifier(nn.Module):
    """Logits of a step before another. No step is looked at together with a third."""

    def __init__(self, sizes: VectorSizes, dropout: float = 0.3) -> None:
        super().__init__()
        self.text = nn.Linear(sizes.text, _WORDS)
        self.view = nn.Linear(sizes.view, _VIEW)
        self.goal = nn.Linear(sizes.text, _PAIR)
        self.drop = nn.Dropout(dropout)
        self.first = nn.Linear(_WORDS + _VIEW, _PAIR)
        self.second = nn.Linear(_WORDS + _VIEW, _PAIR)
        self.sooner = nn.Linear(_PAIR, 1, bias=False)

    def forward(self, goal: Tensor, texts: Tensor, views: Tensor) -> Tensor:
        """`goal` (n, text), `texts` (n, steps, text), `views` (n, steps, view). Gives logits of row before column (n,
        steps, steps), antisymmetric: asking the other way round gives the other answer."""
        steps = self.drop(torch.cat([torch.tanh(self.text(texts)), torch.tanh(self.view(views))], dim=2))
        goals = self.goal(goal)[:, None, None, :]
        pairs = torch.relu(self.first(steps).unsqueeze(2) + self.second(steps).unsqueeze(1) + goals)
        sooner: Tensor = self.sooner(pairs).squeeze(3)
        return sooner - sooner.transpose(1, 2)


def loss(before: Tensor, order: Tensor) -> Tensor:
    """The mean binary cross entropy of all pairs. `before` (n, s, s) logits of row before column, `order` (n, s) places
    in the recorded order, −1 behind its end."""
    there = order >= 0
    place = order.clamp(min=0)
    rows = torch.arange(order.shape[0], device=order.device)[:, None, None]
    ordered = before[rows, place[:, :, None], place[:, None, :]]  # of the t-th step before the u-th as recorded
    size = order.shape[1]
    later = torch.triu(torch.ones(size, size, device=order.device), diagonal=1)
    pairs = later * there[:, :, None] * there[:, None, :]
    return (nn.functional.softplus(-ordered) * pairs).sum() / pairs.sum().clamp(min=1)
