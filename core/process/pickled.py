"""Talks with child processes in pickles: both sides are the same program, or the reader takes only what it knows."""

from __future__ import annotations

import contextlib
import pickle
import queue
import threading
from collections.abc import Callable
from typing import Any, BinaryIO, cast

from stepscope.core.process.children import Child


class TalkEnded(Exception):  # noqa: N818 - it stands among the answers, in the place of the next one
    """The child says no more. `nonsense`: what it said last makes no sense, and why; "" where its output ended."""

    def __init__(self, nonsense: str = "") -> None:
        super().__init__(nonsense)
        self.nonsense = nonsense


def send(child: Child, message: object) -> None:
    """Say this to the child. One that is dead is noticed by its silence."""
    assert child.stdin is not None
    with contextlib.suppress(OSError, ValueError):
        pickle.dump(message, child.stdin)
        child.stdin.flush()


def is_last(answer: object) -> bool:
    """Whether an answer ends what was asked: None, or the error that came instead."""
    return answer is None or isinstance(answer, BaseException)


class AnswerReader(threading.Thread):
    """A thread that puts what a child says into `answers`, up to the answer of which `last` is true. Where the child
    falls silent before, or makes no sense, TalkEnded comes instead and its output is closed."""

    def __init__(
        self,
        child: Child,
        name: str,
        *,
        last: Callable[[object], bool] = is_last,
        load: Callable[[BinaryIO], Any] = pickle.load,
    ) -> None:
        super().__init__(name=name, daemon=True)
        self.answers: queue.SimpleQueue[Any] = queue.SimpleQueue()
        assert child.stdout is not None
        self._stream, self._last, self._load = cast(BinaryIO, child.stdout), last, load

    def run(self) -> None:
        try:
            while True:
                answer = self._load(self._stream)
                self.answers.put(answer)
                if self._last(answer):
                    return
        except (EOFError, OSError):
            self.answers.put(TalkEnded())
        except Exception as error:  # noqa: BLE001 - bytes that make no sense raise anything
            self.answers.put(TalkEnded(str(error) or type(error).__name__))
        with contextlib.suppress(OSError):
            self._stream.close()
