"""A question before something is lost, in the one form that it has everywhere."""

from __future__ import annotations

from PySide6.QtWidgets import QMessageBox, QWidget

from stepscope.widgets.common.plain_words import straight, window_title

ROLES = QMessageBox.ButtonRole


def confirmed(
    parent: QWidget,
    question: str,
    detail: str,
    yes: str,
    no: str = "Go back",
    *,
    title: str = "Stepscope",
    role: QMessageBox.ButtonRole = ROLES.DestructiveRole,
) -> bool:
    """Ask over `parent` and wait for the answer; `yes` and `no` are the buttons' words, Esc is no. `detail` says what
    is lost and what stays."""
    box = QMessageBox(parent)
    box.setWindowTitle(window_title(title))
    box.setText(straight(question))
    box.setInformativeText(straight(detail))
    sure = box.addButton(yes, role)
    box.addButton(no, ROLES.RejectRole)
    box.exec()
    box.deleteLater()
    return box.clickedButton() is sure
