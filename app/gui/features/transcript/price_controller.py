"""The price of a model's tokens, entered in the head of the transcript; it can be undone."""

from __future__ import annotations

from PySide6.QtCore import QObject

from stepscope.app.gui.features.transcript.transcript_controller import TranscriptController
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.events import RunsChanged
from stepscope.app.gui.shell.undo import Edit, OutdatedError, UndoHistory
from stepscope.core.domain.price import TokenPrice


class PriceController(QObject):
    def __init__(self, context: Context, transcript: TranscriptController, history: UndoHistory) -> None:
        super().__init__(context)
        self._context, self._transcript, self._history = context, transcript, history
        transcript.view.head.price_entered.connect(self._enter)

    def _enter(self, read: float, written: float, currency: str) -> None:
        content = self._transcript.content
        if content is None:
            return
        try:
            price = TokenPrice(read, written, currency) if currency else None
        except ValueError as error:
            self._context.messages.warning(f"This is no price: {error}.")
            return
        model, before = content.run.spec.model, content.costs.price
        if price == before:
            return
        self._history.make(
            Edit(
                f"price of {model}",
                do=lambda _database: _change(model, before, price),
                undo=lambda _database: _change(model, price, before),
                show=lambda _done: None,
                settled=lambda _written: self._context.events.publish(RunsChanged()),
                in_view=self._transcript.view.isVisible,
            )
        )


def _change(model: str, before: TokenPrice | None, after: TokenPrice | None) -> None:
    """In the writer lane: raises OutdatedError, changing nothing, where another window has entered another price."""
    from stepscope.app.services.prices import load_prices, set_price

    if load_prices().get(model) != before:
        raise OutdatedError("Another price was entered for this model meanwhile. It is shown now.")
    set_price(model, after)
