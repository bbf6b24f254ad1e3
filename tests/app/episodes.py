"""A small episode with what two runs answered, for the exports of episodes."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from stepscope.app.services.export.episode_view import EpisodeView, RunView, regions_of
from stepscope.core.domain.action import Finish, FinishStatus, Tap, Target, Type
from stepscope.core.domain.annotation import Annotation, AnnotationKind
from stepscope.core.domain.episode import (
    Ask,
    Episode,
    Feasibility,
    FeasibilityLabel,
    InfeasibilityReason,
    Observation,
    Picture,
    Platform,
    Step,
)
from stepscope.core.domain.geometry import Box, Point, Size
from stepscope.core.domain.prediction import ActionAnswer, Prediction, PredictionStatus
from stepscope.core.domain.run import ItemKey, Outcome
from stepscope.core.domain.score import Score
from stepscope.core.imaging.draw import encode_png
from stepscope.core.scoring.options import parse_options
from stepscope.core.scoring.registry import step_scorer

SIZE = Size(400, 800)
GREY = 96
HOSTILE = '<script>document.title = "taken"</script> & "co"'
MADE = datetime(2026, 1, 2, tzinfo=UTC)


def picture(folder: Path, size: Size = SIZE, shade: int = GREY) -> Picture:
    path = folder / f"{size.width}x{size.height}-{shade}.png"
    path.write_bytes(encode_png(np.full((size.height, size.width, 3), shade, np.uint8)))
    return Picture(path, size)


def lamp(folder: Path, goal: str = "Buy a lamp") -> Episode:
    """Tap on Search, type, and a finish without a picture; infeasible; a question is due at the second step."""
    shown = picture(folder)
    button = Target(Box(150, 350, 250, 450, SIZE), "Search")
    steps = (
        Step(0, Observation(SIZE, shown, time=0.0), Tap(Point(200, 400, SIZE), button), "Open the search"),
        Step(1, Observation(SIZE, shown, time=2.5), Type("lamp")),
        Step(2, Observation(SIZE, time=2.6), Finish(FinishStatus.COMPLETE)),
    )
    unclear = Feasibility(FeasibilityLabel.INFEASIBLE, InfeasibilityReason.UNCLEAR, ("Which one?",))
    asks = (Ask(1, "Which lamp?", "The red one"),)
    return Episode("lamp", "recording", Platform.ANDROID, goal, steps, app="shop", feasibility=unclear, asks=asks)


def outcome(step: int, prediction: Prediction) -> Outcome:
    return Outcome(ItemKey("lamp", step), prediction, Score.unscored("not judged"), "tap")


def view(folder: Path, goal: str = "Buy a lamp", raw: str = "TAP 210 410") -> EpisodeView:
    """Run A is right on the first step (14 pixels off) and far off nowhere else; run B is wrong on the first, where it
    tapped a corner, and malformed on the second."""
    episode = lamp(folder, goal)
    scorer = step_scorer("aitw")
    options = parse_options(scorer.info, {})
    near = Prediction("lamp", 0, ActionAnswer(Tap(Point(210, 410, SIZE))), confidence=0.5, latency_ms=1234.4, raw=raw)
    far = Prediction("lamp", 0, ActionAnswer(Tap(Point(10, 10, SIZE))))
    nonsense = Prediction("lamp", 1, None, PredictionStatus.MALFORMED, raw="???", why="not JSON")
    runs = tuple(
        RunView.of(name, {one.step: outcome(one.step, one) for one in answers}, episode.steps, scorer, options, id=run)
        for name, run, answers in (("first", "3f9a", [near]), ("second", "77c0", [far, nonsense]))
    )
    said = (
        Annotation("/data", "lamp", None, AnnotationKind.STAR, "", "me", MADE),
        Annotation("/data", "lamp", 0, AnnotationKind.NOTE, goal, "me", MADE),
        Annotation("/data", "lamp", 1, AnnotationKind.DEFECT, "wrong reference", "", MADE),
    )
    shown = dict(enumerate(runs))
    regions = regions_of(episode.steps, scorer, options)
    return EpisodeView(episode, "shop", shown, scorer.info.title, "aitw", regions, said=said)
