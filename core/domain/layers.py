"""Layers: what a person shows and hides as one over a screen. Marks (`mark.py`) lie in layers; a window that shows no
step yet has layers and no marks."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from stepscope.core.errors import UsageError
from stepscope.core.frozen import dataclass

RUN_LETTERS = "ABCDEFGH"
"""At most eight runs are shown over one screen."""


class Layer(StrEnum):
    """The marks that a person shows and hides as one; in drawing order from the bottom up."""

    SALIENCY = "saliency"
    ATTENTION = "attention"
    TREE = "tree"
    DIFF = "diff"
    TOLERANCE = "tolerance"
    TARGET = "target"
    LABELS = "labels"
    NUMBERS = "numbers"
    AFFORDANCE = "affordance"
    EVIDENCE = "evidence"
    REFERENCE = "reference"
    RUN_A = "A"
    RUN_B = "B"
    RUN_C = "C"
    RUN_D = "D"
    RUN_E = "E"
    RUN_F = "F"
    RUN_G = "G"
    RUN_H = "H"

    @property
    def run(self) -> int | None:
        """0 for run A … 7 for run H, None for a layer that is no run's."""
        return RUN_LETTERS.index(self.value) if self.value in RUN_LETTERS else None


def run_layer(index: int) -> Layer:
    """The layer of run 0 (A) … 7 (H)."""
    if not 0 <= index < len(RUN_LETTERS):
        raise ValueError(f"runs are numbered 0 to {len(RUN_LETTERS) - 1}, not {index}")
    return Layer(RUN_LETTERS[index])


@dataclass(frozen=True, slots=True)
class Layers:
    """The layers that are shown."""

    shown: frozenset[Layer]

    @classmethod
    def of(cls, *layers: Layer) -> Layers:
        return cls(frozenset(layers))

    @classmethod
    def all(cls) -> Layers:
        return cls(frozenset(Layer))

    def __contains__(self, layer: Layer) -> bool:
        return layer in self.shown

    def without(self, layer: Layer) -> Layers:
        return Layers(self.shown - {layer})

    def toggled(self, layer: Layer) -> Layers:
        return Layers(self.shown ^ {layer})


DEFAULT_LAYERS = Layers(
    frozenset(Layer) - {Layer.SALIENCY, Layer.ATTENTION, Layer.TREE, Layer.DIFF, Layer.LABELS, Layer.NUMBERS}
)

_NAMES: dict[str, frozenset[Layer]] = {
    "gold": frozenset({Layer.REFERENCE, Layer.TARGET}),
    "pred": frozenset(layer for layer in Layer if layer.run is not None),
    **{layer.value: frozenset({layer}) for layer in Layer},
}


def layers_named(names: Iterable[str]) -> Layers:
    """Layers by the names of the command line: `gold`, `pred`, or a layer's own. Raises UsageError for another."""
    found: frozenset[Layer] = frozenset()
    for name in names:
        if name not in _NAMES:
            raise UsageError(f"There is no layer {name!r}.", hint=f"Choose from {', '.join(_NAMES)}.")
        found |= _NAMES[name]
    return Layers(found)
