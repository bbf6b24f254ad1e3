"""What the ordering network learns from: every pair's order, and at every place the step that comes next."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from stepscope.models.ordering.network import FAR


def loss(before: Tensor, follows: Tensor, weight: Tensor, order: Tensor) -> Tensor:
    """`before` (n, s, s), `follows` (n, s + 1, s), `weight` (n,), `order` (n, s) places in the true order, −1 behind.

    The mean binary cross entropy of the pairs plus that of the pointer under the true beginning.
    """
    size = order.shape[1]
    there = order >= 0
    place = order.clamp(min=0)
    rows = torch.arange(order.shape[0], device=order.device)
    # In the true order: ordered[b, t, u] is about the t-th and the u-th step.
    ordered = before[rows[:, None, None], place[:, :, None], place[:, None, :]]
    later = torch.triu(torch.ones(size, size, device=order.device), diagonal=1)
    pairs = later * there[:, :, None] * there[:, None, :]
    relation = (nn.functional.softplus(-ordered) * pairs).sum() / pairs.sum().clamp(min=1)
    last = torch.cat([torch.full_like(place[:, :1], size), place[:, :-1]], dim=1)
    following = follows[rows[:, None, None], last[:, :, None], place[:, None, :]]
    # What remains at place t: the steps from t on.
    left = (torch.triu(torch.ones(size, size, device=order.device)) * there[:, None, :]).bool()
    count = left.sum(dim=2, keepdim=True)
    others = left.float() @ ordered.transpose(1, 2)
    score = following + weight[:, None, None] * others / (count - 1).clamp(min=1)
    chances = torch.log_softmax(torch.where(left, score, torch.full_like(score, FAR)), dim=2)
    chosen = torch.diagonal(chances, dim1=1, dim2=2)
    pointer = -(chosen * there).sum() / there.sum().clamp(min=1)
    return relation + pointer
