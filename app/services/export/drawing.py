"""One step as a picture with its marks, as the window would draw it: for `render` and for reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from stepscope.core.domain.attention import AttentionStream, stream_titled
from stepscope.core.domain.episode import Step
from stepscope.core.domain.geometry import Box, Size
from stepscope.core.domain.layers import RUN_LETTERS, Layer, Layers
from stepscope.core.domain.mark import ChangeMark
from stepscope.core.domain.prediction import Prediction
from stepscope.core.domain.score import Score, ScoreStatus
from stepscope.core.domain.tree_diff import tree_diff
from stepscope.core.errors import UsageError
from stepscope.core.evaluation.attention import attention_marks, streams_of
from stepscope.core.imaging.changes import change_marks
from stepscope.core.imaging.decode import decode
from stepscope.core.imaging.diff import changed_regions
from stepscope.core.imaging.draw import encode_jpeg, encode_png, render_step
from stepscope.core.imaging.overlay import Elements, RunMarks, build_marks
from stepscope.core.imaging.parts import Pixels
from stepscope.core.scoring.rule import Options, StepScorer

SUFFIXES = (".png", ".jpg", ".jpeg")


def draw(
    step: Step,
    answers: Sequence[tuple[Prediction, Score | None]],
    scorer: StepScorer | None,
    options: Options,
    layers: Layers,
    before: Step | None = None,
    strengths: Mapping[Layer, float] | None = None,
    max_size: Size | None = None,
) -> Pixels:
    """The step's screenshot with marks. `answers` are the runs' from A on; a score that is no error is made anew under
    the rule. Without a rule that judges single steps scores are taken as they are, and there is no region. Of a
    prediction's pictures and of its streams of attention the first one is drawn. `strengths` weakens layers (0..1).
    Changes are those from the step `before`. With `max_size` picture and marks are drawn reduced to fit into it.
    Raises UsageError for a step without a picture, SourceError for one that cannot be read."""
    if step.observation.shown is None:
        raise UsageError(f"step {step.index} has no screenshot.", hint="Choose another step.")
    if len(answers) > len(RUN_LETTERS):
        raise UsageError(f"at most {len(RUN_LETTERS)} runs can be drawn at once.", hint="Leave some out.")
    shown = step.observation.shown
    pixels = decode(shown, max_size)
    marks = [
        RunMarks(
            place,
            _with_first_picture(step, prediction),
            _score(step, prediction, score, scorer, options),
            attention_marks(_first_stream(prediction, layers), place, step.observation.size),
        )
        for place, (prediction, score) in enumerate(answers)
    ]
    region = None if scorer is None else scorer.region(step, options)
    changes: tuple[ChangeMark, ...] = ()
    if before is not None and Layer.DIFF in layers:
        changes = changes_since(before, step, pixels if max_size is None else decode(shown))
    drawn = build_marks(step, marks, region, layers, elements=Elements(changes=changes))
    return render_step(pixels, drawn, strengths=strengths, reduced_from=None if max_size is None else shown.size)


def changes_since(before: Step, step: Step, pixels: Pixels) -> tuple[ChangeMark, ...]:
    """What is other on a step, whose picture is `pixels`, than on the one before: of the UI tree where both steps have
    one, and of the picture. Raises SourceError where the picture before cannot be read."""
    old, new = before.observation, step.observation
    diff = tree_diff(old.tree, new.tree) if old.tree is not None and new.tree is not None else None
    regions: tuple[Box, ...] = ()
    if old.screenshot is not None and new.screenshot is not None:
        regions = changed_regions(decode(old.screenshot), pixels)
    return change_marks(diff, (old.tree, new.tree), regions, new.size)


def _first_stream(prediction: Prediction, layers: Layers) -> AttentionStream | None:
    return stream_titled(streams_of(prediction.raw)) if Layer.ATTENTION in layers else None


def _with_first_picture(step: Step, prediction: Prediction) -> Prediction:
    """The prediction with only the first of several attached pictures: over each other none could be read."""
    return replace(prediction, pictures=prediction.pictures_at(step.index)[:1])


def encode(pixels: Pixels, suffix: str) -> bytes:
    """The picture as the file type of the suffix, one of `SUFFIXES`."""
    return encode_png(pixels) if suffix.lower() == ".png" else encode_jpeg(pixels)


def _score(
    step: Step, prediction: Prediction, stored: Score | None, scorer: StepScorer | None, options: Options
) -> Score | None:
    if scorer is None or (stored is not None and stored.status is ScoreStatus.ERROR):
        return stored
    return scorer.score_step(step, prediction, options)
