"""`stepscope render`: a step's screenshot with the overlays that the window would draw."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stepscope.app.cli.arguments import DataPath, FormatOption, SetOption, StoreOption, StrengthOption
from stepscope.app.cli.data import read_episode
from stepscope.app.cli.output import check_output, say, write_file
from stepscope.app.cli.statuses import DONE
from stepscope.app.cli.stores import find_run, opened
from stepscope.core.domain.episode import LAST_STEP
from stepscope.core.errors import UsageError
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.core.domain.episode import Episode, Step
    from stepscope.core.domain.layers import Layer, Layers
    from stepscope.core.domain.prediction import Prediction
    from stepscope.core.domain.run import RunSpec
    from stepscope.core.domain.score import Score
    from stepscope.core.scoring.rule import Options, StepScorer
    from stepscope.core.sources.source import Source

    Answers = list[tuple[Prediction, Score | None]]
    from stepscope.app.services.export import drawing
    from stepscope.core.domain import layers as screen_layers
else:
    drawing = lazy_module("stepscope.app.services.export.drawing")
    screen_layers = lazy_module("stepscope.core.domain.layers")

DEFAULT_PROTOCOL = "aitw"
"""Has a region for every tap, whatever the data; a run is drawn under its own."""


def render(
    path: DataPath,
    id: Annotated[str, typer.Argument(metavar="ID", help="The episode's id.")],
    step: Annotated[int, typer.Option(metavar="N", min=0, max=LAST_STEP, help="The step's index, from 0.")],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="X.png", help="The picture: .png or .jpg.")],
    layer: Annotated[
        list[str] | None,
        typer.Option(metavar="gold,pred,tree,tolerance", help="Layers to draw; repeat it or use commas."),
    ] = None,
    strength: StrengthOption = None,
    predictions: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="Draw this file's predictions; repeat for more.")
    ] = None,
    run: Annotated[
        list[str] | None, typer.Option(metavar="RUN", help="Draw a stored run's predictions; repeat for more.")
    ] = None,
    protocol: Annotated[
        str | None, typer.Option(metavar="P", help=f"The rule to draw; the run's, else {DEFAULT_PROTOCOL}.")
    ] = None,
    set: SetOption = None,
    format: FormatOption = None,
    store: StoreOption = None,
) -> int:
    """Writes the picture, as large as the screenshot; gives 0. Raises UsageError for a step, layer or rule that there
    is not."""
    from stepscope.core.sources.registry import open_source

    _check_picture(output)
    layers = layers_to_draw(layer or [], bool(predictions or run))
    strengths = strengths_named(strength or [])
    source = open_source(path, format)
    episode = read_episode(source, id)
    shown = _step(episode, step, path)
    answers = _imported(source, predictions or [], shown, episode)
    stored, spec = _stored(run or [], store, shown, id, screen_layers.Layer.SALIENCY in layers)
    scorer, options = rule_to_draw(protocol, spec, set or [])
    place = episode.position_of(step)
    if episode.shown_at(place) is None:
        _tell_why_unseen(episode, shown)
    before = episode.steps[place - 1] if place > 0 else None
    data = drawing.encode(
        drawing.draw(shown, [*answers, *stored], scorer, options, layers, before, strengths), output.suffix
    )
    write_file(output, lambda stream: stream.write(data))
    say(str(output))
    return DONE


def _check_picture(output: Path) -> None:
    if output.suffix.lower() not in drawing.SUFFIXES:
        raise UsageError("this is no kind of picture that can be written.", place=output, hint="Name it .png or .jpg.")
    check_output(output)


def layers_to_draw(given: list[str], answered: bool) -> Layers:
    """The layers asked for, else reference and tolerance, and the predictions where there are any."""
    names = given or ["gold,tolerance" + (",pred" if answered else "")]
    return screen_layers.layers_named(name.strip() for part in names for name in part.split(",") if name.strip())


def strengths_named(given: list[str]) -> dict[Layer, float]:
    """Strengths by layer; `gold` and `pred` stand for several."""
    found: dict[Layer, float] = {}
    for word in given:
        name, _, value = word.partition("=")
        try:
            strength = float(value)
        except ValueError:
            strength = -1.0
        if not 0 <= strength <= 1:
            raise UsageError(f"{word!r} is no strength of a layer.", hint="Give one such as tree=0.5.")
        found |= dict.fromkeys(screen_layers.layers_named([name]).shown, strength)
    return found


def _step(episode: Episode, index: int, path: Path) -> Step:
    for step in episode.steps:
        if step.index == index:
            return step
    known = [step.index for step in episode.steps]
    there = f"It has steps {min(known)} to {max(known)}." if known else "It has no steps."
    raise UsageError(f"there is no step {index}.", place=path, record=episode.id, hint=there)


def rule_to_draw(protocol: str | None, spec: RunSpec | None, settings: list[str]) -> tuple[StepScorer, Options]:
    """The rule to draw: the one asked for, else the run's with its options, else the default."""
    from stepscope.core.scoring.options import parse_assignments, parse_options
    from stepscope.core.scoring.registry import step_scorer

    name = protocol or (spec.protocol if spec else DEFAULT_PROTOCOL)
    scorer = step_scorer(name)
    kept = dict(spec.options) if spec and spec.protocol == name else {}
    return scorer, parse_options(scorer.info, kept | parse_assignments(settings))


def _imported(source: Source, files: list[Path], step: Step, episode: Episode) -> Answers:
    from stepscope.app.services.evaluation import imported_predictor
    from stepscope.core.evaluation.predictor import StepRequest

    answers: Answers = []
    for file in files:
        predictor, _ = imported_predictor(file, source)
        if not predictor.covered([episode.id]):
            hint = "Check the ids in the file."
            raise UsageError(f"it has no prediction for the episode {episode.id!r}.", place=file, hint=hint)
        request = StepRequest(episode.id, step.index, episode.goal, episode.platform, step.observation)
        answers.append((predictor.predict(request), None))
    return answers


def _stored(
    ids: list[str], store: str | None, step: Step, episode: str, pictured: bool
) -> tuple[Answers, RunSpec | None]:
    """The runs' answers on the step, with their pictures where these are drawn; and what the first of the runs was."""
    if not ids:
        return [], None
    from stepscope.core.store.queries import items
    from stepscope.core.store.repositories import attachments

    answers: Answers = []
    with opened(store) as database:
        found = [find_run(database, beginning) for beginning in ids]
        for run in found:
            with database.reading() as db:
                rows = items(db, run.id, episodes=[episode], limit=None).rows
            outcome = next((row for row in rows if row.key.step == step.index), None)
            if outcome is None:
                hint = "See 'stepscope runs show'."
                raise UsageError(f"run {run.id} has no item for step {step.index} of {episode!r}.", hint=hint)
            prediction = outcome.prediction
            if pictured:
                with database.reading() as db:
                    prediction = replace(prediction, pictures=attachments.of_item(db, run.id, outcome.key))
            answers.append((prediction, outcome.score))
    return answers, found[0].spec


def _tell_why_unseen(episode: Episode, step: Step) -> None:
    """Raise what the data's reader said about the picture of this step, if it said anything."""
    for problem in episode.problems:
        if problem.step == step.index and problem.field == "screenshot":
            hint = "Fetch the file again, or choose another step."
            raise UsageError(problem.message, place=problem.file, record=f"step {step.index}", hint=hint)
