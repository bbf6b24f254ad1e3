"""A campaign as a folder: its recordings in our own layout or in MoTIF's, and its tables beside them.

`campaign.json` has all that the campaign has; `apps.csv`, `goals.csv` and `pairs.csv` are for people. Both layouts are
opened again by the sources of this project.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import IO, Any

from stepscope.app.services.campaigns.campaign_files import write_apps, write_goals, write_pairs
from stepscope.app.services.campaigns.verdicts import labels_of, verdict
from stepscope.core.domain.campaign import CampaignContents, Demonstration, WholeCampaign
from stepscope.core.drafts import advice, draft_stream, ends_all, reason, write_whole
from stepscope.core.errors import SourceError, UsageError, UserError
from stepscope.core.frozen import dataclass
from stepscope.core.progress import CancelToken, ProgressMeter
from stepscope.core.sources.files import safe_join
from stepscope.core.sources.sniffers.recording import EPISODE_FILE

CAMPAIGN_FILE, MARK, VERSION = "campaign.json", "stepscope-campaign", 1

_TABLES: dict[str, Callable[[CampaignContents, IO[bytes]], None]] = {
    "apps.csv": write_apps,
    "goals.csv": write_goals,
    "pairs.csv": write_pairs,
}


class CampaignExportFormat(StrEnum):
    """The format in which the recordings are written."""

    OURS = "recording"
    MOTIF = "motif"


@dataclass(frozen=True, slots=True)
class CampaignExportReport:
    """Recordings that were `written`, why others are `missing` (each a demonstration's episode and the reason), and of
    how many the layout could not hold everything (`cut`)."""

    folder: Path
    written: int = 0
    missing: tuple[tuple[str, str], ...] = ()
    cut: int = 0


def export(whole: WholeCampaign, folder: Path, layout: CampaignExportFormat, token: CancelToken) -> Iterator[Any]:
    """Progress after each recording, then what was written. Raises UserError for a folder that has something in it or
    cannot be made; when it is cancelled what was written stays."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError("there is something already.", place=folder, hint="Choose a new or an empty folder.")
    demonstrations = whole.contents.demonstrations
    meter, missing, names, cut = ProgressMeter(len(demonstrations)), [], {CAMPAIGN_FILE, *_TABLES}, 0
    with _told(folder):
        folder.mkdir(parents=True, exist_ok=True)
        for one in demonstrations:
            if token.cancelled:
                return
            try:
                cut += _write(one, folder, layout, names)
            except (SourceError, UsageError) as error:
                if ends_all(error):
                    raise
                missing.append((one.episode, error.message))
            yield meter.advance()
        _write_tables(whole, folder)
    yield CampaignExportReport(folder, len(demonstrations) - len(missing), tuple(missing), cut)


def campaign_form(whole: WholeCampaign) -> dict[str, Any]:
    """All that the campaign has, as JSON."""
    campaign, contents = whole.campaign, whole.contents
    said, shown = labels_of(contents), {one.key: one for one in contents.demonstrations}
    return {
        "format": MARK,
        "version": VERSION,
        "name": campaign.name,
        "instructions": campaign.instructions,
        "k": campaign.k,
        "apps": [{"app": app.package, "title": app.title, "category": app.category} for app in contents.apps],
        "goals": [{"app": goal.app, "goal": goal.text, "author": goal.author} for goal in contents.goals],
        "annotators": list(contents.annotators),
        "pairs": [
            {
                "app": pair.app,
                "goal": pair.goal.text,
                "written_for": pair.goal.app,
                "origin": pair.origin.value,
                "cluster": pair.cluster,
                **verdict_form(said[pair.key]),
                "assignments": [
                    {
                        "annotator": one.annotator,
                        "state": one.state.value,
                        "demonstration": _demonstration_form(shown[one.key]) if one.key in shown else None,
                    }
                    for one in contents.assignments
                    if one.pair == pair.key
                ],
            }
            for pair in contents.pairs
        ],
    }


def verdict_form(labels: Iterable[Demonstration]) -> dict[str, Any]:
    """What the labels of a pair say together."""
    found = verdict(labels)
    return {
        "feasible": found.feasible,
        "infeasible": found.infeasible,
        "majority": found.label.value if found.label else None,
        "reason": found.reason.value if found.reason else None,
        "tied": found.tied,
        "agreement": found.share,
    }


def _demonstration_form(one: Demonstration) -> dict[str, Any]:
    said = one.said
    return {
        "episode": one.episode,
        "folder": one.folder,
        "label": said.label.value if said.label else None,
        "reason": said.reason.value if said.reason else None,
        "follow_up": list(said.follow_up),
        "seconds": one.seconds,
        "made": one.made.isoformat(),
    }


def _write(one: Demonstration, folder: Path, layout: CampaignExportFormat, names: set[str]) -> bool:
    """Whether something of the recording could not be written."""
    recording = Path(one.folder)
    if not safe_join(recording, EPISODE_FILE).is_file():
        raise SourceError(f"no recording is in {recording}")
    if layout is CampaignExportFormat.MOTIF:
        from stepscope.core.sources.motif_writer import write_motif
        from stepscope.core.sources.recording import read_recording

        return bool(write_motif(read_recording(recording), folder).losses)
    name, count = recording.name, 2
    while name.casefold() in names:
        name, count = f"{recording.name}-{count}", count + 1
    names.add(name.casefold())
    place = folder / name
    try:
        shutil.copytree(recording, place, ignore=_links)
    except OSError:
        shutil.rmtree(place, ignore_errors=True)  # half a recording is none
        raise
    return False


def _links(folder: str, names: list[str]) -> list[str]:
    """Links are left behind: they may lead out of the recording; pipes and devices too, whose reading may not end."""
    places = [(name, Path(folder) / name) for name in names]
    return [name for name, place in places if place.is_symlink() or not (place.is_file() or place.is_dir())]


def _write_tables(whole: WholeCampaign, folder: Path) -> None:
    text = json.dumps(campaign_form(whole), ensure_ascii=False, indent=2)
    write_whole(folder / CAMPAIGN_FILE, text.encode("utf-8", "backslashreplace") + b"\n")
    for name, write in _TABLES.items():
        with draft_stream(folder / name) as stream:
            write(whole.contents, stream)


@contextmanager
def _told(folder: Path) -> Iterator[None]:
    """The system's errors as ours."""
    try:
        yield
    except OSError as error:
        raise UserError(f"cannot be written: {reason(error)}.", place=folder, hint=advice(error)) from error
