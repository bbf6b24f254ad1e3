"""The two towers, and beside them the classifier of the action's kind.

Source: element by similarity of the place in the instruction to the elements' embeddings, kind by an MLP over the
instruction, after Seq2Act (MoTIF, section 5.1, paper); the numbers beside the similarity, sizes and dropout are ours.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.functional import normalize

from stepscope.models.automation.tower_elements import FACTS, GOAL_NEAR, NEAR
from stepscope.models.automation.tower_features import KINDS, STATE, TOLD
from stepscope.models.learned.encoder_choice import VectorSizes

_TEXT, _HIDDEN = 48, 64
_SCALES = ((3.0, 0.3), (1.0, 0.3), (0.3, 0.1))
"""What a cosine counts at the beginning: of words, names, picture with the place and with the goal."""
_ALONE = 0.5
"""In so many training steps the towers are silent, so that the numbers beside them do not come to lean on them."""
_FAR = -1e4
_WITHOUT = 0.3
"""So often a training step is shown without its instruction: the network is asked for goals alone, too."""
_PLACE, _SHARED, _RULES = 2, 5, 9
"""Columns of `near`: likeness of words and place, shared words, the choice by rules."""


class TwoTower(nn.Module):
    """A tower of what is sought beside one of the elements, and an MLP for the action's kind (MoTIF, section 5.1,
    paper). Words on both sides go through the same projection, so that what is learned is which words mean the same and
    not which element belongs to which sentence; that, and the skip from the rules, is ours."""

    def __init__(self, sizes: VectorSizes, dropout: float = 0.3) -> None:
        super().__init__()
        self.instruction = nn.Linear(sizes.text, _TEXT)
        self.goal = nn.Linear(sizes.text, _TEXT)
        self.meaning = nn.Linear(sizes.text, _TEXT)
        self.picture = nn.Linear(sizes.view, _TEXT)
        self.scales = nn.Parameter(torch.tensor(_SCALES))
        self.drop = nn.Dropout(dropout)
        numbers = NEAR + GOAL_NEAR + FACTS
        self.beside = nn.Sequential(
            nn.Linear(numbers + TOLD + STATE, _HIDDEN), nn.ReLU(), nn.Dropout(dropout), nn.Linear(_HIDDEN, 1)
        )
        self.kind = nn.Sequential(
            nn.Linear(2 * _TEXT + TOLD + STATE + numbers, _HIDDEN),
            nn.ReLU(),
            nn.Dropout(dropout),
            nn.Linear(_HIDDEN, len(KINDS)),
        )
        self._begin_with_the_rules(numbers)

    def _begin_with_the_rules(self, numbers: int) -> None:
        """What counting words and a grammar make of the instruction is where the training begins, not what it finds."""
        self.rules = nn.Linear(numbers, 1, bias=False)
        self.grammar = nn.Parameter(torch.tensor(3.0))
        with torch.no_grad():
            self.rules.weight.zero_()
            for column, weight in ((_PLACE, 3.0), (_SHARED, 2.0), (_RULES, 2.0)):
                self.rules.weight[0, column] = weight

    def forward(
        self,
        instruction: Tensor,
        place: Tensor,
        goal: Tensor,
        told: Tensor,
        state: Tensor,
        crops: Tensor,
        words: Tensor,
        names: Tensor,
        crop: Tensor,
        near: Tensor,
        goal_near: Tensor,
        facts: Tensor,
        mask: Tensor,
    ) -> tuple[Tensor, Tensor]:
        """Texts (n, text), `told` (n, 23), `state` (n, 66), `crops` (n, 16, view); by element `words`, `names`
        (n, e, text), `crop` (n, e) from 1 on, 0 for none, `near` (n, e, 25), `goal_near` (n, e, 6), `facts` (n, e, 25),
        `mask` (n, e).

        Gives logits of kinds (n, 19) and of elements (n, e), far below all others where the mask is 0.
        """
        if self.training:
            kept = (torch.rand(instruction.shape[0], 1, device=instruction.device) >= _WITHOUT).to(instruction.dtype)
            instruction, place, told, near = instruction * kept, place * kept, told * kept, near * kept.unsqueeze(2)
        texts = [torch.tanh(self.instruction(instruction)), torch.tanh(self.goal(goal))]
        asked = torch.cat([self.drop(torch.cat(texts, 1)), told, state], 1)
        numbers = torch.cat([near, goal_near, facts], 2)
        context = torch.cat([told, state], 1).unsqueeze(1).expand(-1, numbers.shape[1], -1)
        likeness = self._likeness(place, goal, words, names, crops, crop)
        if self.training:
            likeness = likeness * (torch.rand(len(place), 1, device=place.device) >= _ALONE).to(likeness.dtype)
        hidden = (1 - mask) * _FAR
        beside = self.beside(torch.cat([numbers, context], 2)) + self.rules(numbers)
        elements = likeness + beside.squeeze(2) + hidden
        best = (numbers + hidden.unsqueeze(2)).amax(1).clamp(min=-1)  # −1 all over where there is no element
        kinds = self.kind(torch.cat([asked, best], 1)) + self.grammar * told[:, : len(KINDS)]
        return kinds, elements

    def _likeness(
        self, place: Tensor, goal: Tensor, words: Tensor, names: Tensor, crops: Tensor, crop: Tensor
    ) -> Tensor:
        """(n, e): cosines of what is sought (place, goal) with what an element has (words, names, picture), weighed."""
        sought = normalize(self.meaning(torch.stack([place, goal], 1)), dim=2)
        pictures = torch.cat([torch.zeros_like(crops[:, :1, :_TEXT]), normalize(self.picture(crops), dim=2)], 1)
        shown = pictures.gather(1, crop.unsqueeze(2).expand(-1, -1, _TEXT))
        found = torch.stack([normalize(self.meaning(words), dim=2), normalize(self.meaning(names), dim=2), shown], 2)
        alike = torch.einsum("neft,nst->nefs", found, sought)
        return (alike * self.scales).sum((2, 3))
