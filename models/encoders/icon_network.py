"""The network that tells icons apart: a small convolutional one over 32 × 32 greys.

Liu et al. 2018 train one of 17 convolutions over 32 × 32 greys for 99 classes and take the layer before the classes as
the icon's vector, and MoTIF takes those of it (section 4.1; paper). This one has six convolutions (ours): there are
fewer kinds to tell apart, and it is to be trained on a processor.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

SIDE = 32
"""Pixels (Liu et al. 2018)."""
SIZE = 128
"""Numbers of an icon's vector (ours)."""
_WIDTHS = (24, 48, 96)
_GREY = (0.299, 0.587, 0.114)
"""Shares of red, green and blue in a grey (ITU-R BT.601)."""


class IconNetwork(nn.Module):
    """Pictures of n × 32 × 32 × 3 bytes to the vectors before the classes (n, 128) and the classes' logits (n, c).
    `mean` and `deviation` are of the greys, 0..1, that it was trained on."""

    grey: Tensor

    def __init__(self, classes: int, mean: float, deviation: float) -> None:
        super().__init__()
        self.mean, self.deviation = mean, deviation
        self.register_buffer("grey", torch.tensor(_GREY), persistent=False)
        layers: list[nn.Module] = []
        before = 1
        for width in _WIDTHS:
            layers += [*_convolution(before, width), *_convolution(width, width), nn.MaxPool2d(2)]
            before = width
        self.convolutions = nn.Sequential(*layers)
        self.vector = nn.Linear(before * (SIDE // 2 ** len(_WIDTHS)) ** 2, SIZE)
        self.classes = nn.Linear(SIZE, classes)

    def forward(self, pixels: Tensor) -> tuple[Tensor, Tensor]:
        return self.of_greys(self.greys(pixels))

    def greys(self, pixels: Tensor) -> Tensor:
        """(n, 32, 32), 0..1."""
        return (pixels.float() * self.grey).sum(3) / 255

    def of_greys(self, greys: Tensor) -> tuple[Tensor, Tensor]:
        found = self.convolutions(((greys - self.mean) / self.deviation).unsqueeze(1))
        vector = torch.relu(self.vector(found.flatten(1)))
        return vector, self.classes(vector)


def _convolution(before: int, after: int) -> tuple[nn.Module, ...]:
    return nn.Conv2d(before, after, 3, padding=1, bias=False), nn.BatchNorm2d(after), nn.ReLU()
