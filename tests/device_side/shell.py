"""The phone's shell: runs command lines and says exit codes, over all three services that adb has for it."""

from __future__ import annotations

import os
import struct
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.device_side.phone import Phone
from tests.device_side.transport import Stream, StreamClosedError
from tests.device_side.words import Command, ShellSyntaxError, commands

_PACKET = struct.Struct("<BI")
_STDIN, _STDOUT, _STDERR, _EXIT, _CLOSE_STDIN = range(5)
NOT_FOUND = 127


@dataclass
class Run:
    """What a running command has around it. `gone()`: nobody listens any more. `given` holds what was sent to it."""

    phone: Phone
    out: Callable[[bytes], object]
    err: Callable[[bytes], object]
    gone: Callable[[], bool]
    read: Callable[[int], bytes] = lambda count: b""
    variables: dict[str, str] = field(default_factory=dict)

    def say(self, line: str) -> None:
        self.out(line.encode() + b"\n")

    def complain(self, line: str) -> None:
        self.err(line.encode() + b"\n")

    def pause(self, seconds: float) -> None:
        """Take that long, or until nobody listens."""
        with self.phone.changed:
            self.phone.changed.wait_for(self.gone, seconds)


Program = Callable[[Run, list[str]], int]
"""A program on the phone: its surroundings and its arguments without its name, to its exit code."""


def run_line(run: Run, line: str, programs: dict[str, Program]) -> int:
    """Run the whole line; the exit code of its last command."""
    run.phone.commands.append(line)
    if run.phone.faults.endless:
        _babble(run)
    if run.phone.faults.silent:
        _say_nothing(run)
    try:
        found = commands(line, run.variables)
    except ShellSyntaxError as error:
        run.complain(f"/system/bin/sh: {error}")
        return 1
    code = 0
    for command in found:
        if (command.when == "&&" and code) or (command.when == "||" and not code):
            continue
        code = _run(run, command, programs)
    return code


def _run(run: Run, command: Command, programs: dict[str, Program]) -> int:
    words, variables = list(command.words), dict(run.variables)
    while words and "=" in words[0] and words[0].partition("=")[0].isidentifier():
        name, _, value = words.pop(0).partition("=")
        variables[name] = value
    kept: dict[str, bytearray] = {}
    out = _into(kept, command.output) if command.output else run.out
    err = out if command.errors == "&1" else _into(kept, command.errors) if command.errors else run.err
    inner = Run(run.phone, out, err, run.gone, run.read, variables)
    code = 0
    if words:
        program = programs.get(words[0].rpartition("/")[2])
        if program is None:
            inner.complain(f"/system/bin/sh: {words[0]}: inaccessible or not found")
            code = NOT_FOUND
        else:
            code = program(inner, words[1:])
    else:
        run.variables = variables
    for name, data in kept.items():
        if name != "/dev/null":
            before = run.phone.files.get(name, b"") if command.append and name == command.output else b""
            run.phone.files[name] = before + bytes(data)
    return code


def _into(kept: dict[str, bytearray], name: str) -> Callable[[bytes], object]:
    return kept.setdefault(name, bytearray()).extend


def _babble(run: Run) -> None:
    while not run.gone():
        run.out(os.urandom(1 << 16))


def _say_nothing(run: Run) -> None:
    while not run.gone():
        run.pause(1.0)


def plain(phone: Phone, line: str, programs: dict[str, Program]) -> Callable[[Stream], None]:
    """`shell:` of old and `exec:`: output and errors in one, no exit code."""

    def serve(stream: Stream) -> None:
        run = Run(phone, stream.write, stream.write, stream.closed.is_set, _Reader(stream).read)
        run_line(run, line, programs)

    return serve


def framed(phone: Phone, line: str, programs: dict[str, Program]) -> Callable[[Stream], None]:
    """`shell,v2:`: output, errors and exit code in packets."""

    def serve(stream: Stream) -> None:
        def write(kind: int) -> Callable[[bytes], None]:
            return lambda data: stream.write(_PACKET.pack(kind, len(data)) + data)

        threading.Thread(target=_drain, args=(stream,), daemon=True).start()
        run = Run(phone, write(_STDOUT), write(_STDERR), stream.closed.is_set)
        code = run_line(run, line, programs)
        write(_EXIT)(bytes([code & 255]))

    return serve


def _drain(stream: Stream) -> None:
    while stream.read():
        pass


class _Reader:
    """Standard input of a plain service."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream

    def read(self, count: int) -> bytes:
        try:
            return self._stream.read_exactly(count)
        except StreamClosedError:
            return b""
