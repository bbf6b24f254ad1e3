"""The most likely order under a recurrent pointer, by a beam or exactly.

A beam keeps the most likely beginnings of each procedure at every place (Wu et al. 2022 use 64). The exact search goes
through all beginnings that are not yet less likely than the best whole order known: the chance of a beginning only
falls as it grows, so nothing better is lost (ours). Of equal orders the first by places.
"""

from __future__ import annotations

import torch
from torch import Tensor

from stepscope.models.ordering.berson_decoder import BersonDecoder, Course, OrderMemory

BEAM = 64
EXACT = 9
"""The most steps that are searched exactly."""
_AT_ONCE = 4096
"""Beginnings that are computed at once."""
_NONE = -1


def beam(decoder: BersonDecoder, memory: OrderMemory, width: int = BEAM) -> tuple[Tensor, Tensor]:
    """Orders (n, s), −1 behind their end, and the logs of their chances (n,)."""
    parts = max(1, _AT_ONCE // max(1, width))
    found = [_beam(decoder, memory.rows(at), width) for at in _parts(len(memory.mask), parts, memory.mask)]
    if not found:
        return memory.mask.long(), memory.mask.new_zeros(0)
    return torch.cat([one for one, _ in found]), torch.cat([one for _, one in found])


def exact(decoder: BersonDecoder, memory: OrderMemory) -> tuple[Tensor, Tensor]:
    """The same, sure of it up to EXACT steps; above by a beam."""
    orders, chances = beam(decoder, memory)
    counts = memory.mask.sum(1).long()
    for row in range(len(orders)):
        if 1 < int(counts[row]) <= EXACT:
            one = memory.rows(torch.tensor([row], device=orders.device))
            order, chance = _exact(decoder, one, int(counts[row]), float(chances[row]))
            if order is not None:
                orders[row], chances[row] = order, chance
    return orders, chances


def _beam(decoder: BersonDecoder, memory: OrderMemory, width: int) -> tuple[Tensor, Tensor]:
    count, size = memory.mask.shape
    counts = memory.mask.sum(1).long()
    whole = torch.arange(count, device=memory.mask.device)
    orders = torch.full((count, 1, size), _NONE, dtype=torch.long, device=memory.mask.device)
    chances = memory.hidden.new_zeros(count, 1)
    course = decoder.course(memory)
    beams = memory
    for place in range(size):
        held = chances.shape[1]
        nexts = decoder.chances(beams, course).reshape(count, held, size)
        free = course.remaining.reshape(count, held, size)
        ended = (counts <= place).view(-1, 1, 1)
        # Where the procedure has ended its beginnings stay as they are, in the column of the first step.
        stays = torch.where(torch.arange(size, device=free.device) == 0, 0.0, -torch.inf)
        total = chances.unsqueeze(2) + torch.where(ended, stays, nexts.masked_fill(~free, -torch.inf))
        kept = min(width, held * size)
        best = total.flatten(1).sort(dim=1, descending=True, stable=True)
        chances, at = best.values[:, :kept], best.indices[:, :kept]
        came, chosen = at // size, at % size
        orders = orders.gather(1, came.unsqueeze(2).expand(-1, -1, size)).clone()
        orders[:, :, place] = torch.where(ended.squeeze(2), _NONE, chosen)
        rows = (whole.unsqueeze(1) * held + came).flatten()
        beams = memory.rows(whole.repeat_interleave(kept))
        course = decoder.taken(beams, _rows(course, rows), chosen.flatten())
    return orders[:, 0], chances[:, 0]


def _exact(decoder: BersonDecoder, memory: OrderMemory, count: int, bound: float) -> tuple[Tensor | None, float]:
    """The most likely order of one procedure that is likelier than `bound`, None where there is none: depth first, the
    likeliest beginnings of each place first."""
    size = memory.mask.shape[1]
    best: Tensor | None = None
    first = torch.full((1, size), _NONE, dtype=torch.long, device=memory.mask.device)
    waiting = [(0, first, memory.hidden.new_zeros(1), decoder.course(memory))]
    while waiting:
        place, orders, chances, course = waiting.pop()
        here = memory.rows(torch.zeros(len(orders), dtype=torch.long, device=orders.device))
        total = chances.unsqueeze(1) + decoder.chances(here, course)
        total = total.masked_fill(~course.remaining, -torch.inf)
        rows, columns = torch.where(total > bound)
        if not len(rows):
            continue
        values = total[rows, columns]
        sure = values.sort(descending=True, stable=True)
        rows, columns, values = rows[sure.indices], columns[sure.indices], sure.values
        if place + 1 == count:
            bound = float(values[0])
            best = orders[rows[0]].clone()
            best[place] = columns[0]
            continue
        grown = orders[rows].clone()
        grown[:, place] = columns
        nexts = decoder.taken(memory.rows(torch.zeros_like(rows)), _rows(course, rows), columns)
        parts = reversed(_parts(len(rows), _AT_ONCE, rows))
        waiting += [(place + 1, grown[part], values[part], _rows(nexts, part)) for part in parts]
    return best, bound


def _parts(count: int, most: int, like: Tensor) -> list[Tensor]:
    """The places of so many rows, `most` at a time."""
    return [torch.arange(at, min(count, at + most), device=like.device) for at in range(0, count, most)]


def _rows(course: Course, rows: Tensor) -> Course:
    return Course(
        course.hidden[rows], course.cell[rows], course.last[rows], course.before_last[rows], course.remaining[rows]
    )
