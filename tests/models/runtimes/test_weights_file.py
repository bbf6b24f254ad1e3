"""Files of weights from strangers: nothing in them is run, and what they claim is bounded before it is taken."""

from __future__ import annotations

import collections
import io
import json
import os
import pickle
import struct
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from stepscope.core import limits
from stepscope.core.errors import UserError
from stepscope.core.lazy import lazy_module
from stepscope.models.runtimes.weights import read_state

torch = lazy_module("torch")
pytestmark = pytest.mark.needs("torch")


@pytest.fixture(autouse=True)
def usual_limits() -> Iterator[None]:
    yield
    limits.choose({})


def refused(file: Path, words: str) -> UserError:
    with pytest.raises(UserError, match=words) as caught:
        read_state(file)
    assert caught.value.place == str(file) and len(str(caught.value)) < 600 and "\x1b" not in str(caught.value)
    return caught.value


class Touch:
    def __init__(self, file: Path) -> None:
        self.file = file

    def __reduce__(self) -> Any:
        return os.mkdir, (str(self.file),)


def test_nothing_in_a_pickle_is_run(tmp_path: Path) -> None:
    made = tmp_path / "made"
    state = {"w": Touch(made)}
    torch.save(state, tmp_path / "new.pt")
    torch.save(state, tmp_path / "old.pt", _use_new_zipfile_serialization=False)
    (tmp_path / "plain.pt").write_bytes(pickle.dumps(state))
    torch.save(torch.nn.Linear(2, 2), tmp_path / "module.pt")
    for name in ("new", "old", "plain", "module"):
        error = refused(tmp_path / f"{name}.pt", "is not whole, or holds more than tensors, which is not read")
        assert "weights_only" not in str(error), "no advice on how to run it in spite of that"
    assert not made.exists()


def repacked(file: Path, name: str, method: int, **changed: bytes) -> Path:
    """The file that torch.save wrote, packed by `method`, with members changed by the end of their names."""
    found = file.with_name(name)
    with zipfile.ZipFile(file) as given, zipfile.ZipFile(found, "w", method) as made:
        for member in given.namelist():
            data = next((one for end, one in changed.items() if member.endswith(end)), given.read(member))
            made.writestr(member, data)
    return found


def test_a_file_that_is_packed_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    torch.save({"w": torch.ones(4)}, tmp_path / "good.pt")
    assert read_state(tmp_path / "good.pt")["w"].tolist() == [1, 1, 1, 1]
    bomb = repacked(tmp_path / "good.pt", "bomb.pt", zipfile.ZIP_DEFLATED, version=b"\0" * (64 << 20))
    assert bomb.stat().st_size < 1 << 18
    refused(bomb, r"is no model that can be loaded: '.*' in it is packed")
    limits.choose({"model-table-bytes": 1 << 20})
    long = repacked(tmp_path / "good.pt", "long.pt", zipfile.ZIP_STORED, **{"data.pkl": b"N0" * (1 << 20) + b"N."})
    assert "--limit-model-table-bytes 2MB" in refused(long, "its table of tensors has 2 MB, more than 1 MB").hint


class Storage:
    pass


def claiming(file: Path, size: tuple[int, ...], stride: tuple[int, ...], count: int, offset: int = 0) -> Path:
    """A tensor over a storage of 16 bytes that is said to have `count` numbers."""

    class Pickler(pickle.Pickler):
        def persistent_id(self, one: object) -> Any:
            return ("storage", torch.FloatStorage, "0", "cpu", count) if isinstance(one, Storage) else None

    class Rebuilt:
        def __reduce__(self) -> Any:
            given = (Storage(), offset, size, stride, False, collections.OrderedDict())
            return torch._utils._rebuild_tensor_v2, given

    out = io.BytesIO()
    Pickler(out, 2).dump({"w": Rebuilt()})
    with zipfile.ZipFile(file, "w") as made:
        for name, data in (("data.pkl", out.getvalue()), ("version", b"3\n"), ("data/0", b"\0" * 16)):
            made.writestr(f"a/{name}", data)
    return file


@pytest.mark.parametrize(
    "claim",
    [
        ((4,), (1,), 1 << 40),
        ((4,), (1,), 1 << 62),
        ((4,), (1,), -4),
        ((1 << 40,), (1,), 4),
        ((4,), (-1,), 4),
        ((4,), (1,), 4, 1 << 40),
    ],
)
def test_a_storage_that_is_not_there(claim: Any, tmp_path: Path) -> None:
    assert claiming(tmp_path / "good.pt", (4,), (1,), 4).exists() and read_state(tmp_path / "good.pt")
    refused(claiming(tmp_path / "claim.pt", *claim), "is no model that can be loaded")


def safetensors(file: Path, header: object, data: bytes = b"", length: int | None = None) -> Path:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    file.write_bytes(struct.pack("<Q", len(text) if length is None else length) + text + data)
    return file


def tensor(shape: object, *offsets: int, kind: str = "F32") -> dict[str, object]:
    return {"dtype": kind, "shape": shape, "data_offsets": offsets}


FORGED: dict[str, tuple[Any, bytes, int | None]] = {
    "a header of 2^63 bytes": ({}, b"", (1 << 63) - 1),
    "a header of 2^64 bytes": ({}, b"", (1 << 64) - 1),
    "a header behind the end": (b"{}", b"", 99_000_000),
    "two tensors in one place": ({"a": tensor([4], 0, 16), "b": tensor([4], 0, 16)}, bytes(16), None),
    "data that is not there": ({"a": tensor([1 << 40], 0, 1 << 42)}, bytes(16), None),
    "a size that overflows": ({"a": tensor([1 << 32, 1 << 32], 0, 0)}, b"", None),
    "a size of 2^70": ({"a": tensor([1 << 70], 0, 0)}, b"", None),
    "a negative size": ({"a": tensor([-4], 0, 16)}, bytes(16), None),
    "an end before the beginning": ({"a": tensor([4], 16, 0)}, bytes(16), None),
    "another kind of number": ({"a": tensor([4], 0, 16, kind="EVIL")}, bytes(16), None),
    "half a text": (b'{"a":', b"", None),
    "no text": (b"\xff\xfe{}", b"", None),
    "brackets": (b"[" * 1_000_000, b"", None),
    "a long number": (b'{"a":{"dtype":"F32","shape":[' + b"9" * 1_000_000 + b"]}}", b"", None),
}


@pytest.mark.parametrize("forged", FORGED)
def test_a_forged_header(forged: str, tmp_path: Path) -> None:
    header, data, length = FORGED[forged]
    refused(safetensors(tmp_path / "a.safetensors", header, data, length), "is no model that can be loaded")


def test_a_long_header_is_not_held(tmp_path: Path) -> None:
    bomb = b'{"a":{"dtype":"F32","shape":[' + b"1," * 3_000_000 + b'1],"data_offsets":[0,4]}}'
    error = refused(safetensors(tmp_path / "a.safetensors", bomb, bytes(4)), "its header has .* more than 4 MB")
    assert "--limit-model-table-bytes 8MB" in error.hint


@pytest.mark.skipif(sys.platform == "win32", reason="needs pipes and links as POSIX has them")
@pytest.mark.parametrize("suffix", ["pt", "safetensors"])
def test_what_is_no_file_is_not_waited_for(suffix: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / f"pipe.{suffix}")
    (tmp_path / f"folder.{suffix}").mkdir()
    (tmp_path / f"device.{suffix}").symlink_to("/dev/zero")
    for name in ("pipe", "folder", "device"):
        refused(tmp_path / f"{name}.{suffix}", "this is no file|Is a directory")
