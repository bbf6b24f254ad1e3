"""Files of predictions among the formats: they are listed, and say what to do when they are opened as data."""

from __future__ import annotations

from pathlib import Path

from stepscope.core.domain.episode import Platform
from stepscope.core.errors import SourceError
from stepscope.core.sources.look import FolderScan
from stepscope.core.sources.sniffers.json_heads import first_record
from stepscope.core.sources.source import Format, Source

ANSWERS = ("action", "feasibility", "goal", "order", "ask", "fields", "walk", "affordance")
"""The keys of which a line has exactly one: what it answers."""


def _holds_predictions(look: FolderScan) -> bool:
    """Whether the path is a file whose first line is an answer to something, or says which system answers."""
    for listing in look.listings() if look.path.is_file() else ():
        first = first_record(listing.head(look.path.name)) or {}
        about = "episode" in first or ("task" in first and "instance" in first)
        parsed = "id" in first and "actions" in first and "problem" in first  # of `stepscope agents parse`
        return isinstance(first.get("run"), dict) or parsed or (about and any(name in first for name in ANSWERS))
    return False


def _refuse(path: Path) -> Source:
    raise SourceError(
        "this is a file of predictions, not of episodes" if path.is_file() else "predictions are files, not folders",
        place=path,
        hint="Open the data first, then import it (File ▸ Import predictions, or --predictions).",
    )


FORMAT = Format(
    name="predictions",
    title="Predictions of other systems (JSON Lines)",
    platform=Platform.TEXT,
    kind="predictions",
    checked="real",
    sniff=_holds_predictions,
    open=_refuse,
)
