"""An agent's recorded run as a run of the store: what it proposed against what was done in the end."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from stepscope.core.domain.action import Action, AskUser, Finish, Say
from stepscope.core.domain.episode import Episode, Step
from stepscope.core.domain.prediction import Prediction, Task
from stepscope.core.drafts import advice, reason, write_whole
from stepscope.core.errors import SourceError, UserError
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken

if TYPE_CHECKING:
    from stepscope.app.services.live.agent_memory import Memory
    from stepscope.core.scoring.motif_match import MotifStep
    from stepscope.core.sources import recording
    from stepscope.core.store.engine import Database
else:
    recording = lazy_module("stepscope.core.sources.recording")

PREDICTIONS_FILE = "predictions.jsonl"
"""Lies in the recording's folder: predictions as any other system's, to be imported anywhere."""
_NO_GESTURES = (AskUser, Say, Finish)


@dataclass(frozen=True, slots=True)
class DemonstrationComparison:
    """The comparison of an agent's episode with the demonstration of the same goal that it is most like, by the `motif`
    rules: `complete` 1 or 0, `partial` the share of the demonstration's steps that it did at the same place, both for
    action and element together. `of` demonstrations were compared."""

    demonstration: str
    complete: float
    partial: float
    of: int


@dataclass(frozen=True, slots=True)
class StoredAgentRun:
    """The run that was stored, over the data set at `data`: of `of` steps, `right` were done in the end as the agent
    had proposed at first."""

    run: str
    data: str
    folder: Path
    episode: str
    right: int
    of: int
    against: DemonstrationComparison | None = None

    @property
    def words(self) -> str:
        """The comparison in a sentence or two."""
        said = f"{self.right} of {self.of} steps were done as it had first proposed."
        found = self.against
        if found is None:
            return said
        whole = "complete" if found.complete else f"partial {found.partial:.3f}"
        return f"{said} Against the demonstration {found.demonstration}: {whole}."


def write_predictions(
    folder: Path,
    episode: str,
    predictions: Mapping[int, Prediction],
    *,
    model: str,
    note: str = "",
    questions: Mapping[int, Prediction] | None = None,
) -> Path:
    """Write what the agent proposed by step, and what the model beside it said about asking, into the recording's
    folder; all at once. Raises SourceError."""
    from stepscope.core.evaluation.export import prediction_line

    lines: list[object] = [{"run": {"model": model, "note": note}}]
    for task, kept in ((Task.AUTOMATION, predictions), (Task.ASK, questions or {})):
        for step in sorted(kept):
            lines.append(prediction_line(_at(kept[step], episode, step), task))
    path = folder / PREDICTIONS_FILE
    text = "".join(f"{json.dumps(line, ensure_ascii=False, allow_nan=False)}\n" for line in lines)
    try:
        write_whole(path, text.encode("utf-8", "replace"))
    except OSError as error:
        raise SourceError(f"cannot be written: {reason(error)}", place=path, hint=advice(error)) from error
    return path


def store_run(
    database: Database,
    folder: Path,
    episode: str,
    *,
    root: Path | None = None,
    protocol: str = "",
    token: CancelToken | None = None,
) -> str:
    """Score the predictions in a finished recording's folder under a protocol ("": the task's own) and keep them as a
    run; its id. The reference is what was done in the end, whoever chose it; a step at which the agent was not heard
    counts as one without an answer.

    `root` is the data set that the run belongs to, the recording itself when it is None: a run is shown with the data
    set of which it was made. Raises UserError where the recording or the predictions cannot be read, or nothing was
    predicted.
    """
    from stepscope.app.services.evaluation import EvaluationRequest, start
    from stepscope.app.services.library import whole_index

    token = token or CancelToken()
    indexed = whole_index(database, root or folder, token, "recording")
    if indexed is None or token.cancelled:
        raise UserError("The recording was not read to its end.", place=root or folder, hint="Score it again later.")
    request = EvaluationRequest(predictions=folder / PREDICTIONS_FILE, episodes=(episode,), protocol=protocol)
    prepared = start(database, indexed.source, indexed.source_id, request, token)
    for _update in prepared.run.updates():
        pass
    return prepared.run.run_id


def keep(
    database: Database,
    folder: Path,
    episode: str,
    memory: Memory,
    *,
    model: str,
    note: str = "",
    token: CancelToken | None = None,
) -> StoredAgentRun:
    """Write, score and store an agent's finished run, with the other recordings beside it as its data set, and compare
    it with people's demonstrations there. Errors as those of `store_run`."""
    from stepscope.core.store import queries

    write_predictions(folder, episode, memory.predictions, model=model, note=note, questions=memory.questions)
    run = store_run(database, folder, episode, root=folder.parent, token=token)
    with database.reading() as db:
        scores = [score for _episode, _step, score in queries.scores(db, run)]
    own = recording.read_recording(folder, episode)
    right = sum(bool(score.right) for score in scores)
    against = against_demonstrations(own, demonstrations_in(folder.parent, own.goal))
    return StoredAgentRun(run, str(folder.parent.resolve()), folder, episode, right, len(scores), against)


def demonstrations_in(folder: Path, goal: str) -> Iterator[Episode]:
    """People's recordings of that goal in the folder; what cannot be read is passed over."""
    from stepscope.core.sources.sniffers.recording import EPISODE_FILE

    for place in sorted(folder.iterdir()):
        if (place / EPISODE_FILE).is_file() and not (place / PREDICTIONS_FILE).exists():
            with suppress(SourceError):
                if _words(recording.outline(place, place.name).goal) == _words(goal):
                    yield recording.read_recording(place, place.name)


def against_demonstrations(agent: Episode, demonstrations: Iterable[Episode]) -> DemonstrationComparison | None:
    """The agent's episode against people's of the same goal (equal words); None where there is none with an action.

    Step by step, each action on the screen on which it was done: after the two have parted, being on another screen
    shows as another element.
    """
    from stepscope.core.scoring.motif_match import judge_step, score_sequence
    from stepscope.core.scoring.options import parse_options
    from stepscope.core.scoring.registry import run_scorer

    options = parse_options(run_scorer("motif").info, {})
    done = _encoded(agent)
    found = []
    for demonstration in demonstrations:
        wanted = _encoded(demonstration)
        if demonstration.id == agent.id or not wanted or _words(demonstration.goal) != _words(agent.goal):
            continue
        verdicts = [judge_step(*pair, options) for pair in zip(wanted, done, strict=False)]
        scores = score_sequence(verdicts, len(wanted), len(done), options)
        found.append((scores.both_partial, scores.both_complete, demonstration.id))
    if not found:
        return None
    best = max(found, key=lambda one: one[:2])
    return DemonstrationComparison(best[2], best[1], best[0], len(found))


def _encoded(episode: Episode) -> list[MotifStep]:
    from stepscope.core.scoring.motif_actions import encode

    return [encode(action, step.observation) for step, action in _gestures(episode.steps)]


def _gestures(steps: Iterable[Step]) -> Iterator[tuple[Step, Action]]:
    for step in steps:
        if step.action is not None and not isinstance(step.action, _NO_GESTURES):
            yield step, step.action


def _words(goal: str) -> str:
    return " ".join(goal.casefold().split())


def _at(prediction: Prediction, episode: str, step: int) -> Prediction:
    return replace(prediction, episode=episode, step=step)
