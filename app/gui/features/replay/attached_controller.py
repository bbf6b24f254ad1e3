"""Pictures that predictors attached, over the screen: read and decoded in the background, one of each run at once."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.episode_judgements import WHOLE, JudgedEpisode
from stepscope.core.domain.episode import Step
from stepscope.core.domain.layers import Layer
from stepscope.core.domain.prediction import AttachedPicture
from stepscope.core.domain.run import ItemKey
from stepscope.core.progress import CancelToken

if TYPE_CHECKING:
    from stepscope.core.store.engine import Database
    from stepscope.widgets.screen import LayerBar

Shown = dict[str, tuple[AttachedPicture, ...]]
"""One picture at most of each run."""


class AttachedController(QObject):
    """`changed()`: other pictures are to be drawn on the step that is shown. The person chooses one by its name, which
    holds from step to step; a run without one of that name shows its first."""

    changed = Signal()

    def __init__(self, context: Context, layers: LayerBar) -> None:
        super().__init__(context)
        self._context = context
        self._bar = layers
        self._judged = JudgedEpisode()
        self._chosen = ""
        self._shown: Shown = {}
        self._about: tuple[str, int, str] | None = None
        """episode, step and chosen name of what is shown"""
        self._token: CancelToken | None = None
        self._bar.layers_changed.connect(lambda _layers: self._load())
        self._bar.choice_changed.connect(self._choose)
        context.selection.step_changed.connect(self._load)

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {"saliency.next": self.next}

    def set_judged(self, judged: JudgedEpisode) -> None:
        self._judged = judged
        self._about = None
        self._bar.set_choices(Layer.SALIENCY, self.names, self.chosen)
        self._load()

    @property
    def names(self) -> list[str]:
        """The names of all pictures in the episode, in order of first appearance."""
        every = (one.name for by_item in self._judged.attached.values() for some in by_item.values() for one in some)
        return list(dict.fromkeys(every))

    @property
    def chosen(self) -> str:
        """The name of the picture that is shown, "" where there are none."""
        return self._chosen if self._chosen in self.names else next(iter(self.names), "")

    def next(self) -> None:
        """Choose the next picture, after the last the first; and show the layer."""
        names = self.names
        if names:
            self._choose(Layer.SALIENCY, names[(names.index(self.chosen) + 1) % len(names)])
        if names and Layer.SALIENCY not in self._bar.layers:
            self._bar.toggle(Layer.SALIENCY)

    def pictures_of(self, run: str, step: Step) -> tuple[AttachedPicture, ...]:
        """What is drawn of a run on a step: the chosen picture; () while it is not ready."""
        episode = self._context.selection.episode
        if episode is None or self._about is None or self._about[:2] != (episode.id, step.index):
            return ()
        return self._shown.get(run, ())

    def _choose(self, layer: Layer, name: str) -> None:
        if layer is Layer.SALIENCY and name != self._chosen:
            self._chosen = name
            self._bar.set_choices(Layer.SALIENCY, self.names, self.chosen)
            self._load()

    def _load(self) -> None:
        """Read and decode what this step has, unless it is there or nobody wants to see it."""
        episode, step = self._context.selection.episode, self._context.selection.step
        if self._token is not None:
            self._token.cancel()
        wanted = Layer.SALIENCY in self._bar.layers and bool(self._judged.attached)
        if episode is None or step is None or not wanted or self._judged.episode != episode.id:
            return
        about, judged = (episode.id, step.index, self.chosen), self._judged
        if self._about == about:
            return

        def arrived(found: Shown) -> None:
            if self._judged is judged:
                self._about, self._shown = about, found
                self.changed.emit()

        task = self._context.query("attached pictures", lambda db: _read(db, judged, *about[1:]), arrived, priority=1)
        self._token = None if task is None else task.token


def _read(database: Database, judged: JudgedEpisode, step: int, name: str) -> Shown:
    """Read of the pictures that lie on a step each run's of that name, else its first; decoded ahead of the painter."""
    from stepscope.core.errors import SourceError
    from stepscope.core.imaging.attached_pictures import laid_over
    from stepscope.core.imaging.palette import RUN_STYLES
    from stepscope.core.store.repositories import attachments

    shown: Shown = {}
    with database.reading() as db:
        for run, index in judged.runs.items():
            for item, several in judged.attached.get(run, {}).items():
                predicted = None if item == WHOLE else item
                if any(one.lies_on(predicted, step) for one in several):
                    pictures = attachments.of_item(db, run, ItemKey(judged.episode, item))
                    here = [one for one in pictures if one.lies_on(predicted, step)]
                    shown[run] = (next((one for one in here if one.name == name), here[0]),)
            for one in shown.get(run, ()):
                with suppress(SourceError):  # the painter leaves it out
                    laid_over(one, RUN_STYLES[index].colour)
    return shown
