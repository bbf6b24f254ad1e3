"""The row under the title: which of the actions are done on the page, what is drawn over it, how large it is."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QSlider, QWidget

from stepscope.core.domain.layers import Layer, run_layer
from stepscope.widgets.common import Badge, ElidedLabel, icon_button
from stepscope.widgets.common.plain_words import tip_words
from stepscope.widgets.screen.layer_bar import LayerChip, LayerRow
from stepscope.widgets.webtask.page_fields import ORACLE, PERSON, Runner

HEIGHT = 36
_LEAST_SLIDER = 48
_MOST_SLIDER = 220
LIVE, LOADED, LEFT = "live", "as loaded", "as left"


class ActionSlider(QSlider):
    """How many actions are done; arrows go one on, a wheel that merely passes over changes nothing."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setAccessibleName("Actions done on the page")
        self.setToolTip("How many actions are done on the page")
        self.setPageStep(5)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(_LEAST_SLIDER)
        self.setMaximumWidth(_MOST_SLIDER)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class PageToolRow(QWidget):
    """`position_wanted(int)`: so many of the actions are to be done on the page, 0 none.
    `layers_changed(fields, elements)`: by click or by `toggle_fields`, `toggle_elements`."""

    position_wanted = Signal(int)
    layers_changed = Signal(bool, bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("bar", "tools")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._total = self._done = 0
        self._live, self._busy = True, ""
        self.first = icon_button("first", "The page as it was loaded")
        self.previous = icon_button("previous", "Previous action")
        self.next = icon_button("next", "Next action")
        self.slider = ActionSlider()
        self._position = QLabel()
        self._state = Badge()
        self._words = ElidedLabel("", "secondary")
        self._zoom = QLabel("100 %")
        self._zoom.setProperty("role", "secondary")
        self._zoom.setAccessibleName("Zoom")
        self._zoom.setToolTip("Zoom of the page: Ctrl with the wheel, + and −")
        self._row = QHBoxLayout(self)
        self.fields = self._chip(PERSON)
        self.elements = LayerChip(LayerRow(Layer.TREE, "DOM", "U"), self)
        _name_chip(self.elements, "Boxes of all elements", "U")
        self._answer_source = PERSON
        self.elements.clicked.connect(self._tell_layers)
        self._lay_out()
        self._connect()
        self.set_actions(0, 0)

    def _lay_out(self) -> None:
        self._row.setContentsMargins(8, 0, 12, 0)
        self._row.setSpacing(4)
        for part in (self.first, self.previous, self._position, self.next, self.slider):
            self._row.addWidget(part)
        self._row.addWidget(self._state)
        self._row.addWidget(self._words, 1)
        self._row.addStretch(0)
        for chip in (self.fields, self.elements):
            self._row.addWidget(chip)
        self._row.addWidget(self._zoom)
        self.setMinimumHeight(HEIGHT)

    def _connect(self) -> None:
        self.first.clicked.connect(lambda: self._want(0))
        self.previous.clicked.connect(lambda: self._want(self._done - 1))
        self.next.clicked.connect(lambda: self._want(self._done + 1))
        self.slider.valueChanged.connect(self._want)

    def _chip(self, whose: Runner) -> LayerChip:
        """The chip of the fields bears the sign of whose answers are shown."""
        layer = Layer.REFERENCE if whose.key == ORACLE else Layer.TARGET
        chip = LayerChip(LayerRow(run_layer(whose.run) if whose.run is not None else layer, "Fields", "1"), self)
        chip.setChecked(True)
        _name_chip(chip, "Numbers and outlines of the fields", "1")
        chip.clicked.connect(self._tell_layers)
        return chip

    # Actions

    def set_actions(self, done: int, total: int) -> None:
        """Show how many of the `total` actions are done on the page; without any there is nothing to step through."""
        self._done, self._total = done, total
        self.slider.blockSignals(True)
        self.slider.setRange(0, total)
        self.slider.setValue(done)
        self.slider.blockSignals(False)
        self._show_position()

    def _want(self, done: int) -> None:
        wanted = min(max(done, 0), self._total)
        if wanted != self._done:
            self.set_actions(wanted, self._total)
            self.position_wanted.emit(wanted)

    def step(self, by: int) -> None:
        """Go so many actions on or back, as the buttons do."""
        self._want(self._done + by)

    @property
    def done(self) -> int:
        return self._done

    def set_live(self, live: bool) -> None:
        """Whether the person works in the page; else it shows what was done before."""
        self._live = live
        self._show_position()

    def set_busy(self, words: str) -> None:
        """What is being waited for ("Opening page…"), "" nothing."""
        self._busy = words
        self._show_position()

    def set_note(self, words: str) -> None:
        """Something about the page in place of nothing."""
        self._words.setText(words)

    def state_words(self) -> str:
        """The page's state in words: the work that is awaited, else live, or the action after which it is shown."""
        return self._state.text()

    def position_words(self) -> str:
        return self._position.text()

    def _show_position(self) -> None:
        steps = self._total > 0
        for part in (self.first, self.previous, self.next, self.slider, self._position):
            part.setVisible(steps)
        self.first.setEnabled(self._done > 0)
        self.previous.setEnabled(self._done > 0)
        self.next.setEnabled(self._done < self._total)
        words, kind = self._state_now()
        if (words, kind) != (self._state.text(), self._state.property("badge")):
            self._state.set_words(words, kind)
        self._make_room()

    def _state_now(self) -> tuple[str, str]:
        if self._busy:
            return self._busy, "neutral"
        if self._live:
            return LIVE, "hit"
        if self._done == 0 and self._total:
            return LOADED, "neutral"
        return (LEFT if self._done == self._total else f"after action {self._done}"), "neutral"

    # Layers and zoom

    @property
    def layers(self) -> tuple[bool, bool]:
        """Whether fields, and whether all elements, are outlined."""
        return self.fields.isChecked(), self.elements.isChecked()

    def set_layers(self, *, fields: bool, elements: bool) -> None:
        """Tells nothing."""
        self.fields.setChecked(fields)
        self.elements.setChecked(elements)

    def toggle_fields(self) -> None:
        self.fields.click()

    def toggle_elements(self) -> None:
        self.elements.click()

    def _tell_layers(self) -> None:
        self.layers_changed.emit(*self.layers)

    def set_answer_source(self, whose: Runner) -> None:
        if whose != self._answer_source:
            self._answer_source = whose
            old, self.fields = self.fields, self._chip(whose)
            self.fields.setChecked(old.isChecked())
            self._row.replaceWidget(old, self.fields)
            old.hide()
            old.deleteLater()
            self._make_room()

    def set_zoom(self, percent: float) -> None:
        self._zoom.setText(f"{percent:.0f} %")
        self._zoom.setAccessibleName(f"Zoom {percent:.0f} %")

    # Room

    def minimumSizeHint(self) -> QSize:
        return QSize(240, max(HEIGHT, super().minimumSizeHint().height()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._show_position()

    def _show_words(self, begin: str, room: int) -> int:
        """Which action it is, in few words where there is little room; the pixels that it takes for any of them."""
        metrics = self._position.fontMetrics()
        if metrics.horizontalAdvance(f"{begin}{self._total} of {self._total}") > room:
            begin = ""
        self._position.setText(f"{begin}{self._done} of {self._total}")
        self._position.setAccessibleName(f"Action {self._done} of {self._total}")
        wide = metrics.horizontalAdvance(f"{begin}{self._total} of {self._total}") + 2
        self._position.setFixedWidth(wide)
        return wide

    def _make_room(self) -> None:
        """First the words of the chips go, then what is said of the page, then the slider; what is waited for stays."""
        chips = (self.fields, self.elements)
        room = self.width() - 40 - self._zoom.sizeHint().width()
        if self._total:
            room -= 3 * (self.first.width() + 4) + 8
            room -= self._show_words("Action ", room - 2 * 35)
        full = sum(chip.full_width() + 4 for chip in chips)
        state = self._state.sizeHint().width() + 8
        slider = _LEAST_SLIDER if self._total else 0
        compact = full + state + slider > room
        for chip in chips:
            chip.set_compact(compact)
        room -= 2 * 35 if compact else full
        needed = bool(self._busy)
        self._state.setVisible(needed or state + slider <= room)
        self.slider.setVisible(self._total > 0 and slider + (state if needed else 0) <= room)


def _name_chip(chip: LayerChip, words: str, key: str) -> None:
    chip.setAccessibleName(f"{chip.row.text} layer")
    chip.setToolTip(tip_words(f"{words} ({key})"))
