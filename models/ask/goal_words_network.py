"""Logistic regression over a goal's vector and its wording. Source: ours."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class GoalWords(nn.Module):
    """`size` numbers in all; a tenth of them is left out while it learns, again and again."""

    def __init__(self, size: int, dropout: float = 0.1) -> None:
        super().__init__()
        self.drop = nn.Dropout(dropout)
        self.out = nn.Linear(size, 1)

    def forward(self, goal: Tensor, wording: Tensor) -> tuple[Tensor]:
        """`goal` (n, text), `wording` (n, 38). Gives the logit of the goal leaving something out (n,)."""
        return (self.out(self.drop(torch.cat([goal, wording], 1))).squeeze(1),)
