"""The row of layer chips over a screen: what is shown, with what key it is toggled, how strongly it is drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QSizePolicy, QToolButton, QWidget

from stepscope.core.domain.layers import DEFAULT_LAYERS, Layer, Layers, run_layer
from stepscope.core.frozen import dataclass
from stepscope.widgets import theme
from stepscope.widgets.common.buttons import PaintedButton
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import plain_label, tip_words
from stepscope.widgets.common.run_glyph import paint_reference_glyph, paint_run_glyph
from stepscope.widgets.icons import icon

STRENGTHS = (1.0, 0.75, 0.5, 0.25)
"""Opacities that a right click offers."""
_OFF_OPACITY = 0.5
_FIT_BUTTON = 30
_GLYPH = 15
_HEIGHT = 24


@dataclass(frozen=True, slots=True)
class LayerRow:
    """A chip: its layer, its words, its key, and what a tooltip adds (a run's name)."""

    layer: Layer
    text: str
    key: str
    note: str = ""


_FIXED = (
    LayerRow(Layer.TOLERANCE, "Tolerance", "T", "Where a tap counts as right"),
    LayerRow(Layer.TARGET, "Target", "G", "The element of the reference action"),
    LayerRow(Layer.TREE, "UI tree", "U", "Boxes of all elements"),
    LayerRow(Layer.LABELS, "Labels", "L", "Words of the elements"),
)
_OF_ANSWERS = (
    LayerRow(
        Layer.AFFORDANCE,
        "Affordance",
        "Shift+L",
        "What a run says that elements allow: T tap, L long press, I type, "
        "S scroll, C check; hollow where the tree says otherwise",
    ),
    LayerRow(Layer.EVIDENCE, "Evidence", "E", "What on the screen spoke for a run's answer"),
    LayerRow(Layer.NUMBERS, "Candidates", "M", "The actions that a run weighed, the best is 1"),
    LayerRow(Layer.ATTENTION, "Attention", "Shift+E", "Where a run's model looked: on the screen and in the words"),
    LayerRow(Layer.SALIENCY, "Saliency", "H", "Pictures that a run attached to its answer"),
    LayerRow(Layer.DIFF, "Changes", "D", "What is other than on the step before"),
)
"""Layers that have a chip where there is something to show on them."""


def layer_rows(run_names: Mapping[int, str], more: Sequence[Layer] = ()) -> tuple[LayerRow, ...]:
    """Chips for a screen with these runs (0 is A): reference, runs A, B, …, `more` layers, then the rest."""
    runs = [LayerRow(run_layer(i), run_layer(i).value, str(i + 2), name) for i, name in run_names.items()]
    answers = [row for row in _OF_ANSWERS if row.layer in more]
    return (LayerRow(Layer.REFERENCE, "Reference", "1", "The recorded action"), *runs, *answers, *_FIXED)


class LayerChip(PaintedButton):
    """One layer: glyph, words, key; pale when off. `only_wanted`: clicked with Alt. `menu_wanted`: right click."""

    only_wanted = Signal()
    menu_wanted = Signal(QPoint)

    def __init__(self, row: LayerRow, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.row = row
        self._compact = False
        self.setCheckable(True)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        run = row.layer.run
        name = row.text if run is None else f"Run {row.text}"
        self.setAccessibleName(f"{name} layer")
        self.setToolTip(tip_words(f"{name}{': ' + row.note if row.note else ''} ({row.key}). Alt+click shows only it."))

    def set_compact(self, compact: bool) -> None:
        """Show only the glyph where there is no room for words; the tooltip still tells them."""
        if compact != self._compact:
            self._compact = compact
            self.updateGeometry()
            self.update()

    def full_width(self) -> int:
        words, key = self._fonts()
        width = 8 + _GLYPH + 6 + QFontMetrics(words).horizontalAdvance(self.row.text) + 6
        return width + QFontMetrics(key).horizontalAdvance(self.row.key) + 8 + 8

    def sizeHint(self) -> QSize:
        if self._compact:
            return QSize(_GLYPH + 16, _HEIGHT)
        words, key = self._fonts()
        height = max(_HEIGHT, QFontMetrics(words).height() + 4)
        width = 8 + _GLYPH + 6 + QFontMetrics(words).horizontalAdvance(self.row.text) + 6
        return QSize(width + QFontMetrics(key).horizontalAdvance(self.row.key) + 8 + 8, height)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and event.modifiers() & Qt.KeyboardModifier.AltModifier:
            self.only_wanted.emit()
            event.accept()
        elif event.button() == Qt.MouseButton.RightButton:
            self.menu_wanted.emit(event.globalPosition().toPoint())
        else:
            super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Menu:
            self.menu_wanted.emit(self.mapToGlobal(self.rect().bottomLeft()))
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.underMouse() or self.hasFocus():
            painter.setPen(QPen(QColor(colours.selection_line), 2) if self.hasFocus() else Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colours.hover))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 5, 5)
        if not self.isChecked():
            painter.setOpacity(_OFF_OPACITY)
        place = QRectF(8, (self.height() - _GLYPH) / 2, _GLYPH, _GLYPH)
        self._paint_glyph(painter, place, colours)
        if not self._compact:
            self._paint_words(painter, colours)
        painter.end()

    def _paint_glyph(self, painter: QPainter, place: QRectF, colours: theme.Theme) -> None:
        layer = self.row.layer
        if layer is Layer.REFERENCE:
            paint_reference_glyph(painter, place.adjusted(1.5, 1.5, -1.5, -1.5))
        elif layer.run is not None:
            paint_run_glyph(painter, place.adjusted(0.5, 0.5, -0.5, -0.5), layer.run, letter=True)
        elif layer is Layer.NUMBERS:
            painter.setPen(QPen(QColor(colours.secondary), 1.4))
            painter.drawEllipse(place.adjusted(1, 1, -1, -1))
            painter.setFont(derived(self.font(), 9.5, weight=QFont.Weight.Bold))
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, "1")
        elif layer is Layer.AFFORDANCE:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colours.secondary))
            painter.drawRoundedRect(place.adjusted(1.5, 1.5, -1.5, -1.5), 3, 3)
            painter.setPen(QColor(colours.chrome))
            painter.setFont(derived(self.font(), 9.5, weight=QFont.Weight.Bold))
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, "T")
        elif layer is Layer.EVIDENCE:
            painter.setPen(QPen(QColor(colours.secondary), 2.6))
            painter.drawRoundedRect(place.adjusted(2.5, 3.5, -2.5, -3.5), 2, 2)
        elif layer is Layer.ATTENTION:
            strong, weak = QColor(colours.secondary), QColor(colours.secondary)
            weak.setAlphaF(0.4)
            half = QSizeF(6, 6)
            for right, down, colour in ((1, 1, weak), (8, 1, strong), (1, 8, strong), (8, 8, weak)):
                painter.fillRect(QRectF(place.topLeft() + QPointF(right, down), half), colour)
        elif layer is Layer.SALIENCY:
            from PySide6.QtGui import QRadialGradient

            glow = QRadialGradient(place.center(), _GLYPH / 2)
            glow.setColorAt(0.0, QColor(colours.secondary))
            glow.setColorAt(1.0, Qt.GlobalColor.transparent)
            painter.fillRect(place, glow)
        elif layer is Layer.DIFF:
            painter.setPen(QPen(QColor(colours.change), 1.6))
            middle = place.center()
            painter.drawLine(QPointF(middle.x() - 5, middle.y() - 2), QPointF(middle.x() + 1, middle.y() - 2))
            painter.drawLine(QPointF(middle.x() - 2, middle.y() - 5), QPointF(middle.x() - 2, middle.y() + 1))
            painter.drawLine(QPointF(middle.x(), middle.y() + 4), QPointF(middle.x() + 5, middle.y() + 4))
        elif layer is Layer.LABELS:
            painter.setPen(QPen(QColor(colours.secondary), 1.4))
            for row, width in enumerate((10, 10, 6)):
                y = place.top() + 4 + 3.5 * row
                painter.drawLine(round(place.left() + 2), round(y), round(place.left() + 2 + width), round(y))
        else:
            pen = QPen(QColor(colours.dim if layer is Layer.TREE else colours.reference), 1.5)
            if layer is Layer.TOLERANCE:
                pen.setStyle(Qt.PenStyle.DotLine)
            painter.setPen(pen)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            radius = 5.5 if layer is Layer.TOLERANCE else 3.0
            painter.drawRoundedRect(place.adjusted(2, 2, -2, -2), radius, radius)

    def _paint_words(self, painter: QPainter, colours: theme.Theme) -> None:
        words, key = self._fonts()
        left = 8 + _GLYPH + 6
        width = QFontMetrics(words).horizontalAdvance(self.row.text)
        painter.setFont(words)
        painter.setPen(QColor(colours.text))
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRectF(left, 0, width + 2, self.height()), middle, self.row.text)
        box = QRectF(left + width + 6, (self.height() - 16) / 2, self.width() - left - width - 14, 16)
        painter.setPen(QPen(QColor(colours.line), 1))
        painter.setBrush(QColor(colours.chrome))
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        painter.setFont(key)
        painter.setPen(QColor(colours.dim))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self.row.key)

    def _fonts(self) -> tuple[QFont, QFont]:
        return derived(self.font(), 12), derived(self.font(), 10.5, weight=QFont.Weight.Medium)


class LayerBar(QWidget):
    """`layers_changed(Layers)`, `strength_changed(Layer, float 0..1)`, `choice_changed(Layer, str)`: which of several
    that the layer could show, `fit_wanted()`."""

    layers_changed = Signal(object)
    strength_changed = Signal(object, float)
    choice_changed = Signal(object, str)
    fit_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._layers = DEFAULT_LAYERS
        self._strengths: dict[Layer, float] = {}
        self._choices: dict[Layer, tuple[tuple[str, ...], str]] = {}
        self._chips: dict[Layer, LayerChip] = {}
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(8, 0, 8, 0)
        self._row.setSpacing(0)
        self._row.addWidget(self._sign())
        self._row.addStretch(1)
        self._zoom = QLabel("Fit", self)
        self._row.addWidget(self._zoom)
        self._row.addWidget(self._fit_button())
        self.setFixedHeight(36)
        self.set_runs({})
        theme.notifier().changed.connect(self._theme_changed)
        self._theme_changed()

    def minimumSizeHint(self) -> QSize:
        """Room for the glyphs alone; words appear where there is more."""
        chips = (_GLYPH + 16) * len(self._chips)
        return QSize(chips + self._beside_chips(), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._compact_chips(event.size().width())
        super().resizeEvent(event)

    def _beside_chips(self) -> int:
        """Width of everything in the row but the chips."""
        margins = self._row.contentsMargins()
        others = self._layers_sign.sizeHint().width() + self._zoom.sizeHint().width() + _FIT_BUTTON
        return margins.left() + margins.right() + others

    def _compact_chips(self, width: int) -> None:
        """Words go from the chips that are asked for least, until the others have room for theirs."""
        over = sum(chip.full_width() for chip in self._chips.values()) + self._beside_chips() - width
        of_answers = [row.layer for row in _OF_ANSWERS]
        fixed = [row.layer for row in reversed(_FIXED)]
        rest = [layer for layer in reversed(self._chips) if layer not in (*of_answers, *fixed)]
        for layer in (*of_answers, *fixed, *rest):
            if (chip := self._chips.get(layer)) is not None:
                chip.set_compact(over > 0)
                over -= chip.full_width() - (_GLYPH + 16) if over > 0 else 0

    @property
    def layers(self) -> Layers:
        return self._layers

    @property
    def strengths(self) -> dict[Layer, float]:
        return dict(self._strengths)

    def chip(self, layer: Layer) -> LayerChip | None:
        return self._chips.get(layer)

    def set_runs(self, names: Mapping[int, str], more: Sequence[Layer] = ()) -> None:
        """Show a chip for each run by its number (0 is A; its name goes to the tooltip), and for the layers `more` that
        their answers give something to show."""
        rows = layer_rows(names, more)
        if tuple(chip.row for chip in self._chips.values()) == rows:
            return
        for chip in self._chips.values():
            self._row.removeWidget(chip)
            chip.hide()
            chip.deleteLater()
        self._chips = {}
        for place, row in enumerate(rows):
            chip = LayerChip(row, self)
            chip.setChecked(row.layer in self._layers)
            chip.clicked.connect(lambda _checked, layer=row.layer: self.toggle(layer))
            chip.only_wanted.connect(lambda layer=row.layer: self.show_only(layer))
            chip.menu_wanted.connect(lambda where, layer=row.layer: self.open_strengths(layer, where))
            self._chips[row.layer] = chip
            self._row.insertWidget(1 + place, chip)
        self._compact_chips(self.width())

    def set_layers(self, layers: Layers) -> None:
        """Show which layers are on, without a signal."""
        self._layers = layers
        for layer, chip in self._chips.items():
            chip.setChecked(layer in layers)

    def show_layers(self, layers: Layers) -> None:
        """Show these layers and say so."""
        self.set_layers(layers)
        self.layers_changed.emit(layers)

    def toggle(self, layer: Layer) -> None:
        """Turn a layer on or off, by click or by its key."""
        self.show_layers(self._layers.toggled(layer))

    def show_only(self, layer: Layer) -> None:
        """Show only this layer; once more: the layers of the beginning."""
        only = Layers.of(layer)
        self.show_layers(DEFAULT_LAYERS if self._layers == only else only)

    def set_zoom(self, percent: float, fits: str) -> None:
        """The readout at the right: "Fit 26 %", "Fit width 57 %" or "140 %"; `fits` is its beginning."""
        shown = f"{percent:.0f}" if percent >= 1 else f"{percent:.1f}"
        self._zoom.setText(f"{fits} {shown} %".lstrip())

    def set_choices(self, layer: Layer, names: Sequence[str], chosen: str) -> None:
        """Set what a layer could show, and which of it is shown; the chip's menu offers them where there are
        several."""
        self._choices[layer] = (tuple(names), chosen)

    def open_strengths(self, layer: Layer, where: QPoint) -> None:
        """Offer what a layer shows, and how strongly it is drawn."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        names, chosen = self._choices.get(layer, ((), ""))
        for name in names if len(names) > 1 else ():
            action = menu.addAction(plain_label(name))
            action.setCheckable(True)
            action.setChecked(name == chosen)
            action.triggered.connect(lambda _checked, name=name: self.choice_changed.emit(layer, name))
        if len(names) > 1:
            menu.addSeparator()
        for strength in STRENGTHS:
            action = menu.addAction(f"{100 * strength:.0f} %")
            action.setCheckable(True)
            action.setChecked(self._strengths.get(layer, 1.0) == strength)
            action.triggered.connect(lambda _checked, value=strength: self.set_strength(layer, value))
        menu.popup(where)

    def set_strength(self, layer: Layer, strength: float) -> None:
        self._strengths[layer] = strength
        self.strength_changed.emit(layer, strength)

    def _sign(self) -> QWidget:
        label = QLabel(self)
        label.setPixmap(icon("layers").pixmap(15, 15))
        label.setContentsMargins(6, 0, 4, 0)
        label.setAccessibleName("Layers")
        self._layers_sign = label
        return label

    def _fit_button(self) -> QToolButton:
        button = QToolButton(self)
        button.setIcon(icon("fit"))
        button.setAutoRaise(True)
        button.setAccessibleName("Fit")
        button.setToolTip("Fit the picture, or its width (F)")
        button.clicked.connect(self.fit_wanted)
        return button

    def _theme_changed(self) -> None:
        self._layers_sign.setPixmap(icon("layers").pixmap(15, 15))
        self._zoom.setFont(derived(self.font(), 12))
        self._zoom.setStyleSheet(f"color: {theme.current().secondary};")
        self.update()
