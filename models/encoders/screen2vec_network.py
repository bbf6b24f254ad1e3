"""The networks of Screen2Vec (Li et al. 2021) with the sizes of the released code (code): components, layout, screen.

A component is a linear layer over its text's vector and a class embedding of 6; a layout the 64 numbers in the middle
of an autoencoder; a screen a linear layer over the last state of an RNN along its components, each with its place, and
the layout. The text's vector comes from outside.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from stepscope.models.encoders.screen2vec_inputs import CLASSES, LAYOUT, NEIGHBOURS, PLACE

CLASS_SIZE, LAYOUT_SIZE = 6, 64
"""Numbers of a class and of a layout (code)."""
_TEMPERATURE = 0.1
"""Of the likeness among a batch's screens (ours)."""


class Screen2VecNetwork(nn.Module):
    """What is kept of a training: screens to vectors of `text_size` numbers."""

    def __init__(self, text_size: int, layout_widths: tuple[int, int]) -> None:
        super().__init__()
        self.classes = nn.Embedding(len(CLASSES), CLASS_SIZE)
        self.component = nn.Linear(text_size + CLASS_SIZE, text_size)
        wide, narrow = layout_widths
        self.layout = nn.Sequential(
            nn.Linear(LAYOUT, wide), nn.ReLU(), nn.Linear(wide, narrow), nn.ReLU(), nn.Linear(narrow, LAYOUT_SIZE)
        )
        self.along = nn.RNN(text_size + PLACE, text_size, batch_first=True)
        self.screen = nn.Linear(text_size + LAYOUT_SIZE, text_size)

    def forward(self, texts: Tensor, classes: Tensor, places: Tensor, lengths: Tensor, layouts: Tensor) -> Tensor:
        """`texts` (n, c, t), `classes` (n, c), `places` (n, c, 4), `lengths` (n,) from 1 on, `layouts` (n, 11200) to
        (n, t)."""
        return self.joined(self.components(texts, classes), places, lengths, self.layout(layouts))

    def components(self, texts: Tensor, classes: Tensor) -> Tensor:
        """(n, c, t)."""
        found: Tensor = self.component(torch.cat([texts, self.classes(classes)], 2))
        return found

    def joined(self, components: Tensor, places: Tensor, lengths: Tensor, layouts: Tensor) -> Tensor:
        """A screen of its components and layout."""
        states = self.along(torch.cat([components, places], 2))[0]
        last = states[torch.arange(len(states), device=states.device), lengths - 1]
        found: Tensor = self.screen(torch.cat([last, layouts], 1))
        return found


class Screen2VecTraining(nn.Module):
    """The network and what it is taught by: a component is told from its neighbours, a layout is drawn again, the next
    screen is told from the one before."""

    def __init__(self, text_size: int, layout_widths: tuple[int, int]) -> None:
        super().__init__()
        self.network = Screen2VecNetwork(text_size, layout_widths)
        self.told = nn.Linear(NEIGHBOURS * text_size, text_size + CLASS_SIZE)
        wide, narrow = layout_widths
        self.drawn = nn.Sequential(
            nn.Linear(LAYOUT_SIZE, narrow), nn.ReLU(), nn.Linear(narrow, wide), nn.ReLU(), nn.Linear(wide, LAYOUT)
        )
        self.following = nn.Linear(text_size, text_size)

    def component_loss(
        self, components: Tensor, nearest: Tensor, known: Tensor, text: Tensor, vocabulary: Tensor, classes: Tensor
    ) -> Tensor:
        """`nearest` (n, c, 16) with -1 for none, `known` (n, c) where a component is, `text` (n, c) as places in the
        batch's `vocabulary` (v, t) with -1 for none, `classes` (n, c). Cross entropy over texts and over classes."""
        count, length, size = components.shape
        rows = torch.arange(count, device=components.device)[:, None, None]
        near = components[rows, nearest.clamp(min=0)] * (nearest >= 0).unsqueeze(3)
        told = self.told(near.reshape(count, length, NEIGHBOURS * size))[known]
        loss = functional.cross_entropy(told[:, size:] @ self.network.classes.weight.T, classes[known])
        if (text[known] >= 0).any():
            loss = loss + functional.cross_entropy(told[:, :size] @ vocabulary.T, text[known], ignore_index=-1)
        return loss

    def layout_loss(self, layouts: Tensor, codes: Tensor) -> Tensor:
        """Mean square of the difference."""
        return functional.mse_loss(self.drawn(codes), layouts)

    def screen_loss(self, before: Tensor, after: Tensor) -> Tensor:
        """Each screen (n, t) is to be told from the one before among all of the batch."""
        told = functional.normalize(self.following(before), dim=1)
        likeness = told @ functional.normalize(after, dim=1).T / _TEMPERATURE
        return functional.cross_entropy(likeness, torch.arange(len(before), device=before.device))
