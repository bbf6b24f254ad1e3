"""Formats of other packages, at work in processes of their own.

What somebody else's reader does there ends no more than that process: it may raise anything, print, leave, close files,
move to another folder or never come back. An answer that takes longer than the limit `plugin-seconds` is not waited
for. Answers come back as pickles in which only values of our own contract are taken, so that no code of a plug-in is
imported into the program itself.
"""

from __future__ import annotations

import atexit
import io
import os
import pickle
import queue
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from enum import Enum
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any, BinaryIO, Literal, get_args

from stepscope.core import limits
from stepscope.core.domain.episode import Episode, EpisodeSummary, Platform, Problem
from stepscope.core.domain.procedure import Procedure
from stepscope.core.domain.webtask import WebInstance, WebTask
from stepscope.core.errors import SourceError, UsageError, UserError
from stepscope.core.frozen import dataclass
from stepscope.core.process import children, pickled
from stepscope.core.process.memory import bound_own_memory
from stepscope.core.process.own_streams import own_input, own_output
from stepscope.core.process.packages import entry_points_of
from stepscope.core.process.pickled import AnswerReader, TalkEnded
from stepscope.core.sources.source import Format, ProcedureSource, Source, WebTaskSource

Kind = Literal["episodes", "procedures", "webtasks", "predictions"]
Work = Literal["load", "sniff", "open", "scan", "read", "read_procedure", "read_task", "read_instance"]

KEPT = 2
"""Processes that stay when they have nothing to do."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_HINT = "This is a fault of the format's reader: tell whoever wrote it."
_MODULE = "stepscope.core.sources.plugin_process"
_DOMAIN = "stepscope.core.domain."
_BUILTINS = frozenset({"set", "frozenset", "bytearray", "complex", "slice", "range"})
_MODULES = frozenset({"datetime", "pathlib", "pathlib._local", "collections"})
_ROWS: dict[Work, tuple[type, ...]] = {
    "scan": (EpisodeSummary, Problem),
    "read": (Episode,),
    "read_procedure": (Procedure,),
    "read_task": (WebTask,),
    "read_instance": (WebInstance,),
}


@dataclass(frozen=True, slots=True)
class FormatInfo:
    """The description that a format of another package gives of itself, checked."""

    name: str
    title: str
    platform: Platform
    kind: Kind
    checked: Literal["real", "fixture"]
    beside: str


@dataclass(frozen=True, slots=True)
class PluginSourceInfo:
    """The source that a format of another package opened."""

    format: str
    path: Path
    holds: Literal["episodes", "procedures", "webtasks"]


@dataclass(frozen=True, slots=True)
class Call:
    """An order to the process about the format of an entry point; `arguments` are those of the source's method."""

    group: str
    entry: str
    value: str
    work: Work
    path: Path = Path()
    arguments: tuple[str, ...] = ()
    limits: Mapping[str, int] = field(default_factory=limits.chosen_limits)


@dataclass(frozen=True, slots=True)
class _AnswerRow:
    value: object


@dataclass(frozen=True, slots=True)
class _AnswerEnd:
    value: object = None


@dataclass(frozen=True, slots=True)
class _ErrorParts:
    """An error by its parts. `fault`: the plug-in's own, no refusal of data."""

    message: str
    place: str = ""
    record: str = ""
    part: str = ""
    hint: str = ""
    usage: bool = False
    fault: bool = False


class PluginFault(SourceError):  # noqa: N818 - what it is
    """The plug-in itself failed; `hung` when it did not answer in time."""

    hung = False


def asked(call: Call) -> Iterator[Any]:
    """The plug-in's answers: the rows of a scan, otherwise one value. Raises UserError: what the plug-in refuses, or a
    PluginFault. A process that did not answer to the end is ended."""
    with _giving:
        child = _idle.pop() if _idle else _PluginChild()
    whole = False
    try:
        while True:
            answer = child.answer(call)
            call_again = isinstance(answer, _AnswerRow)
            whole = not call_again
            if isinstance(answer, _ErrorParts):
                raise _error(call, answer)
            yield answer.value
            if not call_again:
                return
    finally:
        with _giving:
            keep = whole and len(_idle) < KEPT
            if keep:
                _idle.append(child)
        if not keep:
            child.close()


def answer_to(call: Call) -> Any:
    """The one value that the plug-in answers; errors as those of `asked`."""
    answers = asked(call)
    try:
        return next(answers)
    finally:
        for _ in answers:
            pass


_idle: list[_PluginChild] = []
_giving = threading.Lock()


@atexit.register
def close_idle() -> None:
    """End the processes that wait for work."""
    with _giving:
        idle, _idle[:] = list(_idle), []
    for child in idle:
        child.close()


class _PluginChild:
    """One process, for one caller at a time."""

    def __init__(self) -> None:
        command = children.command("stepscope.core.sources.plugin_process")
        self._process = children.launch(command, places=sys.path)
        self._call: Call | None = None
        self._listener = AnswerReader(
            self._process,
            "plug-in's answers",
            last=lambda _: False,
            load=lambda stream: _ContractUnpickler(stream).load(),
        )
        self._listener.start()

    def answer(self, call: Call) -> Any:
        """The next answer to a call, which is sent when it is a new one."""
        if self._call is not call:
            self._call = call
            pickled.send(self._process, call)
        try:
            answer = self._listener.answers.get(timeout=limits.limit("plugin-seconds"))
        except queue.Empty:
            raise _hung(call) from None
        if isinstance(answer, TalkEnded):
            taken = f"what it gives cannot be taken over ({answer.nonsense})"
            raise _fault(call, taken if answer.nonsense else "it left the process that it works in")
        return answer

    def close(self) -> None:
        children.end(self._process, self._listener)


class _ContractPickler(pickle.Pickler):
    """Writes an enumeration's member as its class and its value: Python 3.11.0 to 3.11.3, which Debian 12 has, writes a
    call of `getattr`, which no reader of foreign pickles may take."""

    def reducer_override(self, value: Any) -> Any:
        return (type(value), (value.value,)) if isinstance(value, Enum) else NotImplemented


def _dumped(answer: object) -> bytes:
    written = io.BytesIO()
    _ContractPickler(written, pickle.HIGHEST_PROTOCOL).dump(answer)
    return written.getvalue()


class _ContractUnpickler(pickle.Unpickler):
    """Takes values of our own contract, and plain ones."""

    def find_class(self, module: str, name: str) -> Any:
        of_ours = module.startswith(_DOMAIN) or module in (__name__, _MODULE)
        if of_ours or module in _MODULES or (module == "builtins" and name in _BUILTINS):
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"{module}.{name} is no value that sources have")


def _hung(call: Call) -> PluginFault:
    seconds = limits.written_figure(limits.SECONDS, limits.limit("plugin-seconds"))
    hint = f"{_HINT} {limits.hint('plugin-seconds')}"
    error = PluginFault(f"the reader of {call.entry} gave no answer in {seconds}", place=_place(call), hint=hint)
    error.hung = True
    return error


def _fault(call: Call, words: str) -> PluginFault:
    return PluginFault(f"the reader of {call.entry} failed: {words}", place=_place(call), hint=_HINT)


def _place(call: Call) -> Path | str:
    return "" if call.work == "load" else call.path


def _error(call: Call, said: _ErrorParts) -> UserError:
    if said.fault:
        return _fault(call, said.message)
    if said.usage:
        return UsageError(said.message, place=said.place, record=said.record, hint=said.hint)
    return SourceError(said.message, place=said.place, record=said.record, field=said.part, hint=said.hint)


# In the process -------------------------------------------------------------------------------------------------------


def serve(calls: Iterator[Call], send: Callable[[bytes], object]) -> None:
    """Answer calls, one after the other."""
    formats: dict[tuple[str, str, str], Format] = {}
    sources: dict[tuple[str, Path], Source] = {}
    for call in calls:
        try:
            limits.choose(call.limits)
            bound_own_memory(limits.limit("read-memory"))
            for answer in _answers(call, formats, sources):
                send(_dumped(answer))
        except BrokenPipeError:
            return
        except MemoryError:
            send(_dumped(_told(limits.exceeded("read-memory", "reading it takes more memory than is allowed"))))
        except BaseException as error:  # noqa: BLE001 - the border to other people's packages
            send(_dumped(_told(error)))


def _answers(
    call: Call, formats: dict[tuple[str, str, str], Format], sources: dict[tuple[str, Path], Source]
) -> Iterator[_AnswerRow | _AnswerEnd]:
    # before the plug-in is loaded, which may empty `sys.path`
    from stepscope.core.sources.look import FolderScan

    key = (call.group, call.entry, call.value)
    if key not in formats:
        formats[key] = _loaded(call)
    known = formats[key]
    if call.work == "load":
        yield _AnswerEnd(facts_of(known))
        return
    if call.work == "sniff":
        yield _AnswerEnd(bool(known.sniff(FolderScan(call.path))))
        return
    place = (known.name, call.path)
    if place not in sources or call.work == "open":
        sources[place] = known.open(call.path)
    source = sources[place]
    if call.work == "open":
        held = "webtasks" if isinstance(source, WebTaskSource) else "episodes"
        holds = "procedures" if isinstance(source, ProcedureSource) else held
        yield _AnswerEnd(PluginSourceInfo(known.name, Path(source.path), holds))  # type: ignore[arg-type]
    elif call.work == "scan":
        for row in source.scan():
            yield _AnswerRow(_of_kind(call.work, row))
        yield _AnswerEnd()
    else:
        yield _AnswerEnd(_of_kind(call.work, getattr(source, call.work)(*call.arguments)))


def _of_kind(work: Work, value: object) -> object:
    """TypeError for what such a method does not give."""
    if not isinstance(value, _ROWS[work]):
        raise TypeError(f"{work} gives {type(value).__name__}, not {' or '.join(one.__name__ for one in _ROWS[work])}")
    return value


def _loaded(call: Call) -> Format:
    found = [one for one in entry_points_of(call.group) if (one.name, one.value) == (call.entry, call.value)]
    known = found[0].load() if found else None
    if not isinstance(known, Format):
        raise TypeError(f"{call.value} is no Format")
    return known


def facts_of(known: Format) -> FormatInfo:
    """What the format says of itself. Raises ValueError where it is not what the contract names."""
    if not isinstance(known.name, str) or not _NAME.fullmatch(known.name):
        raise ValueError(f"{known.name!r} cannot be a format's name: letters, digits and _ . - only")
    if not isinstance(known.title, str) or not known.title.isprintable() or not 0 < len(known.title) <= 200:
        raise ValueError(f"the title {str(known.title)[:200]!r} is no line of text")
    if known.kind not in get_args(Kind) or known.checked not in ("real", "fixture"):
        raise ValueError(f"kind {known.kind!r} or checked {known.checked!r} is not what it may be")
    if not isinstance(known.platform, Platform) or not isinstance(known.beside, str):
        raise ValueError("platform or beside is not what it may be")
    if not callable(known.sniff) or not callable(known.open):
        raise ValueError("sniff and open have to be functions")
    return FormatInfo(known.name, known.title, known.platform, known.kind, known.checked, known.beside)


def _told(error: BaseException) -> _ErrorParts:
    if isinstance(error, UserError):
        part, usage = getattr(error, "field", ""), isinstance(error, UsageError)
        return _ErrorParts(str(error.message), error.place, error.record, str(part), str(error.hint), usage)
    try:
        words = repr(error)
    except BaseException:  # noqa: BLE001 - not even its words can be trusted
        words = type(error).__name__
    return _ErrorParts(words[:500], fault=True)


def _calls(stream: BinaryIO) -> Iterator[Call]:
    """Calls as they come. When there are no more, the program that asked is gone: the process ends at once, whatever
    the plug-in is at."""
    waiting: queue.SimpleQueue[Call] = queue.SimpleQueue()

    def listen() -> None:
        try:
            while True:
                waiting.put(pickle.load(stream))
        except (EOFError, OSError):
            os._exit(0)

    threading.Thread(target=listen, name="calls", daemon=True).start()
    while True:
        yield waiting.get()


def entry_call(entry: EntryPoint, work: Work, path: Path = Path(), arguments: tuple[str, ...] = ()) -> Call:
    """A call to the format of an entry point."""
    where = path.absolute() if work != "load" else path
    return Call(entry.group, entry.name, entry.value, work, where, arguments)


def main() -> None:
    """Serve on the standard streams; whatever else prints goes to the error stream, and reads nothing."""
    calls, answers = own_input(), own_output()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a person's Ctrl+C is for the program, which ends this process
    # pickles name this module as it is imported, not as it is run
    from stepscope.core.sources import plugin_process

    def send(data: bytes) -> None:
        answers.write(data)
        answers.flush()

    plugin_process.serve(plugin_process._calls(calls), send)


if __name__ == "__main__":
    main()
