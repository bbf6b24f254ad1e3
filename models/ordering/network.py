"""The ordering network: relations between pairs of steps, and how likely one follows another.

Source: the decoder of BERSON as used for sequencing (Wu et al. 2022, section 4.2, paper): a pointer over the remaining
steps by pairwise relations. In place of its recurrent state the pointer looks at the last chosen step and at the
relations to all that remain (ours), so that the network runs once and the search can be exact. It
learns from every pair's order, and at every place from the step that comes next.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from stepscope.models.learned.encoder_choice import VectorSizes
from stepscope.models.ordering.cues import CUES

_WIDTH, _VIEW, _PAIR = 96, 32, 64
_SCALE = 2.0
"""Text vectors have length 1, cues numbers around 1."""
FAR = -1e4
"""The logit of what cannot be."""


class PairwisePointer(nn.Module):
    """Steps looked at together, then every pair of them: which is before the other, and which follows it (Wu et al.
    2022, section 4.2, paper; the pointer without a recurrent state is ours). Beside it a straight line from vectors and
    wording to a place in the order, which carries over to texts of another kind (ours)."""

    def __init__(self, sizes: VectorSizes, dropout: float = 0.3) -> None:
        super().__init__()
        self.text = nn.Linear(sizes.text, _WIDTH - _VIEW)
        self.view = nn.Linear(sizes.view, _VIEW)
        self.goal = nn.Linear(sizes.text, _WIDTH)
        self.drop = nn.Dropout(dropout)
        self.mix = nn.MultiheadAttention(_WIDTH, 4, dropout=dropout, batch_first=True)
        self.norm = nn.LayerNorm(_WIDTH)
        self.first = nn.Linear(_WIDTH, _PAIR)
        self.second = nn.Linear(_WIDTH, _PAIR)
        self.relation = nn.Linear(_PAIR, 1)
        self.follows = nn.Linear(_PAIR, 1)
        self.start = nn.Linear(_WIDTH, 1)
        self.weight = nn.Parameter(torch.zeros(1))
        self.late = nn.Linear(sizes.text + CUES, 1, bias=False)
        self.given = nn.Parameter(torch.zeros(2))

    def forward(
        self, goal: Tensor, texts: Tensor, views: Tensor, cues: Tensor, named: Tensor, known: Tensor, mask: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        """`goal` (n, text), `texts` (n, steps, text), `views` (n, steps, view), `cues` (n, steps, CUES), `named` and
        `known` (n, steps, THINGS), `mask` (n, steps).

        Gives logits of row before column (n, steps, steps), antisymmetric; of column right after row, and in the last
        row of column first (n, steps + 1, steps); and the weight of the relations in the pointer (n,).
        """
        steps = torch.cat([torch.tanh(self.text(texts)), torch.tanh(self.view(views))], dim=2)
        steps = self.drop(steps + torch.tanh(self.goal(goal)).unsqueeze(1))
        hidden = (1 - mask) * FAR
        # As a bias, not as a key mask: an item without any step must not become a number over zero.
        bias = hidden.unsqueeze(1).expand(-1, mask.shape[1], -1).repeat_interleave(4, dim=0)
        mixed, _ = self.mix(steps, steps, steps, attn_mask=bias, need_weights=False)
        steps = self.norm(steps + mixed)
        pairs = torch.relu(self.first(steps).unsqueeze(2) + self.second(steps).unsqueeze(1))
        relation = self.relation(pairs).squeeze(3)
        # Without a picture the line is all there is: what is learned from screens says nothing of a text.
        seen = (views.abs().sum((1, 2)) > 0).to(views.dtype)[:, None, None]
        before = seen * (relation - relation.transpose(1, 2)) + self._worded(texts, cues, named, known)
        follows = seen * torch.cat([self.follows(pairs).squeeze(3), self.start(steps).transpose(1, 2)], dim=1)
        weight = nn.functional.softplus(self.weight).expand(mask.shape[0])
        return before, follows + hidden.unsqueeze(1), weight

    def _worded(self, texts: Tensor, cues: Tensor, named: Tensor, known: Tensor) -> Tensor:
        """Logits of row before column (n, steps, steps) by vectors and wording alone, antisymmetric."""
        late: Tensor = self.late(torch.cat([texts * _SCALE, cues], 2)).squeeze(2)
        new = named @ known.transpose(1, 2)
        sooner = new - new.transpose(1, 2)
        return late.unsqueeze(1) - late.unsqueeze(2) + self.given[0] * sooner + self.given[1] * torch.sign(sooner)


def loss(before: Tensor, follows: Tensor, weight: Tensor, order: Tensor) -> Tensor:
    """`before` (n, s, s), `follows` (n, s + 1, s), `weight` (n,), `order` (n, s) places in the true order, −1 behind.

    The mean binary cross entropy of the pairs plus that of the pointer under the true beginning.
    """
    size = order.shape[1]
    there = order >= 0
    place = order.clamp(min=0)
    rows = torch.arange(order.shape[0], device=order.device)
    # In the true order: ordered[b, t, u] is about the t-th and the u-th step.
    ordered = before[rows[:, None, None], place[:, :, None], place[:, None, :]]
    later = torch.triu(torch.ones(size, size, device=order.device), diagonal=1)
    pairs = later * there[:, :, None] * there[:, None, :]
    relation = (nn.functional.softplus(-ordered) * pairs).sum() / pairs.sum().clamp(min=1)
    last = torch.cat([torch.full_like(place[:, :1], size), place[:, :-1]], dim=1)
    following = follows[rows[:, None, None], last[:, :, None], place[:, None, :]]
    # What remains at place t: the steps from t on.
    left = (torch.triu(torch.ones(size, size, device=order.device)) * there[:, None, :]).bool()
    count = left.sum(dim=2, keepdim=True)
    others = left.float() @ ordered.transpose(1, 2)
    score = following + weight[:, None, None] * others / (count - 1).clamp(min=1)
    chances = torch.log_softmax(torch.where(left, score, torch.full_like(score, FAR)), dim=2)
    chosen = torch.diagonal(chances, dim1=1, dim2=2)
    pointer = -(chosen * there).sum() / there.sum().clamp(min=1)
    return relation + pointer
