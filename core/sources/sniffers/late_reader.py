"""How a format is opened whose reader is imported no sooner than data of it is opened."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import cast

from stepscope.core.frozen import dataclass
from stepscope.core.sources.source import Source


@dataclass(frozen=True, slots=True)
class LateReader:
    """The `open` of a `Format`: `function` of the module `module` of `core.sources`, which is imported when it is
    called."""

    module: str
    function: str

    def __call__(self, path: Path) -> Source:
        return self.resolved()(path)

    def resolved(self) -> Callable[[Path], Source]:
        """The reader's own function."""
        return cast(
            Callable[[Path], Source], getattr(import_module(f"stepscope.core.sources.{self.module}"), self.function)
        )
