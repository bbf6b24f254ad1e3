"""The timing network: does the goal leave something out, is it still open, and what is it. Source: ours; the task is
that of Navi-plus."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from stepscope.models.ask.features import NUMBERS, SAID, WORDING
from stepscope.models.ask.slots import SLOTS
from stepscope.models.automation.tower_features import STATE
from stepscope.models.feasibility.features import MATCH
from stepscope.models.learned.encoder_choice import VectorSizes

_GOAL, _ELEMENT, _HIDDEN = 16, 32, 48
_FAR = -1e4


class AskTiming(nn.Module):
    """Heads over goal, state, what was said and all elements (their largest and mean values): is a question due, of
    which slot; and one over the goal's words alone: do they leave anything out. Source: ours."""

    def __init__(self, sizes: VectorSizes, dropout: float = 0.5) -> None:
        super().__init__()
        self.goal = nn.Linear(sizes.text, _GOAL)
        self.drop = nn.Dropout(dropout)
        self.vague = nn.Sequential(
            nn.Linear(_GOAL + WORDING, _GOAL), nn.ReLU(), nn.Dropout(dropout), nn.Linear(_GOAL, 1)
        )
        context = _GOAL + SAID + STATE + MATCH + 1
        self.element = nn.Sequential(nn.Linear(NUMBERS + context, _ELEMENT), nn.ReLU(), nn.Dropout(dropout))
        self.hidden = nn.Sequential(nn.Linear(2 * _ELEMENT + context, _HIDDEN), nn.ReLU(), nn.Dropout(dropout))
        self.due = nn.Linear(_HIDDEN, 1)
        self.slot = nn.Linear(_HIDDEN, len(SLOTS))

    def forward(
        self,
        goal: Tensor,
        wording: Tensor,
        said: Tensor,
        state: Tensor,
        match: Tensor,
        numbers: Tensor,
        mask: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """`goal` (n, text), `wording` (n, 38), `said` (n, 66), `state` (n, 66), `match` (n, 6); by element
        `numbers` (n, e, 43) and `mask` (n, e). Gives the logits of a question being due (n,), of its
        slot (n, 10), and of the goal leaving something out (n,)."""
        told = self.drop(torch.tanh(self.goal(goal)))
        vague = self.vague(torch.cat([told, wording], 1))
        context = torch.cat([told, said, state, match, torch.tanh(vague)], 1)
        around = context.unsqueeze(1).expand(-1, numbers.shape[1], -1)
        elements = self.element(torch.cat([numbers, around], 2))
        there = mask.unsqueeze(2)
        best = (elements + (1 - there) * _FAR).amax(1).clamp(min=0)  # 0 where there is no element
        mean = (elements * there).sum(1) / there.sum(1).clamp(min=1)
        hidden = self.hidden(torch.cat([best, mean, context], 1))
        due = self.due(hidden) + vague
        return due.squeeze(1), self.slot(hidden), vague.squeeze(1)
