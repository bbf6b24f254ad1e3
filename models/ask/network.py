"""The timing network: is a question due now, and of what kind. Source: ours; the task is that of Navi-plus."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from stepscope.models.ask.features import NUMBERS, SAID
from stepscope.models.ask.question_kinds import KINDS
from stepscope.models.automation.tower_features import STATE
from stepscope.models.feasibility.features import MATCH
from stepscope.models.learned.encoder_choice import VectorSizes

_TEXT, _GOAL, _ELEMENT, _HIDDEN = 16, 24, 32, 48
_FAR = -1e4


class AskTiming(nn.Module):
    """Two heads over goal, state, what was said and all elements (their largest and mean values): is a question due,
    and of what kind. Source: ours."""

    def __init__(self, sizes: VectorSizes, dropout: float = 0.4) -> None:
        super().__init__()
        self.goal = nn.Linear(sizes.text, _GOAL)
        self.words = nn.Linear(sizes.text, _TEXT)
        self.names = nn.Linear(sizes.text, _TEXT)
        self.drop = nn.Dropout(dropout)
        context = _GOAL + SAID + STATE + MATCH
        self.element = nn.Sequential(nn.Linear(2 * _TEXT + NUMBERS + context, _ELEMENT), nn.ReLU(), nn.Dropout(dropout))
        self.hidden = nn.Sequential(nn.Linear(2 * _ELEMENT + context, _HIDDEN), nn.ReLU(), nn.Dropout(dropout))
        self.due = nn.Linear(_HIDDEN, 1)
        self.kind = nn.Linear(_HIDDEN, len(KINDS))

    def forward(
        self,
        goal: Tensor,
        said: Tensor,
        state: Tensor,
        match: Tensor,
        words: Tensor,
        names: Tensor,
        numbers: Tensor,
        mask: Tensor,
    ) -> tuple[Tensor, Tensor]:
        """`goal` (n, text), `said` (n, 16), `state` (n, 66), `match` (n, 6); by element `words`, `names` (n, e, text),
        `numbers` (n, e, 37), `mask` (n, e). Gives the logit of a question being due (n,) and those of its kind (n, 8).
        """
        context = torch.cat([self.drop(torch.tanh(self.goal(goal))), said, state, match], 1)
        texts = self.drop(torch.cat([torch.tanh(self.words(words)), torch.tanh(self.names(names))], 2))
        around = context.unsqueeze(1).expand(-1, numbers.shape[1], -1)
        elements = self.element(torch.cat([texts, numbers, around], 2))
        there = mask.unsqueeze(2)
        best = (elements + (1 - there) * _FAR).amax(1).clamp(min=0)  # 0 where there is no element
        mean = (elements * there).sum(1) / there.sum(1).clamp(min=1)
        hidden = self.hidden(torch.cat([best, mean, context], 1))
        return self.due(hidden).squeeze(1), self.kind(hidden)
