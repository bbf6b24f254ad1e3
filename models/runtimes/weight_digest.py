"""Which weights a model was loaded from, in one SHA-256: of its file's content, of several files over theirs.

Hashing gigabytes takes seconds, so what was found is kept by path, size and time of change.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Sequence
from pathlib import Path

from stepscope.core.drafts import write_whole
from stepscope.core.own_files import read_json
from stepscope.core.settings import user_cache_dir
from stepscope.models.runtimes.weights import sha256, unreadable

log = logging.getLogger("stepscope")

FILE_NAME = "weights.json"
_MOST = 500
"""Files whose digests are kept, the latest."""


def weight_files(folder: Path) -> tuple[Path, ...]:
    """The files of a checkpoint's folder, in the order of their names; what lies below it is not looked at."""
    return tuple(sorted(one for one in folder.iterdir() if one.is_file() and not one.name.startswith(".")))


def digest_of_files(files: Sequence[Path], *, anew: bool = False) -> str:
    """SHA-256 in hex: of one file that of its content, of several that of the lines `NAME DIGEST`; "" for none. With
    `anew` every byte is read again. Raises UserError for a file that cannot be read."""
    kept = _kept()
    known = dict(kept)
    digests = []
    for file in files:
        try:
            state = file.stat()
        except OSError as error:
            raise unreadable(file, error) from error
        key = f"{file.resolve()}|{state.st_size}|{state.st_mtime_ns}"
        if anew or key not in known:
            known[key] = sha256(file)
        digests.append((file.name, known[key]))
    if known != kept:
        _keep(known)
    if len(digests) <= 1:
        return digests[0][1] if digests else ""
    return hashlib.sha256("".join(f"{name} {digest}\n" for name, digest in digests).encode()).hexdigest()


def _kept() -> dict[str, str]:
    """What was hashed before; nothing where that cannot be read."""
    try:
        found = read_json(user_cache_dir() / FILE_NAME)
    except (OSError, ValueError):
        return {}
    if not isinstance(found, dict):
        return {}
    return {name: digest for name, digest in found.items() if isinstance(digest, str) and len(digest) == 64}


def _keep(known: dict[str, str]) -> None:
    file = user_cache_dir() / FILE_NAME
    latest = dict(list(known.items())[-_MOST:])
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, json.dumps(latest, indent=0).encode())
    except OSError as error:
        log.warning("digests of weights are not kept: %s", error)
