"""Files that are said to be models: what their headers claim is held against the file before any library reads it."""

from __future__ import annotations

import os
import struct
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

from stepscope.core import limits
from stepscope.core.errors import UsageError, UserError
from stepscope.core.progress import CancelToken
from stepscope.models.webtask import gguf
from stepscope.models.webtask.local import file_of
from stepscope.models.webtask.local_process import LocalProcess, ModelServerSpec

Checks = Callable[[bytes], None]
U8, U32, TEXT, ARRAY, U64 = 0, 4, 8, 9, 10


def text(value: bytes) -> bytes:
    return struct.pack("<Q", len(value)) + value


def entry(kind: int, value: bytes, name: bytes = b"general.name") -> bytes:
    return text(name) + struct.pack("<I", kind) + value


def tensor(*sides: int, offset: int = 0, dimensions: int | None = None) -> bytes:
    count = len(sides) if dimensions is None else dimensions
    return text(b"blk.0") + struct.pack(f"<I{len(sides)}QIQ", count, *sides, 0, offset)


def header(tensors: int, values: int, *parts: bytes, version: int = 3, magic: bytes = b"GGUF") -> bytes:
    return magic + struct.pack("<IQQ", version, tensors, values) + b"".join(parts)


GOOD = header(
    1,
    4,
    entry(U32, bytes(4)),
    entry(TEXT, text(b"tiny")),
    entry(ARRAY, struct.pack("<IQ", TEXT, 2) + text(b"a") + text(b"")),
    entry(ARRAY, struct.pack("<IQ", U8, 3) + b"abc"),
    tensor(4, 2),
    bytes(32),
)


def array(kind: int, count: int, rest: bytes = b"") -> bytes:
    return header(0, 1, entry(ARRAY, struct.pack("<IQ", kind, count) + rest))


@pytest.fixture
def checked(tmp_path: Path) -> Checks:
    def check(data: bytes) -> None:
        file = tmp_path / "m.gguf"
        file.write_bytes(data)
        gguf.check(file)

    return check


def test_a_whole_header_is_taken(checked: Checks) -> None:
    checked(GOOD)
    checked(header(0, 0, version=2))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "does not begin as one"),
        (b"<html>no model</html>", "does not begin as one"),
        (header(0, 0, magic=b"FUGG"), "does not begin as one"),
        (b"GGUF", "ends within its header"),
        (b"GGUF\3\0\0\0\0", "ends within its header"),
        (header(0, 0, version=1), "its version is 1"),
        (header(0, 0, version=0), "its version is 0"),
        (header(0, 0, version=3 << 24), "its version is 50331648"),
        (header(1 << 63, 0), "too short for the 9,223,372,036,854,775,808 tensors"),
        (header(0, (1 << 64) - 1), "too short for the 0 tensors and 18,446,744,073,709,551,615 entries"),
        (header(3, 0, bytes(40)), "too short for the 3 tensors"),
        (header(0, 1, struct.pack("<Q", 1 << 63), bytes(20)), "a text of 9,223,372,036,854,775,808 bytes"),
        (header(0, 1, struct.pack("<Q", 65_536), bytes(65_600)), "a text of 65,536 bytes"),
        (header(0, 1, entry(TEXT, struct.pack("<Q", (1 << 64) - 1))), "a text of 18,446,744,073,709,551,615 bytes"),
        (header(0, 1, entry(TEXT, struct.pack("<Q", 9) + b"short")), "ends within its header"),
        (header(0, 1, entry(13, bytes(8))), "a value of the unknown type 13"),
        (header(0, 1, entry(0xFFFFFFFF, bytes(8))), "a value of the unknown type 4294967295"),
        (header(0, 1, entry(U64, bytes(3))), "ends within its header"),
        (array(ARRAY, 1, struct.pack("<IQ", ARRAY, 1)), "values of the unknown type 9"),
        (array(99, 1), "values of the unknown type 99"),
        (array(U64, 1 << 61), "ends within its header"),
        (array(U8, (1 << 64) - 1), "ends within its header"),
        (array(TEXT, 1 << 60), "ends within its header"),
        (array(TEXT, 2, text(b"a")), "ends within its header"),
        (header(1, 0, tensor(dimensions=1 << 31)), "a tensor has 2,147,483,648 dimensions"),
        (header(1, 0, tensor(1, 1, 1, 1, 1)), "a tensor has 5 dimensions"),
        (header(1, 0, tensor(1 << 63, 2)), "a tensor has 18,446,744,073,709,551,616 weights"),
        (header(1, 0, tensor(1 << 32, 1 << 32)), "weights, for which it is too short"),
        (header(1, 0, tensor(1, offset=1 << 62)), "a tensor lies behind its end"),
        (header(1, 0, tensor(1, offset=(1 << 64) - 32)), "a tensor lies behind its end"),
        (GOOD[:-45], "ends within its header"),
        (GOOD[:70], "too short for the 1 tensors and 4 entries"),
    ],
)
def test_a_forged_header_is_told(checked: Checks, data: bytes, words: str) -> None:
    with pytest.raises(UserError, match=words) as error:
        checked(data)
    assert error.value.place.endswith("m.gguf") and "whole GGUF file" in error.value.hint


def test_every_beginning_of_a_file_is_told_or_taken(checked: Checks) -> None:
    """Cut anywhere before its weights it is no model."""
    for length in range(len(GOOD) - 32):
        with pytest.raises(UserError):
            checked(GOOD[:length])


def test_too_many_texts_are_a_limit(checked: Checks) -> None:
    limits.choose({"model-entries": 100})
    try:
        checked(array(TEXT, 99, bytes(99 * 8)))
        with pytest.raises(UserError, match=r"more than 100 texts\. The limit is 100;"):
            checked(array(TEXT, 100, bytes(100 * 8)))
    finally:
        limits.choose({})


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
def test_what_is_no_file_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.gguf")
    (tmp_path / "folder.gguf").mkdir()
    (tmp_path / "away.gguf").symlink_to(tmp_path / "gone.gguf")
    for name in ("pipe", "folder", "away"):
        with pytest.raises(UsageError, match="There is no such file"):
            file_of(f"local/{tmp_path / name}.gguf")


def test_a_library_that_breaks_is_an_error_of_its_file_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A library that writes to where no memory is, as C++ does that trusts a file."""
    (tmp_path / "xllamacpp.py").write_text("import ctypes; ctypes.string_at(0)")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(UserError, match=r"cannot load this model: llama\.cpp has ended \(exit status -?\d+\)"):
        LocalProcess(ModelServerSpec("m.gguf", "", 100, False, "k"), CancelToken())


def test_a_process_that_ends_later_is_told_and_begun_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("openai")
    from stepscope.models.chat.client import ServerError
    from stepscope.models.webtask.local import LocalChat

    stub = tmp_path / "xllamacpp.py"
    stub.write_text(
        "import os, socket, threading\n"
        "class Any:\n"
        "    def __getattr__(self, name):\n"
        "        found = Any(); self.__dict__[name] = found; return found\n"
        "CommonParams = Any\n"
        "class Server:\n"
        "    def __init__(self, params):\n"
        "        self.door = socket.create_server(('127.0.0.1', 0))\n"
        "        self.listening_address = 'http://127.0.0.1:%d' % self.door.getsockname()[1]\n"
        "        threading.Thread(target=lambda: (self.door.accept(), os._exit(7)), daemon=True).start()\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "xllamacpp", raising=False)
    file = tmp_path / "m.gguf"
    file.write_bytes(GOOD)
    chat = LocalChat(file, context=100)
    assert find_spec("xllamacpp") is not None
    for _ in range(2):  # the second time with a process of its own
        chat.set_token(CancelToken())
        found = chat.ask([{"role": "user", "content": "?"}], 5)
        assert isinstance(found, ServerError) and found.lasting
        assert "m.gguf: llama.cpp has ended (exit status 7)" in str(found)
