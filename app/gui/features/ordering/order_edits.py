"""A person's order of a procedure, as changes of the store that can be taken back exactly.

Another window may have changed the same order meanwhile, under the same name: nothing of it is lost.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from stepscope.app.gui.shell.undo import OutdatedError
from stepscope.core.domain.changed_words import changed_words
from stepscope.core.domain.human_order import HumanOrder
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.core.store.engine import Database
    from stepscope.core.store.repositories import human_orders
else:
    human_orders = lazy_module("stepscope.core.store.repositories.human_orders")


class StoredOrderChange:
    """A change from what the person saw (`before`) to what they made of it (`after`). All methods are called in the
    writer lane; each is one transaction, and raises OutdatedError, changing nothing, where the store says something
    else by now. The time that went by since is kept whatever is taken back."""

    def __init__(self, before: HumanOrder, after: HumanOrder, words: str) -> None:
        self._before, self._after, self._words = before, after, words

    def do(self, database: Database) -> None:
        self._put(database, self._before, self._after)

    def undo(self, database: Database) -> None:
        self._put(database, self._after, self._before)

    def _put(self, database: Database, known: HumanOrder, wanted: HumanOrder) -> None:
        with database.unit_of_work() as db:
            there = human_orders.get(db, known.key)
            if there is not None and there.said != known.said:
                who = changed_words(known, there)
                raise OutdatedError(
                    f"Somebody else has changed this meanwhile: {self._words}. {who} Theirs is shown now."
                )
            seconds = max(wanted.seconds, there.seconds if there is not None else 0.0)
            human_orders.replace(db, (), [replace(wanted, seconds=seconds)])


def keep_time(database: Database, draft: HumanOrder) -> None:
    """Write how long a draft has taken, and the draft where there is none yet."""
    with database.unit_of_work() as db:
        if not human_orders.spend(db, draft.key, draft.seconds) and human_orders.get(db, draft.key) is None:
            human_orders.replace(db, (), [draft])
