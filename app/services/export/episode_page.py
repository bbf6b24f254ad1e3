"""An episode as one HTML page to send to somebody: every step with its marks, what was done and what runs answered.

The page loads nothing from anywhere. Words of the data are escaped, and its policy lets no script run but its own.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Generator
from datetime import UTC, datetime
from importlib.resources import files

from stepscope.app.services.export.episode_frames import FrameSize, seen_part
from stepscope.app.services.export.episode_view import EpisodeView, RunView, verdict_word
from stepscope.app.services.version import VERSION
from stepscope.core.domain.action import action_target
from stepscope.core.domain.annotation import Annotation, AnnotationKind, label_of
from stepscope.core.domain.episode import Feasibility, Step
from stepscope.core.domain.geometry import Size
from stepscope.core.domain.layers import RUN_LETTERS
from stepscope.core.domain.prediction import AskAnswer, Prediction, PredictionStatus
from stepscope.core.domain.score import Score
from stepscope.core.errors import UserError
from stepscope.core.evaluation.report_items import action_words, predicted_words
from stepscope.core.frozen import dataclass
from stepscope.core.imaging.draw import encode_jpeg
from stepscope.core.imaging.resampling import fitted, resized
from stepscope.core.progress import CancelToken, Progress, ProgressMeter

Facts = tuple[tuple[str, str], ...]

_SIGNS = {"hit": "✓ ", "miss": "✕ ", "malformed": "⚠ ", "no answer": "⚠ ", "error": "⚠ "}
_QUALITY = 85


@dataclass(frozen=True, slots=True)
class _PageRun:
    """A run's answers: `index` 0 is A."""

    index: int
    name: str
    verdict: str
    facts: Facts
    raw: str

    @property
    def letter(self) -> str:
        return RUN_LETTERS[self.index]

    @property
    def sign(self) -> str:
        return _SIGNS.get(self.verdict, "")


@dataclass(frozen=True, slots=True)
class _Remark:
    words: str
    by: str


@dataclass(frozen=True, slots=True)
class _PageStep:
    """`picture` is a data URL of `size`, "" where there is none, which `why_none` explains."""

    number: int
    picture: str
    size: Size
    why_none: str
    link: str
    reference: str
    facts: Facts
    runs: tuple[_PageRun, ...]
    said: tuple[_Remark, ...]

    @property
    def wide(self) -> bool:
        return self.size.width > self.size.height

    @property
    def wrong(self) -> bool:
        return any(run.verdict in ("miss", "malformed", "no answer") for run in self.runs)


def page_steps(
    view: EpisodeView, token: CancelToken, *, size: FrameSize = FrameSize.LARGE, now: datetime | None = None
) -> Generator[Progress, None, str]:
    """The page as HTML; "" when it was cancelled. What takes long is drawing the pictures; one that cannot be had is
    said in its place."""
    from jinja2 import Environment, PackageLoader

    steps, meter = [], ProgressMeter(len(view.episode.steps))
    for place in range(len(view.episode.steps)):
        if token.cancelled:
            return ""
        steps.append(_step(view, place, size))
        yield meter.advance()
    script = files("stepscope.resources").joinpath("templates/episode.js").read_text("utf-8")
    loader = PackageLoader("stepscope.resources", "templates")
    environment = Environment(loader=loader, autoescape=True, trim_blocks=True)
    return environment.get_template("episode.html").render(
        view=view,
        subtitle=_subtitle(view),
        about=_about(view),
        said=[_said(one) for one in view.said_at(None)],
        whole=[_whole(index, run) for index, run in view.runs.items() if run.whole is not None],
        steps=steps,
        script=script,
        script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii"),
        made=(now or datetime.now(UTC)).strftime("%Y-%m-%d %H:%M UTC"),
        version=VERSION,
    )


def _subtitle(view: EpisodeView) -> str:
    episode = view.episode
    count = f"{len(episode.steps)} step{'s' * (len(episode.steps) != 1)}"
    return " · ".join(filter(None, (view.data, episode.id, episode.app or "", episode.format, count)))


def _about(view: EpisodeView) -> Facts:
    episode = view.episode
    follow_up = "\n".join(episode.feasibility.follow_up)
    return (
        ("Full goal", episode.original_goal or ""),
        ("Feasibility", _feasibility(episode.feasibility)),
        ("Follow-up", follow_up),
        ("Split", ", ".join(episode.splits)),
        ("Rule", view.rule if view.runs else ""),
    )


def _feasibility(said: Feasibility) -> str:
    reason = f" ({said.reason.value})" if said.reason else ""
    return f"{said.label.value}{reason}" if said.label else ""


def _step(view: EpisodeView, place: int, size: FrameSize) -> _PageStep:
    step = view.episode.steps[place]
    picture, shown, why_none = "", step.observation.size, ""
    try:
        pixels = seen_part(view.drawn(place), view.marks(step))
        shown = fitted(Size(pixels.shape[1], pixels.shape[0]), Size(size.longest, size.longest))
        data = encode_jpeg(resized(pixels, shown), _QUALITY)
        picture = f"data:image/jpeg;base64,{base64.b64encode(data).decode('ascii')}"
    except UserError as error:
        why_none = error.message[:1].upper() + error.message[1:]
    ask = view.episode.ask_at(step.index)
    time = step.observation.time
    facts = (
        ("Instruction", step.instruction or ""),
        ("Time", "" if time is None else f"{time:.1f} s"),
        ("Question due", ask.question if ask else ""),
        ("Answer", ask.answer if ask else ""),
    )
    runs = [_answer(index, run, step) for index, run in view.runs.items() if run.whole is None]
    return _PageStep(
        place + 1,
        picture,
        shown,
        why_none,
        view.link(place),
        _reference(step),
        facts,
        tuple(one for one in runs if one is not None),
        tuple(_said(one) for one in view.said_at(step.index)),
    )


def _reference(step: Step) -> str:
    """The reference action with its place, and what it is on."""
    if step.action is None:
        return "no action"
    target = action_target(step.action)
    named = f" on “{' '.join(target.text.split())}”" if target is not None and target.text else ""
    return action_words(step.action) + named


def _answer(index: int, run: RunView, step: Step) -> _PageRun | None:
    prediction = run.predictions.get(step.index)
    return None if prediction is None else _run(index, run.name, prediction, run.scores.get(step.index))


def _whole(index: int, run: RunView) -> _PageRun:
    assert run.whole is not None
    return _run(index, run.name, run.whole.prediction, run.whole.score)


def _run(index: int, name: str, prediction: Prediction, score: Score | None) -> _PageRun:
    answer = prediction.answer
    does = answer.action if isinstance(answer, AskAnswer) else None
    why = score.why if score else ""
    if prediction.status is not PredictionStatus.OK:
        why = " ".join(dict.fromkeys(filter(None, (prediction.why, why))))
    facts = (
        ("Answer", predicted_words(prediction)),
        ("Does", action_words(does) if does is not None else ""),
        ("Why", why),
        ("Confidence", "" if prediction.confidence is None else f"{prediction.confidence:.2f}"),
        ("Latency", "" if prediction.latency_ms is None else f"{prediction.latency_ms:,.0f} ms"),
    )
    return _PageRun(index, name, verdict_word(score), facts, prediction.raw)


def _said(one: Annotation) -> _Remark:
    """What somebody said about a place, in words."""
    words = {AnnotationKind.STAR: "Starred", AnnotationKind.CHECKED: "Checked"}.get(one.kind, one.value)
    if one.kind is AnnotationKind.LABEL:
        words = f"Label: {_feasibility(label_of(one.value))}"
    elif one.kind in (AnnotationKind.DEFECT, AnnotationKind.TAG):
        words = f"{one.kind.value.capitalize()}: {one.value}"
    return _Remark(words, ", ".join(filter(None, (one.author, f"{one.made:%Y-%m-%d}"))))
