"""Seq2Seq as a network: attended words, the screen and the action before go through one LSTM step; the kind by softmax,
the place by three fully connected layers.

Source: ALFRED's Seq2Seq as MoTIF adapts it (section 5.1, paper): the previous state attends to the words; what is
attended, the screen and the last action enter the LSTM; these and its state are what kind and point are told from.
Ours: sizes; goal and instruction are read by the same BiLSTM one after the other, and attended together.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from stepscope.models.automation.navigation_features import CELLS
from stepscope.models.automation.navigation_network import (
    STATES,
    WIDTH,
    DecoderCell,
    SoftAttention,
    WordReader,
    action_embedding,
    begun,
    decoder_steps,
    maps_of,
)
from stepscope.models.automation.tower_features import KINDS
from stepscope.models.learned.encoder_choice import VectorSizes

_CELL = 32
"""Numbers of a cell after the first layer."""
_HIDDEN = (128, 64)
"""Of the three layers that regress the point."""


class Seq2Seq(nn.Module):
    """See the module."""

    def __init__(self, sizes: VectorSizes, dropout: float = 0.2) -> None:
        super().__init__()
        self.words = WordReader(dropout)
        self.attention = SoftAttention()
        self.look = nn.Linear(sizes.view, _CELL)
        self.screen = nn.Linear(CELLS * _CELL, WIDTH)
        self.action = action_embedding()
        self.decoder = DecoderCell(STATES + 2 * WIDTH)
        told = STATES + 3 * WIDTH
        self.drop = nn.Dropout(dropout)
        self.kind = nn.Linear(told, len(KINDS))
        self.point = nn.Sequential(
            nn.Linear(told, _HIDDEN[0]), nn.ReLU(), nn.Linear(_HIDDEN[0], _HIDDEN[1]), nn.ReLU(),
            nn.Linear(_HIDDEN[1], 2), nn.Sigmoid(),
        )  # fmt: skip

    def forward(
        self, goal: Tensor, instruction: Tensor, earlier: Tensor, screens: Tensor, cells: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        """`goal`, `instruction` (n, 32, 8), `earlier` (n, 8), `screens` (n, 3, view), `cells` (n, 49, view).

        Gives logits of kinds (n, 19), the point (n, 2) in fractions of the screen, and the words' weights (n, 64), the
        goal's first.
        """
        states, there = self._read(goal, instruction)
        steps = decoder_steps(earlier, screens, cells)
        state, weights = begun(cells), there
        told = states[:, 0]
        for place, shown in enumerate(self._screens(screens, cells)):
            seen = shown * steps.seen[:, place : place + 1]
            weights, attended = self.attention(state[0], states, there)
            entering = torch.cat([attended, seen, self.action(steps.actions[:, place])], 1)
            state = self.decoder(entering, state, steps.run[:, place])
            told = torch.cat([state[0], entering], 1)
        told = self.drop(told)
        return self.kind(told), self.point(told), weights

    def _read(self, goal: Tensor, instruction: Tensor) -> tuple[Tensor, Tensor]:
        """States (n, 64, 128) and presence (n, 64) of both texts' words; both are read at once."""
        states, there = self.words(torch.cat([goal, instruction]))
        return torch.cat(states.chunk(2), 1), torch.cat(there.chunk(2), 1)

    def _screens(self, screens: Tensor, cells: Tensor) -> list[Tensor]:
        """(n, 64) of each step's screen: every cell by the same layer, then all cells by one."""
        maps = maps_of(torch.relu(self.look(screens)), torch.relu(self.look(cells)))
        return [torch.relu(self.screen(one.flatten(1))) for one in maps]
