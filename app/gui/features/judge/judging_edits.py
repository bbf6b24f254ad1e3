"""What people say of pairs, as changes of the store that can be taken back exactly. Another window may have changed the
same thing meanwhile: then the change is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepscope.app.gui.shell.undo import OutdatedError
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.app.services import judging
    from stepscope.app.services.judging import JudgingLine
    from stepscope.core.store.engine import Database
else:
    judging = lazy_module("stepscope.app.services.judging")


class StoredJudgingChange:
    """`before` is what the person saw in the places of `after`; with `over` whatever is there is replaced the first
    time, as an import does. Both methods are called in the writer lane, are one transaction, and raise OutdatedError,
    changing nothing, where somebody else has been there."""

    def __init__(
        self, before: tuple[JudgingLine, ...], after: tuple[JudgingLine, ...], words: str, *, over: bool = False
    ) -> None:
        self._before, self._after, self._words, self._over = before, after, words, over

    def do(self, database: Database) -> None:
        change = judging.JudgingChange(self._before, self._after)
        made = judging.make(database, change, self._refuse if not self._over else None)
        self._before, self._over = made.before, False

    def undo(self, database: Database) -> None:
        judging.make(database, judging.JudgingChange(self._after, self._before), self._refuse)

    def _refuse(self, who: str) -> Exception:
        return OutdatedError(f"Somebody else has changed this meanwhile: {self._words}. {who} It stays as it is.")
