"""Waiting for a store's server that is away: started anew, or out of reach for a while."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from typing import TypeVar

from stepscope.core.errors import StoreError
from stepscope.core.limits import limit
from stepscope.core.progress import CancelToken

Made = TypeVar("Made")


class StillAwayError(StoreError):
    """A server is not waited for any longer."""

    of_absence = True


TRY_SECONDS = 0.5
"""From one try to the next."""
LIMIT = "store-away-seconds"
_KEPT = "What was saved before is kept, and can be gone on with when the server is back."


def tried_until_there(
    attempt: Callable[[], Made], token: CancelToken, clock: Callable[[], float] = time.monotonic
) -> Generator[float, None, Made]:
    """What `attempt` makes, which is tried again for as long as the store's server is away; yields before each further
    try for how many seconds it has been.

    An attempt that failed may have been committed all the same, where only the server's word of it was lost: it must
    find that out itself. Raises StillAwayError when the token is cancelled meanwhile, and when the server stays away
    for longer than the limit `store-away-seconds`; whatever else goes wrong is raised at once.
    """
    since: float | None = None
    while True:
        try:
            return attempt()
        except StoreError as error:
            if not error.of_absence:
                raise
            now = clock()
            since = now if since is None else since
            seconds = now - since
            if token.cancelled:
                raise _given_up("Cancelled while the store's server was away", error) from error
            if seconds >= limit(LIMIT):
                raise _given_up(f"The store's server has been away for {duration(seconds)}", error) from error
        yield seconds
        token.wait(TRY_SECONDS)


def words_of_absence(seconds: float) -> str:
    """That a server is away, for how long, and how long it is waited for."""
    return f"the store's server is away: waiting for {duration(seconds)}, for {duration(limit(LIMIT))} at most"


def duration(seconds: float) -> str:
    """ "40 s", "2 min" or "2 min 5 s"."""
    minutes, rest = divmod(round(seconds), 60)
    if not minutes:
        return f"{rest} s"
    return f"{minutes} min {rest} s" if rest else f"{minutes} min"


def _given_up(message: str, error: StoreError) -> StillAwayError:
    return StillAwayError(f"{message}. {error.message}", place=error.place, hint=_KEPT)
