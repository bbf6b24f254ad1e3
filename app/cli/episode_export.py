"""`stepscope episode … -o FILE`: an episode as animation, as a page, or as a sheet of all its steps."""

from __future__ import annotations

from collections.abc import Callable, Generator
from pathlib import Path
from typing import IO, TYPE_CHECKING, TypeVar

from stepscope.app.cli.data import read_episode, tell_problems
from stepscope.app.cli.interrupts import cancelled_by_signals
from stepscope.app.cli.output import check_output, say, tell, write_file
from stepscope.app.cli.progress import bar
from stepscope.app.cli.render import layers_to_draw, rule_to_draw, strengths_named
from stepscope.app.cli.statuses import DONE
from stepscope.app.cli.stores import find_run, opened
from stepscope.core.errors import UsageError
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.app.services.export import episode_animation, episode_view
    from stepscope.app.services.export.episode_view import EpisodeView, RunView
    from stepscope.core.domain.annotation import Annotation
    from stepscope.core.domain.episode import Episode
    from stepscope.core.domain.prediction import AttachedPicture
    from stepscope.core.domain.run import Outcome, Run, RunSpec
    from stepscope.core.progress import CancelToken, Progress
    from stepscope.core.scoring.rule import Options, StepScorer
    from stepscope.core.sources.source import Source
else:
    episode_animation = lazy_module("stepscope.app.services.export.episode_animation")
    episode_view = lazy_module("stepscope.app.services.export.episode_view")

MOST_RUNS = 8
_SUFFIXES = (".webp", ".mp4", ".html", ".png")
T = TypeVar("T")


@dataclass(frozen=True)
class EpisodeExportOptions:
    """The options as they were given."""

    layer: list[str]
    strength: list[str]
    predictions: list[Path]
    run: list[str]
    protocol: str | None
    set: list[str]
    size: str | None
    seconds: float | None
    recorded: bool
    store: str | None


def export_episode(source: Source, id: str, output: Path, chosen: EpisodeExportOptions) -> int:
    """Write the file, showing how far it is; Ctrl-C leaves none. What cannot be read in the episode is told."""

    _check(output, chosen)
    episode = read_episode(source, id)
    tell_problems(episode)
    view = _view(source, episode, chosen)
    with cancelled_by_signals() as token, bar(f"Drawing {episode.id}") as show:
        write_file(output, lambda stream: _write(view, stream, output.suffix.lower(), chosen, token, show))
    say(str(output))
    return DONE


def _check(output: Path, chosen: EpisodeExportOptions) -> None:
    suffix = output.suffix.lower()
    if suffix not in _SUFFIXES:
        hint = "Name it .webp, .mp4, .html or .png."
        raise UsageError("this is no kind of file that an episode can be written as.", place=output, hint=hint)
    if suffix in episode_animation.SUFFIXES:
        episode_animation.check_animation(suffix)
    elif chosen.seconds is not None or chosen.recorded:
        raise UsageError("--seconds and --recorded go with .webp and .mp4 only.", hint="Leave them out.")
    if chosen.size is not None and chosen.size not in ("small", "medium", "large"):
        raise UsageError(f"There is no size {chosen.size!r}.", hint="Give small, medium or large.")
    if len(chosen.predictions) + len(chosen.run) > MOST_RUNS:
        raise UsageError(f"at most {MOST_RUNS} runs can be shown at once.", hint="Leave some out.")
    check_output(output)


def _write(
    view: EpisodeView,
    stream: IO[bytes],
    suffix: str,
    chosen: EpisodeExportOptions,
    token: CancelToken,
    show: Callable[..., None],
) -> None:
    from stepscope.app.services.export.episode_frames import FrameSize, Timing, sheet_steps
    from stepscope.app.services.export.episode_page import page_steps

    size = FrameSize(chosen.size) if chosen.size else None
    if suffix == ".html":
        page = _shown(page_steps(view, token, size=size or FrameSize.LARGE), show)
        stream.write(page.encode("utf-8", "backslashreplace"))
    elif suffix == ".png":
        stream.write(_shown(sheet_steps(view, token, size=size or FrameSize.SMALL), show))
    else:
        timing = Timing(chosen.seconds or Timing().seconds, chosen.recorded)
        _shown(
            episode_animation.write_animation(
                view, stream, suffix, token, size=size or FrameSize.MEDIUM, timing=timing
            ),
            show,
        )
    if token.cancelled:
        raise KeyboardInterrupt


def _shown(steps: Generator[Progress, None, T], show: Callable[..., None]) -> T:
    """What the work comes to, with every progress shown."""
    while True:
        try:
            show(next(steps))
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]


def _view(source: Source, episode: Episode, chosen: EpisodeExportOptions) -> EpisodeView:
    from stepscope.app.services.provenance import source_title
    from stepscope.core.domain.layers import Layer

    layers = layers_to_draw(chosen.layer, bool(chosen.predictions or chosen.run))
    runs, said, spec, pictures = _stored(source, episode, chosen, Layer.SALIENCY in layers)
    scorer, options = rule_to_draw(chosen.protocol, spec, chosen.set)
    files = [_of_file(path, source, episode, scorer, options) for path in chosen.predictions]
    shown = tuple(files) + tuple(make(scorer, options) for make in runs)
    first = len(files)
    return episode_view.EpisodeView(
        episode,
        source_title(source.path.resolve()),
        dict(enumerate(shown)),
        scorer.info.title,
        regions=episode_view.regions_of(episode.steps, scorer, options),
        layers=layers,
        strengths=strengths_named(chosen.strength),
        pictures=lambda run, step: pictures(run - first, step) if run >= first else (),
        said=said,
    )


def _stored(
    source: Source, episode: Episode, chosen: EpisodeExportOptions, pictured: bool
) -> tuple[
    list[Callable[[StepScorer, Options], RunView]],
    tuple[Annotation, ...],
    RunSpec | None,
    Callable[[int, int], tuple[AttachedPicture, ...]],
]:
    """Makers of the stored runs' views, what people said about the episode, what the first run was, and the pictures
    of the runs by their place, where these are drawn."""
    if not chosen.run and chosen.store is None:
        return [], (), None, lambda _run, _step: ()
    from stepscope.core.store.repositories import annotations

    with opened(chosen.store) as database:
        runs = [find_run(database, beginning) for beginning in chosen.run]
        answers = [episode_view.stored_answers(database, run.id, episode.id) for run in runs]
        pictures = [episode_view.stored_pictures(database, run.id, episode) if pictured else {} for run in runs]
        with database.reading() as db:
            said = tuple(annotations.of_episode(db, str(source.path), episode.id))
    for run, found in zip(runs, answers, strict=True):
        if not found:
            raise UsageError(f"run {run.id} has no item of {episode.id!r}.", hint="See 'stepscope runs show'.")
    makers = [_maker(run, found, episode) for run, found in zip(runs, answers, strict=True)]
    return makers, said, runs[0].spec if runs else None, lambda run, step: pictures[run].get(step, ())


def _maker(run: Run, outcomes: dict[int, Outcome], episode: Episode) -> Callable[[StepScorer, Options], RunView]:
    name, task = f"{run.spec.model} ({run.id[:6]})", run.spec.task

    def make(scorer: StepScorer, options: Options) -> RunView:
        return episode_view.RunView.of(name, outcomes, episode.steps, scorer, options, task=task, id=run.id)

    return make


def _of_file(path: Path, source: Source, episode: Episode, scorer: StepScorer, options: Options) -> RunView:
    """The answers of a prediction file to the episode; lines that cannot be read are told."""
    from stepscope.app.services.evaluation import sizes_of
    from stepscope.core.domain.run import ItemKey, Outcome
    from stepscope.core.domain.score import Score
    from stepscope.core.sources.predictions import read_predictions

    file = read_predictions(path, sizes_of(source))
    for problem in file.problems:
        tell(f"stepscope: {path}:{problem.line}: {problem.message}")
    found = {}
    for prediction in file.predictions:
        if prediction.episode == episode.id:
            step = -1 if prediction.step is None else prediction.step
            key, score = ItemKey(episode.id, step), Score.unscored("Not judged here.")
            found[step] = Outcome(key, prediction, score)
    if not found:
        hint = "Check the ids in the file."
        raise UsageError(f"it has no prediction for the episode {episode.id!r}.", place=path, hint=hint)
    return episode_view.RunView.of(file.model or path.stem, found, episode.steps, scorer, options)
