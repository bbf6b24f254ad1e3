"""Whose transcript it is, what the answers of the episode took, in one row, and where a price is entered."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDoubleSpinBox, QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from stepscope.widgets.common import ElidedLabel, LinkButton, text_button
from stepscope.widgets.common.elided_combo import RunNameCombo
from stepscope.widgets.common.flow import FlowLayout
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.common.run_glyph import run_icon, run_letter

ENTER_PRICE, CHANGE_PRICE = "Enter a price", "Change the price"
LARGEST = 1_000_000.0


class _Figure(QWidget):
    """A value below its name."""

    def __init__(self, name: str, value: str, parent: QWidget) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 16, 0)
        column.setSpacing(0)
        for words, role in ((name, "dim"), (value, "")):
            label = QLabel(straight(words), self)
            label.setProperty("role", role)
            column.addWidget(label)
        self.setAccessibleName(straight(f"{name}: {value}"))


class TranscriptHead(QWidget):
    """`run_chosen` gives the place of the run in the list; `price_entered` the price for a million tokens read,
    written, and its currency; an empty currency takes the price away."""

    run_chosen = Signal(int)
    price_entered = Signal(float, float, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("bar", "tools")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 6, 12, 6)
        column.setSpacing(6)
        row = QHBoxLayout()
        row.setSpacing(8)
        self._runs: tuple[tuple[int, str], ...] = ()
        self.runs = RunNameCombo(10, self)
        self.runs.setAccessibleName("Run")
        self.runs.setToolTip("Whose transcript is shown")
        self.runs.activated.connect(self.run_chosen)
        self.runs.hide()
        self._figures = QWidget(self)
        self._flow = FlowLayout(8, self._figures)
        self.values: tuple[tuple[str, str], ...] = ()
        self.price_link = LinkButton(ENTER_PRICE, parent=self)
        self.price_link.clicked.connect(self._ask)
        self._line = ElidedLabel("", "secondary", self)
        self._line.hide()
        row.addWidget(self.runs)
        row.addWidget(self._figures, 1)
        row.addWidget(self._line, 1)
        row.addWidget(self.price_link, 0, Qt.AlignmentFlag.AlignVCenter)
        column.addLayout(row)
        self.form = self._make_form()
        column.addWidget(self.form)
        self.form.hide()

    def set_runs(self, runs: Sequence[tuple[int, str]], chosen: int) -> None:
        """Numbers (0 is A) and names of the runs to choose from."""
        if tuple(runs) != self._runs:
            self._runs = tuple(runs)
            self.runs.clear()
            for place, (run, name) in enumerate(self._runs):
                self.runs.addItem(run_icon(run), name)
                self.runs.setItemData(place, f"{run_letter(run)} {name}", Qt.ItemDataRole.AccessibleTextRole)
        self.runs.setCurrentIndex(chosen)
        self.runs.setVisible(len(runs) > 1)

    def set_values(self, values: Sequence[tuple[str, str]], price: tuple[float, float, str] | None) -> None:
        """Names and values in their order; `price` for a million tokens, None: nobody has entered one."""
        self.price_link.setText(ENTER_PRICE if price is None else CHANGE_PRICE)
        self.price_link.updateGeometry()
        read, written, currency = price or (0.0, 0.0, "USD")
        if not self.form.isVisible():
            self.read.setValue(read)
            self.written.setValue(written)
            self.currency.setText(currency)
        self._clear.setVisible(price is not None)
        if tuple(values) == self.values:
            return
        self.values = tuple(values)
        self._line.setText(" · ".join(f"{name} {value}" for name, value in self.values))
        while (item := self._flow.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for name, value in self.values:
            figure = _Figure(name, value, self._figures)
            self._flow.addWidget(figure)
            figure.show()
        self._flow.invalidate()
        self._flow.activate()
        self._figures.updateGeometry()

    def set_compact(self, compact: bool) -> None:
        """All in one line, so that a small window keeps its room for the texts."""
        self._figures.setVisible(not compact)
        self._line.setVisible(compact)

    def _make_form(self) -> QWidget:
        form = QWidget(self)
        row = QHBoxLayout(form)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        self.read, self.written = _amount("in", form), _amount("out", form)
        self.currency = QLineEdit("USD", form)
        self.currency.setAccessibleName("Currency")
        self.currency.setMaxLength(8)
        self.currency.setFixedWidth(64)
        row.addWidget(QLabel("A million tokens in", form))
        row.addWidget(self.read)
        row.addWidget(QLabel("out", form))
        row.addWidget(self.written)
        row.addWidget(self.currency)
        self.keep = text_button("Keep", primary=True, tip="Costs of this model are counted with it from now on")
        self.keep.clicked.connect(self._keep)
        self._clear = text_button("Take Away")
        self._clear.clicked.connect(self._take_away)
        for button in (self.keep, self._clear):
            row.addWidget(button)
        row.addStretch(1)
        for field in (self.read.lineEdit(), self.written.lineEdit(), self.currency):
            field.returnPressed.connect(self._keep)
        return form

    def _ask(self) -> None:
        self.form.setVisible(not self.form.isVisible())
        if self.form.isVisible():
            self.read.setFocus()
            self.read.selectAll()

    def _keep(self) -> None:
        self.form.hide()
        self.price_entered.emit(self.read.value(), self.written.value(), self.currency.text().strip() or "USD")

    def _take_away(self) -> None:
        self.form.hide()
        self.price_entered.emit(0.0, 0.0, "")


def _amount(name: str, parent: QWidget) -> QDoubleSpinBox:
    field = QDoubleSpinBox(parent)
    field.setAccessibleName(f"Price of a million tokens {name}")
    field.setDecimals(4)
    field.setRange(0, LARGEST)
    field.setFixedWidth(104)
    return field
