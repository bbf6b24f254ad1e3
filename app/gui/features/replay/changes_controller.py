"""What is other than on the step before: worked out when it is looked at, listed beside the UI tree, marked on the
screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.ports import ReplayViews
from stepscope.core.domain.elements import UITree
from stepscope.core.domain.episode import Drawing, Episode, Picture, Step
from stepscope.core.domain.layers import Layer
from stepscope.core.errors import UserError
from stepscope.core.imaging.parts import Pixels
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken

if TYPE_CHECKING:
    from stepscope.app.gui.features.replay import step_changes as changes
    from stepscope.app.gui.features.replay.step_changes import ChangedElement, StepChanges
    from stepscope.core.domain.mark import ChangeMark
else:
    changes = lazy_module("stepscope.app.gui.features.replay.step_changes")

STAYS_MS = 60
"""Milliseconds that a person must stay at a step: who hurries past does not look at changes."""


class ChangesController(QObject):
    """`changed`: the marks of the step that is shown are there. `chosen` gives an element of it, None where it is gone,
    with its box."""

    changed = Signal()
    chosen = Signal(object, object)

    def __init__(self, context: Context, views: ReplayViews, tree_of: Callable[[Step], UITree | None]) -> None:
        super().__init__(context)
        self._context, self._tree_of = context, tree_of
        self._view, self._panel = views.centre.view, views.tree
        self._layers = views.centre.layers
        self._kept: dict[int, StepChanges] = {}
        self._under_way: set[int] = set()
        self._asked = object()
        """Answers to what was asked under another one are dropped."""
        self._shown: StepChanges | None = None
        self._staying = QTimer(self)
        self._staying.setSingleShot(True)
        self._staying.setInterval(STAYS_MS)
        self._staying.timeout.connect(self._work_out)
        self._panel.page_changed.connect(self._wish_changed)
        self._panel.change_hovered.connect(self._light)
        self._panel.change_chosen.connect(self._choose)
        self._layers.layers_changed.connect(lambda _layers: self._wish_changed())
        context.selection.episode_changed.connect(self.forget)
        context.selection.step_changed.connect(self._step_changed)

    def marks_of(self, step: Step) -> tuple[ChangeMark, ...]:
        """Marks for a step of the episode that is open, as far as they are known."""
        if step is not self._context.selection.step:
            return ()
        kept = self._kept.get(self._context.selection.step_index)
        return kept.marks if kept is not None else ()

    def forget(self) -> None:
        """Forget all changes: there is other data, or there are other trees for it."""
        self._kept.clear()
        self._under_way.clear()
        self._asked = object()
        self._step_changed()

    def _is_wanted(self) -> bool:
        return self._panel.shows_changes or Layer.DIFF in self._layers.layers

    def _step_changed(self) -> None:
        self._staying.stop()
        if self._is_wanted():
            self._show(self._kept.get(self._context.selection.step_index))
            self._staying.start()

    def _wish_changed(self) -> None:
        if self._is_wanted():
            self._work_out()

    def _work_out(self) -> None:
        selection = self._context.selection
        episode, place = selection.episode, selection.step_index
        if episode is None or selection.step is None:
            self._show(None)
        elif place in self._kept:
            self._show(self._kept[place])
        elif place == 0:
            self._came(0, changes.FIRST)
        elif place not in self._under_way:
            self._under_way.add(place)
            self._begin(episode, place)

    def _begin(self, episode: Episode, place: int) -> None:
        before, after = episode.steps[place - 1], episode.steps[place]
        trees = (self._tree_of(before), self._tree_of(after))
        pictures = (episode.shown_at(place - 1), episode.shown_at(place))
        asked = self._asked

        def compare(_token: CancelToken) -> StepChanges:
            pixels = (self._pixels(pictures[0]), self._pixels(pictures[1]))
            return changes.step_changes(place, trees, pixels, after.observation.size)

        def came(found: StepChanges) -> None:
            if asked is self._asked:
                self._came(place, found)

        self._context.start("compare steps", compare, came)

    def _pixels(self, picture: Picture | None) -> Pixels | None:
        """None for a step without a picture of its own; what is wrong with one is told in its place."""
        if picture is None or isinstance(picture.part, Drawing):
            return None
        try:
            return self._context.cache.get(picture).levels[0]
        except UserError:
            return None

    def _came(self, place: int, found: StepChanges) -> None:
        self._under_way.discard(place)
        self._kept[place] = found
        if place == self._context.selection.step_index:
            self._show(found)
            self.changed.emit()

    def _show(self, found: StepChanges | None) -> None:
        if found is None or found is not self._shown:
            self._shown = found
            words = found.words if found else "Comparing with the step before …" if self._context.selection.step else ""
            self._panel.set_changes(words, [one.row for one in found.places] if found else [])

    def _place(self, row: int) -> ChangedElement | None:
        found = self._shown
        return found.places[row] if found is not None and 0 <= row < len(found.places) else None

    def _light(self, row: int) -> None:
        place = self._place(row)
        self._view.set_hover_box(place.box if place else None)

    def _choose(self, row: int) -> None:
        if (place := self._place(row)) is not None:
            self.chosen.emit(place.element, place.box)
