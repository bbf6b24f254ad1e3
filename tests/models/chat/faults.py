"""A server on this machine that misbehaves to order, and waiting that takes no time."""

from __future__ import annotations

import contextlib
import json
import random
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from stepscope.models.chat.client import RetryPolicy
from stepscope.models.chat.servers import ChatServer


def completion(text: Any = "Open the door", finish: str = "stop", **message: Any) -> str:
    choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text, **message}}
    return json.dumps({"id": "1", "object": "chat.completion", "choices": [choice]})


@dataclass
class Act:
    """What the server does with one request: `how` is answer, hang, close, trickle, or the body again and again:
    endless, or in chunks. `data` is sent in the body's place."""

    body: str = ""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    how: str = "answer"
    data: bytes = b""


@dataclass
class Stage:
    """`acts` are played one after the other, the last again and again; `seen` are headers and bodies that came."""

    url: str
    acts: list[Act]
    seen: list[tuple[str, dict[str, str], Any]] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)
    hung: threading.Event = field(default_factory=threading.Event)

    def plays(self, *acts: Act | str) -> None:
        self.acts[:] = [one if isinstance(one, Act) else Act(one) for one in acts]

    def server(self, **fields: Any) -> ChatServer:
        return ChatServer("lab", self.url, **{"model": "m", "timeout": 20.0, **fields})

    @property
    def bodies(self) -> list[Any]:
        return [body for _, _, body in self.seen]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    stage: Stage

    def do_GET(self) -> None:
        self._play()

    def do_POST(self) -> None:
        self._play()

    def _play(self) -> None:
        sent = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        with self.stage.lock:
            self.stage.seen.append((self.path, dict(self.headers), json.loads(sent) if sent else None))
            act = self.stage.acts.pop(0) if len(self.stage.acts) > 1 else self.stage.acts[0]
        if act.how == "hang":
            self.stage.hung.set()
            self.stage.over.wait(30)
        if act.how in ("hang", "close"):
            self.close_connection = True
            return
        body = act.data or act.body.encode()
        if act.how in ("endless", "chunks"):
            self._without_end(act, body)
            return
        self.send_response(act.status)
        for name, value in act.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body) + (1000 if act.how == "trickle" else 0)))
        self.end_headers()
        self.wfile.write(body)
        while act.how == "trickle" and not self.stage.over.wait(0.05):
            try:
                self.wfile.write(b" ")
            except OSError:
                return

    def _without_end(self, act: Act, piece: bytes) -> None:
        """Until the client goes away."""
        chunks = act.how == "chunks"
        self.close_connection = True
        self.send_response(act.status)
        self.send_header(*(("Transfer-Encoding", "chunked") if chunks else ("Connection", "close")))
        self.end_headers()
        piece = b"%x\r\n%s\r\n" % (len(piece), piece) if chunks else piece
        with contextlib.suppress(OSError):
            while not self.stage.over.is_set():
                self.wfile.write(piece)

    def log_message(self, *_: Any) -> None:
        """Nothing: tests are quiet."""


class Quiet(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: Any) -> None:
        """A client that goes away is part of the play."""


@dataclass
class Waiting:
    """The waits that were asked for; none takes time."""

    waits: list[float] = field(default_factory=list)
    at: float = 1_000_000.0

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)

    def patience(self, attempts: int = 5) -> RetryPolicy:
        return RetryPolicy(self.sleep, lambda: self.at, random.Random(0), attempts)
