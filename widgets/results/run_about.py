"""What people say of a run: its name, tags and a remark, kept as they are typed."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QFormLayout, QFrame, QLineEdit, QPlainTextEdit, QWidget

from stepscope.core.domain.run import LONGEST_NAME, RunLabels

REMARK_LINES = 4


class RunAbout(QFrame):
    """`edited(id, RunLabels)`: somebody has left a field that says something else than before; pinned and archived are
    as they were."""

    edited = Signal(str, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("card", True)
        self._run, self._labels = "", RunLabels()
        self.name, self.tags, self.remark = QLineEdit(), QLineEdit(), QPlainTextEdit()
        self.name.setMaxLength(LONGEST_NAME)
        self.name.setPlaceholderText("as its settings say")
        self.tags.setPlaceholderText("such as: baseline, camera-ready")
        self.remark.setPlaceholderText("what should be known of this run")
        self.remark.setTabChangesFocus(True)
        self.remark.setFixedHeight(REMARK_LINES * self.remark.fontMetrics().lineSpacing() + 12)
        form = QFormLayout(self)
        form.setContentsMargins(16, 12, 16, 12)
        form.setHorizontalSpacing(24)
        for words, field in (("Name", self.name), ("Tags", self.tags), ("Remark", self.remark)):
            field.setAccessibleName(f"{words} of the run")
            form.addRow(words, field)
        self.name.editingFinished.connect(self._take)
        self.tags.editingFinished.connect(self._take)
        self.remark.installEventFilter(self)

    def set_labels(self, run: str, labels: RunLabels) -> None:
        """Show what is said of a run. What is being typed about the same run stays."""
        if run != self._run:
            self._take()
        elif labels == self._labels:
            return
        self._run, self._labels = run, labels
        self.name.setText(labels.name)
        self.tags.setText(", ".join(labels.tags))
        if self.remark.toPlainText() != labels.remark:
            self.remark.setPlainText(labels.remark)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.remark and isinstance(event, QFocusEvent) and event.type() == QEvent.Type.FocusOut:
            self._take()
        return super().eventFilter(watched, event)

    def _take(self) -> None:
        tags = tuple(self.tags.text().split(","))
        remark = self.remark.toPlainText()
        said = RunLabels(self.name.text(), remark, tags, self._labels.pinned, self._labels.archived)
        if self._run and _plain(said) != _plain(self._labels):
            self.edited.emit(self._run, said)


def _plain(labels: RunLabels) -> tuple[str, str, tuple[str, ...]]:
    tags = tuple(dict.fromkeys(" ".join(tag.split()) for tag in labels.tags if tag.strip()))
    return " ".join(labels.name.split()), labels.remark.strip(), tags
