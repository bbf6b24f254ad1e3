"""Whether servers on other machines may be asked, and what was sent to whom and when. Files of the user's own: they
hold for every program and process of this user."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from stepscope.core.drafts import advice, reason, write_whole
from stepscope.core.errors import UserError
from stepscope.core.frozen import dataclass
from stepscope.core.own_files import read_json
from stepscope.core.settings import user_config_dir, user_data_dir
from stepscope.models.chat.servers import ChatServer

LONGEST_LOG = 4 << 20
"""Bytes of the log; then it begins anew, and the one before is kept beside it."""


def choice_file() -> Path:
    """Where the choice is kept; may not exist yet."""
    return user_config_dir() / "privacy.json"


def log_file() -> Path:
    """Where what was sent is written down; may not exist yet."""
    return user_data_dir() / "sent.jsonl"


def only_here() -> bool:
    """Whether only servers on this machine may be asked. A file that cannot be read forbids the others (ours). Raises
    nothing."""
    try:
        form = read_json(choice_file())
    except FileNotFoundError:
        return False
    except (OSError, ValueError):
        return True
    return not isinstance(form, dict) or form.get("only_here") is not False


def allow_only_here(wanted: bool) -> None:
    """Keep the choice. Raises UserError where it cannot be written."""
    try:
        write_whole(choice_file(), json.dumps({"only_here": wanted}).encode())
    except OSError as error:
        raise UserError(f"cannot be written: {reason(error)}.", place=choice_file(), hint=advice(error)) from error


def refusal(server: ChatServer) -> str:
    """Why the server may not be asked, "" where it may."""
    if server.is_here or not only_here():
        return ""
    return f"{server.name} ({server.url}) is another machine, and only servers on this one may be asked."


HINT = "Allow it in Preferences ▸ Privacy, or by stepscope servers only-here off."


@dataclass(frozen=True, slots=True)
class SentRequest:
    """A request that went out: `letters` of its texts, `pictures`, `bytes` of both as they are sent; `outcome` is
    "answered", "cancelled" on its way, or why not."""

    time: str
    server: str
    url: str
    model: str
    letters: int
    pictures: int
    bytes: int
    outcome: str


def note(server: ChatServer, fields: Mapping[str, Any], outcome: str) -> None:
    """Write down that this was sent. Raises nothing: a log that cannot be written stops no work."""
    letters, pictures, size = _measured(fields.get("messages", ()))
    one = {
        "time": datetime.now(UTC).isoformat(timespec="seconds"), "server": server.name, "url": server.url,
        "model": str(fields.get("model", "")), "letters": letters, "pictures": pictures, "bytes": size,
        "outcome": outcome,
    }  # fmt: skip
    file = log_file()
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        if file.exists() and file.stat().st_size > LONGEST_LOG:
            file.replace(file.with_name("sent-before.jsonl"))
        line = (json.dumps(one, ensure_ascii=False) + "\n").encode("utf-8", "replace")
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            os.write(descriptor, line)  # one write: lines of several processes do not mix
        finally:
            os.close(descriptor)


def sent_requests(most: int = 1_000) -> list[SentRequest]:
    """The latest of the log, the newest first; lines that are none are passed over. Raises UserError where it cannot be
    read."""
    try:
        lines = log_file().read_text(encoding="utf-8", errors="replace").splitlines()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise UserError(f"cannot be read: {reason(error)}.", place=log_file()) from error
    found = []
    for line in reversed(lines):
        with suppress(ValueError, TypeError):
            found.append(SentRequest(**json.loads(line)))
        if len(found) == most:
            break
    return found


def _measured(messages: Any) -> tuple[int, int, int]:
    letters = pictures = size = 0
    for message in messages:
        content = message.get("content")
        for part in content if isinstance(content, list) else [{"type": "text", "text": content}]:
            if part.get("type") == "image_url":
                url = str(part["image_url"]["url"])
                pictures, size = pictures + 1, size + len(url)
            else:
                text = str(part.get("text") or "")
                letters, size = letters + len(text), size + len(text.encode("utf-8", "replace"))
    return letters, pictures, size
