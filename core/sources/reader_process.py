"""Indexing and unpacking in a process of its own, so that neither holds up a window and hostile data ends no more than
that.

One request at a time goes to the child through its standard input: a source or an archive and what to do with it. Rows
come back in pieces. The two sides are the same program, so they talk in pickles; nothing out of a data set is ever
unpickled here.
"""

from __future__ import annotations

import gc
import importlib
import pickle
import queue
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import field
from pathlib import Path
from typing import Any, BinaryIO, Literal

from stepscope.core import limits
from stepscope.core.domain.episode import EpisodeSummary, Problem, summarise
from stepscope.core.errors import SourceError, UserError
from stepscope.core.frozen import dataclass
from stepscope.core.plain_text import calm_logs
from stepscope.core.process import children, pickled
from stepscope.core.process.children import Child
from stepscope.core.process.memory import bound_own_memory
from stepscope.core.process.own_streams import own_output
from stepscope.core.process.pickled import AnswerReader, TalkEnded, is_last
from stepscope.core.progress import CancelToken, Progress
from stepscope.core.regular_files import FileProgress, being_read

PIECE = 200
"""Rows sent at once, at the most."""

PIECE_SECONDS = 0.2
"""The longest that a found row waits to be sent."""

LESS_URGENT = 5
"""Nice levels below a window's; the models of evaluations are further below: rows are waited for."""

_POLL_SECONDS = 0.1
_HEAVY = tuple(f"stepscope.core.archives.{name}" for name in ("example", "gzip_access", "tfrecord", "unpack"))
"""What readers load when they need it; a process that waits for work has it ready."""

Entry = EpisodeSummary | Problem
Piece = list[Entry]


@dataclass(frozen=True, slots=True)
class EpisodePlace:
    """An episode that is to be read whole: its id, where it lies, and what it stands for."""

    id: str
    place: str
    kind: Literal["episode", "procedure", "instance"]


@dataclass(frozen=True, slots=True)
class ReadRequest:
    """An order to the child. `check` None: scan the whole source; otherwise read these episodes whole. `one_by_one`:
    send each row at once. An empty `format` asks for nothing but to be ready. `limits` are what a person chose."""

    path: Path
    format: str
    check: tuple[EpisodePlace, ...] | None = None
    one_by_one: bool = False
    as_procedures: bool = False
    limits: Mapping[str, int] = field(default_factory=limits.chosen_limits)


@dataclass(frozen=True, slots=True)
class UnpackRequest:
    """The child is to unpack the archive at `path` into a folder below `home`."""

    path: Path
    home: Path
    limits: Mapping[str, int] = field(default_factory=limits.chosen_limits)


class ReaderProcess:
    """A child that reads for one caller at a time. Starting it takes some tenths of a second: keep it."""

    def __init__(self) -> None:
        self._process: Child | None = None
        self._busy = threading.Lock()

    def start(self) -> None:
        """Start the child now, so that the first request need not wait for it."""
        if self._process is not None and self._process.poll() is None:
            return
        self.close()
        command = children.command("stepscope.core.sources.reader_process")
        self._process = children.launch(command, levels=LESS_URGENT)

    def wait_until_ready(self) -> None:
        """Wait until a started child has loaded what it reads with."""
        for _ in self.run(ReadRequest(Path(), ""), CancelToken()):
            pass

    def run(self, request: ReadRequest, token: CancelToken) -> Iterator[Piece | FileProgress]:
        """Pieces as they are found, and how far a large file has been read while it is scanned; ends early when
        cancelled. Raises what the source raised, and SourceError when the child died."""
        return self._run(request, token)

    def unpack(self, request: UnpackRequest, token: CancelToken) -> Iterator[list[Path | Progress]]:
        """The same for an archive."""
        return self._run(request, token)

    def _run(self, request: ReadRequest | UnpackRequest, token: CancelToken) -> Iterator[Any]:
        with self._busy:
            self.start()
            child = self._process
            assert child is not None
            listener = AnswerReader(child, "reader's answers")
            done = False
            try:
                pickled.send(child, request)
                listener.start()
                while not done and not token.cancelled:
                    try:
                        answer = listener.answers.get(timeout=_POLL_SECONDS)
                    except queue.Empty:
                        continue
                    if isinstance(answer, TalkEnded):
                        break
                    done = is_last(answer)
                    if isinstance(answer, Exception):
                        raise answer
                    if answer:
                        yield answer
                if not done and not token.cancelled:
                    hint = "The data may be damaged, or memory may have run out."
                    raise SourceError("reading ended abruptly", place=request.path, hint=hint)
            finally:
                if not done:
                    self.close()
                if listener.ident is not None:
                    listener.join()

    def close(self) -> None:
        """End the child, whatever it is doing."""
        child, self._process = self._process, None
        if child is not None:
            children.end(child)


def serve(asked: BinaryIO, answers: BinaryIO) -> None:
    """The child: answer requests until there are no more."""

    sending = threading.Lock()

    def send(answer: object) -> None:
        data = pickle.dumps(answer, pickle.HIGHEST_PROTOCOL)
        with sending:
            answers.write(data)
            answers.flush()

    while True:
        try:
            request = pickle.load(asked)
        except EOFError:
            return
        try:
            limits.choose(request.limits)
            bound_own_memory(limits.limit("read-memory"))
            with _telling(send) if isinstance(request, ReadRequest) and request.check is None else nullcontext():
                for piece in _answer(request):
                    send(piece)
            send(None)
        except UserError as error:
            send(error)
        except BrokenPipeError:
            return
        except MemoryError:
            send(limits.exceeded("read-memory", "reading it takes more memory than is allowed", place=request.path))
        except Exception as error:  # noqa: BLE001 - a bug in a reader, ours or a plug-in's, is told where it can be shown
            of = "archives" if isinstance(request, UnpackRequest) else request.format
            send(SourceError(f"the reader of {of} failed: {error!r}", place=request.path))


@contextmanager
def _telling(send: Callable[[object], None]) -> Iterator[None]:
    """Send, as long as the block lasts, how far the largest open file has been read, whenever that is another hundredth
    of it."""
    over = threading.Event()

    def tell() -> None:
        last = None
        while not over.wait(PIECE_SECONDS):
            now = being_read()
            if now is not None and (now.path, now.percent) != last:
                last = now.path, now.percent
                with suppress(OSError):  # nobody listens any more: the next piece finds out
                    send(now)

    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        over.set()
        teller.join()


def _answer(request: ReadRequest | UnpackRequest) -> Iterator[list[Any]]:
    if isinstance(request, UnpackRequest):
        return unpacking(request)
    return pieces(entries(request), 1 if request.one_by_one else PIECE)


def unpacking(request: UnpackRequest) -> Iterator[list[Path | Progress]]:
    """What a request to unpack is answered with, in this process: how far it is now and then, the folder at last."""
    from stepscope.core.archives.unpack import unpack

    work, due = unpack(request.path, home=request.home), 0.0
    while True:
        try:
            progress = next(work)
        except StopIteration as end:
            yield [end.value]
            return
        if time.monotonic() >= due:
            yield [progress]
            due = time.monotonic() + PIECE_SECONDS


def entries(request: ReadRequest) -> Iterator[Entry]:
    """What a request is answered with, in this process."""
    from stepscope.core.sources.procedures import EpisodeProcedureSource
    from stepscope.core.sources.registry import formats, open_known

    if not request.format:
        formats()
        for module in _HEAVY:
            importlib.import_module(module)
        return
    source = open_known(request.path, request.format)
    if request.check is None:
        yield from EpisodeProcedureSource(source).scan() if request.as_procedures else source.scan()
        return
    for wanted in request.check:
        yield checked(source, wanted)


def checked(source: Any, wanted: EpisodePlace) -> Entry:
    """The row of an episode that was read whole."""
    try:
        return summarise(source.read(wanted.id, wanted.place), wanted.place, wanted.kind)
    except UserError as error:
        message = f"{error.message}. {error.hint}" if error.hint else error.message
        return Problem(message, wanted.id, None, getattr(error, "field", ""), "")


def pieces(found: Iterable[Entry], size: int = PIECE) -> Iterator[Piece]:
    """The entries in pieces: the first one at once, the others when there are many or the oldest has waited."""
    piece: Piece = []
    due = 0.0
    try:
        for entry in found:
            piece.append(entry)
            if len(piece) >= size or time.monotonic() >= due:
                yield piece
                piece, due = [], time.monotonic() + PIECE_SECONDS
    except Exception:
        yield piece  # what was found before the failure is not lost
        raise
    if piece:
        yield piece


def scan(
    reader: ReaderProcess, path: Path, format: str, token: CancelToken, *, as_procedures: bool = False
) -> Iterator[Piece | FileProgress]:
    """All rows of a source, read in the child, and how far a large file has been read."""
    return reader.run(ReadRequest(path, format, as_procedures=as_procedures), token)


def unpack(reader: ReaderProcess, path: Path, home: Path, token: CancelToken) -> Generator[Progress, None, Path | None]:
    """Unpack an archive in the child, as `core.archives.unpack.unpack` does; yields progress in files and returns the
    folder, None when cancelled: what was unpacked by then stays for the next time."""
    folder = None
    for answer in reader.unpack(UnpackRequest(path, home), token):
        for one in answer:
            if isinstance(one, Path):
                folder = one
            else:
                yield one
    return folder


def check(
    reader: ReaderProcess, path: Path, format: str, wanted: Sequence[EpisodePlace], token: CancelToken
) -> Iterator[Piece]:
    """The same rows after reading each episode whole. One that ends the child is reported, and the rest goes on."""
    left, carefully = tuple(wanted), False
    while left and not token.cancelled:
        seen = 0
        try:
            for piece in reader.run(ReadRequest(path, format, left, carefully), token):
                if not isinstance(piece, FileProgress):
                    seen += len(piece)
                    yield piece
            return
        except SourceError as error:
            if carefully and seen < len(left):
                yield [Problem(error.message, left[seen].id)]
                seen += 1
            left, carefully = left[seen:], True


def main() -> None:
    """Serve on the standard streams; whatever else prints goes to the error stream."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)  # rows hold no cycles, and looking for some costs a tenth of the time
    answers = own_output()
    calm_logs()
    # pickles name this module as it is imported, not as it is run
    from stepscope.core.sources import reader_process

    with suppress(KeyboardInterrupt):
        reader_process.serve(sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()
