"""What runs in a process of `item_processes`: it reads, predicts and scores share after share of one run, until nobody
speaks to it any more."""

from __future__ import annotations

import contextlib
import gc
import os
import pickle
import signal
import threading
import time
from collections.abc import Callable, Iterable
from queue import SimpleQueue
from typing import Any, BinaryIO

from stepscope.app.services import evaluation
from stepscope.app.services.item_processes import ItemOrder, ItemShare, ShareEnd
from stepscope.core import limits
from stepscope.core.domain.run import Outcome
from stepscope.core.errors import UserError
from stepscope.core.evaluation.runner import evaluate, words_of
from stepscope.core.plain_text import calm_logs
from stepscope.core.process.own_streams import own_input, own_output
from stepscope.core.scoring.options import parse_options
from stepscope.core.store.engine import Database

SEND_ITEMS = 32
SEND_SECONDS = 0.1
"""Outcomes are sent so many at once, or when the oldest has waited so long: each message wakes the other side."""


def serve(asked: BinaryIO, answers: BinaryIO) -> None:
    """Answer the shares of one run."""

    def send(answer: object) -> None:
        answers.write(pickle.dumps(answer, pickle.HIGHEST_PROTOCOL))
        answers.flush()

    given = _listen(asked)
    try:
        order: ItemOrder = given.get()
        limits.choose(order.limits)
        with Database.open(order.store) as database:
            parts = evaluation.run_parts(database, order.run)
            options = parse_options(parts.scorer.info, dict(parts.spec.options))
            while True:
                share: ItemShare = given.get()
                found = evaluate(
                    parts.source, share.units, parts.predictor, parts.scorer, options,
                    seed=parts.spec.seed, done=share.done,
                )  # fmt: skip
                _send_pieces(found, send)
                send(ShareEnd())
    except BrokenPipeError:
        return
    except UserError as error:
        send(error)
    except Exception as error:  # noqa: BLE001 - told where it can be shown
        send(UserError(words_of(error)))


def _listen(asked: BinaryIO) -> SimpleQueue[Any]:
    """What is asked, in order. The process ends with whoever asks: nobody is left to tell anything."""
    given: SimpleQueue[Any] = SimpleQueue()

    def hear() -> None:
        with contextlib.suppress(EOFError, OSError):
            while True:
                given.put(pickle.load(asked))
        os._exit(0)

    threading.Thread(target=hear, name="shares", daemon=True).start()
    return given


def _send_pieces(found: Iterable[Outcome], send: Callable[[object], None]) -> None:
    piece: list[Outcome] = []
    due = time.monotonic() + SEND_SECONDS
    for outcome in found:
        piece.append(outcome)
        if len(piece) >= SEND_ITEMS or time.monotonic() >= due:
            send(piece)
            piece, due = [], time.monotonic() + SEND_SECONDS
    if piece:
        send(piece)


def main() -> None:
    """Serve on the standard streams; whatever else prints goes to the error stream. Ctrl+C is for the process that
    asks: this one ends with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)  # trees hold no cycles, and looking for some costs a tenth of the time
    asked, answers = own_input(), own_output()
    calm_logs()
    serve(asked, answers)


if __name__ == "__main__":
    main()
