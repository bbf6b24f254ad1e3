"""Pictures beside a prediction in JSON Lines: `"pictures": [{"name": "saliency", "file": "maps/1.png"}]`.

Instead of a `file` (relative to the prediction file, inside its folder) there may be `data`, the file in base64. `box`
is [left, top, right, bottom] in pixels of the step's screenshot; `step` the step that it is about, for answers about a
whole episode.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from stepscope.core.domain.episode import STEP_INDEX, is_step_index
from stepscope.core.domain.geometry import Box, Size
from stepscope.core.domain.prediction import LARGEST_PICTURE, MOST_PICTURES, AttachedPicture
from stepscope.core.errors import SourceError
from stepscope.core.imaging.attachment_check import check_attached
from stepscope.core.sources.files import mapping_of, read_bytes, safe_join, shortened, text_of

MOST_BYTES = 512 << 20
"""Of all pictures of a prediction file: they are in memory together (ours)."""
_DATA_URL = ";base64,"


class PictureReader:
    """Reads the pictures of one prediction file, line by line; `folder` is where the file lies."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._bytes = 0

    def read(self, value: object, size_at: Callable[[int | None], Size | None]) -> tuple[AttachedPicture, ...]:
        """The pictures of a line's `pictures`. `size_at` gives the screenshot's size at a step, at the line's own for
        None. Raises ValueError saying what is wrong with them."""
        if value is None:
            return ()
        if not isinstance(value, list) or len(value) > MOST_PICTURES:
            raise ValueError(f"pictures must be a list of at most {MOST_PICTURES}")
        found = []
        for place, item in enumerate(value):
            try:
                found.append(self._picture(mapping_of(item), size_at))
            except SourceError as error:
                raise ValueError(f"pictures[{place}]: {error.message}") from error
            except ValueError as error:
                raise ValueError(f"pictures[{place}]: {error}") from error
        check_attached(found)
        self._bytes += sum(len(one.data) for one in found)
        if self._bytes > MOST_BYTES:
            raise ValueError(f"the pictures of this file have more than {MOST_BYTES >> 20} MB together")
        return tuple(found)

    def _picture(self, form: Mapping[str, Any], size_at: Callable[[int | None], Size | None]) -> AttachedPicture:
        step = form.get("step")
        if step is not None and not is_step_index(step):
            raise ValueError(f"step must be {STEP_INDEX}")
        return AttachedPicture(text_of(form.get("name")), self._data(form), _box(form, step, size_at), step)

    def _data(self, form: Mapping[str, Any]) -> bytes:
        file, text = form.get("file"), form.get("data")
        if isinstance(file, str) and text is None:
            path = safe_join(self._folder, file)
            if path.is_file() and path.stat().st_size > LARGEST_PICTURE:
                raise ValueError(f"{shortened(file)} is larger than {LARGEST_PICTURE >> 20} MB")
            return read_bytes(path)
        if isinstance(text, str) and file is None:
            start = text.find(_DATA_URL, 0, 100)
            try:
                return base64.b64decode(text[start + len(_DATA_URL) if start >= 0 else 0 :], validate=True)
            except (binascii.Error, ValueError) as error:
                raise ValueError("data is not base64") from error
        raise ValueError("a picture has either file or data")


def _box(form: Mapping[str, Any], step: int | None, size_at: Callable[[int | None], Size | None]) -> Box | None:
    edges = form.get("box")
    if edges is None:
        return None
    size = size_at(step)
    if size is None:
        raise ValueError("there is no screenshot that its box could be on")
    if not isinstance(edges, list) or len(edges) != 4 or not all(type(edge) in (int, float) for edge in edges):
        raise ValueError("box must be [left, top, right, bottom] in pixels")
    left, top, right, bottom = map(float, edges)
    return Box(left, top, right, bottom, size)


def picture_form(picture: AttachedPicture) -> dict[str, Any]:
    """The picture as a line has it, its file in base64."""
    form: dict[str, Any] = {"name": picture.name, "data": base64.b64encode(picture.data).decode("ascii")}
    if picture.box is not None:
        form["box"] = [picture.box.left, picture.box.top, picture.box.right, picture.box.bottom]
    if picture.step is not None:
        form["step"] = picture.step
    return form
