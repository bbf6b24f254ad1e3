"""Bugs: a crash panel with versions and the log, and a fault file that the next start reads."""

from __future__ import annotations

import faulthandler
import logging
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO

log = logging.getLogger("stepscope")


class CrashGuard:
    """Catches what nobody caught. `show` is called on the thread of the failure with title and report, once per bug."""

    def __init__(self, folder: Path, show: Callable[[str, str], None]) -> None:
        self._path = folder / "fault.log"
        self._show = show
        self._seen: set[str] = set()
        self._file: IO[str] | None = None

    def install(self) -> str:
        """Start guarding; returns what a crash of the last run left behind, "" when it ended well."""
        sys.excepthook = self._caught
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            left = self._path.read_text("utf-8", "replace") if self._path.is_file() else ""
            self._file = self._path.open("w", encoding="utf-8")
        except OSError as error:  # a full disk, or a folder that cannot be written, keeps nobody from working
            log.warning("a crash would leave no report: %s", error)
            return ""
        faulthandler.enable(self._file)
        return left.strip()

    def remove(self) -> None:
        """Stop guarding; an empty fault file is taken away again."""
        sys.excepthook = sys.__excepthook__
        faulthandler.disable()
        if self._file is not None:
            with suppress(OSError):
                self._file.close()
                if not self._path.stat().st_size:
                    self._path.unlink()
            self._file = None

    def _caught(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
            return
        text = "".join(traceback.format_exception(kind, error, trace))
        log.error("unexpected error\n%s", text)
        if text not in self._seen:
            self._seen.add(text)
            self._show(f"{kind.__name__}: {error}", f"{versions()}\n\n{text}")


def versions() -> str:
    """One line a part: what a bug report needs to know of this machine."""
    import platform
    from importlib.metadata import version

    parts = [f"Stepscope {version('stepscope')}", f"Python {platform.python_version()}", platform.platform()]
    parts += [f"{name} {version(name)}" for name in ("PySide6", "numpy", "opencv-python-headless", "SQLAlchemy")]
    return "\n".join(parts)
