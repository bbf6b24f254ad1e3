"""What people say of ambiguous tasks, as changes of the store that can be taken back exactly. Another window may have
changed the same thing meanwhile: then the change is refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from stepscope.app.gui.shell.undo import OutdatedError
from stepscope.core.domain.ambiguous_task import AskReview
from stepscope.core.domain.changed_words import changed_words
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.core.store.engine import Database
    from stepscope.core.store.repositories import ambiguous_tasks as task_rows
else:
    task_rows = lazy_module("stepscope.core.store.repositories.ambiguous_tasks")


class StoredReviewChange:
    """`before` is what the person saw in the place of `after`. Both methods are called in the writer lane, are one
    transaction, and raise OutdatedError, changing nothing, where somebody else has been there."""

    def __init__(self, before: AskReview | None, after: AskReview | None, words: str) -> None:
        self._before, self._after, self._words = before, after, words

    def do(self, database: Database) -> None:
        self._put(database, self._before, self._after)

    def undo(self, database: Database) -> None:
        self._put(database, self._after, self._before)

    def _put(self, database: Database, before: AskReview | None, after: AskReview | None) -> None:
        was, now = _some(before), _some(after)
        with database.unit_of_work() as db:
            gone = task_rows.replace_reviews(db, was, now)
            if _marks(gone) != _marks(was):
                who = changed_words(before, next(iter(gone), None))
                raise OutdatedError(
                    f"Somebody else has changed this meanwhile: {self._words}. {who} It stays as it is."
                )


def _some(review: AskReview | None) -> tuple[AskReview, ...]:
    return () if review is None else (review,)


def _marks(reviews: Iterable[AskReview]) -> Counter[object]:
    """What tells one review from another of the same task; the store may spell its texts another way."""
    return Counter((one.slot.episode, one.slot.removed, one.made) for one in reviews)
