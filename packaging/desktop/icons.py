"""Draws the icon in the sizes that desktops ask for: `icons.py FOLDER` leaves 16.png to 512.png there."""

from __future__ import annotations

import os
import sys
from pathlib import Path

ICON = Path(__file__).resolve().parents[2] / "resources" / "icons" / "stepscope.svg"
SIZES = (16, 22, 24, 32, 48, 64, 128, 256, 512)


def draw(folder: Path) -> None:
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from PySide6.QtCore import Qt
    from PySide6.QtGui import QGuiApplication, QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    application = QGuiApplication([])
    icon = QSvgRenderer(str(ICON))
    folder.mkdir(parents=True, exist_ok=True)
    for size in SIZES:
        image = QImage(size, size, QImage.Format.Format_ARGB32)
        image.fill(Qt.GlobalColor.transparent)
        painter = QPainter(image)
        icon.render(painter)
        painter.end()
        if not image.save(str(folder / f"{size}.png")):
            raise OSError(f"{size}.png was not written")
    del application


if __name__ == "__main__":
    draw(Path(sys.argv[1]))
