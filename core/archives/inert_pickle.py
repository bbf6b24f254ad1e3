"""A pickle read as plain data: nothing that it names is imported, made or called.

A pickle is a program for a machine with a stack. This machine knows every instruction up to protocol 5 (CPython's
`pickletools` describes them), but what would be an object of a class or a function's result becomes a `PickledObject`
that says what was asked for, whatever it is. Byte strings become a `ByteString`: their place in the file, and their
bytes where they have less than 64 KB. Sets become lists, and entries of a dict whose key is no text or number are left
out.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterator
from typing import Any

from stepscope.core.archives.pickle_stream import PickleError, PickleStream
from stepscope.core.frozen import dataclass
from stepscope.core.limits import exceeded, limit

_LARGE = 1 << 16
_MAX_DIGITS = 4_000
_PROTOCOLS = range(6)

_KEYS = (str, int, float)
_ESCAPE = re.compile(rb"\\(x[0-9a-fA-F]{2}|.)")
_ESCAPED = {b"n": b"\n", b"r": b"\r", b"t": b"\t"}


@dataclass(frozen=True, slots=True)
class ByteString:
    """A byte string: where it lies in the (inflated) stream; `data` is empty where it is large.

    `text`: Python 2 wrote it, to which texts and bytes were one.
    """

    offset: int
    length: int
    data: bytes = b""
    text: bool = False


@dataclass(frozen=True, slots=True)
class Global:
    """The name of a class or function."""

    module: str
    name: str


@dataclass(eq=False, slots=True)
class PickledObject:
    """An object that was to be made by calling `of` with `args`, and the state it was to be given."""

    of: object
    args: tuple[Any, ...] = ()
    state: object = None


class _StackMark:
    """Stands on the stack where a group of values begins."""


_MARK = _StackMark()


def load_inert(pieces: Iterator[bytes]) -> object:
    """The value of the pickle that comes in `pieces`; PickleError for anything that is none, SourceError for more
    values or text than the limits allow."""
    try:
        return _PickleMachine(pieces).run()
    except (IndexError, KeyError, TypeError, ValueError, AttributeError, struct.error, OverflowError) as error:
        raise PickleError("broken pickle") from error


def _unescaped(found: re.Match[bytes]) -> bytes:
    code = found[1]
    return bytes([int(code[1:], 16)]) if len(code) == 3 else _ESCAPED.get(code, code)


class _PickleMachine:
    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._in = PickleStream(pieces)
        self._stack: list[Any] = []
        self._memo: dict[int, Any] = {}

    def run(self) -> object:
        most = limit("pickle-values")
        for _ in range(most):
            code = self._in.byte()
            if code == 0x2E:
                return self.pop()
            instruction = _INSTRUCTIONS.get(code)
            if instruction is None:
                raise PickleError(f"no pickle: there is no instruction {code:#x}")
            instruction(self)
        raise exceeded("pickle-values", f"the pickle holds more than {most:,} values")

    def push(self, value: object) -> None:
        self._stack.append(value)

    def pop(self) -> Any:
        value = self._stack.pop()
        if value is _MARK:
            raise PickleError("broken pickle")
        return value

    def group(self) -> list[Any]:
        """The values above the last mark, taken off with it."""
        stack = self._stack
        place = len(stack) - 1
        while stack[place] is not _MARK:
            place -= 1
            if place < 0:
                raise PickleError("broken pickle")
        values = stack[place + 1 :]
        del stack[place:]
        return values

    def protocol(self) -> None:
        if self._in.byte() not in _PROTOCOLS:
            raise PickleError("a pickle of a newer protocol")

    def byte_string(self, size: int, text: bool = False) -> None:
        length = self._in.number(size)
        offset = self._in.offset
        if length < _LARGE:
            self.push(ByteString(offset, length, self._in.kept(length), text))
        else:
            self._in.skip(length)
            self.push(ByteString(offset, length, b"", text))

    def quoted(self) -> None:
        """A text as Python 2 shows it: in quotes, with escapes for what is not plain ASCII."""
        line = _ESCAPE.sub(_unescaped, self._in.line().strip()[1:-1])
        self.push(line.decode("utf-8", errors="replace"))

    def text(self, size: int) -> None:
        self.push(self._in.kept(self._in.number(size)).decode("utf-8", errors="replace"))

    def integer(self, size: int, signed: bool) -> None:
        self.push(int.from_bytes(self._in.take(size), "little", signed=signed))

    def long_integer(self, size: int) -> None:
        length = self._in.number(size)
        if length > _MAX_DIGITS:
            raise PickleError("a number is too long")
        self.integer(length, True)

    def digits(self) -> None:
        line = self._in.line().decode("ascii").rstrip("L")
        if len(line) > _MAX_DIGITS:
            raise PickleError("a number is too long")
        self.push({"00": False, "01": True}[line] if line in ("00", "01") else int(line))

    def tuple_of(self, count: int) -> None:
        values = [self.pop() for _ in range(count)]
        self.push(tuple(reversed(values)))

    def append(self, values: list[Any]) -> None:
        """Items for a list; what else collects items, an object, does not keep them."""
        target = self._stack[-1]
        if isinstance(target, list):
            target.extend(values)
        elif not isinstance(target, PickledObject):
            raise PickleError("broken pickle")

    def set_items(self, values: list[Any]) -> None:
        target = self._stack[-1]
        if isinstance(target, dict):
            for key, value in zip(values[::2], values[1::2], strict=True):
                if isinstance(key, ByteString) and key.text:
                    key = key.data.decode("utf-8", errors="replace")
                if key is None or isinstance(key, _KEYS):
                    target[key] = value
        elif not isinstance(target, PickledObject):
            raise PickleError("broken pickle")

    def dict_of(self) -> None:
        values = self.group()
        self.push({})
        self.set_items(values)

    def make(self, arguments: int) -> None:
        """A call with one tuple of arguments (or one and a dict of further ones, which is dropped)."""
        if arguments == 2:
            self.pop()
        given, of = self.pop(), self.pop()
        self.push(PickledObject(of, given if isinstance(given, tuple) else ()))

    def make_of_group(self) -> None:
        of, *given = self.group()
        self.push(PickledObject(of, tuple(given)))

    def named_instance(self) -> None:
        self.named()
        self.push(PickledObject(self.pop(), tuple(self.group())))

    def named(self) -> None:
        module, name = (self._in.line().decode("utf-8") for _ in range(2))
        self.push(Global(module, name))

    def build(self) -> None:
        state = self.pop()
        target = self._stack[-1]
        if isinstance(target, PickledObject):
            target.state = state

    def stack_global(self) -> None:
        name, module = self.pop(), self.pop()
        if not (isinstance(name, str) and isinstance(module, str)):
            raise PickleError("broken pickle")
        self.push(Global(module, name))

    def remember(self, number: int) -> None:
        self._memo[number] = self._stack[-1]

    def recall(self, number: int) -> None:
        self.push(self._memo[number])

    def opaque(self, size: int) -> None:
        """Something that lies outside the pickle."""
        self.push(PickledObject(Global("", f"outside {self._in.number(size)}")))

    def outside(self, name: object) -> None:
        self.push(PickledObject(Global("", "outside"), (name,)))


_Instruction = Callable[[_PickleMachine], object]
_INSTRUCTIONS: dict[int, _Instruction] = {
    0x80: _PickleMachine.protocol,
    0x95: lambda m: m._in.take(8),  # a frame: only how much may be read at once
    ord("0"): lambda m: m._stack.pop(),
    ord("1"): lambda m: m.group(),
    ord("2"): lambda m: m.push(m._stack[-1]),
    ord("("): lambda m: m.push(_MARK),
    ord("N"): lambda m: m.push(None),
    0x88: lambda m: m.push(True),
    0x89: lambda m: m.push(False),
    ord("I"): _PickleMachine.digits,
    ord("L"): _PickleMachine.digits,
    ord("J"): lambda m: m.integer(4, True),
    ord("K"): lambda m: m.integer(1, False),
    ord("M"): lambda m: m.integer(2, False),
    0x8A: lambda m: m.long_integer(1),
    0x8B: lambda m: m.long_integer(4),
    ord("F"): lambda m: m.push(float(m._in.line())),
    ord("G"): lambda m: m.push(struct.unpack(">d", m._in.take(8))[0]),
    ord("S"): _PickleMachine.quoted,
    ord("T"): lambda m: m.byte_string(4, text=True),
    ord("U"): lambda m: m.byte_string(1, text=True),
    ord("B"): lambda m: m.byte_string(4),
    ord("C"): lambda m: m.byte_string(1),
    0x8E: lambda m: m.byte_string(8),
    0x96: lambda m: m.byte_string(8),
    ord("V"): lambda m: m.push(m._in.line().decode("raw-unicode-escape")),
    ord("X"): lambda m: m.text(4),
    0x8C: lambda m: m.text(1),
    0x8D: lambda m: m.text(8),
    ord("]"): lambda m: m.push([]),
    0x8F: lambda m: m.push([]),
    ord("l"): lambda m: m.push(m.group()),
    0x91: lambda m: m.push(m.group()),
    ord("a"): lambda m: m.append([m.pop()]),
    ord("e"): lambda m: m.append(m.group()),
    0x90: lambda m: m.append(m.group()),
    ord(")"): lambda m: m.push(()),
    ord("t"): lambda m: m.push(tuple(m.group())),
    0x85: lambda m: m.tuple_of(1),
    0x86: lambda m: m.tuple_of(2),
    0x87: lambda m: m.tuple_of(3),
    ord("}"): lambda m: m.push({}),
    ord("d"): _PickleMachine.dict_of,
    ord("s"): lambda m: m.set_items([m.pop(), m.pop()][::-1]),
    ord("u"): lambda m: m.set_items(m.group()),
    ord("p"): lambda m: m.remember(int(m._in.line()[:12])),
    ord("q"): lambda m: m.remember(m._in.byte()),
    ord("r"): lambda m: m.remember(m._in.number(4)),
    0x94: lambda m: m.remember(len(m._memo)),
    ord("g"): lambda m: m.recall(int(m._in.line()[:12])),
    ord("h"): lambda m: m.recall(m._in.byte()),
    ord("j"): lambda m: m.recall(m._in.number(4)),
    ord("c"): _PickleMachine.named,
    0x93: _PickleMachine.stack_global,
    ord("R"): lambda m: m.make(1),
    0x81: lambda m: m.make(1),
    0x92: lambda m: m.make(2),
    ord("o"): _PickleMachine.make_of_group,
    ord("i"): _PickleMachine.named_instance,
    ord("b"): _PickleMachine.build,
    0x82: lambda m: m.opaque(1),
    0x83: lambda m: m.opaque(2),
    0x84: lambda m: m.opaque(4),
    ord("P"): lambda m: m.outside(m._in.line().decode("latin-1")),
    ord("Q"): lambda m: m.outside(m.pop()),
    0x97: lambda m: m.outside(None),
    0x98: lambda m: None,
}
