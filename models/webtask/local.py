"""A language model out of a GGUF file, run by llama.cpp through the library `xllamacpp` (MIT) in a process of its own:
a file may be hostile, and what it breaks is that process alone.

The library answers on a port of this machine, with a key that is made anew each time, so that all that is true of
models behind servers is true of it: `models.chat.chat` asks it. A file `mmproj*.gguf` beside the model's lets it see
pictures, as llama.cpp has it.
"""

from __future__ import annotations

import json
import secrets
import threading
import urllib.error
import urllib.request
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from stepscope.core.errors import UnavailableError, UsageError
from stepscope.core.frozen import dataclass
from stepscope.core.limits import limit
from stepscope.core.progress import CancelToken
from stepscope.models.chat.answers import ChatAnswer
from stepscope.models.chat.chat import ServedChat
from stepscope.models.chat.client import RetryPolicy, ServerError
from stepscope.models.chat.servers import ChatServer
from stepscope.models.webtask import gguf
from stepscope.models.webtask.local_process import LocalProcess, ModelServerSpec
from stepscope.models.webtask.tokens import estimated

PREFIX, END = "local/", ".gguf"
"""How the name of a file's model begins and ends, behind `page:`."""
TIMEOUT = 1_800.0
"""Seconds for an answer: without a GPU some thousand tokens take minutes (ours)."""
_ONCE = RetryPolicy(attempts=1)
"""There is no way between the two on which anything could be lost."""
_HINT = "Install the extra: pip install stepscope[local]."


@dataclass(frozen=True, slots=True)
class _LoadedModel:
    """`process` holds the model; it ends when nobody holds it."""

    process: LocalProcess
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
        self._running: _LoadedModel | None = None

    def set_token(self, token: CancelToken) -> None:
        self._token = token
        with self._lock:
            if self._running is not None and self._running.process.ended:
                self._running = None  # with the next question it is loaded anew
            if self._running is not None:
                self._running.chat.set_token(token)

    def ask(self, messages: list[dict[str, Any]], most_tokens: int) -> ChatAnswer | ServerError:
        """Raises UnavailableError without the library, UserError for a file that cannot be loaded."""
        running = self._started()
        found = running.chat.ask(messages, most_tokens) if not running.process.ended else None
        if found is None or (isinstance(found, ServerError) and running.process.ended):
            hint = "Take another model, or less context."
            return ServerError(f"{self._file.name}: {running.process.ended}.", hint=hint, lasting=True)
        return found

    def count(self, text: str) -> int:
        """Tokens of the text, by the model's own tokenizer. Raises as `ask`."""
        running = self._started()
        request = urllib.request.Request(
            f"{running.process.address}/tokenize",
            json.dumps({"content": text}).encode(),
            {"Content-Type": "application/json", "Authorization": f"Bearer {running.key}"},
        )
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with direct.open(request, timeout=60) as answer:
                return len(json.loads(answer.read(limit("answer-bytes")))["tokens"])
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return estimated(text)

    def _started(self) -> _LoadedModel:
        with self._lock:
            if self._running is None:
                self._running = self._load()
                self._running.chat.set_token(self._token)
            return self._running

    def _load(self) -> _LoadedModel:
        if find_spec("xllamacpp") is None:
            raise UnavailableError("A model out of a file needs the library xllamacpp.", hint=_HINT)
        sees = projector(self._file)
        for file in filter(None, (self._file, sees)):
            gguf.check(file)
        key = secrets.token_hex(16)
        wanted = ModelServerSpec(str(self._file), str(sees or ""), self._context, self._device != "cpu", key)
        process = LocalProcess(wanted, self._token)
        server = ChatServer("local", f"{process.address}/v1", self._file.stem, TIMEOUT, 1, sees is not None)
        return _LoadedModel(process, key, ServedChat(server, server.model, key=lambda: key, patience=_ONCE))
