"""Where the keyboard goes next: through the panels of the window in the order in which one reads them, and within a
panel by the places of its parts, whenever these were made."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow, QWidget


def panels(window: QMainWindow) -> list[QWidget]:
    """The visible panels: rail, docks at the left, centre, docks at the right, docks at the bottom; then the menu row's
    corner and the status line, and the bubble of the tour."""
    docks: dict[Qt.DockWidgetArea, list[QDockWidget]] = {}
    for dock in window.findChildren(QDockWidget):
        if dock.isVisible() and not dock.isFloating() and not dock.visibleRegion().isEmpty():
            docks.setdefault(window.dockWidgetArea(dock), []).append(dock)
    area = Qt.DockWidgetArea
    left, right, bottom = (
        sorted(docks.get(side, []), key=lambda dock: (dock.y(), dock.x()))
        for side in (area.LeftDockWidgetArea, area.RightDockWidgetArea, area.BottomDockWidgetArea)
    )
    rail = window.findChild(QWidget, "rail")
    ordered = [
        rail,
        *left,
        window.centralWidget(),
        *right,
        *bottom,
        window.menuBar().cornerWidget(),
        window.statusBar(),
        window.findChild(QWidget, "tour"),
    ]
    return [panel for panel in ordered if panel is not None and panel.isVisible()]


def parts(panel: QWidget) -> list[QWidget]:
    """What Tab stops at in a panel: row after row, each from left to right."""
    stops = [child for child in panel.findChildren(QWidget) if is_stop(child)]
    places = {stop: QRect(stop.mapTo(panel, QPoint()), stop.size()) for stop in stops}
    rows: list[list[QWidget]] = []
    for stop in sorted(stops, key=lambda stop: places[stop].center().y()):
        first = places[rows[-1][0]] if rows else QRect()
        if rows and first.top() <= places[stop].center().y() <= first.bottom():
            rows[-1].append(stop)
        else:
            rows.append([stop])
    return [stop for row in rows for stop in sorted(row, key=lambda stop: places[stop].left())]


def is_stop(widget: QWidget) -> bool:
    """Whether Tab stops at the widget."""
    takes = bool(widget.focusPolicy().value & Qt.FocusPolicy.TabFocus.value)
    return takes and widget.isVisible() and widget.isEnabled() and widget.focusProxy() is None


def following(window: QMainWindow, focus: QWidget | None, way: int) -> QWidget | None:
    """The next (1) or previous (-1) stop of the whole window, around its end; None where there is none."""
    stops = [stop for panel in panels(window) for stop in parts(panel)]
    if not stops:
        return None
    return stops[(_place_of(focus, stops, way) + way) % len(stops)]


def _place_of(focus: QWidget | None, stops: Sequence[QWidget], way: int) -> int:
    """The place of what has the keyboard, or of the part it belongs to."""
    while focus is not None:
        if focus in stops:
            return stops.index(focus)
        focus = focus.parentWidget()
    return -1 if way > 0 else 0


def go_to_panel(window: QMainWindow, way: int) -> None:
    """Give the keyboard to the next (1) or previous (-1) panel."""
    there = [panel for panel in panels(window) if parts(panel)]
    focus = QApplication.focusWidget()
    here = next((place for place, panel in enumerate(there) if focus and panel.isAncestorOf(focus)), -1)
    if here < 0:
        here = -1 if way > 0 else 0
    if there:
        enter(there[(here + way) % len(there)], Qt.FocusReason.TabFocusReason)


def enter(panel: QWidget, reason: Qt.FocusReason) -> bool:
    """Give the keyboard to the largest part of a panel, which it is about; False where Tab stops at none."""
    largest = max(parts(panel), key=lambda part: part.width() * part.height(), default=None)
    if largest is not None:
        largest.setFocus(reason)
    return largest is not None
