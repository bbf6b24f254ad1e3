"""How a checkpoint is fine-tuned by LoRA: the settings, and what is learned from. No library is loaded here.

Source: Hu et al. 2021 (LoRA); rank, batch, rate and epochs as usual here are those of Navi-plus, appendix E.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from stepscope.core.errors import UsageError
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.option import Option, OptionValue

MOST_RANK, MOST_BATCH, MOST_MOVES = 1024, 4096, 1_000_000


@dataclass(frozen=True, slots=True)
class LoraSettings:
    """`alpha` over `rank` is what the adapter's product is multiplied by; 0: twice the rank. `batch` examples are
    learned from one after the other before the weights move. `warmup` is the share of all moves in which the rate
    rises; it falls to 0 as half a cosine. `vision`: layers that look at pictures learn too. `keep_every`: after so many
    moves the state is kept, and at the end of an epoch. `snapshots`: after so many moves, and after the last, the
    adapter of that moment is kept for good (see `snapshots`); 0: none.

    Raises UsageError for a number that cannot be.
    """

    rank: int = 64
    alpha: int = 0
    dropout: float = 0.05
    rate: float = 2e-4
    batch: int = 64
    epochs: int = 1
    warmup: float = 0.03
    clip: float = 1.0
    vision: bool = False
    seed: int = 0
    keep_every: int = 200
    snapshots: int = 0

    def __post_init__(self) -> None:
        for name, value, low, high in (
            ("rank", self.rank, 1, MOST_RANK), ("alpha", self.alpha, 0, 2 * MOST_RANK),
            ("batch", self.batch, 1, MOST_BATCH), ("epochs", self.epochs, 1, 1000), ("dropout", self.dropout, 0, 0.9),
            ("warmup", self.warmup, 0, 1), ("keep_every", self.keep_every, 1, MOST_MOVES),
            ("snapshots", self.snapshots, 0, MOST_MOVES),
        ):  # fmt: skip
            if not low <= value <= high:
                raise UsageError(f"{name} cannot be {value}.", hint=f"Give {low} to {high:g}.")
        if not 0 < self.rate <= 1:
            raise UsageError(f"rate cannot be {self.rate:g}.", hint="Give more than 0, and at most 1.")

    @classmethod
    def of(cls, values: Mapping[str, OptionValue], seed: int = 0) -> LoraSettings:
        """Of values by the names of OPTIONS."""
        given: dict[str, Any] = dict(values)
        return cls(**given | {"vision": bool(given.get("vision", 0))}, seed=seed)

    @property
    def scale(self) -> int:
        """alpha as it is used."""
        return self.alpha or 2 * self.rank

    def moves(self, examples: int) -> int:
        """How often the weights move over all epochs; the last batch of an epoch may be smaller."""
        return self.epochs * -(-examples // self.batch)

    def taken(self, moves: int, examples: int) -> int:
        """How many examples so many moves go through, one of a later epoch counted again."""
        epochs, rest = divmod(moves, -(-examples // self.batch))
        return epochs * examples + min(rest * self.batch, examples)

    def snapshot_moves(self, examples: int) -> tuple[int, ...]:
        """After which moves a snapshot is kept; none where none is wanted."""
        if not self.snapshots:
            return ()
        last = self.moves(examples)
        return (*range(self.snapshots, last, self.snapshots), last)


OPTIONS = (
    Option("rank", 64, "Of the matrices beside each linear layer (Navi-plus, appendix E).", "paper", low=1,
           high=MOST_RANK),
    Option("alpha", 0, "Their weight is alpha over rank; 0: alpha is twice the rank.", "ours", high=2 * MOST_RANK),
    Option("dropout", 0.05, "Share of their inputs that is left out while they learn.", "ours", high=0.9),
    Option("rate", 2e-4, "The learning rate (Navi-plus: 2e-4 of a model of 3 billion, 5e-5 of one of 8).", "paper",
           low=1e-6, high=1.0),
    Option("batch", 64, "Examples before the weights move, one after the other.", "paper", low=1, high=MOST_BATCH),
    Option("epochs", 1, "How often each example is seen.", "paper", low=1, high=1000),
    Option("snapshots", 0, "After so many moves the adapter is kept as a model, NAME@MOVES; 0: never.", "ours",
           high=MOST_MOVES),
    Option("vision", 0, "Layers that look at pictures learn too.", "ours", high=1),
)  # fmt: skip
"""What a person chooses in the window; the other settings are the command's."""

PRESETS: Mapping[str, Mapping[str, int | float]] = {
    "navi-plus-3b": {"rank": 64, "rate": 2e-4, "batch": 64, "epochs": 1},
    "navi-plus-8b": {"rank": 64, "rate": 5e-5, "batch": 64, "epochs": 1},
}
"""Settings as published: Navi-plus, appendix E.2, for Qwen2.5-VL-3B and SpiritSight-Agent-8B. What the paper does not
say (alpha, dropout, warm-up, the optimizer) is as usual here."""
PRESET_TITLES: Mapping[str, str] = {"navi-plus-3b": "Navi-plus, 3 billion", "navi-plus-8b": "Navi-plus, 8 billion"}


def preset_values(name: str) -> Mapping[str, int | float]:
    """Settings of this name. Raises UsageError for another."""
    if name not in PRESETS:
        raise UsageError(f"There is no preset {name!r} of fine-tuning.", hint=f"Presets: {', '.join(PRESETS)}.")
    return PRESETS[name]


@dataclass(frozen=True, slots=True)
class TuningExample:
    """A question as it would be put to the model, and the answer that it is to give."""

    name: str
    messages: list[dict[str, Any]]
    answer: str


@dataclass(frozen=True, slots=True)
class LoraPart:
    """So many examples of the move at work, the `step`th, have been gone through; the weights have not moved yet."""

    step: int
    steps: int
    taken: int


@dataclass(frozen=True, slots=True)
class LoraStep:
    """The weights have moved: `loss` is the mean cross entropy of the answers' tokens over the batch, each example
    alike. `skipped` are examples of it that could not be learned from, with why."""

    step: int
    steps: int
    loss: float | None
    rate: float
    seconds: float
    examples: int
    skipped: tuple[tuple[str, str], ...] = ()
