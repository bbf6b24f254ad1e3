"""UI elements: the tree panel and the screen's boxes, linked both ways."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QPoint, Qt, Signal

from stepscope.app.gui.features.replay.changes_controller import ChangesController
from stepscope.app.gui.features.replay.reading_controller import ReadingController
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.debouncer import Debouncer
from stepscope.app.gui.shell.episode_judgements import JudgedEpisode
from stepscope.app.gui.shell.episode_viewer import EpisodeViewer
from stepscope.app.gui.shell.ports import ReplayViews
from stepscope.core.domain.action import action_point
from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.episode import Step
from stepscope.core.domain.geometry import Box, Point
from stepscope.widgets.hierarchy import OverlapMenu

if TYPE_CHECKING:
    from stepscope.core.imaging.overlay import Elements


class ElementsController(QObject):
    """Shows the current step's UI tree; hovering and choosing an element in one place shows it in the other.

    `changed`: other elements are to be drawn on the screen; `drawn` says which.
    """

    changed = Signal()

    def __init__(self, context: Context, replay: EpisodeViewer, views: ReplayViews) -> None:
        super().__init__(context)
        self._context = context
        self._view, self._panel = views.centre.view, views.tree
        self._judged = JudgedEpisode()
        self._selected: int | None = None
        self._under: list[int] = []
        self._rest = Debouncer(self, self._show_tree)
        self.reading = ReadingController(context)
        self.changes = ChangesController(context, views, self.reading.tree_of)
        self._connect(replay)
        self._episode_changed()

    def _connect(self, replay: EpisodeViewer) -> None:
        view, panel, selection = self._view, self._panel, self._context.selection
        view.set_readout_source(self._words_at)
        replay.picture_ready.connect(self._picture_came)
        selection.episode_changed.connect(self._episode_changed)
        selection.step_changed.connect(self._rest.ask)
        view.hovered.connect(self._hovered)
        view.clicked.connect(self._clicked)
        view.menu_wanted.connect(self._offer)
        panel.element_hovered.connect(lambda index: view.set_hover_box(self._box(index)))
        panel.element_selected.connect(self._select_from_tree)
        panel.shown_changed.connect(lambda _shown: self.changed.emit())
        panel.read_wanted.connect(self.reading.read_step)
        panel.stop_wanted.connect(self.reading.stop)
        self.reading.changed.connect(self._reading_changed)
        self.changes.changed.connect(self.changed)
        self.changes.chosen.connect(self._choose_change)

    def handlers(self) -> dict[str, Callable[[], object]]:
        panel = self._panel
        return {
            "find.element": self._find,
            "element.parent": lambda: self._move(self._parent),
            "element.child": lambda: self._move(self._child),
            "element.previous": lambda: self._move(lambda tree, one: self._sibling(tree, one, -1)),
            "element.next": lambda: self._move(lambda tree, one: self._sibling(tree, one, 1)),
            "element.locator": lambda: self._with_chosen(panel.copy_locator),
            "element.bounds": lambda: self._with_chosen(panel.copy_bounds),
            "element.text": lambda: self._with_chosen(panel.copy_text),
        } | self.reading.handlers()

    def drawn(self, step: Step) -> Elements:
        """What the screen draws of a step's elements and of what changed."""
        from stepscope.core.imaging.overlay import Elements  # comes with the first step

        return Elements(self.reading.tree_of(step), self._panel.shown, self.changes.marks_of(step))

    # The tree --------------------------------------------------------------------------------------------------------

    @property
    def _tree(self) -> UITree | None:
        """The tree of the step that is shown: its own, or one that was read from its picture."""
        step = self._context.selection.step
        return self.reading.tree_of(step) if step else None

    def set_judged(self, judged: JudgedEpisode) -> None:
        """Predictions of the runs that are shown: their letters stand on the rows that they act on."""
        self._judged = judged
        if (step := self._context.selection.step) is not None:
            self._mark_rows(step)

    def _episode_changed(self) -> None:
        self._judged = JudgedEpisode()
        self._forget_choice()
        if self._context.selection.step is None:
            self._panel.set_tree(None)

    def _picture_came(self) -> None:
        """The screen shows another step: nothing on it is chosen, and its tree comes after it is painted."""
        self._forget_choice()
        self._rest.ask()

    def _forget_choice(self) -> None:
        self._selected, self._under = None, []
        self._context.conditions.set("element", False)

    def _show_tree(self) -> None:
        step, episode = self._context.selection.step, self._context.selection.episode
        if step is None or episode is None:
            return
        tree = self._tree
        if tree is None and self.reading.is_reading(step):
            self._panel.set_reading(self.reading.doing(step))
            return
        others = any(one.observation.tree is not None for one in episode.steps)
        self._panel.set_tree(tree, readable=step.observation.screenshot is not None, others=others)
        self._mark_rows(step)
        for problem in episode.problems:
            if problem.step == step.index and step.observation.tree is None and tree is None:
                self._panel.set_error("The UI tree of this step cannot be read", f"{problem.file}: {problem.message}")
        if tree is None:
            self.reading.look_up()

    def _reading_changed(self) -> None:
        """Look for the tree of the shown step again: some step has one now."""
        if self._tree is not self._panel.model.tree or self._tree is None:
            self.changes.forget()
            self._show_tree()
            self.changed.emit()

    def _mark_rows(self, step: Step) -> None:
        """Rings and letters on the rows that the reference and the runs mean; -1 stands for the reference."""
        tree = self._tree
        if tree is None:
            return
        meant = [(-1, step.action)]
        for run, index in self._judged.runs.items():
            prediction = self._judged.prediction(run, step.index)
            meant.append((index, prediction.action if prediction else None))
        marks: dict[int, tuple[int, ...]] = {}
        for who, action in meant:
            point = action_point(action) if action is not None else None
            element = tree.target_at(point) if point is not None else None
            if element is not None:
                marks[element.index] = (*marks.get(element.index, ()), who)
        self._panel.set_marks(marks)

    def _find(self) -> None:
        self._context.workspaces.show_dock("tree")
        self._panel.focus_search()

    # Hovering and choosing -------------------------------------------------------------------------------------------

    def _box(self, index: int | None) -> Box | None:
        tree, step = self._tree, self._context.selection.step
        if tree is None or step is None or index is None or not 0 <= index < len(tree):
            return None
        return tree.elements[index].box.rescaled(step.observation.size)

    def _elements_at(self, point: Point) -> list[UIElement]:
        tree = self._tree
        return tree.at(point) if tree is not None else []

    def _words_at(self, point: Point) -> str:
        under = self._elements_at(point)
        return self._words_of(under[0]) if under else ""

    def _words_of(self, element: UIElement) -> str:
        read = "OCR" if self._tree is not None and self._tree.origin is TreeOrigin.OCR else ""
        return " · ".join(filter(None, (element.label or element.short_id, element.short_class, read)))

    def _hovered(self, point: Point | None) -> None:
        under = self._elements_at(point) if point is not None else []
        self._light(under[0].index if under else -1)

    def _light(self, index: int) -> None:
        self._view.set_hover_box(self._box(index))
        self._panel.hover_element(index)

    def _clicked(self, point: Point) -> None:
        """Select the element under the pointer; the same place again cycles through those that overlap there."""
        under = [element.index for element in self._elements_at(point)]
        if not under:
            return
        place = 0
        if under == self._under and self._selected is not None and self._selected in under:
            place = (under.index(self._selected) + 1) % len(under)
        self._choose(under[place])
        self._under = under
        if len(under) > 1:
            self._frame(f"{place + 1} of {len(under)} here")

    def _choose(self, index: int) -> None:
        """Select an element in both places."""
        self._select_from_tree(index)
        self._panel.select_element(index)

    def _select_from_tree(self, index: int) -> None:
        self._selected, self._under = index, []
        self._frame()
        self._context.conditions.set("element", True)

    def _frame(self, which: str = "") -> None:
        """Frame the chosen element on the picture and name it; `which`: of those that lie over each other."""
        tree, index = self._tree, self._selected
        if tree is not None and index is not None and index < len(tree):
            words = self._words_of(tree.elements[index])
            self._view.set_selected_box(self._box(index), " · ".join(filter(None, (words, which))))

    def _choose_change(self, element: int | None, box: Box) -> None:
        """Show an element that is other than before, or the place of one that is gone."""
        if element is not None:
            self._choose(element)
        else:
            self._view.set_selected_box(box)
        self._view.show_box(box)

    def _offer(self, point: Point | None, place: QPoint) -> None:
        """List what lies over each other under the pointer, or around the chosen element when a key asks."""
        chosen = self._box(self._selected)
        if point is None and chosen is not None:
            point = chosen.centre
        under = self._elements_at(point) if point is not None else []
        if under:
            menu = OverlapMenu(under, self._selected, self._view)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.element_hovered.connect(self._light)
            menu.element_chosen.connect(self._choose)
            menu.popup(place)

    # Moving through the tree -----------------------------------------------------------------------------------------

    def _move(self, way: Callable[[UITree, UIElement], int | None]) -> None:
        """Choose a relative of the chosen element; without one begin with the reference's, else with the first."""
        tree, step = self._tree, self._context.selection.step
        if tree is None or step is None or not len(tree):
            return
        if self._selected is None:
            point = action_point(step.action) if step.action is not None else None
            target = tree.target_at(point) if point is not None else None
            goal: int | None = target.index if target is not None else 0
        else:
            goal = way(tree, tree.elements[self._selected])
        if goal is not None:
            self._choose(goal)
            if (box := self._box(goal)) is not None:
                self._view.show_box(box)

    @staticmethod
    def _parent(_tree: UITree, element: UIElement) -> int | None:
        return element.parent if element.parent >= 0 else None

    @staticmethod
    def _child(tree: UITree, element: UIElement) -> int | None:
        return next(iter(tree.children[element.index]), None)

    @staticmethod
    def _sibling(tree: UITree, element: UIElement, by: int) -> int | None:
        roots = [one.index for one in tree if one.parent < 0] if element.parent < 0 else []
        siblings = tree.children[element.parent] if element.parent >= 0 else tuple(roots)
        place = siblings.index(element.index) + by
        return siblings[place] if 0 <= place < len(siblings) else None

    def _with_chosen(self, do: Callable[[int], Any]) -> None:
        if self._selected is not None:
            do(self._selected)
