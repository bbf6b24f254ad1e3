"""The screen: picture, marks, layers, zoom."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from stepscope.app.gui.shell.commands.bar import CommandBar
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.debouncer import Debouncer
from stepscope.app.gui.shell.episode_judgements import JudgedEpisode
from stepscope.app.gui.shell.episode_viewer import EpisodeViewer
from stepscope.app.gui.shell.events import DataMissing
from stepscope.core.domain.affordance import told_kinds
from stepscope.core.domain.episode import Drawing, Step
from stepscope.core.domain.layers import Layer, Layers, run_layer
from stepscope.core.domain.prediction import AttachedPicture, Evidence, FeasibilityAnswer
from stepscope.core.errors import UserError
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.named_rules import RULES
from stepscope.widgets.format import counted
from stepscope.widgets.screen import Neighbour, ScreenContent, ScreenPicture

if TYPE_CHECKING:
    from stepscope.core.domain.mark import AttentionHeat, AttentionMark, Mark
    from stepscope.core.imaging.overlay import Elements, RunMarks
    from stepscope.widgets.replay.centre import ReplayCentre

LAYER_COMMANDS = {
    "layer.reference": Layer.REFERENCE,
    **{f"layer.{letter.lower()}": run_layer(index) for index, letter in enumerate("ABCDEFGH")},
    "layer.tolerance": Layer.TOLERANCE,
    "layer.target": Layer.TARGET,
    "layer.tree": Layer.TREE,
    "layer.diff": Layer.DIFF,
    "layer.labels": Layer.LABELS,
    "layer.evidence": Layer.EVIDENCE,
    "layer.affordance": Layer.AFFORDANCE,
    "layer.numbers": Layer.NUMBERS,
    "layer.saliency": Layer.SALIENCY,
    "layer.attention": Layer.ATTENTION,
}

PICTURE_FIELD = "screenshot"
"""How sources name a step's picture among their problems."""


@dataclass(frozen=True)
class _Neighbours:
    previous: Neighbour | None = None
    following: Neighbour | None = None


ElementsOf = Callable[[Step], "Elements"]
"""Which elements of a step are drawn, and what changed on it."""
PicturesOf = Callable[[str, Step], tuple[AttachedPicture, ...]]
"""What a run's predictor attached, as far as it is to be drawn."""
AttentionOf = Callable[[str, Step], "tuple[AttentionHeat | AttentionMark, ...]"]
"""Where a run's model looked, as it is to be drawn."""
TrialsOf = Callable[[Step], "tuple[RunMarks, ...]"]
"""What agents that were tried at a step did there."""


class ScreenController(QObject):
    """Shows what selection and replay say; tells the selection what was clicked."""

    def __init__(
        self,
        context: Context,
        replay: EpisodeViewer,
        centre: ReplayCentre,
        elements_of: ElementsOf,
        pictures_of: PicturesOf,
        attention_of: AttentionOf,
        trials_of: TrialsOf,
    ) -> None:
        super().__init__(context)
        self._context, self._replay = context, replay
        self._centre = centre
        self._view = self._centre.view
        self._elements_of, self._pictures_of, self._attention_of = elements_of, pictures_of, attention_of
        self._trials_of = trials_of
        self._judged = JudgedEpisode()
        self._names: Mapping[str, str] = {}
        self._knows_changes = False
        self._sides = _Neighbours()
        self._rest = Debouncer(self, self._show_rest, light=True)
        self._ahead = Debouncer(self, self._prepare, waits=False)
        self._bar: CommandBar | None = None
        self._lit: Evidence | None = None
        self._shown_with: tuple[bool, int] | None = None
        self._show_preferences()
        self._connect()
        self._episode_changed()

    def _connect(self) -> None:
        view, selection = self._view, self._context.selection
        self._context.preferences_changed.connect(self._show_preferences)
        self._replay.picture_ready.connect(self._show)
        self._replay.picture_improved.connect(view.set_picture)
        self._replay.picture_failed.connect(self._show_error)
        self._replay.picture_waited.connect(self._wait)
        self._replay.neighbour_ready.connect(self._show_neighbour)
        self._replay.prepare_wanted.connect(self._ahead.ask)
        self._context.events.on(DataMissing, self._tell_missing)
        selection.episode_changed.connect(self._episode_changed)
        selection.step_changed.connect(self._rest.ask)
        selection.rule_changed.connect(self.refresh_marks)
        self._centre.layers.layers_changed.connect(lambda _layers: self._layers_changed())
        self._centre.layers.strength_changed.connect(lambda *_change: view.set_strengths(self._centre.layers.strengths))
        self._centre.layers.fit_wanted.connect(view.toggle_fit)
        self._centre.step_typed.connect(self._replay.go)
        view.zoom_changed.connect(self._zoom_changed)
        view.step_wanted.connect(self._replay.move)
        view.show_file_wanted.connect(self._show_file)

    def handlers(self) -> dict[str, Callable[[], object]]:
        view = self._view
        handlers: dict[str, Callable[[], object]] = {
            "zoom.in": view.zoom_in,
            "zoom.out": view.zoom_out,
            "zoom.fit": view.toggle_fit,
            "zoom.full": view.actual_size,
            "zoom.marks": view.zoom_to_marks,
            "zoom.loupe": self._toggle_loupe,
            "view.neighbours": self._toggle_neighbours,
            "rule.next": lambda: self._change_rule(1),
            "rule.previous": lambda: self._change_rule(-1),
            "go.step": self._centre.ask_for_number,
        }
        toggle = self._centre.layers.toggle
        return handlers | {command: partial(toggle, layer) for command, layer in LAYER_COMMANDS.items()}

    def bind(self, bar: CommandBar) -> None:
        self._bar = bar
        self._layers_changed()
        self._show_preferences()

    # Showing ---------------------------------------------------------------------------------------------------------

    def set_judged(self, judged: JudgedEpisode, names: Mapping[str, str]) -> None:
        """Predictions and verdicts of the runs that are shown, and the runs' names."""
        self._judged, self._names = judged, names
        self._show_chips()
        self.refresh_marks()

    def _show_chips(self) -> None:
        """Layers that the answers give something to show have a chip, and changes once they were looked at."""
        self._knows_changes = self._knows_changes or Layer.DIFF in self._centre.layers.layers
        runs = {number: self._names.get(run, run) for run, number in self._judged.runs.items()}
        self._centre.layers.set_runs(runs, (*self._judged.layers(), *(Layer.DIFF,) * self._knows_changes))

    def refresh_marks(self) -> None:
        step = self._context.selection.step
        if step is not None and self._view.content is not None:
            self._view.set_marks(self._marks(step))
            self._view.describe(self._description())
            self._ahead.ask()

    def light(self, run: int, place: int) -> None:
        """Show the evidence at `place` in the answer of run `run` (0 is A) on the screen of its step."""
        episode = self._context.selection.episode
        shown = next((one for one, number in self._judged.runs.items() if number == run), "")
        outcome = self._judged.whole(shown)
        answer = outcome.prediction.answer if outcome else None
        if episode is None or not isinstance(answer, FeasibilityAnswer) or place >= len(answer.evidence):
            return
        self._lit = answer.evidence[place]
        bar = self._centre.layers
        missing = [layer for layer in (Layer.EVIDENCE, run_layer(run)) if layer not in bar.layers]
        for layer in missing:
            bar.toggle(layer)
        position = episode.position_of(self._lit.step)
        if position != self._context.selection.step_index:
            self._replay.go(position)
        else:
            self.refresh_marks()
            self._bring_lit_into_view()

    def _bring_lit_into_view(self) -> None:
        step = self._context.selection.step
        if self._lit is not None and self._lit.box is not None and step is not None:
            self._view.show_box(self._lit.box.rescaled(step.observation.size))

    def set_bare(self, bare: bool) -> None:
        self._view.set_bare(bare)

    def _show(self, picture: ScreenPicture | None) -> None:
        """Paint the step at once; everything else about it may come a moment later."""
        step = self._context.selection.step
        if step is None:
            return
        if self._lit is not None and self._lit.step != step.index:
            self._lit = None
        self._sides = self._sides_of(self._context.selection.step_index)
        self._view.show_step(self._content(self._context.selection.step_index, picture, self._sides))
        self._bring_lit_into_view()
        if picture is None:
            self._tell_lack(step)
        self._view.repaint()
        self._rest.ask()

    def _sides_of(self, here: int) -> _Neighbours:
        """The neighbours of a step, with their pictures as far as those are there already."""
        episode = self._context.selection.episode
        sides: list[Neighbour | None] = []
        for place in (here - 1, here + 1):
            if episode is None or not 0 <= place < len(episode.steps):
                sides.append(None)
                continue
            picture, pictures = episode.shown_at(place), self._context.pictures
            sides.append(Neighbour(place + 1, pictures.at_hand(picture) if picture else None))
        return _Neighbours(*sides)

    def _content(self, place: int, picture: ScreenPicture | None, sides: _Neighbours) -> ScreenContent:
        """The step at a place of the episode that is open."""
        episode = self._context.selection.episode
        assert episode is not None
        step = episode.steps[place]
        return ScreenContent(
            size=step.observation.size,
            picture=picture,
            marks=self._marks(step),
            number=place + 1,
            total=len(episode.steps),
            previous=sides.previous,
            next=sides.following,
            words=step.instruction or "",
        )

    def _prepare(self) -> None:
        """Have the steps beside this one painted before they are asked for, one in a turn of the event loop."""
        likely = [self._content_ahead(place) for place in self._replay.likely()]
        if self._view.prepare_steps([content for content in likely if content is not None]):
            self._ahead.ask()

    def _content_ahead(self, place: int) -> ScreenContent | None:
        """A step as it will be shown, None while one of its pictures is on its way. Changes are known only of the step
        that is shown."""
        episode, whole = self._context.selection.episode, self._context.cache.peek
        around = [episode.shown_at(one) for one in (place, place - 1, place + 1)] if episode is not None else []
        pictures = [whole(picture) if picture is not None else None for picture in around]
        if episode is None or pictures[0] is None or Layer.DIFF in self._centre.layers.layers:
            return None
        if any(picture is not None and found is None for picture, found in zip(around, pictures, strict=True)):
            return None
        return self._content(place, pictures[0], self._sides_of(place))

    def _marks(self, step: Step) -> tuple[Mark, ...]:
        from stepscope.core.imaging.overlay import RunMarks, build_marks  # come with the first step

        selection, judged = self._context.selection, self._judged
        runs = []
        if selection.episode is not None and judged.episode == selection.episode.id:
            for run, index in judged.runs.items():
                outcome, prediction = judged.whole(run), judged.prediction(run, step.index)
                if outcome is not None and outcome.prediction.answer is not None:
                    shown = replace(outcome.prediction, pictures=self._pictures_of(run, step))
                    runs.append(RunMarks(index, shown, outcome.score))
                elif prediction is not None:
                    prediction = replace(prediction, pictures=self._pictures_of(run, step))
                    score, attention = judged.score(selection.rule, run, step.index), self._attention_of(run, step)
                    runs.append(RunMarks(index, prediction, score, attention))
            region = judged.region(selection.rule, step.index)
        else:
            region = None
        layers, elements = self._centre.layers.layers, self._elements_of(step)
        if selection.episode is not None and step.observation.tree is not None:
            elements = replace(elements, told=told_kinds(selection.episode, step.observation.tree))
        tried = self._trials_of(step)
        layers = Layers(layers.shown | {run_layer(one.index) for one in tried})
        return build_marks(step, [*runs, *tried], region, layers, lit=self._lit, elements=elements)

    def _description(self) -> str:
        from stepscope.app.gui.shell.spoken import step_said

        selection = self._context.selection
        if selection.episode is None:
            return ""
        return step_said(selection.episode, selection.step_index, self._judged, selection.rule, selection.letter_of)

    def _wait(self) -> None:
        self._view.set_loading(True)

    def _show_error(self, error: UserError) -> None:
        step = self._context.selection.step
        if step is not None:
            here = self._context.selection.step_index
            self._sides = self._sides_of(here)
            self._view.show_step(self._content(here, None, self._sides))
            name = f"{Path(error.place).name}: " if error.place else ""
            self._tell_error(f"{name}{error.message}. {error.hint}".strip(), error.words_in_window)

    def _tell_missing(self, event: DataMissing) -> None:
        """Not this picture alone is gone."""
        source = self._context.selection.source
        if source is not None and source.source.path == event.path and self._view.shows_error:
            words = f"It was at {event.path}."
            self._view.set_error("The data is not there any more", words, words, has_file=False)

    def _tell_lack(self, step: Step) -> None:
        """A picture that the data names and that was not there when the episode was read."""
        episode = self._context.selection.episode
        for problem in episode.problems if episode else ():
            if problem.step == step.index and problem.field == PICTURE_FIELD:
                words = f"{problem.file}: {problem.message}"
                self._tell_error(words, words, has_file=False)

    def _tell_error(self, words: str, details: str, *, has_file: bool = True) -> None:
        """Say in the picture's place what is wrong with it."""
        episode = self._context.selection.episode
        if episode is None:
            return
        place = self._context.selection.step_index + 1
        title = f"Cannot show step {place} of episode {episode.id}"
        others = len(episode.steps) - 1
        rest = f"\nThe other {counted(others, 'step')} are open." if others > 1 else ""
        self._view.set_error(title, words + rest, details, has_file=has_file)

    def _show_neighbour(self, by: int, picture: ScreenPicture) -> None:
        fresh = Neighbour(self._context.selection.step_index + 1 + by, picture)
        if by < 0:
            self._sides = _Neighbours(fresh, self._sides.following)
        else:
            self._sides = _Neighbours(self._sides.previous, fresh)
        self._view.set_neighbours(self._sides.previous, self._sides.following)

    def _episode_changed(self) -> None:
        episode = self._context.selection.episode
        source = self._context.selection.source
        self._centre.show_episode(episode, source.title if source else "")
        self._judged, self._lit = JudgedEpisode(), None
        if episode is None:
            self._view.set_empty("Nothing is open." if source is None else "Choose an episode.")
            self._context.status.put("picture", "")
        elif not episode.steps:
            self._view.set_empty("This episode has no steps.")
            self._centre.show_step(-1)
            self._context.status.put("picture", "")

    def _show_rest(self) -> None:
        """Step number and words of the step that is shown now."""
        step, episode = self._context.selection.step, self._context.selection.episode
        if step is None or episode is None:
            return
        self._centre.show_step(self._context.selection.step_index)
        picture = episode.shown_at(self._context.selection.step_index)
        self._view.describe(self._description())
        drawn = picture is not None and isinstance(picture.part, Drawing)
        note = f"{step.observation.size}, drawn from the UI tree" if drawn else f"{step.observation.size}"
        self._context.status.put("picture", note, "The data has no screenshot of this step" if drawn else "")
        self._ahead.ask()

    def _show_file(self) -> None:
        from PySide6.QtCore import QUrl
        from PySide6.QtGui import QDesktopServices

        step = self._context.selection.step
        if step is not None and step.observation.screenshot is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(step.observation.screenshot.path.parent)))

    # View ------------------------------------------------------------------------------------------------------------

    def _layers_changed(self) -> None:
        layers: Layers = self._centre.layers.layers
        if self._bar is not None:
            for command, layer in LAYER_COMMANDS.items():
                self._bar.check(command, layer in layers)
        self._show_chips()
        self.refresh_marks()

    def _toggle_loupe(self) -> None:
        self._view.pin_loupe(not self._view.is_loupe_pinned)
        if self._bar is not None:
            self._bar.check("zoom.loupe", self._view.is_loupe_pinned)

    def _toggle_neighbours(self) -> None:
        self._context.prefer(neighbours=not self._context.preferences.neighbours)

    def _show_preferences(self) -> None:
        preferences = self._context.preferences
        if self._shown_with != (shown := (preferences.neighbours, preferences.mark_percent)):
            self._shown_with = shown
            self._view.set_beside(preferences.neighbours)
            self._view.set_mark_size(preferences.mark_percent / 100)
        if self._bar is not None:
            self._bar.check("view.neighbours", preferences.neighbours)

    def _change_rule(self, by: int) -> None:
        place = [rule.id for rule in RULES].index(self._context.selection.rule.id)
        self._context.selection.set_rule(RULES[(place + by) % len(RULES)])

    def _zoom_changed(self, percent: float, fits: str) -> None:
        if self._view.content is not None:
            self._centre.layers.set_zoom(percent, fits)
