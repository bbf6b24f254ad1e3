"""`python -m tests.app.held_training BATCH` is the worker that a window trains in, with arguments behind BATCH the
command of these arguments; its training waits with that batch in hand until it is stopped, or for ever."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from typing import Any

from stepscope.core.progress import CancelToken
from stepscope.models.training import loop, pace
from stepscope.models.training.batches import BatchLoader

HELD = "in the middle"


def hold(batch: int) -> None:
    """Let the training of this process wait with the batch of that number in hand, and keep and tell all until then."""
    loop.KEEP_SECONDS = pace.SECONDS = 0.0
    stopped, cancel, batches = threading.Event(), CancelToken.cancel, BatchLoader.batches
    seen = 0

    def cancelled(token: CancelToken) -> None:
        cancel(token)
        stopped.set()

    def held(loader: BatchLoader, *rows: Any) -> Iterator[Any]:
        nonlocal seen
        for found in batches(loader, *rows):
            seen += 1
            if seen == batch:
                print(HELD, file=sys.stderr, flush=True)
                stopped.wait()
            yield found

    CancelToken.cancel, BatchLoader.batches = cancelled, held  # type: ignore[method-assign, assignment]


def main(batch: int, arguments: list[str]) -> int:
    hold(batch)
    if arguments:
        from stepscope.app.cli.main import run

        return run(arguments)
    from stepscope.app.services.worker_child import main as serve

    serve()
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2:]))
