"""MOCA as a network: two streams, one for the kind of the action, which reads the goal, and one for the place, which
reads the instruction.

Source: MOCA (Singh et al. 2021) as MoTIF adapts it (section 5.1, paper): each stream has a BiLSTM encoder, dynamic
filters out of the attended words that are moved over the map of the screen, and an LSTM decoder; the place is the
element's type, one of twelve, and a box. Ours: sizes, three filters a stream, filters and cells of length 1 (so that a
response is a cosine), and that the goal is read where there is no instruction.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.functional import normalize

from stepscope.models.automation.moca_types import TYPES
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

FILTERS, CELL = 3, 32
"""Filters of a stream, and numbers of each."""
_TOLD = STATES + 3 * WIDTH


def responses_of(filters: Tensor, cells: Tensor) -> Tensor:
    """(n, filters, cells): how like each filter (n, filters, d) is to each cell (n, cells, d), as a cosine; 0 for cells
    of zeros."""
    found: Tensor = normalize(filters, dim=2) @ normalize(cells, dim=2).transpose(1, 2)
    return found


class MocaStream(nn.Module):
    """A text, the screens and the actions before to what the step is told from."""

    def __init__(self, view: int, dropout: float) -> None:
        super().__init__()
        self.words = WordReader(dropout)
        self.attention = SoftAttention()
        self.look = nn.Linear(view, CELL, bias=False)
        self.filters = nn.Linear(STATES, FILTERS * CELL)
        self.screen = nn.Linear(FILTERS * CELLS, WIDTH)
        self.action = action_embedding()
        self.decoder = DecoderCell(STATES + 2 * WIDTH)
        self.drop = nn.Dropout(dropout)

    def forward(self, text: Tensor, earlier: Tensor, screens: Tensor, cells: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """`text` (n, 32, 8), the rest as `Moca` has it. Gives (n, 320), the words' weights (n, 32) and the cells'
        (n, 49): the response of the likest filter, 0 to 1."""
        states, there = self.words(text)
        steps = decoder_steps(earlier, screens, cells)
        state, weights, shown = begun(cells), there, cells[:, :, 0]
        told = states[:, 0]
        for place, view in enumerate(maps_of(self.look(screens), self.look(cells))):
            weights, attended = self.attention(state[0], states, there)
            filters = torch.tanh(self.filters(attended)).reshape(-1, FILTERS, CELL)
            responses = responses_of(filters, view)
            shown = torch.relu(responses.amax(1)).clamp(max=1)
            seen = torch.relu(self.screen(responses.flatten(1))) * steps.seen[:, place : place + 1]
            entering = torch.cat([attended, seen, self.action(steps.actions[:, place])], 1)
            state = self.decoder(entering, state, steps.run[:, place])
            told = torch.cat([state[0], entering], 1)
        return self.drop(told), weights, shown


class Moca(nn.Module):
    """See the module."""

    def __init__(self, sizes: VectorSizes, dropout: float = 0.2) -> None:
        super().__init__()
        self.policy, self.grounding = MocaStream(sizes.view, dropout), MocaStream(sizes.view, dropout)
        self.kind = nn.Linear(_TOLD, len(KINDS))
        self.element_type = nn.Linear(_TOLD, len(TYPES))
        self.box = nn.Sequential(nn.Linear(_TOLD, WIDTH), nn.ReLU(), nn.Linear(WIDTH, 4), nn.Sigmoid())

    def forward(
        self, goal: Tensor, instruction: Tensor, earlier: Tensor, screens: Tensor, cells: Tensor
    ) -> tuple[Tensor, ...]:
        """`goal`, `instruction` (n, 32, 8), `earlier` (n, 8), `screens` (n, 3, view), `cells` (n, 49, view).

        Gives logits of kinds (n, 19) and of element types (n, 12), the box's left, top, right and bottom (n, 4) in
        fractions of the screen, and of policy and grounding the words' weights (n, 2, 32) and the cells' (n, 2, 49).
        """
        low = torch.where(instruction[:, :1, :1] > 0, instruction, goal)
        act, act_words, act_cells = self.policy(goal, earlier, screens, cells)
        place, place_words, place_cells = self.grounding(low, earlier, screens, cells)
        middle, size = self.box(place).split(2, 1)
        box = torch.cat([middle - size / 2, middle + size / 2], 1).clamp(0, 1)
        words = torch.stack([act_words, place_words], 1)
        return self.kind(act), self.element_type(place), box, words, torch.stack([act_cells, place_cells], 1)
