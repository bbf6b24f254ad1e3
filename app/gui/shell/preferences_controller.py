"""Preferences: the window of its pages. Limits are in force as soon as they are written, and kept for the next time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QDialog, QVBoxLayout

from stepscope.app.gui.shell.context import Context
from stepscope.core import limits
from stepscope.core.errors import UserError
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.widgets.shell import preferences
    from stepscope.widgets.shell.preferences import LimitRow, LimitsPage, PreferencesView
else:
    preferences = lazy_module("stepscope.widgets.shell.preferences")

WIDTH, HEIGHT = 860, 640
PAGE = "Limits"
_READING = "Reading data"
_GROUPS = {
    "archive": "Archives",
    "disk": "Archives",
    "picture": "Pictures",
    "answer": "Chat servers",
    "model": "Models out of files",
    "page": "Pages of web tasks",
}
"""By how a limit's name begins; all others are about reading."""
_ORDER = tuple(dict.fromkeys((_READING, *_GROUPS.values())))


class PreferencesController(QObject):
    """Puts the limits in force that a person chose before, unless this program was started with others."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._context = context
        self._view: PreferencesView | None = None
        self._page: LimitsPage | None = None
        self._before: list[dict[str, int]] = []
        kept = {name: value for name, value in context.preferences.limits if name in limits.LIMITS and value > 0}
        if kept:
            limits.choose(kept | limits.chosen_limits())

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {"app.preferences": self.show}

    def show(self) -> None:
        """The pages in a window of their own, which does not block."""
        if self._view is None:
            self._open()
        assert self._view is not None
        self._show_limits()
        self._view.window().show()
        self._view.window().raise_()

    def _open(self) -> None:
        dialog = QDialog(self._context.dialog_parent)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle("Preferences")
        dialog.resize(WIDTH, HEIGHT)
        view, page = preferences.PreferencesView(), preferences.LimitsPage()
        view.add_page(PAGE, "filter", page)
        column = QVBoxLayout(dialog)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(view)
        dialog.finished.connect(self._closed)
        page.written.connect(self._write)
        page.reset.connect(self._reset)
        page.undone.connect(self._undo)
        self._view, self._page = view, page
        page.search.setFocus()

    def _closed(self) -> None:
        self._view = self._page = None
        self._before.clear()

    def _write(self, name: str, text: str) -> None:
        assert self._page is not None
        try:
            value = limits.parsed_figure(name, text)
        except UserError as error:
            self._page.refuse(name, str(error))
            return
        self._change({**limits.chosen_limits(), name: value})

    def _reset(self, names: tuple[str, ...]) -> None:
        self._change({name: value for name, value in limits.chosen_limits().items() if name not in names})

    def _undo(self) -> None:
        if self._before:
            self._put(self._before.pop())

    def _change(self, values: Mapping[str, int]) -> None:
        self._before.append(limits.chosen_limits())
        self._put(values)

    def _put(self, values: Mapping[str, int]) -> None:
        limits.choose(values)
        self._context.prefer(limits=tuple(limits.chosen_limits().items()))
        self._show_limits()

    def _show_limits(self) -> None:
        assert self._view is not None and self._page is not None
        rows = sorted(map(_row, limits.LIMITS.values()), key=lambda row: _ORDER.index(row.group))
        self._page.show_rows(rows, can_undo=bool(self._before))
        changed = sum(not row.is_usual for row in rows)
        self._view.tell(PAGE, f"{changed} changed" if changed else "")


def _row(row: limits.Limit) -> LimitRow:
    now = limits.limit(row.name)
    return preferences.LimitRow(
        name=row.name,
        group=_GROUPS.get(row.name.partition("-")[0], _READING),
        words=row.words,
        reason=row.reason,
        value=limits.written_figure(row.unit, now),
        usual=limits.written_figure(row.unit, row.value),
        is_usual=now == row.value,
    )
