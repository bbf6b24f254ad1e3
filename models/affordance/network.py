"""The affordance network: what each element allows, from what it is and from what stands around it. Source: ours."""

from __future__ import annotations

from collections.abc import Collection

import torch
from torch import Tensor, nn

from stepscope.core.domain.affordance import KINDS
from stepscope.models.affordance.features import FACTS, GEOMETRY, SIDE
from stepscope.models.learned.encoder_choice import VectorSizes

_TEXT, _SHOWN, _SCREEN, _WIDTH, _LAYERS = 32, 32, 16, 96, 2
_SMALLEST = SIDE // 4


class ElementAffordances(nn.Module):
    """A vector for each element, twice told of those around it (the one that it lies in, those that lie in it, those
    that lie in the same one, all of the screen), and from it a logit for each kind.

    `without` names what it does not look at: "pictures" or "tree" (words, classes, ids and places in the tree; boxes
    stay, since they say which element is meant).
    """

    def __init__(self, sizes: VectorSizes, without: Collection[str] = (), dropout: float = 0.2) -> None:
        super().__init__()
        self.told, self.shown = "tree" not in without, "pictures" not in without
        width = GEOMETRY
        if self.told:
            self.words, self.names = nn.Linear(sizes.text, _TEXT), nn.Linear(sizes.text, _TEXT)
            width += 2 * _TEXT + FACTS
        if self.shown:
            self.screen = nn.Linear(sizes.view, _SCREEN)
            self.look = nn.Sequential(
                nn.Conv2d(3, 16, 3, stride=2, padding=1), nn.ReLU(),
                nn.Conv2d(16, 32, 3, stride=2, padding=1), nn.ReLU(),
                nn.Flatten(), nn.Linear(32 * _SMALLEST * _SMALLEST, _SHOWN),
            )  # fmt: skip
            width += _SHOWN + _SCREEN
        self.drop = nn.Dropout(dropout)
        self.own = nn.Linear(width, _WIDTH)
        self.around = nn.ModuleList(nn.Linear(5 * _WIDTH, _WIDTH) for _ in range(_LAYERS))
        self.norm = nn.ModuleList(nn.LayerNorm(_WIDTH) for _ in range(_LAYERS))
        self.kinds = nn.Linear(_WIDTH, len(KINDS))

    def forward(
        self,
        screen: Tensor,
        words: Tensor,
        names: Tensor,
        geometry: Tensor,
        facts: Tensor,
        around: Tensor,
        pictures: Tensor,
        seen: Tensor,
        mask: Tensor,
    ) -> Tensor:
        """`screen` (n, view); by element `words`, `names` (n, e, text), `geometry` (n, e, 6), `facts` (n, e, 23),
        `around` (n, e) places from 1 on, 0 for none, `pictures` (n, e, 20, 20, 3) in 0..1, `seen`, `mask` (n, e).

        Gives logits (n, e, kinds).
        """
        there = mask.unsqueeze(2)
        parts = [geometry]
        if self.told:
            texts = torch.cat([torch.tanh(self.words(words)), torch.tanh(self.names(names)), facts], 2)
            parts.append(self.drop(texts))
        if self.shown:
            looked = self.look(pictures.flatten(0, 1).permute(0, 3, 1, 2) - 0.5)
            looked = torch.relu(looked.reshape(mask.shape[0], -1, _SHOWN))
            whole = torch.tanh(self.screen(screen)).unsqueeze(1).expand(-1, mask.shape[1], -1)
            parts.append(self.drop(torch.cat([looked, whole], 2) * seen.unsqueeze(2)))
        found = torch.relu(self.own(torch.cat(parts, 2))) * there
        inside = _inside(around, mask)
        for layer, norm in zip(self.around, self.norm, strict=True):
            found = norm(found + self.drop(torch.relu(layer(self._neighbours(found, inside, there))))) * there
        logits: Tensor = self.kinds(found)
        return logits

    def _neighbours(self, rows: Tensor, inside: Tensor, there: Tensor) -> Tensor:
        """(n, e, 5 × width): itself, the one that it lies in, the mean of those in it, of those beside it, of all."""
        holder = inside @ rows
        held = inside.transpose(1, 2) @ rows / inside.sum(1).unsqueeze(2).clamp(min=1)
        beside = inside @ held
        all_of_it = (rows.sum(1) / there.sum(1).clamp(min=1)).unsqueeze(1).expand_as(rows)
        return torch.cat([rows, holder, held, beside, all_of_it], 2)


def _inside(around: Tensor, mask: Tensor) -> Tensor:
    """(n, e, e): 1 where the first element lies in the second."""
    places = torch.cumsum(torch.ones_like(around), 1).unsqueeze(1)  # 1, 2, … as `around` names them
    return (around.unsqueeze(2) == places).to(mask.dtype) * mask.unsqueeze(2) * mask.unsqueeze(1)
