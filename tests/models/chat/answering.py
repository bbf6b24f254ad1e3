"""A server on this machine that answers as it is told to, in OpenAI's form."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@contextmanager
def answering(answer: Callable[[Any], str], model: str) -> Iterator[str]:
    """Its address while it is there; `answer` gives the body of the reply to a request's. Asked for its models it
    names one."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._give(json.dumps({"object": "list", "data": [{"id": model, "object": "model"}]}))

        def do_POST(self) -> None:
            self._give(answer(json.loads(self.rfile.read(int(self.headers["Content-Length"])))))

        def _give(self, body: str) -> None:
            data = body.encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: Any) -> None:
            """Nothing: tests are quiet."""

    made = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{made.server_address[1]}/v1"
    finally:
        made.shutdown()
        made.server_close()
        thread.join()
