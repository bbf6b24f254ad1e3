"""What the transcript shows, read from the store and the data off the GUI thread."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from PySide6.QtGui import QImage

from stepscope.app.gui.features.transcript import presenter
from stepscope.core.errors import UsageError, UserError
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module
from stepscope.widgets.screen.picture import image_of
from stepscope.widgets.transcript.transcript_values import PartKind, TranscriptBlock, count_hits

if TYPE_CHECKING:
    from stepscope.app.gui.shell.episode_judgements import JudgedEpisode
    from stepscope.app.services.run_costs import RunCosts
    from stepscope.core.domain.episode import Episode, Step
    from stepscope.core.domain.model_call import SentPicture
    from stepscope.core.domain.run import Run
    from stepscope.core.imaging import decode
    from stepscope.core.progress import CancelToken
    from stepscope.core.scoring.named_rules import MatchingRule
    from stepscope.core.store import queries
    from stepscope.core.store.engine import Database
    from stepscope.core.store.repositories import model_calls, runs
else:
    decode = lazy_module("stepscope.core.imaging.decode")
    queries = lazy_module("stepscope.core.store.queries")
    model_calls = lazy_module("stepscope.core.store.repositories.model_calls")
    runs = lazy_module("stepscope.core.store.repositories.runs")

BY_RULES = "This run has no prompts: rules answer from the tree."
IMPORTED = "This run has no prompts: its answers were made elsewhere and imported."
COMPUTED = "This run has no prompts: its model is given numbers, not words."
NOT_KEPT = "The prompts of this run were not kept: it was made by an older program."


@dataclass(frozen=True, slots=True)
class TranscriptContent:
    """An episode's transcript by a run. `notice` says why there are no prompts, "" where there are; `sent` are the
    pictures as sent by their digest."""

    run: Run
    episode: str
    blocks: tuple[TranscriptBlock, ...]
    head: tuple[tuple[str, str], ...]
    costs: RunCosts
    notice: str
    sent: Mapping[str, SentPicture] = field(default_factory=dict)

    @property
    def is_running(self) -> bool:
        return self.run.state.value in ("queued", "running", "paused")


def read_transcript(database: Database, run_id: str, episode: Episode) -> TranscriptContent | None:
    """The transcript of an episode, None for a run that is gone."""
    from stepscope.app.services.run_costs import costs_of

    with database.reading() as db:
        try:
            run = runs.get(db, run_id)
        except UsageError:
            return None
        outcomes = queries.items(db, run_id, episodes=[episode.id], limit=None).rows
        calls = model_calls.of_episode(db, run_id, episode.id)
    costs = costs_of(database, run, episode.id)
    steps = 1 if any(one.key.step == presenter.WHOLE for one in outcomes) else _acting(episode)
    sent = {one.digest: one for several in calls.values() for call in several for one in call.pictures}
    return TranscriptContent(
        run,
        episode.id,
        presenter.transcript_blocks(outcomes, calls, episode, costs.price),
        presenter.head_values(costs, len(outcomes), max(steps, len(outcomes))),
        costs,
        "" if calls or not outcomes else why_no_prompts(run),
        sent,
    )


def why_no_prompts(run: Run) -> str:
    """Why nothing was sent for a run's answers, in one sentence."""
    from stepscope.models.registry import model_info

    if run.spec.predictions:
        return IMPORTED
    try:
        runtime = model_info(run.spec.model).runtime
    except UserError:  # a model that is not here any more
        return NOT_KEPT
    return {"none": BY_RULES, "service": NOT_KEPT}.get(runtime, COMPUTED)


def _acting(episode: Episode) -> int:
    return sum(step.action is not None for step in episode.steps)


@dataclass(frozen=True, slots=True)
class SearchProgress:
    """How far a search through several episodes is: `found` are hits by episode, in the order of the list."""

    done: int
    total: int
    found: tuple[tuple[str, int], ...]

    @property
    def hits(self) -> int:
        return sum(count for _, count in self.found)


def search_episodes(
    database: Database,
    run_id: str,
    episodes: Sequence[str],
    words: str,
    shown: frozenset[PartKind],
    token: CancelToken,
) -> Iterator[SearchProgress]:
    """Look for the words in the transcripts of these episodes, one after the other; yields after each. Ends early when
    the token is cancelled."""

    found: list[tuple[str, int]] = []
    for number, episode in enumerate(episodes, start=1):
        if token.cancelled:
            return
        with database.reading() as db:
            outcomes = queries.items(db, run_id, episodes=[episode], limit=None).rows
            calls = model_calls.of_episode(db, run_id, episode)
        blocks = presenter.transcript_blocks(outcomes, calls)
        texts = (part.text for block in blocks for part in block.parts if part.kind in shown)
        hits = sum(count_hits(text, words) for text in texts)
        if hits:
            found.append((episode, hits))
        yield SearchProgress(number, len(episodes), tuple(found))


# Pictures -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SentImage:
    """A picture as sent for painting, null where it cannot be had; `same`: it is what was sent, byte for byte."""

    image: QImage
    same: bool


def read_sent(database: Database, run_id: str, picture: SentPicture, episode: Episode) -> SentImage:
    """The picture as it was sent."""
    from stepscope.app.services.sent_pictures import sent_file

    try:
        found = sent_file(database, run_id, picture, episode)
        if found is None:
            return SentImage(QImage(), False)
        return SentImage(image_of(decode.decode_bytes(found.data)), found.same)
    except UserError:
        return SentImage(QImage(), False)


def draw_step(step: Step, judged: JudgedEpisode, rule: MatchingRule, *, marks: bool) -> QImage:
    """The recorded screen of a step, with the marks of the reference and of the runs under a rule or without; null
    where it has none."""
    from stepscope.core.domain.layers import DEFAULT_LAYERS
    from stepscope.core.imaging.draw import render_step
    from stepscope.core.imaging.overlay import RunMarks, build_marks

    if step.observation.shown is None:
        return QImage()
    pixels = decode.decode(step.observation.shown)
    if not marks:
        return image_of(pixels)
    found = [
        RunMarks(number, prediction, judged.score(rule, run, step.index))
        for run, number in judged.runs.items()
        if (prediction := judged.prediction(run, step.index)) is not None
    ]
    return image_of(render_step(pixels, build_marks(step, found, judged.region(rule, step.index), DEFAULT_LAYERS)))
