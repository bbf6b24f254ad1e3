"""The decoder BERSON: a recurrent pointer over the steps that remain, by pairwise relations and global self attention.

Source: Cui et al. 2020 (paper), used for sequencing by Wu et al. 2022, section 4.3: the first token's state of each
ordered pair tells their relation, here with what was read of both steps beside it (ours: of an encoder that was trained
by the mean of its states, as MiniLM, the first token is all but the same for every pair); steps look at one another
without positions; a recurrent network keeps what was chosen; and a candidate is judged with its relations to the last
two chosen steps and to the steps that would follow it.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from stepscope.core.frozen import dataclass

FAR = -1e4
"""The logit of what cannot be."""
_HEADS, _LAYERS = 4, 2


@dataclass(frozen=True, slots=True)
class OrderMemory:
    """What is looked at while an order is found, of n procedures of up to s steps: `steps` (n, s, d), `relations` (n,
    s, s, r) of row before column, `before` (n, s, s) their logits, `mask` (n, s) 1 where there is a step, `hidden` (n,
    d) the state before the first choice, `attention` (n, s, s) how much row's step looked at column's, the mean over
    heads and layers; zeros while it learns."""

    steps: Tensor
    relations: Tensor
    before: Tensor
    mask: Tensor
    hidden: Tensor
    attention: Tensor

    def rows(self, at: Tensor) -> OrderMemory:
        """The memory of these procedures, each as often as it is named."""
        parts = self.steps, self.relations, self.before, self.mask, self.hidden, self.attention
        return OrderMemory(*(one[at] for one in parts))


@dataclass(frozen=True, slots=True)
class Course:
    """Beginnings of orders, one a row: the recurrent network's state, the last two chosen steps (r,), −1 for none, and
    which steps remain (r, s)."""

    hidden: Tensor
    cell: Tensor
    last: Tensor
    before_last: Tensor
    remaining: Tensor


class BersonDecoder(nn.Module):
    """`chances` are asked for again and again; what they are of stands in a `OrderMemory`."""

    def __init__(self, width: int, size: int = 128, relation: int = 64, dropout: float = 0.1) -> None:
        super().__init__()
        self.size = size
        self.drop = nn.Dropout(dropout)
        self.relate = nn.Sequential(nn.Linear(3 * width, relation), nn.Tanh())
        self.relation = relation
        self.classify = nn.Linear(relation, 1)
        self.weigh = nn.Linear(width, 1)
        self.narrow = nn.Linear(width, size)
        layer = nn.TransformerEncoderLayer(size, _HEADS, 2 * size, dropout, batch_first=True)
        self.mix = nn.TransformerEncoder(layer, _LAYERS, enable_nested_tensor=False)
        self.begin = nn.Linear(size, size)
        self.start = nn.Parameter(torch.zeros(size))
        self.cell = nn.LSTMCell(size, size)
        self.query = nn.Linear(size, size)
        self.key = nn.Linear(size, size, bias=False)
        self.related = nn.Linear(3 * (relation + 1), size, bias=False)
        self.energy = nn.Linear(size, 1, bias=False)

    def relations(self, pairs: Tensor) -> Tensor:
        """The relations (…, relation) of ordered pairs (…, 3 · width): the first token's state, what was read of the
        first step, and of the second."""
        found: Tensor = self.relate(self.drop(pairs))
        return found

    def memory(self, relations: Tensor, own: Tensor, mask: Tensor) -> OrderMemory:
        """`relations` (n, s, s, relation) of row's step followed by column's, `own` (n, s, s, width) what was read of
        row's step beside column's, `mask` (n, s)."""
        before: Tensor = self.classify(relations).squeeze(3)
        steps = mask.shape[1]
        beside = mask.unsqueeze(1) * mask.unsqueeze(2)
        beside = beside * (1 - torch.eye(steps, device=mask.device))
        alone = (mask.sum(1) < 2).to(mask.dtype).view(-1, 1, 1) * torch.eye(steps, device=mask.device)
        weight = self.weigh(own).squeeze(3).masked_fill(beside + alone == 0, FAR).softmax(2)
        found = self.drop(torch.tanh(self.narrow((weight.unsqueeze(3) * own).sum(2)))) * mask.unsqueeze(2)
        # As numbers, not as a key mask alone: a procedure without any step must not become a number over zero.
        hidden = mask == 0
        hidden = hidden & (mask.sum(1, keepdim=True) > 0)
        if self.training:
            found, attention = self.mix(found, src_key_padding_mask=hidden), torch.zeros_like(before)
        else:
            found, attention = attended(self.mix, found, hidden)
        found = found * mask.unsqueeze(2)
        mean = found.sum(1) / mask.sum(1, keepdim=True).clamp(min=1)
        return OrderMemory(found, relations, before, mask, torch.tanh(self.begin(mean)), attention)

    def course(self, memory: OrderMemory) -> Course:
        """The beginning of every procedure: nothing is chosen."""
        count = len(memory.mask)
        entered = self.start.expand(count, -1)
        hidden, cell = self.cell(entered, (memory.hidden, torch.zeros_like(memory.hidden)))
        none = torch.full((count,), -1, dtype=torch.long, device=memory.mask.device)
        return Course(hidden, cell, none, none, memory.mask > 0)

    def chances(self, memory: OrderMemory, course: Course) -> Tensor:
        """Logs of the chances of every step to come next (r, s)."""
        rows = torch.arange(len(course.last), device=course.last.device)
        told = torch.cat([memory.relations, torch.sigmoid(memory.before).unsqueeze(3)], 3)
        past = [_of_last(told, rows, one) for one in (course.last, course.before_last)]
        size = told.shape[1]
        others = course.remaining.unsqueeze(1) & ~torch.eye(size, dtype=torch.bool, device=told.device)
        share = others.to(told.dtype)
        share = share / share.sum(2, keepdim=True).clamp(min=1)
        future = torch.einsum("njk,njkr->njr", share, told)
        keys = self.key(memory.steps) + self.related(torch.cat([*past, future], 2))
        energy = self.energy(torch.tanh(keys + self.query(course.hidden).unsqueeze(1))).squeeze(2)
        found: Tensor = energy.masked_fill(~course.remaining, FAR).log_softmax(1)
        return found

    def taken(self, memory: OrderMemory, course: Course, chosen: Tensor) -> Course:
        """The beginnings with one step more each, `chosen` (r,)."""
        rows = torch.arange(len(chosen), device=chosen.device)
        hidden, cell = self.cell(memory.steps[rows, chosen], (course.hidden, course.cell))
        remaining = course.remaining.clone()
        remaining[rows, chosen] = False
        return Course(hidden, cell, chosen, course.last, remaining)

    def log_chance(self, memory: OrderMemory, order: Tensor) -> Tensor:
        """The logs of the chances of whole orders (n,); `order` (n, s) places, −1 behind their end."""
        course = self.course(memory)
        total = memory.hidden.new_zeros(len(order))
        for place in range(order.shape[1]):
            chosen, there = order[:, place].clamp(min=0), order[:, place] >= 0
            chance = self.chances(memory, course).gather(1, chosen.unsqueeze(1)).squeeze(1)
            total = total + torch.where(there, chance, torch.zeros_like(chance))
            course = self.taken(memory, course, chosen)
        return total


def attended(mix: nn.TransformerEncoder, found: Tensor, hidden: Tensor) -> tuple[Tensor, Tensor]:
    """What the layers make of steps (n, s, d), as they do outside of learning, and how much each looked at each (n, s,
    s): the mean over heads and layers, 0 towards a step that there is not (`hidden` (n, s))."""
    weights = []
    for layer in mix.layers:
        assert isinstance(layer, nn.TransformerEncoderLayer)
        read, looked = layer.self_attn(found, found, found, key_padding_mask=hidden, need_weights=True)
        found = layer.norm1(found + read)
        found = layer.norm2(found + layer.linear2(layer.activation(layer.linear1(found))))
        weights.append(looked)
    return found, torch.stack(weights).mean(0)


def _of_last(told: Tensor, rows: Tensor, last: Tensor) -> Tensor:
    """Relations of a chosen step to all (r, s, k); zeros where there is none."""
    found = told[rows, last.clamp(min=0)]
    return found * (last >= 0).to(told.dtype).view(-1, 1, 1)


def relation_loss(before: Tensor, order: Tensor) -> Tensor:
    """The mean binary cross entropy of each procedure's ordered pairs (n,); `before` (n, s, s), `order` (n, s) places,
    −1 behind the end."""
    there = order >= 0
    place = order.clamp(min=0)
    rows = torch.arange(len(order), device=order.device)[:, None, None]
    ordered = before[rows, place[:, :, None], place[:, None, :]]
    size = order.shape[1]
    sooner = torch.triu(torch.ones(size, size, device=order.device), 1)
    pairs = there[:, :, None] & there[:, None, :] & ~torch.eye(size, dtype=torch.bool, device=order.device)
    found = nn.functional.binary_cross_entropy_with_logits(ordered, sooner.expand_as(ordered), reduction="none")
    return (found * pairs).sum((1, 2)) / pairs.sum((1, 2)).clamp(min=1)
