"""Replay as the workbench knows it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from stepscope.app.gui.features.replay.attached_controller import AttachedController
from stepscope.app.gui.features.replay.attention_controller import AttentionController
from stepscope.app.gui.features.replay.details_controller import DetailsController
from stepscope.app.gui.features.replay.elements_controller import ElementsController
from stepscope.app.gui.features.replay.navigate_controller import NavigateController
from stepscope.app.gui.features.replay.playback_controller import PlaybackController
from stepscope.app.gui.features.replay.question_trial_controller import QuestionTrialController
from stepscope.app.gui.features.replay.screen_controller import ScreenController
from stepscope.app.gui.shell.annotations import AnnotationBook
from stepscope.app.gui.shell.commands.bar import CommandBar
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.episode_judgements import JudgedEpisode
from stepscope.app.gui.shell.episode_viewer import EpisodeViewer
from stepscope.app.gui.shell.events import EpisodeJudged, LooksElsewhere
from stepscope.app.gui.shell.feature import Feature, Handlers, SessionPart
from stepscope.app.gui.shell.key_filter import KeyFilter
from stepscope.app.gui.shell.ports import DrawnEpisode, Library, ReplayViews


class ReplayFeature(Feature):
    """`run_names` gives the names of the shown runs by letter, `score_runs` scores runs under all rules."""

    id = "replay"

    def __init__(
        self,
        context: Context,
        views: ReplayViews,
        viewer: EpisodeViewer,
        library: Library,
        book: AnnotationBook,
        run_names: Callable[[], Mapping[str, str]],
        keys: KeyFilter,
        score_runs: Callable[[Sequence[str]], object],
    ) -> None:
        super().__init__(context)
        self._views, self._viewer, self._run_names = views, viewer, run_names
        self.playback = PlaybackController(context, viewer, views)
        self.attention = AttentionController(context, views)
        self.details = DetailsController(context, viewer, views, run_names, score_runs, self.attention.streams_of)
        self.attached = AttachedController(context, views.centre.layers)
        self.elements = ElementsController(context, viewer, views)
        self.trial = QuestionTrialController(context, views)
        self.screen = ScreenController(
            context, viewer, views.centre, self.elements.drawn, self.attached.pictures_of, self.attention.marks_of,
            self.trial.marks_of,
        )  # fmt: skip
        self.navigate = NavigateController(context, library, viewer, views.centre, self.details, book)
        self.shown_view = SessionPart(self)
        self.shown_view.take_over(self._view_state, self._restore_view, views.centre.view_changed)
        self._join(keys)

    def _view_state(self) -> Mapping[str, object]:
        return {"view": self._views.centre.shown_view}

    def _restore_view(self, saved: Mapping[str, object]) -> None:
        view = str(saved.get("view", ""))
        if view in self._views.centre.views:
            self._views.centre.show_view(view)

    def _join(self, keys: KeyFilter) -> None:
        self.details.judged.connect(self._judged)
        self.attached.changed.connect(self.screen.refresh_marks)
        self.elements.changed.connect(self.screen.refresh_marks)
        self.attention.changed.connect(self.screen.refresh_marks)
        self.trial.changed.connect(self.screen.refresh_marks)
        self.attention.switched.connect(self.details.show_step)
        self._views.inspector.evidence_chosen.connect(self.screen.light)
        self._views.centre.view_changed.connect(lambda _view: self._context.events.publish(LooksElsewhere()))
        keys.held.connect(self.screen.set_bare)
        keys.loupe_held.connect(self._views.centre.view.hold_loupe)

    def looked_at(self) -> object:
        return self._views.centre.shown_view

    def look_at(self, looked_at: object) -> None:
        if isinstance(looked_at, str):
            self._views.centre.show_view(looked_at)

    def _judged(self, judged: JudgedEpisode) -> None:
        self.attached.set_judged(judged)
        self.attention.set_judged(judged)
        self.screen.set_judged(judged, self._run_names())
        self.elements.set_judged(judged)
        self._context.events.publish(EpisodeJudged(judged))

    @property
    def drawn(self) -> DrawnEpisode:
        """What is drawn over the shown episode."""
        return DrawnEpisode(
            lambda: self.details.current,
            lambda step: self.elements.drawn(step),
            lambda: self.attached.chosen,
            self._run_names,
            lambda: self.attention.chosen,
        )

    def handlers(self) -> Handlers:
        viewer = self._viewer
        handlers: Handlers = {
            "step.next": lambda: viewer.move(1),
            "step.previous": lambda: viewer.move(-1),
            "step.next_ten": lambda: viewer.move(10),
            "step.previous_ten": lambda: viewer.move(-10),
            "step.first": lambda: viewer.go(0),
            "step.last": viewer.last,
        }
        for controller in (
            self.screen, self.elements, self.navigate, self.playback, self.attached, self.attention, self.trial,
        ):  # fmt: skip
            handlers |= controller.handlers()
        return handlers

    def bind(self, bar: CommandBar) -> None:
        self.screen.bind(bar)
        self.playback.bind(bar)
        centre, conditions = self._views.centre, self._context.conditions
        centre.back_clicked.connect(lambda: bar.run("go.back"))
        conditions.changed.connect(lambda: centre.set_back_enabled(conditions.holds("back")))
        timeline = self._views.timeline
        timeline.next_wrong_requested.connect(lambda: bar.run("wrong.next"))
        timeline.next_unchecked_requested.connect(lambda: bar.run("unchecked.next"))

    def enter(self) -> None:
        self._views.centre.view.setFocus()

    def end(self) -> None:
        self.playback.stop()
        self.trial.end()
