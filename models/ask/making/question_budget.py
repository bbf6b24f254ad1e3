"""How many questions may be put to a model, and what they may cost; and how many were."""

from __future__ import annotations

import threading

from stepscope.core.domain.price import TokenPrice


class QuestionBudget:
    """Threads may share it. `most` questions and `money`, in the price's currency, None for no end; money counts where
    the price is known and the server tells tokens."""

    def __init__(self, most: int | None = None, money: float | None = None, price: TokenPrice | None = None) -> None:
        self._lock = threading.Lock()
        self._most, self._money, self._price = most, money, price
        self.asked = self.remembered = self.tokens_in = self.tokens_out = 0
        self.spent = False

    @property
    def cost(self) -> float | None:
        """What was paid so far; None without a price."""
        return None if self._price is None else self._price.of(self.tokens_in, self.tokens_out)

    def take(self) -> bool:
        """Whether one more question may be put; it is counted then."""
        with self._lock:
            over = self._most is not None and self.asked >= self._most
            over = over or (self._money is not None and self.cost is not None and self.cost >= self._money)
            self.spent = self.spent or over
            self.asked += not over
            return not over

    def paid(self, tokens_in: int | None, tokens_out: int | None) -> None:
        """A question took so many tokens, as far as the server says."""
        with self._lock:
            self.tokens_in += tokens_in or 0
            self.tokens_out += tokens_out or 0

    def known(self) -> None:
        """An answer was remembered."""
        with self._lock:
            self.remembered += 1
