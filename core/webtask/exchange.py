"""The talk of a solver with its model, question by question."""

from __future__ import annotations

from stepscope.core.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Exchange:
    """One question to a model and what it said. `field` "" where it was about the whole page. `cut`: tokens of the page
    that were left out to fit the model's context, and `demos` the demonstrations that had room in it; counts are None
    where the server does not tell."""

    output: str
    field: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None
    cut: int = 0
    ms: float | None = None
    demos: int = 0
