"""The person's own order of the procedure that is shown: a draft that every change keeps, until it is accepted.

An order that is given blind and one that is tried out in plain sight are two: neither takes the other's place. A blind
one that was accepted stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from stepscope.app.gui.features.ordering.order_clock import OrderClock
from stepscope.app.gui.features.ordering.order_edits import StoredOrderChange, keep_time
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.undo import Edit, OutdatedError, UndoHistory
from stepscope.core.domain.human_order import LARGEST_SEED, HelpfulInput, HumanOrder, StepInput, StepOrder
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.core.domain.procedure import Procedure
    from stepscope.core.store.engine import Database
    from stepscope.core.store.repositories import campaigns, human_orders
else:
    campaigns = lazy_module("stepscope.core.store.repositories.campaigns")
    human_orders = lazy_module("stepscope.core.store.repositories.human_orders")


class YourOrderController(QObject):
    """`changed()`: the order, or what is said of it, is another; `kept()`: the store has it; `accepted(str)`: the
    person accepted their order of that procedure; `time_told(float)`: the seconds that they took until now."""

    changed = Signal()
    kept = Signal()
    accepted = Signal(str)
    time_told = Signal(float)

    def __init__(self, context: Context, history: UndoHistory, person: Callable[[], str]) -> None:
        super().__init__(context)
        self._context, self._history, self._person = context, history, person
        self._procedure: Procedure | None = None
        self._source = ""
        self._known: dict[bool, HumanOrder] = {}
        """by blindness what the store has, or what it would begin with"""
        self._assigned: StepInput | None = None
        self._seen: set[human_orders.OrderKey] = set()
        """blind orders beside which the reference was shown"""
        self._request = self._writing = 0
        self.blind = False
        self.clock = OrderClock(self)
        self.clock.ticked.connect(self.time_told)
        self.clock.due.connect(self.keep_time)

    # What there is ---------------------------------------------------------------------------------------------------

    @property
    def order(self) -> HumanOrder | None:
        """The order in the way that is chosen, blind or not; None until the store has answered."""
        return self._known.get(self.blind)

    @property
    def is_accepted(self) -> bool:
        return self.order is not None and self.order.submitted is not None

    @property
    def is_locked(self) -> bool:
        """Whether nothing of it can be changed: it was given blind, and what was hidden is seen now."""
        return self.blind and self.is_accepted

    @property
    def assigned(self) -> StepInput | None:
        """What of the steps the person was given to see, where they order blind what somebody gave them to order."""
        return self._assigned if self.blind else None

    @property
    def hides(self) -> bool:
        """Whether models, reference and metrics are not to be seen."""
        return self.blind and not self.is_accepted

    @property
    def seconds(self) -> float:
        return self.clock.seconds

    def tell_seen(self) -> None:
        """The reference is shown beside the order: a blind one cannot be taken back any more."""
        if self.order is not None and self.is_locked:
            self._seen.add(self.order.key)

    def shuffled(self) -> StepOrder:
        """The steps as they were shown at first."""
        procedure, order = self._procedure, self.order
        return _shuffle(procedure, order.seed) if procedure is not None and order is not None else ()

    # Coming and going ------------------------------------------------------------------------------------------------

    def open(self, source: str, procedure: Procedure | None) -> None:
        """Go to a procedure of the data known as `source`; None: none is shown."""
        self.leave()
        self._source, self._procedure, self._known = source, procedure, {}
        self._assigned = None
        self.clock.reset(0.0)
        self.reload()

    def reload(self) -> None:
        """Ask the store, behind all changes that are on their way to it."""
        self._request += 1
        request, procedure, source, person = self._request, self._procedure, self._source, self._person()
        if procedure is None:
            self.changed.emit()
            return

        def ask(database: Database) -> tuple[list[HumanOrder], StepInput | None]:
            with database.reading() as db:
                orders = human_orders.of_source(db, source, procedure=procedure.id, annotator=person)
                return orders, campaigns.input_to_order(db, source, procedure.id, person)

        def answer(answered: tuple[list[HumanOrder], StepInput | None]) -> None:
            if request != self._request or self._writing:
                return
            found, self._assigned = answered
            fitting = {one.blind: one for one in found if sorted(one.order) == sorted(procedure.references[0])}
            self._known = {blind: fitting.get(blind) or self._fresh(procedure, blind) for blind in (True, False)}
            self.clock.reset(max(self._known[self.blind].seconds, self.clock.seconds))
            self.changed.emit()

        self._context.write("read orders", ask, answer)

    def set_blind(self, blind: bool) -> None:
        """Order blind from now on, or in plain sight."""
        if blind != self.blind:
            self.leave()
            self.blind = blind
            self.clock.reset(self.order.seconds if self.order is not None else 0.0)
            self.changed.emit()

    def leave(self) -> None:
        """The person looks at something else: the clock stands, and the time is kept."""
        if self.clock.is_running:
            self.clock.stop()
            self.keep_time()

    def look(self) -> None:
        """The person looks at the cards: the clock runs where it is to."""
        if self.hides and self.order is not None:
            self.clock.start()

    def keep_time(self) -> None:
        """Write the time of a draft."""
        order = self.order
        if order is not None and self.blind and order.submitted is None:
            draft = replace(order, seconds=self.clock.seconds, changed=datetime.now(UTC))
            self._context.write("keep time", lambda database: keep_time(database, draft), lambda _done: None)

    # Changes ---------------------------------------------------------------------------------------------------------

    def put(self, order: StepOrder, words: str) -> None:
        """Have the steps in another order."""
        if self.order is not None and order != self.order.order:
            self._change(words, replace(self.order, orders=(order, *self.order.orders[1:])))

    def shuffle(self) -> None:
        """Mix the cards anew, by the next seed."""
        if self.order is not None and self._procedure is not None:
            seed = (self.order.seed + 1) % LARGEST_SEED
            orders = (_shuffle(self._procedure, seed), *self.order.orders[1:])
            self._change("shuffle", replace(self.order, orders=orders, seed=seed))

    def set_confidence(self, level: int | None) -> None:
        if self.order is not None and level != self.order.confidence:
            self._change("how sure you are", replace(self.order, confidence=level))

    def set_helped(self, helped: HelpfulInput | None) -> None:
        if self.order is not None and helped != self.order.helped:
            self._change("what helped", replace(self.order, helped=helped))

    def keep_alternative(self) -> None:
        """Call the order as it stands right too."""
        if self.order is not None and self.order.order not in self.order.orders[1:]:
            kept = (*self.order.orders, self.order.order)
            self._change("order that is right too", replace(self.order, orders=kept))

    def take_alternative(self, place: int) -> None:
        """Bring one of the orders that are right too back to the cards; it stays one of them."""
        if self.order is not None and place + 1 < len(self.order.orders):
            others = self.order.orders[1:]
            self._change("other order", replace(self.order, orders=(others[place], *others)))

    def drop_alternatives(self) -> None:
        if self.order is not None and len(self.order.orders) > 1:
            self._change("forgotten orders", replace(self.order, orders=self.order.orders[:1]))

    def accept(self) -> None:
        """This is their order; of a draft that is all to say."""
        order, procedure = self.order, self._procedure
        if order is None or procedure is None or order.submitted is not None:
            return
        self.clock.stop()
        orders = tuple(dict.fromkeys(order.orders))
        goal = " ".join(procedure.goal.split()) or procedure.id
        self._change(f"accepted order of “{goal[:60]}”", replace(order, orders=orders), datetime.now(UTC))
        self.accepted.emit(procedure.id)

    def show_input(self, shown: StepInput) -> None:
        """The person sees this of the steps from now on; what they saw until now counts too."""
        order = self.order
        if order is None or order.submitted is not None:
            return
        untouched = order.orders == (self.shuffled(),) and not self.clock.seconds
        seen = shown if untouched or shown == order.shown else StepInput.BOTH
        self._known[self.blind] = replace(order, shown=seen)

    def _change(self, words: str, wanted: HumanOrder, submitted: datetime | None = None) -> None:
        """Change the shown order, as one entry of the history. What was accepted in plain sight is a draft again."""
        before = self.order
        if before is None or self.is_locked:
            return
        after = replace(wanted, submitted=submitted, changed=datetime.now(UTC), seconds=self.clock.seconds)
        written = StoredOrderChange(before, after, words)
        place = self._source, before.procedure, before.annotator

        def is_here() -> bool:
            return place == (self._source, self._procedure.id if self._procedure else "", self._person())

        def show(done: bool) -> None:
            if is_here():
                self._known[before.blind] = after if done else before
            self._writing += 1
            self.changed.emit()

        def settled(is_written: bool) -> None:
            self._writing = 0 if not is_written else max(0, self._writing - 1)
            if not is_written or not self._known:
                self.reload()
            self.kept.emit()

        def undo(database: Database) -> None:
            if submitted is not None and after.key in self._seen:
                raise OutdatedError("You have seen the reference since. The blind order stays as it is.")
            written.undo(database)

        self._history.make(Edit(words, written.do, undo, show, settled, is_here))

    def _fresh(self, procedure: Procedure, blind: bool) -> HumanOrder:
        """What there is before the person has done anything."""
        shuffled = _shuffle(procedure, 0)
        person = self._person()
        return HumanOrder(self._source, procedure.id, person, blind, (shuffled,), datetime.now(UTC))


def _shuffle(procedure: Procedure, seed: int) -> StepOrder:
    return tuple(step.id for step in procedure.shuffled(seed))
