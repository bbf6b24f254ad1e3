"""MoTIF is known by its traces (metadata beside a folder of screens), or by tables that list traces."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from stepscope.core.domain.episode import Platform
from stepscope.core.sources.look import Listing
from stepscope.core.sources.sniffers.late_reader import LateReader
from stepscope.core.sources.source import Format, sniffer

METADATA = "metadata.json"
TASK_NAMES = "tasknames.csv"
EXCEPTIONS = "widget_exception_dims.json"
ANNOTATIONS = "feasibility_annotations.p"

FEASIBILITY = re.compile(r"(train|val|test)_traces\.txt")
_AUTOMATION = re.compile(r"eccv_motif_(app_[a-z_]{1,60})\.json")
_LISTED = re.compile(rb"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def is_trace(listing: Listing) -> bool:
    """Whether a folder with these entries is a trace: metadata beside a folder of screens."""
    return METADATA in listing.files and listing.has_folder("screens")


def is_table(name: str) -> bool:
    """Whether a file is called like one of the tables."""
    return name in (TASK_NAMES, EXCEPTIONS, ANNOTATIONS) or bool(FEASIBILITY.fullmatch(name) or partition_of(name))


def partition_of(name: str) -> str:
    """The partition that an automation split's file is called by; "" for other files."""
    match = _AUTOMATION.fullmatch(name)
    return match[1] if match else ""


def locate(listing: Listing) -> Iterator[Path]:
    """A trace, or the tables that list traces by their ids (the pickle names them too)."""
    if is_trace(listing):
        yield listing.folder
        return
    for name in listing.files:
        if name != EXCEPTIONS and is_table(name) and _LISTED.search(listing.head(name)):
            yield listing.folder / name


FORMAT = Format(
    name="motif",
    title="MoTIF mobile app tasks",
    platform=Platform.ANDROID,
    kind="episodes",
    checked="fixture",
    sniff=sniffer(locate),
    open=LateReader("motif", "open_motif"),
)
