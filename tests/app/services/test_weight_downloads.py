"""Weights fetched from a hub: from a small server in this process that speaks as one."""

from __future__ import annotations

import hashlib
import json
import re
import struct
import threading
from collections.abc import Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from stepscope.app.services import weight_downloads
from stepscope.app.services.weight_downloads import download
from stepscope.core.errors import UsageError, UserError
from stepscope.core.settings import user_data_dir

pytestmark = pytest.mark.needs("huggingface_hub")

COMMIT = "0" * 40
HEADER = json.dumps({"a": {"dtype": "F32", "shape": [500], "data_offsets": [0, 2000]}}).encode()
TENSORS = struct.pack("<Q", len(HEADER)) + HEADER + bytes(2000)


class Hub(ThreadingHTTPServer):
    """`files` of the one model `lab/little`; `asked` are the paths that were asked for, with the ranges. The first
    answer about a file in `cut` ends in its middle."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Request)
        self.files: dict[str, bytes] = {}
        self.asked: list[tuple[str, str]] = []
        self.cut: set[str] = set()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Request(BaseHTTPRequestHandler):
    server: Hub

    def do_HEAD(self) -> None:
        self._answer(body=False)

    def do_GET(self) -> None:
        self._answer(body=True)

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def _answer(self, *, body: bool) -> None:
        path = self.path.partition("?")[0]
        self.server.asked.append((path, self.headers.get("Range", "")))
        if path.startswith("/api/models/lab/little/revision/"):
            names = [{"rfilename": name} for name in self.server.files]
            self._send(json.dumps({"id": "lab/little", "sha": COMMIT, "siblings": names}).encode(), body=True)
        elif path.startswith("/api/models/lab/little/tree/"):
            entries = [
                {"type": "file", "path": name, "size": len(data), "oid": hashlib.sha1(data).hexdigest()}
                for name, data in self.server.files.items()
            ]
            self._send(json.dumps(entries).encode(), body=True)
        elif (name := path.removeprefix(f"/lab/little/resolve/{COMMIT}/")) in self.server.files:
            self._send(self.server.files[name], body=body, name=name)
        else:
            self.send_response(404)
            self.send_header("Content-Length", "0")
            self.end_headers()

    def _send(self, data: bytes, *, body: bool, name: str = "") -> None:
        tag, whole = hashlib.sha1(data).hexdigest(), len(data)
        begin = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
        first = int(begin[1]) if begin else 0
        self.send_response(206 if begin else 200)
        if begin:
            self.send_header("Content-Range", f"bytes {first}-{whole - 1}/{whole}")
        self.send_header("Content-Length", str(whole - first))
        self.send_header("X-Repo-Commit", COMMIT)
        self.send_header("ETag", f'"{tag}"')
        self.end_headers()
        if body:
            cut = name in self.server.cut
            self.server.cut.discard(name)
            self.wfile.write(data[first : whole // 2 if cut else whole])
            if cut:
                self.close_connection = True


@pytest.fixture
def hub() -> Iterator[Hub]:
    with closing(_Running(Hub())) as running:
        yield running.hub


class _Running:
    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self._thread = threading.Thread(target=hub.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()

    def close(self) -> None:
        self.hub.shutdown()
        self._thread.join()
        self.hub.server_close()


def test_only_what_an_encoder_is_loaded_from_is_fetched(hub: Hub) -> None:
    wanted = {
        "model.safetensors": TENSORS, "config.json": b"{}", "tokenizer.json": b"{}", "README.md": b"# little",
        "1_Pooling/config.json": b"{}",
    }  # fmt: skip
    unwanted = dict.fromkeys(
        ("pytorch_model.bin", "modeling_little.py", "onnx/model.onnx", "onnx/model.safetensors", "flax_model.msgpack"),
        b"not wanted",
    )
    hub.files = {**wanted, **unwanted}
    folder = download("lab/little", endpoint=hub.address)
    assert folder == user_data_dir() / "weights" / "lab--little"
    found = {
        one.relative_to(folder).as_posix(): one.read_bytes()
        for one in folder.rglob("*")
        if one.is_file() and ".cache" not in one.parts
    }
    assert found == wanted
    assert not {path.partition(f"{COMMIT}/")[2] for path, _ in hub.asked} & set(unwanted)
    before = len(hub.asked)
    download("lab/little", endpoint=hub.address)
    assert not [path for path, _ in hub.asked[before:] if path.endswith("model.safetensors")]


def test_a_download_goes_on_where_it_ended(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.DOWNLOAD_CHUNK_SIZE", 61)  # so that half of a small file is kept
    hub.files, hub.cut = {"model.safetensors": TENSORS, "config.json": b"{}"}, {"model.safetensors"}
    folder = download("lab/little", endpoint=hub.address)
    assert (folder / "model.safetensors").read_bytes() == TENSORS
    assert any(re.fullmatch(r"bytes=[1-9]\d+-", asked) for _, asked in hub.asked)


def test_what_cannot_be_had_is_told_in_one_sentence(hub: Hub) -> None:
    with pytest.raises(UserError, match="cannot be downloaded") as caught:
        download("lab/unknown", endpoint=hub.address)
    assert caught.value.place == "lab/unknown"
    assert "\n" not in str(caught.value)
    hub.files = {"pytorch_model.bin": b"pickle", "config.json": b"{}"}
    with pytest.raises(UserError, match="has no weights that are read"):
        download("lab/little", endpoint=hub.address)
    for name in ("little", "../../etc", "lab/..", "lab/a/b", "https://hub.example/lab/little"):
        with pytest.raises(UsageError, match="is no model of a hub"):
            weight_downloads.folder_of(name)


def test_a_hub_that_does_not_answer(hub: Hub) -> None:
    address = hub.address
    hub.server_close()
    with pytest.raises(UserError, match="cannot be downloaded"):
        download("lab/little", endpoint=address)
