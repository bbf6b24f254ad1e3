"""Reading the step of the sample at which its two runs differ, for the start page."""

from __future__ import annotations

from stepscope.app.gui.features.start.presenter import ReadSample
from stepscope.app.gui.shell.picture_prefetcher import SMALL
from stepscope.app.services.provenance import SAMPLE
from stepscope.app.services.sample_runs import EPISODE, STEP, shipped_outcomes
from stepscope.core.sources.registry import open_known
from stepscope.widgets.screen import decode_for_screen


def read_sample() -> ReadSample:
    """From the sample's files and the bundles of its runs; no store is needed. Raises UserError where one of them is
    not what it was."""
    episode = open_known(SAMPLE, "recording").read(EPISODE)
    picture = episode.shown_at(STEP)
    outcomes = {run.model: {one.key: one for one in answers} for run, answers in shipped_outcomes()}
    return ReadSample(episode, STEP, decode_for_screen(picture, SMALL) if picture is not None else None, outcomes)
