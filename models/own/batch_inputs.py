"""The arrays of a batch of rows, one for each input of the network."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from stepscope.models.own.manifest import ElementsInput, Input, Manifest, ScreenInput, TokensInput
from stepscope.models.own.request_rows import RequestRow
from stepscope.models.own.screen_input import as_array
from stepscope.models.own.text_input import TextTokens
from stepscope.models.runtimes.runtime import Array


class BatchInputs:
    """Makes arrays by the manifest that lies in `folder`."""

    def __init__(self, manifest: Manifest, folder: Path) -> None:
        """Raises UserError naming a tokenizer's file that cannot be used."""
        self._inputs = manifest.inputs
        self._tokens = {one.name: TextTokens(folder / one.tokenizer, one) for one in manifest.texts}

    def arrays(self, rows: Sequence[RequestRow]) -> list[Array]:
        """In the manifest's order of inputs; the first axis counts the rows, of which there is at least one."""
        return [self._array(one, rows) for one in self._inputs]

    def _array(self, wanted: Input, rows: Sequence[RequestRow]) -> Array:
        match wanted:
            case ScreenInput():
                return np.stack([as_array(row.sent, wanted) for row in rows if row.sent is not None])
            case TokensInput():
                pairs = [row.texts[wanted.pair] for row in rows] if wanted.pair else None
                return self._tokens[wanted.name].rows([row.texts[wanted.text] for row in rows], pairs)
            case ElementsInput():
                return np.stack([_boxes(row, wanted) for row in rows])


def _boxes(row: RequestRow, wanted: ElementsInput) -> Array:
    found = np.zeros((wanted.count, 4))
    for place, (_, box) in enumerate(row.elements):
        width, height = box.size.width, box.size.height
        left, top, right, bottom = box.left / width, box.top / height, box.right / width, box.bottom / height
        corners = wanted.boxes == "corners"
        found[place] = (
            (left, top, right, bottom)
            if corners
            else ((left + right) / 2, (top + bottom) / 2, right - left, bottom - top)
        )
    return found.astype(wanted.dtype)
