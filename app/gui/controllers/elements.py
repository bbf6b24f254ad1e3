"""UI elements: the tree panel and the screen's boxes, linked both ways."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from app.gui.context import Context
from app.gui.controllers.replay import ReplayController
from app.gui.judging import JudgedEpisode
from app.gui.soon import Soon
from core.domain.action import action_point
from core.domain.elements import UIElement
from core.domain.episode import Step
from core.domain.geometry import Box, Point


class ElementsController(QObject):
    """Shows the current step's UI tree; hovering and choosing an element in one place shows it in the other."""

    def __init__(self, context: Context, replay: ReplayController) -> None:
        super().__init__(context)
        self._context = context
        self._view, self._tree = context.window.replay.view, context.window.tree
        self._judged = JudgedEpisode()
        self._selected: int | None = None
        self._under: list[int] = []
        self._rest = Soon(self, self._show_tree)
        self._view.set_readout_source(self._words_at)
        replay.picture_ready.connect(self._picture_came)
        context.selection.episode_changed.connect(self._episode_changed)
        context.selection.step_changed.connect(self._rest.ask)
        self._view.hovered.connect(self._hovered)
        self._view.clicked.connect(self._clicked)
        self._tree.element_hovered.connect(lambda index: self._view.set_hover_box(self._box(index)))
        self._tree.element_selected.connect(self._select_from_tree)
        self._episode_changed()

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {"find.element": self._find}

    # The tree --------------------------------------------------------------------------------------------------------

    def set_judged(self, judged: JudgedEpisode) -> None:
        """Predictions of the runs that are shown: their letters stand on the rows that they act on."""
        self._judged = judged
        if (step := self._context.selection.step) is not None:
            self._mark_rows(step)

    def _episode_changed(self) -> None:
        self._judged, self._selected, self._under = JudgedEpisode(), None, []
        if self._context.selection.step is None:
            self._tree.set_tree(None)

    def _picture_came(self) -> None:
        """The screen shows another step: nothing on it is chosen, and its tree comes after it is painted."""
        self._selected, self._under = None, []
        self._rest.ask()

    def _show_tree(self) -> None:
        step, episode = self._context.selection.step, self._context.selection.episode
        if step is None or episode is None:
            return
        self._tree.set_tree(step.observation.tree)
        self._mark_rows(step)
        for problem in episode.problems:
            if problem.step == step.index and step.observation.tree is None:
                self._tree.set_error("The UI tree of this step cannot be read", f"{problem.file}: {problem.message}")

    def _mark_rows(self, step: Step) -> None:
        """Rings and letters on the rows that the reference and the runs mean; -1 stands for the reference."""
        tree = step.observation.tree
        if tree is None:
            return
        meant = [(-1, step.action)]
        for index, run in enumerate(self._judged.runs):
            prediction = self._judged.prediction(run, step.index)
            meant.append((index, prediction.action if prediction else None))
        marks: dict[int, tuple[int, ...]] = {}
        for who, action in meant:
            point = action_point(action) if action is not None else None
            element = tree.target_at(point) if point is not None else None
            if element is not None:
                marks[element.index] = (*marks.get(element.index, ()), who)
        self._tree.set_marks(marks)

    def _find(self) -> None:
        self._context.window.show_dock("tree")
        self._tree.focus_search()

    # Hovering and choosing -------------------------------------------------------------------------------------------

    def _element(self, index: int | None) -> UIElement | None:
        step = self._context.selection.step
        tree = step.observation.tree if step else None
        return tree.elements[index] if tree is not None and index is not None and 0 <= index < len(tree) else None

    def _box(self, index: int | None) -> Box | None:
        element, step = self._element(index), self._context.selection.step
        return element.box.rescaled(step.observation.size) if element and step else None

    def _elements_at(self, point: Point) -> list[UIElement]:
        step = self._context.selection.step
        tree = step.observation.tree if step else None
        return tree.at(point) if tree is not None else []

    def _words_at(self, point: Point) -> str:
        under = self._elements_at(point)
        if not under:
            return ""
        element = under[0]
        return " · ".join(filter(None, (element.label or element.short_id, element.short_class)))

    def _hovered(self, point: Point | None) -> None:
        under = self._elements_at(point) if point is not None else []
        self._view.set_hover_box(self._box(under[0].index) if under else None)
        self._tree.hover_element(under[0].index if under else -1)

    def _clicked(self, point: Point) -> None:
        """Select the element under the pointer; the same place again cycles through those that overlap there."""
        under = [element.index for element in self._elements_at(point)]
        if not under:
            return
        if under == self._under and self._selected in under:
            self._selected = under[(under.index(self._selected) + 1) % len(under)]
        else:
            self._selected = under[0]
        self._under = under
        self._view.set_selected_box(self._box(self._selected))
        self._tree.select_element(self._selected)

    def _select_from_tree(self, index: int) -> None:
        self._selected, self._under = index, []
        self._view.set_selected_box(self._box(index))
