"""The shards of seq2act are known by the features of their records; only PixelHelp's tasks have ids."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from stepscope.core.domain.episode import Platform
from stepscope.core.sources.look import Listing
from stepscope.core.sources.sniffers.late_reader import LateReader
from stepscope.core.sources.sniffers.tfrecord_shards import feature_names, shards
from stepscope.core.sources.source import Format, sniffer

_MARKS = ("ui_obj_", "ui_target_id_seq", "verb_id_seq")
PIXELHELP_ONLY = "task_id"
_BOTH = frozenset(("verb_id_seq", "ui_target_id_seq", "ui_obj_type_id_seq", "ui_obj_cord_x_seq"))


def located(pixelhelp: bool, listing: Listing) -> Iterator[Path]:
    """Shards of one of the two data sets: only PixelHelp's tasks have ids."""

    def is_own(path: Path, start: bytes) -> bool:
        names = feature_names(path)
        return names >= _BOTH and (PIXELHELP_ONLY in names) is pixelhelp

    return shards(listing, _MARKS, is_own)


PIXELHELP = Format(
    name="pixelhelp",
    title="PixelHelp (seq2act)",
    platform=Platform.ANDROID,
    kind="episodes",
    checked="fixture",
    sniff=sniffer(partial(located, True)),
    open=LateReader("seq2act", "open_pixelhelp"),
)

RICOSCA = Format(
    name="ricosca",
    title="RicoSCA (seq2act)",
    platform=Platform.ANDROID,
    kind="episodes",
    checked="fixture",
    sniff=sniffer(partial(located, False)),
    open=LateReader("seq2act", "open_ricosca"),
)

FORMATS = (PIXELHELP, RICOSCA)
