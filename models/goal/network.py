"""The goal network: a trajectory and all templates at once, each as a point, and how well they go together.

Source: ours; two towers, as retrieval is usually learned. Beside the towers a few
numbers say how alike trajectory and template are in plain words: they carry over to apps that were never seen.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from stepscope.models.goal.pieces import ROLES

_WIDTH, _VIEW, _HIDDEN = 64, 16, 24
_ALIKE = 6 + 2 * len(ROLES) + 1
_STEP = 0.1
"""So that what is learned begins small beside what is usual."""
FAR = -1e4
"""Told of a template that cannot be filled."""


class GoalTowers(nn.Module):
    """The templates' vectors, words and places are part of the weights, so that the network is whole without them."""

    vectors: Tensor
    words: Tensor
    roles: Tensor
    length: Tensor

    def __init__(
        self,
        vectors: Tensor,
        words: Tensor,
        roles: Tensor,
        length: Tensor,
        usual: Tensor,
        view_size: int = 1280,
        dropout: float = 0.4,
    ) -> None:
        """`vectors` (templates, text size), `words` (templates, 512), `roles` (templates, 7), `length` (templates,);
        `usual` (templates,) is what each is worth where nothing else is known."""
        super().__init__()
        for name, tensor in (("vectors", vectors), ("words", words), ("roles", roles), ("length", length)):
            self.register_buffer(name, tensor)
        self.drop = nn.Dropout(dropout)
        text = vectors.shape[1]
        self.view = nn.Linear(view_size, _VIEW)
        self.trajectory = nn.Linear(3 * text + _VIEW + len(ROLES), _WIDTH)
        self.template = nn.Linear(text, _WIDTH)
        self.alike = nn.Sequential(nn.Linear(_ALIKE, _HIDDEN), nn.ReLU(), nn.Linear(_HIDDEN, 1))
        self.usual = nn.Parameter(usual.clone())

    def forward(
        self, actions: Tensor, mask: Tensor, screen: Tensor, view: Tensor, words: Tensor, has: Tensor
    ) -> Tensor:
        """`actions` (n, steps, 384) and `mask` (n, steps), the last action first; `screen` (n, 384), `view` (n, 1280),
        `words` (n, 512), `has` (n, 7). Gives the ROUGE-L that each template is expected to have (n, templates)."""
        mean = actions.sum(dim=1) / mask.sum(dim=1, keepdim=True).clamp(min=1)
        last = actions[:, 0]
        whole = torch.cat([mean, last, screen, torch.tanh(self.view(view)), has], dim=1)
        found = torch.tanh(self.trajectory(self.drop(whole)))
        towers = found @ torch.tanh(self.template(self.drop(self.vectors))).T
        near = torch.relu(actions @ self.vectors.T)  # so that padding, which is 0, is never the greatest
        cosines = [mean @ self.vectors.T, near.amax(dim=1), near[:, 0], screen @ self.vectors.T]
        own = self.words.sum(dim=1)
        shared = words @ self.words.T
        strange = (own - shared) / 5  # words of the template that are nowhere in the trajectory
        cover = shared / own.clamp(min=1)
        used = has.unsqueeze(1) * self.roles
        unused = has.unsqueeze(1) * (1 - self.roles)
        length = self.length.expand(has.shape[0], -1)
        parts = [*(one.unsqueeze(2) for one in (*cosines, cover, strange)), used, unused, length.unsqueeze(2)]
        plain = self.alike(torch.cat(parts, dim=2)).squeeze(2)
        lacking = (self.roles - used).sum(dim=2)
        logits: Tensor = self.usual + _STEP * (towers + plain) + FAR * lacking
        return logits
