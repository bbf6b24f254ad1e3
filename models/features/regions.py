"""What gives the regions of a step's picture: the elements of its UI tree, or a detector's file."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from stepscope.core.domain.procedure import ProcedureStep
from stepscope.models.features import screen_regions
from stepscope.models.features.region_file import RegionFile


class RegionSource(Protocol):
    """`size` numbers of a region; `fingerprint` tells what they are, `computed_by` out of which file. Threads may share
    it."""

    size: int
    fingerprint: str
    computed_by: str

    def of(self, step: ProcedureStep) -> NDArray[np.float16] | None:
        """(n, size) of the step's first picture; None where nothing is known of it."""
        ...


class TreeRegions:
    """The elements of the step's UI tree, whatever its origin."""

    size = screen_regions.SIZE
    fingerprint = f"elements of UI trees {screen_regions.VERSION}"
    computed_by = ""

    def of(self, step: ProcedureStep) -> NDArray[np.float16] | None:
        """See `RegionSource`."""
        return None if step.tree is None else screen_regions.tree_regions(step.tree)


class DetectorRegions:
    """What a detector's file has of the step's first picture. A model that was trained with one file may be asked with
    another of the same detector, which is told by its numbers of a region alone."""

    def __init__(self, path: Path, sha256: str) -> None:
        """Raises UserError for a file that cannot be read."""
        self._file = RegionFile(path)
        self.size = self._file.size
        self.fingerprint = f"regions of {self.size} numbers"
        self.computed_by = f"regions of sha256 {sha256}"

    def of(self, step: ProcedureStep) -> NDArray[np.float16] | None:
        """See `RegionSource`. Raises UserError for a line that cannot be read."""
        return self._file.of(step.pictures[0]) if step.pictures else None
