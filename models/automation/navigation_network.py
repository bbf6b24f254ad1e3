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


class BothWays(nn.Module):
    """A bidirectional LSTM (n, words, 64) to (n, words, 128); both directions go on together, which makes half as many
    steps of it. What stands behind the last word changes nothing: the second direction begins at the last word.

    It is written out since torch's exporter makes a loop of `nn.LSTM`, and of two times 32 `nn.LSTMCell` a graph that
    takes it a minute.
    """

    def __init__(self) -> None:
        super().__init__()
        self.entering, self.kept = _drawn(2, WIDTH, 4 * WIDTH), _drawn(2, WIDTH, 4 * WIDTH)
        self.bias = _drawn(2, 1, 4 * WIDTH)

    def forward(self, words: Tensor, there: Tensor) -> Tensor:
        """`there` (n, words): 1 for each word, all of them before what is none."""
        turned = _turned(there).unsqueeze(2).expand(-1, -1, WIDTH)
        two = torch.stack([words, words.gather(1, turned)])
        gates = two @ self.entering.unsqueeze(1) + self.bias.unsqueeze(1)
        hidden = cell = torch.zeros_like(two[:, :, 0])
        found = []
        for entering in gates.unbind(2):
            let_in, keep, new, out = (entering + hidden @ self.kept).chunk(4, 2)
            cell = torch.sigmoid(keep) * cell + torch.sigmoid(let_in) * torch.tanh(new)
            hidden = torch.sigmoid(out) * torch.tanh(cell)
            found.append(hidden)
        onward, backward = torch.stack(found, 2).unbind(0)
        return torch.cat([onward, backward.gather(1, turned)], 2)


class WordReader(nn.Module):
    """Words to states in their sentence by a BiLSTM, its embeddings learned from scratch."""

    def __init__(self, dropout: float) -> None:
        super().__init__()
        self.piece = nn.Embedding(BUCKETS + 1, WIDTH, padding_idx=0)
        self.both_ways = BothWays()
        self.drop = nn.Dropout(dropout)

    def forward(self, pieces: Tensor) -> tuple[Tensor, Tensor]:
        """`pieces` (n, words, 8), 0 for none; gives states (n, words, 128) and which words are there (n, words)."""
        known = (pieces > 0).to(self.piece.weight.dtype)
        there = known[:, :, 0]
        spelled = self.piece(pieces).sum(2) / known.sum(2, keepdim=True).clamp(min=1).sqrt()
        states = self.both_ways(self.drop(spelled), there) * there.unsqueeze(2)
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


def _drawn(*shape: int) -> nn.Parameter:
    """Drawn as torch draws those of an LSTM."""
    return nn.Parameter(torch.empty(shape).uniform_(-(WIDTH**-0.5), WIDTH**-0.5))


def _turned(there: Tensor) -> Tensor:
    """(n, words): where each word stands when the sentence is read from its last word; padding stays where it is."""
    places = torch.arange(there.shape[1], device=there.device).unsqueeze(0)
    last = there.sum(1, keepdim=True).long() - 1
    return torch.where(places <= last, last - places, places)
