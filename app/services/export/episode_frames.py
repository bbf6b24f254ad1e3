"""The frames of an episode's animation: one a step, all of one size, with a caption below the picture."""

from __future__ import annotations

from collections.abc import Generator
from enum import StrEnum

import numpy as np

from stepscope.app.services.export.episode_view import EpisodeView, verdict_word
from stepscope.core.domain.action import action_target
from stepscope.core.domain.episode import Step
from stepscope.core.domain.geometry import Size
from stepscope.core.domain.layers import RUN_LETTERS
from stepscope.core.domain.mark import Mark
from stepscope.core.errors import UsageError, UserError
from stepscope.core.evaluation.report_items import action_words
from stepscope.core.frozen import dataclass
from stepscope.core.imaging.draw import Canvas, TextRenderer, encode_png
from stepscope.core.imaging.labels import shortened, wrapped
from stepscope.core.imaging.overlay import bounds_of
from stepscope.core.imaging.palette import ACCENT, REFERENCE, RUN_STYLES, rgb
from stepscope.core.imaging.parts import Pixels
from stepscope.core.imaging.resampling import fitted, resized
from stepscope.core.imaging.strokes import TextStroke
from stepscope.core.progress import CancelToken, Progress, ProgressMeter

GROUND, PANEL, TEXT, SOFT = "#17191D", "#202328", "#E6E9EE", "#A3ADB9"
_VERDICT_COLOURS = {"hit": "#4CC38A", "miss": "#FF7A5C", "malformed": "#F2C94C", "no answer": "#F2C94C"}
NARROWEST = 360
"""Pixels that a caption needs at least."""
TALLEST = 2.5
"""Of a page that is taller than so many of its widths, the part around the marks is shown."""
GOAL_LINES = 2
_PAD, _LINE = 0.9, 1.5
"""Around and between the caption's lines, in font sizes."""
_BAR = 4
SHEET_COLUMNS, MOST_ON_SHEET = 6, 120
_GAP = 12


class FrameSize(StrEnum):
    """The length of a picture's longer side at most; never larger than it is."""

    SMALL = "small"
    MEDIUM = "medium"
    LARGE = "large"

    @property
    def longest(self) -> int:
        return {"small": 640, "medium": 960, "large": 1440}[self.value]


@dataclass(frozen=True, slots=True)
class Timing:
    """The time that a step stays: `seconds`, or with `recorded` as long as when it was recorded, within bounds;
    `seconds` then holds for steps without a time, and for the last one."""

    seconds: float = 1.5
    recorded: bool = False

    SHORTEST, LONGEST = 0.3, 8.0

    def of(self, steps: tuple[Step, ...]) -> list[float]:
        """Seconds of each step."""
        times = [step.observation.time for step in steps]
        taken = []
        for time, following in zip(times, [*times[1:], None], strict=True):
            known = self.recorded and time is not None and following is not None and following > time
            taken.append(
                min(max(following - time, self.SHORTEST), self.LONGEST)  # type: ignore[operator]
                if known
                else self.seconds
            )
        return taken


def seen_part(pixels: Pixels, marks: tuple[Mark, ...]) -> Pixels:
    """The picture, or of a very tall page the part around its marks, else its top."""
    height, width = pixels.shape[:2]
    tall = round(width * TALLEST)
    if height <= tall:
        return pixels
    around = bounds_of(marks)
    middle = 0.0 if around is None else (around.top + around.bottom) / 2 * height / around.size.height
    top = min(max(round(middle - tall / 2), 0), height - tall)
    return pixels[top : top + tall]


class Frames:
    """Draws them one by one; all have `size`, whose sides are even as video needs them."""

    def __init__(self, view: EpisodeView, size: FrameSize = FrameSize.MEDIUM) -> None:
        self._view, self._longest = view, size.longest
        steps = view.episode.steps
        sizes = [self._shown_size(step.observation.size) for step in steps] or [Size(NARROWEST, NARROWEST)]
        width = max(NARROWEST, *(one.width for one in sizes))
        self._area = Size(width + width % 2, max(one.height for one in sizes))
        self._font = round(min(max(width / 30, 13), 20))
        self._measure = TextRenderer().width
        self._rows, self._goal = self._run_rows(), self._goal_lines(self._area.width - 2 * self._font * _PAD)
        lines = len(self._goal) + 1 + len(self._rows)
        self._caption = round(self._font * (lines * _LINE + 2 * _PAD)) + _BAR
        height = self._area.height + self._caption
        self.size = Size(self._area.width, height + height % 2)

    def _shown_size(self, size: Size) -> Size:
        part = Size(size.width, min(size.height, round(size.width * TALLEST)))
        return fitted(part, Size(self._longest, self._longest))

    def _run_rows(self) -> list[list[int]]:
        """Runs by the line of the caption on which they have room."""
        room = max(1, int(self._area.width // (self._font * 9)))
        places = list(self._view.runs)
        return [places[first : first + room] for first in range(0, len(places), room)]

    def frame(self, place: int) -> Pixels:
        """The step at a place in the episode. A picture that is not there or cannot be read is said in its place."""
        step = self._view.episode.steps[place]
        ground = np.full((self.size.height, self.size.width, 3), rgb(GROUND), np.uint8)
        ground[self._area.height :] = rgb(PANEL)
        sheet = Canvas(ground, 1.0)
        try:
            drawn = seen_part(self._view.drawn(place), self._view.marks(step))
        except UserError as error:
            self._say(sheet, step.instruction or error.message)
        else:
            self._put(sheet, drawn)
        self._write_caption(sheet, place, step)
        return sheet.pixels

    def _put(self, sheet: Canvas, drawn: Pixels) -> None:
        shown = resized(drawn, fitted(Size(drawn.shape[1], drawn.shape[0]), self._area))
        height, width = shown.shape[:2]
        left, top = (self._area.width - width) // 2, (self._area.height - height) // 2
        sheet.pixels[top : top + height, left : left + width] = shown

    def _say(self, sheet: Canvas, text: str) -> None:
        """Words in the picture's place."""
        size = self._font * 1.1
        for row, line in enumerate(wrapped(text, self._area.width - 4 * size, size, self._measure)):
            baseline = self._area.height / 2 + (row - 1) * size * _LINE
            sheet.draw(TextStroke(line, self._area.width / 2, baseline, size, 400, SOFT, centred=True))

    def _write_caption(self, sheet: Canvas, place: int, step: Step) -> None:
        view, font = self._view, float(self._font)
        left, room = font * _PAD, self._area.width - 2 * font * _PAD
        baseline = self._area.height + _BAR + font * (_PAD + 0.95)
        reached = round(self._area.width * (place + 1) / len(view.episode.steps))
        sheet.pixels[self._area.height : self._area.height + _BAR, :reached] = rgb(ACCENT)
        for line in self._goal:
            sheet.draw(TextStroke(line, left, baseline, font, 600, TEXT))
            baseline += font * _LINE
        where = f"Step {place + 1} of {len(view.episode.steps)}"
        sheet.draw(TextStroke(where, left, baseline, font, 400, SOFT))
        after = left + self._measure(where, font, 400) + font
        words = shortened(reference_words(step), left + room - after, font, self._measure)
        sheet.draw(TextStroke(words, after, baseline, font, 400, REFERENCE))
        for row in self._rows:
            baseline += font * _LINE
            for column, run in enumerate(row):
                self._write_verdict(sheet, run, step, left + column * font * 9, baseline)

    def _goal_lines(self, room: float) -> list[str]:
        lines = wrapped(self._view.episode.goal or self._view.episode.id, room, float(self._font), self._measure)
        if len(lines) <= GOAL_LINES:
            return lines
        rest = " ".join(lines[GOAL_LINES - 1 :])
        return [*lines[: GOAL_LINES - 1], shortened(f"{rest}…", room, float(self._font), self._measure)]

    def _write_verdict(self, sheet: Canvas, run: int, step: Step, left: float, baseline: float) -> None:
        font, answers = float(self._font), self._view.runs[run]
        score = answers.whole.score if answers.whole else answers.scores.get(step.index)
        word = verdict_word(score) or "–"
        sheet.draw(TextStroke(RUN_LETTERS[run], left, baseline, font, 700, RUN_STYLES[run].colour))
        sheet.draw(TextStroke(word, left + font * 1.1, baseline, font, 600, _VERDICT_COLOURS.get(word, SOFT)))


def sheet_steps(
    view: EpisodeView, token: CancelToken, *, size: FrameSize = FrameSize.SMALL
) -> Generator[Progress, None, bytes]:
    """All frames in one PNG, row by row; what a cancel leaves is no whole one. Raises UsageError for an episode without
    steps, and for one that is too long for a picture."""
    frames, count = Frames(view, size), len(view.episode.steps)
    if not 0 < count <= MOST_ON_SHEET:
        raise UsageError(f"a sheet has 1 to {MOST_ON_SHEET} steps, not {count}.", hint="Make a page or an animation.")
    columns = min(count, SHEET_COLUMNS)
    rows = -(-count // columns)
    height, width = frames.size.height + _GAP, frames.size.width + _GAP
    sheet = np.full((rows * height - _GAP, columns * width - _GAP, 3), rgb(GROUND), np.uint8)
    meter = ProgressMeter(count)
    for place in range(count):
        if token.cancelled:
            break
        top, left = place // columns * height, place % columns * width
        sheet[top : top + frames.size.height, left : left + frames.size.width] = frames.frame(place)
        yield meter.advance()
    return encode_png(sheet)


def reference_words(step: Step) -> str:
    """The reference action in a few words: what it is on where the data names that, else where it is."""
    if step.action is None:
        return "no action"
    target = action_target(step.action)
    if target is not None and target.text:
        return f"{step.action.kind.replace('_', ' ')} “{' '.join(target.text.split())}”"
    return action_words(step.action)
