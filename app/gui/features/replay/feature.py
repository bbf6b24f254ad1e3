"""Replay as the workbench knows it."""

from __future__ import annotations

from collections.abc import Callable

from stepscope.app.gui.features.replay.attached_controller import AttachedController
from stepscope.app.gui.features.replay.details_controller import DetailsController
from stepscope.app.gui.features.replay.elements_controller import ElementsController
from stepscope.app.gui.features.replay.navigate_controller import NavigateController
from stepscope.app.gui.features.replay.playback_controller import PlaybackController
from stepscope.app.gui.features.replay.screen_controller import ScreenController
from stepscope.app.gui.shell.annotations import AnnotationBook
from stepscope.app.gui.shell.commands.bar import CommandBar
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.episode_viewer import EpisodeViewer
from stepscope.app.gui.shell.events import EpisodeJudged
from stepscope.app.gui.shell.feature import Feature, Handlers
from stepscope.app.gui.shell.judging import JudgedEpisode
from stepscope.app.gui.shell.key_filter import KeyFilter
from stepscope.app.gui.shell.ports import DrawnEpisode, Library


class ReplayFeature(Feature):
    """`run_names` gives the names of the shown runs by letter."""

    id = "replay"

    def __init__(
        self,
        context: Context,
        viewer: EpisodeViewer,
        library: Library,
        book: AnnotationBook,
        run_names: Callable[[], list[str]],
        keys: KeyFilter,
    ) -> None:
        super().__init__(context)
        self._viewer, self._run_names = viewer, run_names
        self.playback = PlaybackController(context, viewer)
        self.details = DetailsController(context, viewer, run_names)
        self.attached = AttachedController(context)
        self.elements = ElementsController(context, viewer)
        self.screen = ScreenController(context, viewer, self.elements.drawn, self.attached.pictures_of)
        self.navigate = NavigateController(context, library, viewer, self.details, book)
        self._join(keys)

    def _join(self, keys: KeyFilter) -> None:
        window = self._context.window
        self.details.judged.connect(self._judged)
        self.attached.changed.connect(self.screen.refresh_marks)
        self.elements.changed.connect(self.screen.refresh_marks)
        window.inspector.evidence_chosen.connect(self.screen.light)
        keys.held.connect(self.screen.set_bare)
        keys.loupe_held.connect(window.replay.view.hold_loupe)

    def _judged(self, judged: JudgedEpisode) -> None:
        self.attached.set_judged(judged)
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
        for controller in (self.screen, self.elements, self.navigate, self.playback, self.attached):
            handlers |= controller.handlers()
        return handlers

    def bind(self, bar: CommandBar) -> None:
        self.screen.bind(bar)
        self.playback.bind(bar)
        window = self._context.window
        window.replay.back_clicked.connect(lambda: bar.run("go.back"))
        window.timeline.next_wrong_requested.connect(lambda: bar.run("wrong.next"))
        window.timeline.next_unchecked_requested.connect(lambda: bar.run("unchecked.next"))

    def enter(self) -> None:
        self._context.window.replay.view.setFocus()

    def end(self) -> None:
        self.playback.stop()
