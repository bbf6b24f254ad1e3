"""What the networks of `seq2seq` and `moca` have in common: a BiLSTM over words, soft attention from a decoder's state,
and the steps that the decoder runs over.

Source: ALFRED (Shridhar et al. 2020) and MoTIF, section 5.1 (paper); sizes are ours.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn

from stepscope.models.automation.navigation_features import ACTIONS, CELLS, EARLIER, SCREENS
from stepscope.models.automation.seq2act_text import BUCKETS

WIDTH = 64
"""Numbers of a word, of an action, of a decoder's state, and of what is seen of a screen."""
STATES = 2 * WIDTH
"""Of a word in its sentence: both directions."""
_FAR = -1e4


class WordReader(nn.Module):
    """Words to states in their sentence by a BiLSTM, its embeddings learned from scratch. What stands behind the last
    word changes nothing: the second direction begins at the last word."""

    def __init__(self, dropout: float) -> None:
        super().__init__()
        self.piece = nn.Embedding(BUCKETS + 1, WIDTH, padding_idx=0)
        self.onward = nn.LSTM(WIDTH, WIDTH, batch_first=True)
        self.backward = nn.LSTM(WIDTH, WIDTH, batch_first=True)
        self.drop = nn.Dropout(dropout)

    def forward(self, pieces: Tensor) -> tuple[Tensor, Tensor]:
        """`pieces` (n, words, 8), 0 for none; gives states (n, words, 128) and which words are there (n, words)."""
        known = (pieces > 0).to(self.piece.weight.dtype)
        there = known[:, :, 0]
        spelled = self.piece(pieces).sum(2) / known.sum(2, keepdim=True).clamp(min=1).sqrt()
        spelled = self.drop(spelled)
        turned = _turned(there).unsqueeze(2).expand(-1, -1, WIDTH)
        first = self.onward(spelled)[0]
        second = self.backward(spelled.gather(1, turned))[0].gather(1, turned)
        states = torch.cat([first, second], 2) * there.unsqueeze(2)
        return self.drop(states), there


class SoftAttention(nn.Module):
    """The words' weights by a decoder's state before the step, and the sum of states by them."""

    def __init__(self) -> None:
        super().__init__()
        self.query = nn.Linear(WIDTH, STATES)

    def forward(self, before: Tensor, states: Tensor, there: Tensor) -> tuple[Tensor, Tensor]:
        """`before` (n, 64), `states` (n, words, 128), `there` (n, words); gives weights (n, words), which sum to 1, and
        (n, 128)."""
        scores = (states @ self.query(before).unsqueeze(2)).squeeze(2) / STATES**0.5
        weights = torch.softmax(scores + (1 - there) * _FAR, 1)
        return weights, (weights.unsqueeze(1) @ states).squeeze(1)


class DecoderSteps(NamedTuple):
    """What the decoder runs over, the step itself last: `actions` (n, 9) the action before each, `run` (n, 9) 1 for a
    step that there was, `seen` (n, 9) 1 for one whose screen is known."""

    actions: Tensor
    run: Tensor
    seen: Tensor


def decoder_steps(earlier: Tensor, screens: Tensor, cells: Tensor) -> DecoderSteps:
    """Of `earlier` (n, 8), `screens` (n, 3, view) and `cells` (n, 49, view)."""
    kind = screens.dtype
    first = torch.zeros_like(earlier[:, :1])
    run = torch.cat([(earlier > 0).to(kind), torch.ones_like(first).to(kind)], 1)
    unseen = torch.zeros_like(run[:, : EARLIER - SCREENS])
    known = torch.cat([screens.abs().sum(2), cells.abs().sum((1, 2)).unsqueeze(1)], 1)
    return DecoderSteps(torch.cat([first, earlier], 1), run, torch.cat([unseen, (known > 0).to(kind)], 1))


def maps_of(screens: Tensor, cells: Tensor) -> list[Tensor]:
    """The (n, 49, d) map of each step: an earlier one has its mean in every cell, one without a screen zeros."""
    blank = torch.zeros_like(cells)
    before = [screens[:, place : place + 1].expand(-1, CELLS, -1) for place in range(SCREENS)]
    return [*[blank] * (EARLIER - SCREENS), *before, cells]


class DecoderCell(nn.Module):
    """One LSTM step of a decoder, left out where there was no step."""

    def __init__(self, inputs: int) -> None:
        super().__init__()
        self.cell = nn.LSTMCell(inputs, WIDTH)

    def forward(self, told: Tensor, state: tuple[Tensor, Tensor], run: Tensor) -> tuple[Tensor, Tensor]:
        """`told` (n, inputs), `run` (n,); gives the state, each part (n, 64)."""
        hidden, kept = self.cell(told, state)
        share = run.unsqueeze(1)
        return share * hidden + (1 - share) * state[0], share * kept + (1 - share) * state[1]


def begun(cells: Tensor) -> tuple[Tensor, Tensor]:
    """The state before the first step, zeros (n, 64)."""
    empty = torch.zeros_like(cells[:, 0, :1]).expand(-1, WIDTH)
    return empty, empty


def action_embedding() -> nn.Embedding:
    """Of the action before, 0 for none."""
    return nn.Embedding(ACTIONS, WIDTH)


def _turned(there: Tensor) -> Tensor:
    """(n, words): where each word stands when the sentence is read from its last word; padding stays where it is."""
    places = torch.arange(there.shape[1], device=there.device).unsqueeze(0)
    last = there.sum(1, keepdim=True).long() - 1
    return torch.where(places <= last, last - places, places)
