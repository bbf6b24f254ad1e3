"""The feasibility network: an MLP of two hidden layers over the concatenated screens (`cat`).

Source: MoTIF, section 4 (paper): two hidden layers, aggregation by concatenation of up to 20 states; that each vector
is first reduced by a layer shared between screens, dropout and layer sizes are ours.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from stepscope.models.feasibility.features import COVER, MATCH, SCREENS
from stepscope.models.learned.encoder_choice import VectorSizes

_TEXT, _VIEW, _GOAL = 8, 4, 8


class FeasibilityMlp(nn.Module):
    """Logit of infeasible, or logits of classes."""

    mean: Tensor
    spread: Tensor

    def __init__(
        self,
        mean: Sequence[float],
        spread: Sequence[float],
        sizes: VectorSizes,
        hidden: int = 48,
        dropout: float = 0.5,
        classes: int = 1,
    ) -> None:
        """`mean` and `spread` of the 45 numbers about the whole way, over the training split; `classes` 1: a logit of
        infeasible, else one for each class."""
        super().__init__()
        self.classes = classes
        self.register_buffer("mean", torch.tensor(mean, dtype=torch.float32))
        self.register_buffer("spread", torch.tensor(spread, dtype=torch.float32))
        self.text = nn.Linear(sizes.text, _TEXT)
        self.view = nn.Linear(sizes.view, _VIEW)
        self.goal = nn.Linear(sizes.text, _GOAL)
        screen = _TEXT + _VIEW + MATCH
        self.drop = nn.Dropout(dropout)
        self.head = nn.Sequential(
            nn.Linear((SCREENS + 1) * screen + _GOAL + COVER, hidden),
            nn.ReLU(),
            nn.Dropout(dropout),
            nn.Linear(hidden, hidden // 2),
            nn.ReLU(),
            nn.Linear(hidden // 2, classes),
        )

    def forward(self, goal: Tensor, texts: Tensor, views: Tensor, match: Tensor, cover: Tensor) -> Tensor:
        """`goal` (n, text), `texts` (n, 21, text), `views` (n, 21, view), `match` (n, 21, 6), `cover` (n, 45); the last
        of the 21 is the last screen. Gives (n,), or (n, classes) where there are several."""
        screens = torch.cat([torch.tanh(self.text(texts)), torch.tanh(self.view(views)), match], dim=2)
        whole = [
            self.drop(screens.flatten(1)),
            self.drop(torch.tanh(self.goal(goal))),
            (cover - self.mean) / self.spread,
        ]
        found: Tensor = self.head(torch.cat(whole, dim=1))
        return found.squeeze(1) if self.classes == 1 else found
