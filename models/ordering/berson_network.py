"""The network of `berson`: the step encoder over every ordered pair of steps, the decoder over what it read.

Source: Wu et al. 2022, section 4 (paper). A step is what was read of it beside every other, weighed (after Cui et al.
2020); what belongs to it are its words and its patches, in equal parts where it has both (ours).
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from stepscope.models.ordering.berson_decoder import BersonDecoder, OrderMemory, relation_loss
from stepscope.models.ordering.berson_search import BEAM, beam, exact
from stepscope.models.ordering.search_choice import ALL_ORDERS
from stepscope.models.ordering.step_encoder import MOST_STEPS, Rows, States, StepEncoder, shown_places

_PAIRS_AT_ONCE = 64
"""Pairs that are read at once: those of like length together, which wants little padding."""
_LOOKED_AT = 8
"""The beam while it is only looked how far a training is."""


class BersonOrdering(nn.Module):
    """Told the right order it gives the losses of the relations and of the pointer (n,), else zeros; behind these,
    while it is not learning, the logits of row before column (n, s, s), the order that it finds (n, s), −1 behind its
    end, the log of its chance (n,), and how much row's step looked at column's (n, s, s). Of a longer procedure it
    learns from MOST_STEPS steps, others each time (the paper's have no more, section 5.2; drawing them is ours)."""

    def __init__(self, encoder: StepEncoder, *, words: bool = True, dropped: float = 0.0) -> None:
        """`dropped`: the chance that it learns from a procedure without its words."""
        super().__init__()
        self.encoder, self.words, self.dropped = encoder, words, dropped
        self.decoder = BersonDecoder(encoder.width)

    def forward(
        self,
        ids: Tensor,
        lengths: Tensor,
        patches: Tensor,
        seen: Tensor,
        search: Tensor,
        order: Tensor | None = None,
    ) -> tuple[Tensor, ...]:
        """`ids` (n, s, tokens) with special tokens at both ends, `lengths` (n, s) how many there are, 0 for no step;
        `patches` (n, s, places, size), or pictures (n, s, height, width, 3) bytes, `seen` (n, s) how many of its
        places there are; `search` (n,) the width of the beam, 0 the usual one, ALL_ORDERS for the exact search; `order`
        (n, s) places, −1 behind the end."""
        if self.training and order is not None:
            given, order = _drawn((ids, lengths, patches, seen), order)
            if self.dropped:
                given = (*_some_without_words(given[0], given[1], self.dropped), *given[2:])
            return self._losses(self.memory(*given), order)
        memory = self.memory(ids, lengths, patches, seen)
        none = memory.hidden.new_zeros(len(ids))
        losses = (none, none) if order is None else self._losses(memory, order)
        orders, chances = self.orders(memory, _LOOKED_AT if order is not None else _searched(search))
        return *losses, memory.before, orders, chances, memory.attention

    def _losses(self, memory: OrderMemory, order: Tensor) -> tuple[Tensor, Tensor]:
        steps = (order >= 0).sum(1).clamp(min=1)
        return relation_loss(memory.before, order), -self.decoder.log_chance(memory, order) / steps

    def orders(self, memory: OrderMemory, width: int) -> tuple[Tensor, Tensor]:
        """The orders by a beam of that width, or by the exact search."""
        return exact(self.decoder, memory) if width == ALL_ORDERS else beam(self.decoder, memory, width)

    def memory(self, ids: Tensor, lengths: Tensor, patches: Tensor, seen: Tensor) -> OrderMemory:
        """All pairs, read and related; arguments as those of `forward`."""
        if not self.words:
            ids, lengths = _without_words(ids, lengths)
        mask = (lengths > 0).float()
        count, size = mask.shape
        pictures = self.encoder.places(patches) if self.encoder.view_size else None
        apart = ~torch.eye(size, dtype=torch.bool, device=ids.device)
        row, first, second = torch.where((mask.unsqueeze(2) * mask.unsqueeze(1) > 0) & apart)
        by_length = (lengths[row, first] + lengths[row, second]).argsort(stable=True)
        row, first, second = row[by_length], first[by_length], second[by_length]
        width = self.encoder.width
        relations = mask.new_zeros(count, size, size, self.decoder.relation)
        own = mask.new_zeros(count, size, size, width)
        for part in (slice(at, at + _PAIRS_AT_ONCE) for at in range(0, len(row), _PAIRS_AT_ONCE)):
            pair = torch.stack([first[part], second[part]], 1)
            at = row[part].unsqueeze(1)
            given = Rows(ids[at, pair], lengths[at, pair], None if pictures is None else pictures[at, pair],
                         seen[at, pair])  # fmt: skip
            states = self.encoder(given)
            place = (row[part], first[part], second[part])
            beside = (row[part], second[part], first[part])
            read, other = _of_step(states, given, 0), _of_step(states, given, 1)
            related = self.decoder.relations(torch.cat([states.whole, read, other], 1))
            relations = relations.index_put(place, related.to(relations.dtype))
            own = own.index_put(place, read.to(own.dtype) / 2, accumulate=True)
            own = own.index_put(beside, other.to(own.dtype) / 2, accumulate=True)
        return self.decoder.memory(relations, own, mask)


def _of_step(states: States, rows: Rows, step: int) -> Tensor:
    """The mean of what was read of the first or the second step (r, d): of its words, of its patches, of both."""
    there = (states.step_of == step).to(states.tokens.dtype).unsqueeze(2)
    words: Tensor = (states.tokens * there).sum(1) / there.sum(1).clamp(min=1)
    if states.patches is None or rows.seen is None:
        return words
    places = shown_places(rows, states.patches.shape[2])[:, step].to(words.dtype).unsqueeze(2)
    count = places.sum(1)
    seen = (states.patches[:, step] * places).sum(1) / count.clamp(min=1)
    found: Tensor = (words + seen) / (1 + (count > 0).to(words.dtype))
    return found


def _without_words(ids: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
    """Only the special tokens at both ends of each step."""
    last = (lengths - 1).clamp(min=0)
    kept = torch.stack([ids[:, :, 0], ids.gather(2, last.unsqueeze(2)).squeeze(2)], 2)
    return kept, lengths.clamp(max=2)


def _some_without_words(ids: Tensor, lengths: Tensor, chance: float) -> tuple[Tensor, Tensor]:
    """The same where of some procedures, each with that chance, only the special tokens are left."""
    bare, short = _without_words(ids, lengths)
    bare = nn.functional.pad(bare, (0, ids.shape[2] - bare.shape[2]))
    chosen = (torch.rand(len(ids)) < chance).to(ids.device)
    return torch.where(chosen[:, None, None], bare, ids), torch.where(chosen[:, None], short, lengths)


def _drawn(given: tuple[Tensor, ...], order: Tensor) -> tuple[tuple[Tensor, ...], Tensor]:
    """So many steps of each procedure as are learned from at once, in the right order, and that order as places."""
    if order.shape[1] <= MOST_STEPS:
        return given, order
    counts = (order >= 0).sum(1)
    chosen = torch.full((len(order), MOST_STEPS), -1, dtype=torch.long)
    for row, count in enumerate(counts.tolist()):
        places = torch.randperm(count)[:MOST_STEPS].sort().values
        chosen[row, : len(places)] = places
    chosen = chosen.to(order.device)
    there, rows = chosen >= 0, torch.arange(len(order), device=order.device).unsqueeze(1)
    at = order[rows, chosen.clamp(min=0)].clamp(min=0)
    ids, lengths, patches, seen = (one[rows, at] for one in given)
    places = torch.arange(MOST_STEPS, device=order.device).expand_as(chosen)
    return (ids, lengths * there, patches, seen * there), torch.where(there, places, chosen)


def _searched(search: Tensor) -> int:
    """The one search that a batch asks for."""
    return int(search.flatten()[0]) or BEAM if search.numel() else BEAM
