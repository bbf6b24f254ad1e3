"""A language model out of a GGUF file, run in this process by llama.cpp through the library `xllamacpp` (MIT).

The library answers on a port of this machine, with a key that is made anew each time, so that all that is true of
models behind servers is true of it: `models.chat.chat` asks it. A file `mmproj*.gguf` beside the model's lets it see
pictures, as llama.cpp has it.
"""

from __future__ import annotations

import json
import os
import secrets
import threading
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import UnavailableError, UsageError, UserError
from core.progress import CancelToken
from models.chat.answers import Answer
from models.chat.chat import ServedChat
from models.chat.client import ServerError
from models.chat.servers import Server
from models.webtask.tokens import estimated

PREFIX, END = "local/", ".gguf"
"""How the name of a file's model begins and ends, behind `page:`."""
TIMEOUT = 1_800.0
"""Seconds for an answer: without a GPU some thousand tokens take minutes (ours)."""
_HINT = "Install the extra: pip install stepscope[local]."


@dataclass(frozen=True, slots=True)
class _Running:
    """`engine` holds the model; it ends when nobody holds it."""

    engine: Any
    address: str
    key: str
    chat: ServedChat


def is_file(name: str) -> bool:
    """Whether a name without `page:` is of a file."""
    return name.startswith(PREFIX) and name.lower().endswith(END)


def file_of(name: str) -> Path:
    """The file of such a name, from the root. Raises UsageError where it is not there."""
    file = Path(name.removeprefix(PREFIX)).expanduser()
    if not file.is_file():
        raise UsageError("There is no such file.", place=file, hint="Name it page:local/PATH, a GGUF file.")
    return file.resolve()


def projector(file: Path) -> Path | None:
    """What lets the model see, if it lies beside it."""
    return next(iter(sorted(file.parent.glob(f"mmproj*{END}"))), None)


class LocalChat:
    """See `Chat`. The model is loaded with the first question and lives as long as this does."""

    def __init__(self, file: Path, *, context: int, device: str = "auto") -> None:
        """`context` in tokens. `device`: "cpu", else the GPU where the library was built for one."""
        self._file, self._context, self._device = file, context, device
        self._token = CancelToken()
        self._lock = threading.Lock()
        self._running: _Running | None = None

    def heed(self, token: CancelToken) -> None:
        self._token = token
        with self._lock:
            if self._running is not None:
                self._running.chat.heed(token)

    def ask(self, messages: list[dict[str, Any]], most_tokens: int) -> Answer | ServerError:
        """Raises UnavailableError without the library, UserError for a file that cannot be loaded."""
        return self._started().chat.ask(messages, most_tokens)

    def count(self, text: str) -> int:
        """Tokens of the text, by the model's own tokenizer. Raises as `ask`."""
        running = self._started()
        request = urllib.request.Request(
            f"{running.address}/tokenize",
            json.dumps({"content": text}).encode(),
            {"Content-Type": "application/json", "Authorization": f"Bearer {running.key}"},
        )
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with direct.open(request, timeout=60) as answer:
                return len(json.load(answer)["tokens"])
        except (OSError, ValueError, KeyError, TypeError):
            return estimated(text)

    def _started(self) -> _Running:
        with self._lock:
            if self._running is None:
                self._running = self._load()
                self._running.chat.heed(self._token)
            return self._running

    def _load(self) -> _Running:
        try:
            import xllamacpp
        except ImportError as error:
            raise UnavailableError("A model out of a file needs the library xllamacpp.", hint=_HINT) from error
        key = secrets.token_hex(16)
        params = xllamacpp.CommonParams()
        params.model.path = str(self._file)
        params.n_ctx, params.n_parallel, params.warmup = self._context, 1, False
        params.cpuparams.n_threads = os.cpu_count() or 1
        params.port, params.api_keys, params.ui, params.endpoint_slots, params.verbosity = 0, [key], False, False, -1
        if self._device == "cpu":
            params.n_gpu_layers = 0
        sees = projector(self._file)
        if sees is not None:
            params.mmproj.path = str(sees)
        try:
            engine = xllamacpp.Server(params)
        except RuntimeError as error:
            hint = "Is it a whole GGUF file of a language model, and is there memory for it?"
            raise UserError("llama.cpp cannot load this model.", place=self._file, hint=hint) from error
        server = Server("local", f"{engine.listening_address}/v1", self._file.stem, TIMEOUT, 1, sees is not None)
        return _Running(engine, engine.listening_address, key, ServedChat(server, server.model, key=lambda: key))
