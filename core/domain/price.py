"""What a model's answers cost, as a person says it: nobody else knows."""

from __future__ import annotations

from stepscope.core.frozen import dataclass

MILLION = 1_000_000
LONGEST_CURRENCY = 8
LARGEST_PRICE = 1e9


@dataclass(frozen=True, slots=True)
class TokenPrice:
    """Money per million tokens read and written, in `currency`. Raises ValueError for what is no price."""

    input: float
    output: float
    currency: str = "USD"

    def __post_init__(self) -> None:
        if not all(0 <= one <= LARGEST_PRICE for one in (self.input, self.output)):
            raise ValueError("a price is a number from 0 on")
        if not self.currency.isprintable() or not 0 < len(self.currency.strip()) <= LONGEST_CURRENCY:
            raise ValueError(f"a currency has at most {LONGEST_CURRENCY} letters")

    def of(self, tokens_in: float, tokens_out: float) -> float:
        """What so many tokens cost."""
        return (tokens_in * self.input + tokens_out * self.output) / MILLION
