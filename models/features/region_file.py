"""Regions of pictures out of a detector's file: one line a picture, tab-separated, numbers as base64 of float32.

Two layouts are read, told apart by their columns: that of bottom-up attention (Anderson et al. 2018, released code:
`image_id image_w image_h num_boxes boxes features`) and that of LXMERT and VisualBERT (Tan and Bansal 2019, released
code: `img_id img_h img_w objects_id objects_conf attrs_id attrs_conf num_boxes boxes features`). A picture is found by
its file's name without ending.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from stepscope.core.domain.episode import Picture
from stepscope.core.errors import UserError
from stepscope.core.frozen import dataclass
from stepscope.core.regular_files import open_regular
from stepscope.models.features.screen_regions import BOX, MOST_REGIONS, place_of

LOOKED_AT = 100
"""Lines of a file of which it is not known what it is."""
LONGEST_LINE = 32_000_000
"""Bytes of a line; 100 regions of 2,048 numbers have 1.1 million."""
_LAYOUTS = {6: (0, 1, 2, 3, 4, 5), 10: (0, 2, 1, 7, 8, 9)}
"""Where id, width, height, number, boxes and features stand, by the number of columns."""
_FLOAT, _EDGES = 4, 4
_HINT = "Write it as bottom-up attention or LXMERT do; see the page about berson."


@dataclass(frozen=True, slots=True)
class _Line:
    """A line taken apart; the numbers are still text."""

    id: str
    width: float
    height: float
    count: int
    boxes: bytes
    features: bytes


class RegionFile:
    """`size` numbers of a region: those of the detector and its place. Threads may share it: it is opened anew for each
    picture. Raises UserError for a file that cannot be read, naming line and column."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._begins: dict[str, tuple[int, int]] = {}
        self.size = 0
        with _opened(path) as stream:
            for number, begin, raw in _lines(stream, path):
                line = _taken_apart(raw, path, number)
                if line.id in self._begins:
                    raise _wrong(path, number, "id", f"{line.id!r} stands there twice")
                self._begins[line.id] = begin, number
                if not self.size and line.count:
                    self.size = _numbers(line, path, number).shape[1]
        if not self.size:
            raise UserError("has no region of any picture.", place=path, hint=_HINT)

    def __len__(self) -> int:
        return len(self._begins)

    def of(self, picture: Picture) -> NDArray[np.float16] | None:
        """(n, size) of the picture's first MOST_REGIONS regions, the detector's order; None of a picture that the file
        does not have. Raises UserError for a line that cannot be read."""
        found = self._begins.get(picture.path.stem, self._begins.get(picture.path.name))
        if found is None:
            return None
        begin, number = found
        with _opened(self.path) as stream:
            stream.seek(begin)
            _, _, raw = next(_lines(stream, self.path))
        numbers = _numbers(_taken_apart(raw, self.path, number), self.path, number)
        if numbers.size and numbers.shape[1] != self.size:
            message = f"has regions of {numbers.shape[1] - BOX} numbers, the first picture's have {self.size - BOX}"
            raise _wrong(self.path, number, "features", message)
        return numbers[:MOST_REGIONS]


def check(path: Path) -> None:
    """Raises UserError for a file that cannot be read to its end."""
    RegionFile(path)


def looks_like_one(path: Path) -> int:
    """How many numbers a region has, 0 of a file that is none. Reads its first lines, until one has a region."""
    try:
        with _opened(path) as stream:
            for _, _, raw in islice(_lines(stream, path), LOOKED_AT):
                line = _taken_apart(raw, path, 1)
                if line.count:
                    return int(_numbers(line, path, 1).shape[1])
    except UserError:
        pass
    return 0


def _opened(path: Path) -> BinaryIO:
    try:
        return open_regular(path)
    except OSError as error:
        raise UserError(f"cannot be read: {error}", place=path, hint="Choose a detector's file.") from error


def _lines(stream: BinaryIO, path: Path) -> Iterator[tuple[int, int, bytes]]:
    """Number from 1, where it begins, and each line that is not empty."""
    number, begin = 0, stream.tell()
    while raw := stream.readline(LONGEST_LINE + 1):
        number += 1
        if len(raw) > LONGEST_LINE:
            raise UserError(f"line {number} has more than {LONGEST_LINE:,} bytes.", place=path, hint=_HINT)
        if raw.strip():
            yield number, begin, raw.rstrip(b"\r\n")
        begin += len(raw)


def _taken_apart(raw: bytes, path: Path, number: int) -> _Line:
    parts = raw.split(b"\t")
    if len(parts) not in _LAYOUTS:
        raise UserError(f"line {number} has {len(parts)} columns, not 6 or 10.", place=path, hint=_HINT)
    picture, width, height, count, boxes, features = (parts[at] for at in _LAYOUTS[len(parts)])
    name = picture.decode("utf-8", "replace")
    if not name:
        raise _wrong(path, number, "id", "is empty")
    sizes = [_whole(one, path, number, word) for one, word in ((width, "width"), (height, "height"), (count, "number"))]
    if not sizes[0] or not sizes[1]:
        raise _wrong(path, number, "size", "is nothing")
    return _Line(name, sizes[0], sizes[1], sizes[2], boxes, features)


def _numbers(line: _Line, path: Path, number: int) -> NDArray[np.float16]:
    """(n, size): features and place of each region."""
    boxes, features = (
        _floats(one, path, number, word) for one, word in ((line.boxes, "boxes"), (line.features, "features"))
    )
    if len(boxes) != _EDGES * line.count:
        raise _wrong(
            path, number, "boxes", f"has {len(boxes)} numbers, {line.count} regions want {_EDGES * line.count}"
        )
    if not line.count:
        return np.zeros((0, 0), np.float16)
    if not len(features) or len(features) % line.count:
        raise _wrong(path, number, "features", f"has {len(features)} numbers for {line.count} regions")
    edges = np.clip(boxes.reshape(-1, _EDGES) / np.array([line.width, line.height] * 2, np.float32), 0, 1)
    places = np.array([place_of(*one) for one in edges.tolist()], np.float32)
    whole = np.concatenate([features.reshape(line.count, -1), places], 1)
    found: NDArray[np.float16] = np.clip(whole, -60_000, 60_000).astype(np.float16)
    return found


def _floats(text: bytes, path: Path, number: int, column: str) -> NDArray[np.float32]:
    try:
        raw = base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise _wrong(path, number, column, f"is no base64: {error}") from error
    if len(raw) % _FLOAT:
        raise _wrong(path, number, column, f"has {len(raw)} bytes, which are no float32 numbers")
    found = np.frombuffer(raw, np.dtype("<f4"))
    if not np.isfinite(found).all():
        raise _wrong(path, number, column, "has something that is no number")
    return found


def _whole(text: bytes, path: Path, number: int, column: str) -> int:
    if not text.isdigit() or len(text) > 6:
        raise _wrong(path, number, column, f"{text[:20].decode('utf-8', 'replace')!r} is no whole number")
    return int(text)


def _wrong(path: Path, number: int, column: str, why: str) -> UserError:
    return UserError(f"{column} {why}.", place=path, record=f"line {number}", hint=_HINT)
