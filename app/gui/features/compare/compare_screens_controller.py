"""The middle of the compare workspace: the shared step on a screen for each run, and all runs aligned below."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from stepscope.app.gui.features.compare.compare_controller import NAME
from stepscope.app.gui.features.compare.presenter import action_said, aligned
from stepscope.app.gui.shell.answers import short_words
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.debouncer import Debouncer
from stepscope.app.gui.shell.episode_judgements import JudgedEpisode
from stepscope.app.gui.shell.episode_viewer import EpisodeViewer
from stepscope.app.gui.shell.step_words import verdict_of
from stepscope.core.domain.attention import stream_titled
from stepscope.core.domain.episode import Step
from stepscope.core.domain.mark import Mark
from stepscope.core.domain.score import Score
from stepscope.core.errors import UserError
from stepscope.core.evaluation.attention import attention_marks
from stepscope.core.imaging.overlay import RunMarks, build_marks
from stepscope.widgets import format as words
from stepscope.widgets.common import run_letter
from stepscope.widgets.compare import RunAtStep
from stepscope.widgets.compare.screens import MOST_LARGE
from stepscope.widgets.screen import ScreenContent, ScreenPicture

if TYPE_CHECKING:
    from stepscope.widgets.compare import AlignedPanel, CompareScreens
    from stepscope.widgets.screen import LayerBar

NOTHING = "Nothing stored for this step."


class CompareScreensController(QObject):
    """Follows the selection while the workspace is in front; `large` are the runs that have a screen."""

    def __init__(
        self,
        context: Context,
        centre: CompareScreens,
        lanes: AlignedPanel,
        layers: LayerBar,
        replay: EpisodeViewer,
    ) -> None:
        super().__init__(context)
        self._context, self._replay = context, replay
        self._centre, self._lanes, self._layers = centre, lanes, layers
        self._judged, self._names = JudgedEpisode(), dict[str, str]()
        self._wanted_large: tuple[int, ...] = ()
        self._shown: Step | None = None
        self._request = 0
        self._rest = Debouncer(self, self._show_rest)
        self._connect()

    def _connect(self) -> None:
        selection, centre = self._context.selection, self._centre
        hear = partial(self._context.events.signal_while_shown, NAME)
        hear(self._replay.picture_ready, self._show, later=False)
        hear(self._replay.picture_improved, self._show, later=False)
        hear(self._replay.picture_waited, lambda: self._each("set_loading", True), later=False)
        hear(self._replay.picture_failed, self._show_error, later=False)
        hear(selection.step_changed, self._rest.ask, later=False)
        hear(selection.episode_changed, self._episode_changed)
        hear(selection.rule_changed, self._refresh_runs)
        hear(selection.runs_changed, self._runs_changed)
        hear(self._layers.layers_changed, lambda _layers: self._refresh_marks(), later=False)
        self._context.workspaces.workspace_changed.connect(lambda _name: self._come_into_view())
        centre.replay_wanted.connect(lambda _run: self._context.workspaces.set_workspace("replay"))
        centre.large_toggled.connect(self.toggle_large)
        self._lanes.lanes.step_chosen.connect(self._replay.go)

    @property
    def is_in_front(self) -> bool:
        return self._context.workspaces.workspace == NAME

    @property
    def large(self) -> tuple[int, ...]:
        """Numbers of the runs that have a screen."""
        shown = tuple(self._context.selection.runs.values())
        wanted = tuple(run for run in self._wanted_large if run in shown)
        return wanted or shown[:MOST_LARGE]

    def toggle_large(self, run: int) -> None:
        """Give a run a screen, in the place of the first one where there are four; or take it away."""
        large = self.large
        if run in large:
            large = tuple(other for other in large if other != run) or large
        else:
            large = (*large, run)[-MOST_LARGE:]
        self._wanted_large = tuple(sorted(large))
        self._refresh()

    def set_judged(self, judged: JudgedEpisode, names: Mapping[str, str]) -> None:
        """What the shown runs answered about the episode, and the runs' names."""
        self._judged, self._names = judged, dict(names)
        self._refresh_runs()

    def set_bare(self, bare: bool) -> None:
        self._each("set_bare", bare)

    def hold_loupe(self, held: bool) -> None:
        if self.is_in_front:
            self._centre.active().hold_loupe(held)

    def _each(self, what: str, *values: Any) -> None:
        if self.is_in_front:
            for screen in self._centre.each_screen():
                getattr(screen, what)(*values)

    # Showing ---------------------------------------------------------------------------------------------------------

    def _come_into_view(self) -> None:
        if self.is_in_front:
            self._refresh()
            self._show_rest()

    def _episode_changed(self) -> None:
        self._judged, self._shown = JudgedEpisode(), None
        if self.is_in_front:
            self._show_title()
            self._lanes.set_lanes((), ())

    def _runs_changed(self) -> None:
        self._wanted_large, self._shown = (), None
        self._refresh()

    def _refresh_runs(self) -> None:
        """Show the runs' present verdicts and marks over the same pictures."""
        step = self._context.selection.step
        if step is None or self._shown is not step or not self.is_in_front:
            self._refresh()
            return
        large = self._set_runs(self._runs_at(step))
        self._centre.set_marks(large, self._all_marks(step))
        self._describe(step, large)
        self._show_lanes()

    def _refresh(self) -> None:
        """Everything: runs, verdicts, pictures, marks, lanes."""
        if not self.is_in_front:
            return
        if len(self._context.selection.runs) < 2:
            self._centre.show_too_few()
            self._lanes.set_lanes((), ())
            return
        step, episode = self._context.selection.step, self._context.selection.episode
        if step is None or episode is None:
            self._centre.show_no_episode()
            return
        picture = episode.shown_at(self._context.selection.step_index)
        self._show(self._context.pictures.at_hand(picture) if picture else None)
        self._show_lanes()

    def _show(self, picture: ScreenPicture | None) -> None:
        """The step on all screens."""
        step, selection = self._context.selection.step, self._context.selection
        if not self.is_in_front or step is None or len(selection.runs) < 2:
            return
        runs = self._runs_at(step)
        large = self._set_runs(runs)
        episode = selection.episode
        content = ScreenContent(
            size=step.observation.size,
            picture=picture,
            number=selection.step_index + 1,
            total=len(episode.steps) if episode else 1,
            words=step.instruction or "",
        )
        self._shown = step
        self._centre.show_step(content, large, self._all_marks(step))
        self._describe(step, large)

    def _set_runs(self, runs: Sequence[RunAtStep]) -> list[RunAtStep]:
        large = [one for one in runs if one.run in self.large]
        self._centre.set_runs(large, runs if len(runs) > MOST_LARGE else ())
        return large

    def _refresh_marks(self) -> None:
        step = self._context.selection.step
        if self.is_in_front and step is not None and len(self._context.selection.runs) > 1:
            large = [one for one in self._runs_at(step) if one.run in self.large]
            self._centre.set_marks(large, self._all_marks(step))

    def _show_error(self, error: UserError) -> None:
        if self.is_in_front:
            place = self._context.selection.step_index + 1
            self._show(None)
            self._centre.set_error(f"Cannot show step {place}", f"{error.message} {error.hint}".strip())

    def _show_rest(self) -> None:
        if self.is_in_front:
            self._show_title()
            self._lanes.lanes.set_current(self._context.selection.step_index)

    def _show_title(self) -> None:
        selection = self._context.selection
        episode = selection.episode
        if episode is None:
            self._centre.show_title("", "", "")
            return
        step = f"Step {selection.step_index + 1} of {len(episode.steps)}" if episode.steps else "No steps"
        self._centre.show_title(episode.goal or episode.id, words.app_name(episode.app or ""), step)

    def _describe(self, step: Step, large: Sequence[RunAtStep]) -> None:
        """Tell screen readers the step, the reference, and what the screen's run does."""
        place = f"Step {self._context.selection.step_index + 1}."
        about = f"Reference {step.action.kind.replace('_', ' ')}." if step.action else "No reference action."
        for pane, one in zip(self._centre.panes, large, strict=False):
            verdict = "nothing here" if one.verdict is None else one.verdict.word
            pane.view.describe(f"{place} {about} Run {run_letter(one.run)} {verdict}. {one.why}")

    # Runs at the step ------------------------------------------------------------------------------------------------

    def _runs_at(self, step: Step) -> list[RunAtStep]:
        """Every shown run; those whose answers are still on their way have nothing yet."""
        runs = self._context.selection.runs
        there = self._fits() and self._judged.runs == runs
        return [
            self._run_at(run, step) if there else RunAtStep(number, self._names.get(run, ""))
            for run, number in runs.items()
        ]

    def _run_at(self, run: str, step: Step) -> RunAtStep:
        judged, number, name = self._judged, self._judged.runs[run], self._names.get(run, "")
        whole, prediction = judged.whole(run), judged.prediction(run, step.index)
        marks = self._marks(step, [run])
        score: Score | None
        if whole is not None:
            said, score, sure = short_words(whole), whole.score, whole.prediction.confidence
        elif prediction is not None:
            under = judged.score(self._context.selection.rule, run, step.index)
            said, score, sure = action_said(step, prediction), under, prediction.confidence
        else:
            return RunAtStep(number, name, why=NOTHING, marks=marks)
        verdict = verdict_of(score) if score is not None else None
        return RunAtStep(number, name, verdict, said, sure, score.why if score else NOTHING, marks)

    def _fits(self) -> bool:
        episode = self._context.selection.episode
        return episode is not None and self._judged.episode == episode.id

    def _all_marks(self, step: Step) -> tuple[Mark, ...]:
        return self._marks(step, self._judged.runs)

    def _marks(self, step: Step, runs: Iterable[str]) -> tuple[Mark, ...]:
        """The reference, the tolerance, and what these runs do, in the layers that are on."""
        judged, rule, layers = self._judged, self._context.selection.rule, self._layers.layers
        if not self._fits():
            return build_marks(step, (), None, layers)
        found = []
        for run in runs:
            number = judged.runs[run]
            whole, prediction = judged.whole(run), judged.prediction(run, step.index)
            if whole is not None and whole.prediction.answer is not None:
                found.append(RunMarks(number, whole.prediction, whole.score))
            elif prediction is not None:
                looked = attention_marks(stream_titled(judged.streams(run, step.index)), number, step.observation.size)
                found.append(RunMarks(number, prediction, judged.score(rule, run, step.index), looked))
        return build_marks(step, found, judged.region(rule, step.index), layers)

    # Lanes -----------------------------------------------------------------------------------------------------------

    def _show_lanes(self) -> None:
        """Elements are looked up for every cell, so the lanes are made in the reader lane."""
        episode, judged, names = self._context.selection.episode, self._judged, dict(self._names)
        rule = self._context.selection.rule
        if episode is None or not self._fits():
            return
        self._request += 1
        request = self._request

        def make(_token: object) -> Any:
            return aligned(episode, judged, names, rule)

        def answer(found: Any) -> None:
            if request == self._request and self._context.selection.episode is episode:
                self._lanes.set_lanes(*found)
                self._lanes.lanes.set_current(self._context.selection.step_index)

        self._context.start("align runs", make, answer)

    # Session ---------------------------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """How the screens are looked at, in plain JSON values."""
        centre = self._centre
        large = list(self._wanted_large)
        return {"linked": centre.linked.isChecked(), "overlaid": centre.overlaid.isChecked(), "large": large}

    def restore(self, state: Mapping[str, Any]) -> None:
        self._centre.set_linked(state.get("linked") is not False)
        self._centre.set_overlaid(state.get("overlaid") is True)
        large = state.get("large")
        self._wanted_large = tuple(run for run in large if isinstance(run, int)) if isinstance(large, list) else ()
        self._refresh()
