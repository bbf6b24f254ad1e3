"""Pickles of plain values, from strangers.

Nothing that a pickle names is imported or called: it is read by `inert_pickle`, and the few requests that stand for a
value (bytes in old pickles) are answered here. Every other one is refused by name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from stepscope.core.archives.inert_pickle import ByteString, Global, PickledObject, load_inert
from stepscope.core.archives.pickle_stream import PickleError
from stepscope.core.errors import SourceError
from stepscope.core.limits import exceeded, limit

_MAX_DEPTH = 150
_HINT = "Only plain values are read from pickles. Save it as JSON, or as lists, dicts, texts and numbers."


def load_plain(data: bytes) -> object:
    """The pickle's value out of lists, tuples, dicts, texts, numbers, None, bool and bytes.

    Raises SourceError for anything else, naming the class or function that is asked for.
    """
    try:
        found = load_inert(iter((data,)))
    except PickleError as error:
        raise SourceError(f"the pickle cannot be read: {error}", hint="Fetch the file again.") from error
    return _PickleResolver(data).resolve(found)


class _PickleResolver:
    """Turns what the pickle says into values. Shared ones are made once; endless and exploding ones are refused."""

    def __init__(self, data: bytes) -> None:
        self._data = memoryview(data)
        self._made: dict[int, tuple[object, int]] = {}
        self._under_way: set[int] = set()
        self._count, self._most = 0, limit("pickle-values")
        self._depth = 0

    def resolve(self, value: Any) -> Any:
        if value is None or isinstance(value, (str, int, float)):
            self._add(1)
            return value
        if isinstance(value, ByteString):
            self._add(1)
            raw = self._data[value.offset : value.offset + value.length]
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

    def _make(self, value: object) -> object:
        match value:
            case list():
                return [self.resolve(item) for item in value]
            case tuple():
                return tuple([self.resolve(item) for item in value])
            case dict():
                return {key: self.resolve(item) for key, item in value.items()}
            case PickledObject(of=Global(module=module, name=name)) if (module, name) in _REQUESTS:
                return _REQUESTS[module, name](value)
            case PickledObject(of=Global() as wanted) | (Global() as wanted):
                name = f"{wanted.module}.{wanted.name}".lstrip(".")[:120]
                raise SourceError(f"the pickle asks for {name}, which is not loaded", hint=_HINT)
        raise SourceError("the pickle asks for an object, which is not loaded", hint=_HINT)

    def _add(self, count: int) -> None:
        self._count += count
        if self._count > self._most:
            raise exceeded("pickle-values", f"the pickle holds more than {self._most:,} values")


def _encoded(request: PickledObject) -> object:
    """Bytes as protocols before 3 write them: a text whose letters are the bytes."""
    match request.args:
        case (str(text), str(encoding)) if encoding.lower().replace("-", "") in ("latin1", "iso88591"):
            try:
                return text.encode("latin-1")
            except UnicodeEncodeError as error:
                raise _broken("bytes beyond 255") from error
    raise _broken("bytes in an unknown writing")


def _empty_bytes(request: PickledObject) -> object:
    if request.args:
        raise _broken("bytes in an unknown writing")
    return b""


def _broken(what: str) -> SourceError:
    return SourceError(f"the pickle holds {what}", hint="Fetch the file again.")


_REQUESTS: dict[tuple[str, str], Callable[[PickledObject], object]] = {
    ("_codecs", "encode"): _encoded,
    ("builtins", "bytes"): _empty_bytes,
    ("__builtin__", "bytes"): _empty_bytes,
}
