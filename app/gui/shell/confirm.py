"""A question before something is lost, in the one form that it has everywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepscope.widgets.common.plain_words import straight, window_title

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


def confirmed(
    parent: QWidget,
    question: str,
    detail: str,
    yes: str,
    no: str = "Go back",
    *,
    title: str = "Stepscope",
    destructive: bool = True,
) -> bool:
    """Ask over `parent` and wait for the answer; `yes` and `no` are the buttons' words, Enter and Esc are no. `detail`
    says what is lost and what stays; `destructive` says so to the platform, which may colour the button."""
    from PySide6.QtWidgets import QMessageBox

    roles = QMessageBox.ButtonRole
    box = QMessageBox(parent)
    box.setWindowTitle(window_title(title))
    box.setText(straight(question))
    box.setInformativeText(straight(detail))
    sure = box.addButton(yes, roles.DestructiveRole if destructive else roles.AcceptRole)
    safe = box.addButton(no, roles.RejectRole)
    box.setDefaultButton(safe)
    box.setEscapeButton(safe)
    safe.setFocus()
    box.exec()
    box.deleteLater()
    return box.clickedButton() is sure
