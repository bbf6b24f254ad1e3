"""MoTIF's feasibility classifier as a network (Burns et al. 2022, section 4.1; paper): two hidden layers over command
and aggregated steps.

From the released code (`model.py`; code): layers of 512 and 256, an LSTM of 512. Ours: the mean and the LSTM leave the
padding out, where the code reads it; the two outputs go into the cross entropy as they are, where the code squeezes
them by a sigmoid first; the joined input stays as it is, where the code calls a function `normalize` of which the paper
says nothing.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from stepscope.models.feasibility.classifier_name import STEPS

WIDE, NARROW, LSTM = 512, 256, 512


class PaperClassifier(nn.Module):
    """Logits of feasible and infeasible."""

    def __init__(self, command: int, state: int, aggregation: str) -> None:
        """Numbers of the command's vector and of one step's; `aggregation` avg, cat or lstm."""
        super().__init__()
        self.aggregation = aggregation
        self.lstm = nn.LSTM(state, LSTM, batch_first=True) if aggregation == "lstm" else None
        joined = {"avg": state, "cat": STEPS * state, "lstm": LSTM}[aggregation]
        self.first = nn.Linear(command + joined, WIDE)
        self.second = nn.Linear(WIDE, NARROW)
        self.last = nn.Linear(NARROW, 2)

    def forward(self, command: Tensor, states: Tensor, weights: Tensor | None = None) -> Tensor:
        """`command` (n, command), `states` (n, 20, state), `weights` (n, 20): of the mean, or 1 at the last step and 0
        elsewhere; none of `cat`. Gives (n, 2)."""
        if weights is None:
            way = states.flatten(1)
        else:
            steps = states if self.lstm is None else self.lstm(states)[0]
            way = (steps * weights.unsqueeze(-1)).sum(1)
        joined = torch.cat([command, way], dim=1)
        found: Tensor = self.last(torch.relu(self.second(torch.relu(self.first(joined)))))
        return found
