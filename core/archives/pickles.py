"""Pickles of plain values and numpy arrays, from strangers.

Nothing that a pickle names is imported or called: it is read by `inert_pickle`, and the few requests that stand for a
value (bytes in old pickles; numpy's arrays, scalars and number types under the names of numpy 1 and 2) are answered
here. Every other one is refused by name.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from stepscope.core.archives.inert_pickle import Bulk, Global, Record, load_inert
from stepscope.core.archives.pickle_stream import PickleError
from stepscope.core.errors import SourceError
from stepscope.core.limits import exceeded, limit

_MAX_DEPTH = 150
_MAX_DIMENSIONS = 32
_MULTIARRAY = ("numpy.core.multiarray", "numpy._core.multiarray")
_NUMERIC = ("numpy.core.numeric", "numpy._core.numeric")
_NUMBER_TYPE = re.compile(r"[<>|=]?([biufc]\d{1,2}|[SU]\d{1,9})")
_HINT = "Only plain values are read from pickles. Save it as JSON, or as lists, dicts, texts and numbers."


def load_plain(data: bytes) -> object:
    """The pickle's value out of lists, tuples, dicts, texts, numbers, None, bool and bytes.

    Raises SourceError for anything else, naming the class or function that is asked for.
    """
    return _loaded(data, {})


def load_with_arrays(data: bytes) -> object:
    """The same, and numpy arrays (read-only) and scalars of numbers, texts and bytes."""
    return _loaded(data, _ARRAY_REQUESTS)


_Request = Callable[["_Resolver", Record], object]


def _loaded(data: bytes, requests: dict[tuple[str, str], _Request]) -> object:
    try:
        found = load_inert(iter((data,)))
    except PickleError as error:
        raise SourceError(f"the pickle cannot be read: {error}", hint="Fetch the file again.") from error
    return _Resolver(data, {**_PLAIN_REQUESTS, **requests}).resolve(found)


class _Resolver:
    """Turns what the pickle says into values. Shared ones are made once; endless and exploding ones are refused."""

    def __init__(self, data: bytes, requests: dict[tuple[str, str], _Request]) -> None:
        self._data = memoryview(data)
        self._requests = requests
        self._made: dict[int, tuple[object, int]] = {}
        self._under_way: set[int] = set()
        self._count, self._most = 0, limit("pickle-values")
        self._depth = 0

    def resolve(self, value: Any) -> Any:
        if value is None or isinstance(value, (str, int, float)):
            self._add(1)
            return value
        if isinstance(value, Bulk):
            self._add(1)
            raw = self.raw(value)
            return str(raw, "utf-8", "replace") if value.text else bytes(raw)
        if id(value) in self._made:
            made, count = self._made[id(value)]
            self._add(count)
            return made
        if id(value) in self._under_way or self._depth >= _MAX_DEPTH:
            raise SourceError("the pickle holds itself or is nested too deeply", hint=_HINT)
        before = self._count
        self._under_way.add(id(value))
        self._depth += 1
        self._add(1)
        made = self._make(value)
        self._depth -= 1
        self._under_way.discard(id(value))
        self._made[id(value)] = made, self._count - before
        return made

    def raw(self, value: object) -> memoryview:
        """The bytes of a byte string."""
        if isinstance(value, Bulk):
            return self._data[value.offset : value.offset + value.length]
        made = self.resolve(value)
        if not isinstance(made, bytes):
            raise _broken("bytes are missing")
        return memoryview(made)

    def _make(self, value: object) -> object:
        match value:
            case list():
                return [self.resolve(item) for item in value]
            case tuple():
                return tuple([self.resolve(item) for item in value])
            case dict():
                return {key: self.resolve(item) for key, item in value.items()}
            case Record(of=Global(module=module, name=name)) if (module, name) in self._requests:
                return self._requests[module, name](self, value)
            case Record(of=Global() as wanted) | (Global() as wanted):
                name = f"{wanted.module}.{wanted.name}".lstrip(".")[:120]
                raise SourceError(f"the pickle asks for {name}, which is not loaded", hint=_HINT)
        raise SourceError("the pickle asks for an object, which is not loaded", hint=_HINT)

    def _add(self, count: int) -> None:
        self._count += count
        if self._count > self._most:
            raise exceeded("pickle-values", f"the pickle holds more than {self._most:,} values")


def _encoded(resolver: _Resolver, request: Record) -> object:
    """Bytes as protocols before 3 write them: a text whose letters are the bytes."""
    match request.args:
        case (str(text), str(encoding)) if encoding.lower().replace("-", "") in ("latin1", "iso88591"):
            try:
                return text.encode("latin-1")
            except UnicodeEncodeError as error:
                raise _broken("bytes beyond 255") from error
    raise _broken("bytes in an unknown writing")


def _empty_bytes(resolver: _Resolver, request: Record) -> object:
    if request.args:
        raise _broken("bytes in an unknown writing")
    return b""


def _array(resolver: _Resolver, request: Record) -> object:
    match request.state:
        case (int(), tuple(shape), kind, fortran, raw) if not isinstance(raw, list):
            return _filled(_number_type(resolver, kind), shape, "F" if fortran else "C", resolver.raw(raw))
    raise SourceError("the pickle holds an array that is not made of numbers or texts", hint=_HINT)


def _array_from_buffer(resolver: _Resolver, request: Record) -> object:
    match request.args:
        case (raw, kind, tuple(shape), ("C" | "F") as order):
            return _filled(_number_type(resolver, kind), shape, order, resolver.raw(raw))
    raise _broken("an array of an unknown make")


def _scalar(resolver: _Resolver, request: Record) -> object:
    match request.args:
        case (kind, raw):
            return _filled(_number_type(resolver, kind), (), "C", resolver.raw(raw))[()]
    raise _broken("a number of an unknown make")


def _filled(kind: np.dtype[Any], shape: tuple[object, ...], order: Any, raw: memoryview) -> np.ndarray[Any, Any]:
    sides = [side for side in shape if isinstance(side, int) and side >= 0]
    count = 1
    for side in sides:
        count *= side
    if len(sides) != len(shape) or len(sides) > _MAX_DIMENSIONS or count * kind.itemsize != len(raw):
        raise _broken("an array whose bytes do not fit its shape")
    try:
        flat = np.frombuffer(bytes(raw), kind) if count and kind.itemsize else np.zeros(count, kind)
        array = flat.reshape(sides, order=order)
    except (ValueError, TypeError, MemoryError) as error:
        raise _broken(f"an array that cannot be made ({error})") from error
    array.flags.writeable = False
    return array


def _number_type(resolver: _Resolver, value: object) -> np.dtype[Any]:
    """numpy's type of numbers, texts or bytes; no objects, no fields. Its state is read for the order of bytes only."""
    match value:
        case Record(of=Global("numpy", "dtype"), args=(Bulk() as written, *_)):  # as Python 2 writes it
            name = str(resolver.raw(written), "ascii", "replace")
        case Record(of=Global("numpy", "dtype"), args=(str(name), *_)):
            pass
        case _:
            raise _broken("an array of an unknown type")
    if not _NUMBER_TYPE.fullmatch(name):
        raise SourceError(f"the pickle holds an array of type {name[:40]!r}, which is not loaded", hint=_HINT)
    try:
        kind = np.dtype(name)
        match value.state:
            case (int(), str(order), *_) if order in ("<", ">"):
                kind = kind.newbyteorder("<" if order == "<" else ">")
            case (int(), Bulk() as written, *_) if bytes(resolver.raw(written)) in (b"<", b">"):
                kind = kind.newbyteorder("<" if bytes(resolver.raw(written)) == b"<" else ">")
    except (TypeError, ValueError) as error:
        raise _broken(f"an array of type {name[:40]!r}") from error
    return kind


def _broken(what: str) -> SourceError:
    return SourceError(f"the pickle holds {what}", hint="Fetch the file again.")


_PLAIN_REQUESTS: dict[tuple[str, str], _Request] = {
    ("_codecs", "encode"): _encoded,
    ("builtins", "bytes"): _empty_bytes,
    ("__builtin__", "bytes"): _empty_bytes,
}
_ARRAY_REQUESTS: dict[tuple[str, str], _Request] = {
    **{(module, "_reconstruct"): _array for module in _MULTIARRAY},
    **{(module, "scalar"): _scalar for module in _MULTIARRAY},
    **{(module, "_frombuffer"): _array_from_buffer for module in _NUMERIC},
}
