"""A Transformer over the elements of each screen, and one over the steps that sees no later step.

Source: MoTIF, section 6 (paper) names hierarchical features of text and picture as what comes next; which layers, their
sizes and the logit after each step are ours.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

import torch
from torch import Tensor, nn
from torch.nn.functional import scaled_dot_product_attention

from stepscope.models.feasibility.set_features import ELEMENT, STEP, kept_of_element, kept_of_step
from stepscope.models.learned.encoder_choice import VectorSizes

_WIDTH, _HEADS, _VIEW, _MEANING = 48, 4, 8, 24
_FAR = -1e4
_STEPS_LAYERS = 2
_PLACE = 100.0
"""The longest wave of a step's place, in steps over two pi."""


class _Layer(nn.Module):
    """Self-attention with a bias that is added to it, and a feed-forward layer behind it."""

    def __init__(self, dropout: float) -> None:
        super().__init__()
        self.before, self.behind = nn.LayerNorm(_WIDTH), nn.LayerNorm(_WIDTH)
        self.all, self.out = nn.Linear(_WIDTH, 3 * _WIDTH), nn.Linear(_WIDTH, _WIDTH)
        self.wide = nn.Sequential(nn.Linear(_WIDTH, 2 * _WIDTH), nn.GELU(), nn.Linear(2 * _WIDTH, _WIDTH))
        self.drop = nn.Dropout(dropout)

    def forward(self, rows: Tensor, bias: Tensor) -> Tensor:
        """`rows` (n, places, width), `bias` (n or 1, 1, places or 1, places)."""
        batch, places, _ = rows.shape
        split = self.all(self.before(rows)).reshape(batch, places, 3, _HEADS, _WIDTH // _HEADS)
        query, key, value = split.permute(2, 0, 3, 1, 4).unbind(0)
        mixed = scaled_dot_product_attention(query, key, value, attn_mask=bias)
        rows = rows + self.drop(self.out(mixed.transpose(1, 2).reshape(batch, places, _WIDTH)))
        found: Tensor = rows + self.drop(self.wide(self.behind(rows)))
        return found


class FeasibilitySet(nn.Module):
    """Logits of infeasible and of the reasons, before the first step and after each."""

    mean: Tensor
    spread: Tensor
    kept: Tensor
    kept_facts: Tensor

    def __init__(
        self,
        mean: Sequence[float],
        spread: Sequence[float],
        sizes: VectorSizes,
        reasons: int,
        without: Collection[str] = (),
        dropout: float = 0.3,
    ) -> None:
        """`mean` and `spread` of the 72 numbers of a step, over the training split; what is in `without` (`elements`,
        `pictures`, `actions`) is not looked at."""
        super().__init__()
        self.without = frozenset(without)
        for name, values in (("mean", mean), ("spread", spread)):
            self.register_buffer(name, torch.tensor(values, dtype=torch.float32))
        self.register_buffer("kept", torch.from_numpy(kept_of_step(without)), persistent=False)
        self.register_buffer("kept_facts", torch.from_numpy(kept_of_element(without)), persistent=False)
        self.goal = nn.Linear(sizes.text, _WIDTH)
        self.meaning = nn.Linear(sizes.text, _MEANING)
        self.words, self.names = nn.Linear(sizes.text, _WIDTH), nn.Linear(sizes.text, _WIDTH)
        self.element = nn.Linear(2 * _MEANING + ELEMENT, _WIDTH)
        self.screen = _Layer(dropout)
        self.view = nn.Linear(sizes.view, _VIEW)
        self.step = nn.Linear(2 * _WIDTH + _VIEW + STEP, _WIDTH)
        self.steps = nn.ModuleList(_Layer(dropout) for _ in range(_STEPS_LAYERS))
        self.last = nn.LayerNorm(_WIDTH)
        self.drop = nn.Dropout(dropout)
        self.head = nn.Sequential(
            nn.Linear(_WIDTH + STEP, _WIDTH), nn.ReLU(), nn.Dropout(dropout), nn.Linear(_WIDTH, 1 + reasons)
        )

    def forward(
        self,
        goal: Tensor,
        texts: Tensor,
        words: Tensor,
        names: Tensor,
        facts: Tensor,
        there: Tensor,
        views: Tensor,
        numbers: Tensor,
    ) -> tuple[Tensor, Tensor]:
        """`goal` (n, text), `texts` (n, t, text); by element `words`, `names` (n, s, e) from 1 on in `texts`, `facts`
        (n, s, e, 31), `there` (n, s, e) 1 where there is one; by step `views` (n, s, view), `numbers` (n, s, 72).

        Gives logits of infeasible (n, 1 + s), the first of the goal alone, and of the reasons (n, 1 + s, reasons).
        """
        asked = torch.tanh(self.goal(goal))
        numbers = self.kept * (numbers - self.mean) / self.spread
        shown = torch.tanh(self.view(views))
        if "pictures" in self.without:
            shown = torch.zeros_like(shown)
        if "elements" in self.without:
            there = torch.zeros_like(there)
        screens = self.screens(goal, texts, words, names, facts, there)
        rows = self.step(torch.cat([self.drop(torch.cat([screens, shown], 2)), numbers], 2))
        rows = torch.cat([asked.unsqueeze(1), rows + asked.unsqueeze(1)], 1)
        order = torch.arange(rows.shape[1], device=rows.device)
        rows = rows + _waves(order)
        later = (order.unsqueeze(0) > order.unsqueeze(1)).to(rows.dtype) * _FAR
        for layer in self.steps:
            rows = layer(rows, later.unsqueeze(0).unsqueeze(0))
        beside = torch.cat([torch.zeros_like(numbers[:, :1]), numbers], 1)
        logits = self.head(torch.cat([self.last(rows), beside], 2))
        return logits[:, :, 0], logits[:, :, 1:]

    def screens(
        self, goal: Tensor, texts: Tensor, words: Tensor, names: Tensor, facts: Tensor, there: Tensor
    ) -> Tensor:
        """(n, s, 2 width): each screen as a set of elements; zeros for one without any."""
        batch, steps, most = words.shape
        meant = self.meaning(goal)
        texts = torch.cat([torch.zeros_like(texts[:, :1]), texts], 1)
        read = [torch.tanh(self.words(texts)), torch.tanh(self.names(texts))]
        alike = torch.tanh(self.meaning(texts) * meant.unsqueeze(1) * _MEANING)
        own = [_rows(one, place) for one, place in zip(read, (words, names), strict=True)]
        near = [_rows(alike, place) for place in (words, names)]
        rows = self.element(torch.cat([*near, facts * self.kept_facts], 3)) + self.drop(own[0] + own[1])
        rows = torch.cat([self._asked(goal, steps), rows.reshape(batch * steps, most, _WIDTH)], 1)
        mask = there.reshape(batch * steps, most)
        if self.training:  # without those that only fill up the batch
            real = mask.amax(1) > 0
            looked_at = self._among(rows[real], mask[real])
            found = looked_at.new_zeros(batch * steps, 2 * _WIDTH)
            found[real] = looked_at
        else:
            found = self._among(rows, mask) * mask.amax(1, keepdim=True)
        return found.reshape(batch, steps, 2 * _WIDTH)

    def _asked(self, goal: Tensor, steps: int) -> Tensor:
        """(n · steps, 1, width): the goal as it stands before the elements of each screen."""
        return torch.tanh(self.goal(goal)).unsqueeze(1).expand(-1, steps, -1).reshape(-1, 1, _WIDTH)

    def _among(self, rows: Tensor, mask: Tensor) -> Tensor:
        """(screens, 2 width): the goal among the elements of its screen, and the greatest of these."""
        hidden = (1 - torch.cat([torch.ones_like(mask[:, :1]), mask], 1)) * _FAR
        rows = self.screen(rows, hidden.unsqueeze(1).unsqueeze(1))
        greatest = (rows[:, 1:] + (mask.unsqueeze(2) - 1) * -_FAR).amax(1)
        return torch.cat([rows[:, 0], greatest], 1)


def _waves(order: Tensor) -> Tensor:
    """(places, width): the place of each step as sines and cosines (Vaswani et al. 2017, section 3.5)."""
    half = _WIDTH // 2
    slow = torch.exp(-math.log(_PLACE) * torch.arange(half, device=order.device) / half)
    angles = order.unsqueeze(1) * slow.unsqueeze(0)
    return torch.cat([torch.sin(angles), torch.cos(angles)], 1)


def _rows(table: Tensor, places: Tensor) -> Tensor:
    """Of table (n, t, width) the rows that `places` (n, s, e) name."""
    flat = places.reshape(places.shape[0], -1, 1).expand(-1, -1, table.shape[2])
    return table.gather(1, flat).reshape(*places.shape, table.shape[2])
