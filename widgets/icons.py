"""Icons by the workbench's own names, drawn from the Phosphor font that QtAwesome carries (MIT).

An icon takes its colour from the theme in force at the moment it is painted, so it needs no renewal on a theme change.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QIcon, QIconEngine, QPainter, QPixmap

from stepscope.widgets import theme

Colour = str | Callable[[], str]

GLYPHS = {
    "app": "app-window",
    "ask": "chat-circle-dots",
    "axes": "crosshair-simple",
    "back": "arrow-u-up-left",
    "cancel": "x",
    "check": "check",
    "chevron_down": "caret-down",
    "chevron_left": "caret-left",
    "chevron_right": "caret-right",
    "clear": "x",
    "code": "code",
    "compare": "columns",
    "clock": "clock",
    "copy": "copy",
    "cross": "x",
    "dead_end": "arrow-line-right",
    "detour": "git-branch",
    "device": "device-mobile",
    "double_tap": "number-circle-two",
    "drag": "hand-grabbing",
    "error": "warning-circle",
    "export": "export",
    "file": "file",
    "filter": "funnel",
    "finish": "check-circle",
    "first": "skip-back",
    "fit": "corners-out",
    "flag": "flag",
    "folder": "folder-open",
    "home": "house",
    "grid": "squares-four",
    "hidden": "eye-slash",
    "hover": "cursor",
    "info": "info",
    "install": "download-simple",
    "judge": "scales",
    "key": "keyboard",
    "last": "skip-forward",
    "layers": "stack",
    "link": "link",
    "live": "broadcast",
    "login": "lock-key",
    "long_press": "hand-pointing",
    "minus": "minus",
    "more": "dots-three",
    "next": "caret-right",
    "note": "note-pencil",
    "open": "arrow-square-out",
    "ordering": "list-numbers",
    "overlay": "intersect",
    "palette": "command",
    "pause": "pause",
    "pin": "push-pin",
    "play": "play",
    "plus": "plus",
    "previous": "caret-left",
    "record": "circle-fill",
    "refresh": "arrow-clockwise",
    "recorded": "film-strip",
    "replay": "monitor-play",
    "repeat": "repeat",
    "results": "chart-bar",
    "run": "play",
    "save": "floppy-disk",
    "say": "chat-circle",
    "scroll": "arrows-down-up",
    "search": "magnifying-glass",
    "select": "list-dashes",
    "send": "paper-plane-right",
    "settings": "gear",
    "simulated": "robot",
    "star": "star",
    "tag": "tag",
    "stop": "stop-fill",
    "swipe": "arrow-up",
    "tap": "record",
    "target": "target",
    "theme_dark": "moon",
    "theme": "circle-half",
    "theme_light": "sun",
    "trash": "trash",
    "tree": "tree-structure",
    "type": "text-t",
    "users": "users",
    "wait": "hourglass",
    "walk": "path",
    "warning": "warning",
    "wifi": "wifi-high",
}


class _GlyphEngine(QIconEngine):
    """Paints one glyph at any size in a colour that is asked for at paint time."""

    def __init__(self, name: str, colour: Colour | None) -> None:
        super().__init__()
        self._name, self._colour = name, colour

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self._pen_colour(mode))
        font, glyph = _glyph(self._name)
        font.setPixelSize(round(rect.height()))
        painter.setFont(font)
        painter.drawText(QRectF(rect), Qt.AlignmentFlag.AlignCenter, glyph)
        painter.restore()

    def _pen_colour(self, mode: QIcon.Mode) -> QColor:
        if mode == QIcon.Mode.Disabled:
            colour = QColor(theme.current().dim)
            colour.setAlphaF(0.45)
            return colour
        if self._colour is None:
            return QColor(theme.current().secondary)
        return QColor(self._colour() if callable(self._colour) else self._colour)

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        pixmap = QPixmap(size)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        self.paint(painter, QRect(QPoint(0, 0), size), mode, state)
        painter.end()
        return pixmap

    def clone(self) -> QIconEngine:
        return _GlyphEngine(self._name, self._colour)


def icon(name: str, colour: Colour | None = None) -> QIcon:
    """The icon called `name` (a key of GLYPHS); `colour` is a hex colour or a callable that gives the one of now."""
    if name not in GLYPHS:
        raise KeyError(f"no icon is called {name!r}")
    return QIcon(_GlyphEngine(name, colour))


def _glyph(name: str) -> tuple[QFont, str]:
    family, codes = _phosphor()
    return QFont(family), chr(int(codes[GLYPHS[name]], 16))


@cache
def _phosphor() -> tuple[str, dict[str, str]]:
    """The font's family, and by glyph name its character's number, hexadecimal.

    Read from QtAwesome's files without importing it: importing loads a dozen fonts and every binding that QtPy knows,
    which takes longer than opening the rest of the window.
    """
    package = find_spec("qtawesome")
    if package is None or not package.submodule_search_locations:
        raise ModuleNotFoundError("QtAwesome is missing, which carries the icon font", name="qtawesome")
    fonts = Path(package.submodule_search_locations[0]) / "fonts"
    font, names = max(fonts.glob("phosphor-*.ttf")), max(fonts.glob("phosphor-charmap-*.json"))
    number = QFontDatabase.addApplicationFont(str(font))
    return QFontDatabase.applicationFontFamilies(number)[0], json.loads(names.read_text("utf-8"))
