"""The network of `feasibility-tuned`: a text encoder over goal and screens' texts, a picture encoder over the screens,
and an MLP of two hidden layers."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from stepscope.models.learned.encoder_choice import VectorSizes

HIDDEN = 64


class TunedFeasibility(nn.Module):
    """Logit of infeasible. Source: the MLP of MoTIF, section 4 (paper), over the mean of the looked-at states and over
    the last one; that the encoders learn too is ours."""

    def __init__(self, texts: nn.Module, views: nn.Module, sizes: VectorSizes, dropout: float = 0.2) -> None:
        super().__init__()
        self.texts, self.views = texts, views
        self.drop = nn.Dropout(dropout)
        self.head = nn.Sequential(
            nn.Linear(3 * sizes.text + 2 * sizes.view, HIDDEN),
            nn.ReLU(),
            nn.Linear(HIDDEN, HIDDEN // 2),
            nn.ReLU(),
            nn.Linear(HIDDEN // 2, 1),
        )

    def forward(self, goal: Tensor, screens: Tensor, pixels: Tensor, mask: Tensor, seen: Tensor) -> Tensor:
        """`goal` (n, tokens, inputs), `screens` (n, s, tokens, inputs), `pixels` (n, s, height, width, 3) bytes, `mask`
        and `seen` (n, s): which screens there are, and of which there is a picture. Gives (n,)."""
        asked = _unit(self.texts(*goal.unbind(2)))
        count, most = mask.shape
        said = _unit(self.texts(*screens.flatten(0, 1).unbind(2))).reshape(count, most, -1)
        shown = _unit(self.views(pixels.flatten(0, 1))).reshape(count, most, -1) * seen.unsqueeze(2)
        there = mask.unsqueeze(2)
        screens_of = there.sum(1).clamp(min=1)
        places = (mask.sum(1).long() - 1).clamp(min=0).view(-1, 1, 1)
        last = [(one * there).gather(1, places.expand(-1, 1, one.shape[2])).squeeze(1) for one in (said, shown)]
        means = [(one * there).sum(1) / screens_of for one in (said, shown)]
        found: Tensor = self.head(self.drop(torch.cat([asked, *means, *last], 1)))
        return found.squeeze(1)


def _unit(vectors: Tensor) -> Tensor:
    return nn.functional.normalize(vectors.float(), dim=-1)
