"""The row of layer chips over the mirror, and what the mouse does there."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from stepscope.core.domain.layers import Layer, Layers, run_layer
from stepscope.widgets.common import ElidedLabel
from stepscope.widgets.common.plain_words import tip_words
from stepscope.widgets.live.mirror.overlay import DEFAULT_LAYERS
from stepscope.widgets.screen.layer_bar import LayerChip, LayerRow

_HINT_LEAST = 48
HINT = "Right click: Back. Middle click: Home."
KEYS_HINT = "Keys go to the phone. Esc ends it."
_TREE = LayerRow(Layer.TREE, "UI tree", "U", "Boxes of all elements")
_LABELS = LayerRow(Layer.LABELS, "Labels", "L", "Words of the elements")


class MirrorToolRow(QWidget):
    """`layers_changed(Layers)`: by click or `toggle`."""

    layers_changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("bar", "tools")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._layers = DEFAULT_LAYERS
        self._chips: dict[Layer, LayerChip] = {}
        self._runs: tuple[tuple[str, ...], int | None] | None = None
        self._keys = False
        self._note = ""
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(4, 0, 12, 0)
        self._row.setSpacing(0)
        self._row.addStretch(1)
        self._hint = ElidedLabel(HINT, "secondary")
        self._hint.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._row.addWidget(self._hint)
        self.setFixedHeight(36)
        self.set_runs(("",), agent=0)

    @property
    def layers(self) -> Layers:
        return self._layers

    def chip(self, layer: Layer) -> LayerChip | None:
        return self._chips.get(layer)

    def set_runs(self, names: Sequence[str], *, agent: int | None = 0) -> None:
        """A chip for each predictor whose marks may be shown (its name goes to the tooltip); `agent` is the one that
        acts, None: nobody does."""
        if (tuple(names), agent) == self._runs:
            return
        self._runs = (tuple(names), agent)
        for chip in self._chips.values():
            self._row.removeWidget(chip)
            chip.hide()
            chip.deleteLater()
        self._chips = {}
        rows = [_run_row(index, name, index == agent) for index, name in enumerate(names)]
        for place, row in enumerate((*rows, _TREE, _LABELS)):
            chip = LayerChip(row, self)
            if row.layer.run is not None and row.layer.run == agent:
                chip.setAccessibleName("Agent proposal layer")
                name = f"{row.note}: " if row.note else ""
                chip.setToolTip(tip_words(f"{name}what the agent would do next ({row.key}). Alt+click shows only it."))
            chip.setChecked(row.layer in self._layers)
            chip.clicked.connect(lambda _checked, layer=row.layer: self.toggle(layer))
            chip.only_wanted.connect(lambda layer=row.layer: self.show_only(layer))
            self._chips[row.layer] = chip
            self._row.insertWidget(place, chip)
        self._make_room()

    def set_layers(self, layers: Layers) -> None:
        """Show which layers are on, without a signal."""
        self._layers = layers
        for layer, chip in self._chips.items():
            chip.setChecked(layer in layers)

    def toggle(self, layer: Layer) -> None:
        """Turn a layer on or off, by click or by its key."""
        self._show(self._layers.toggled(layer))

    def show_only(self, layer: Layer) -> None:
        """Show only this layer; once more: the layers of the beginning."""
        only = Layers.of(layer)
        self._show(DEFAULT_LAYERS if self._layers == only else only)

    def set_keys(self, on: bool) -> None:
        """Say that what is typed goes to the phone."""
        self._keys = on
        self._show_hint()

    def set_note(self, note: str) -> None:
        """Something about the layers, such as how old the UI tree is: "Tree of 3 s ago"; "" for none."""
        self._note = note
        self._show_hint()

    def hint(self) -> str:
        return self._hint.text()

    def _show(self, layers: Layers) -> None:
        self.set_layers(layers)
        self.layers_changed.emit(layers)

    def _show_hint(self) -> None:
        self._hint.setText(KEYS_HINT if self._keys else " ".join(filter(None, (self._note, HINT))))

    def minimumSizeHint(self) -> QSize:
        """Room for the chips' signs alone."""
        return QSize(32 * len(self._chips) + 40, 36)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._make_room()

    def _make_room(self) -> None:
        """Chips without their words where all of them have no room; the hint is the first to be cut."""
        needed = sum(chip.full_width() for chip in self._chips.values()) + _HINT_LEAST
        for chip in self._chips.values():
            chip.set_compact(needed > self.width())


def _run_row(index: int, name: str, acts: bool) -> LayerRow:
    layer = run_layer(index)
    return LayerRow(layer, "Agent proposal" if acts else layer.value, str(index + 2), name)
