"""What can be written of a run of asking, and the screens of its steps."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QBuffer, QByteArray, QIODevice
from PySide6.QtGui import QGuiApplication, QImage

from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.export_work import ExportWork, safe_name
from stepscope.app.services import ask_files
from stepscope.app.services.ask_results import AskReading
from stepscope.app.services.ask_screens import lane_marks
from stepscope.app.services.export.whole_files import whole_file, whole_text
from stepscope.app.services.version import VERSION
from stepscope.core.domain.episode import Step
from stepscope.core.evaluation.ask_lanes import LaneStep
from stepscope.core.imaging import decode
from stepscope.core.imaging.draw import render_step
from stepscope.core.progress import CancelToken
from stepscope.widgets.results.lanes.ask_lanes_page import (
    CURVE_CSV,
    CURVE_PNG,
    CURVE_SVG,
    KINDS_CSV,
    LANES_CSV,
    TABLE_COPY,
    TABLE_CSV,
    TABLE_LATEX,
)
from stepscope.widgets.screen.picture import image_of

if TYPE_CHECKING:
    from stepscope.app.gui.features.results.lanes_controller import LanesController

FILES = {
    TABLE_CSV: ("settings.csv", "CSV (*.csv)"),
    TABLE_LATEX: ("settings.tex", "LaTeX (*.tex)"),
    CURVE_CSV: ("curve.csv", "CSV (*.csv)"),
    CURVE_PNG: ("curve.png", "PNG (*.png)"),
    CURVE_SVG: ("curve.svg", "SVG (*.svg)"),
    LANES_CSV: ("lanes.csv", "CSV (*.csv)"),
    KINDS_CSV: ("missing-values.csv", "CSV (*.csv)"),
}
SHOWN_WIDE = 220
"""Pixels in which a screen stands beside the lanes: marks are drawn so large that they can be read there."""
NO_CURVE = "There is no curve to write: {}"


def drawn(step: Step, lane: LaneStep, letter: int) -> QImage:
    """The step's screen with its marks. Raises UserError where the picture cannot be read."""
    shown = step.observation.shown
    if shown is None:
        return QImage()
    pixels = decode.decode(shown)
    scale = max(0.5, min(pixels.shape[:2]) / SHOWN_WIDE)
    return image_of(render_step(pixels, lane_marks(step, lane, letter), scale))


def ask(controller: LanesController, kind: str, context: Context, exports: ExportWork, name: str) -> None:
    """Ask where a file goes and write it there, or copy."""
    found = controller.found
    if found is None:
        return
    if kind == TABLE_COPY:
        QGuiApplication.clipboard().setText(ask_files.settings_text(found))
        context.messages.info("Copied the settings.")
        return
    why = _why_not(kind, found)
    if why:
        context.messages.info(why)
        return
    ending, words = FILES[kind]
    exports.choose(f"{safe_name(name)}-{ending}", words, lambda path: write(controller, kind, path, exports, name))


def _why_not(kind: str, found: AskReading) -> str:
    if kind not in (CURVE_CSV, CURVE_PNG, CURVE_SVG):
        return ""
    if found.cost is None:
        return "The curve is on its way."
    return "" if found.cost.points else NO_CURVE.format(found.cost.why)


def write(controller: LanesController, kind: str, path: Path, exports: ExportWork, name: str) -> None:
    """One of `FILES`, in the background."""
    found, kinds = controller.found, controller.kinds
    if found is None:
        return
    picture = controller.page.cost.plot.image() if kind == CURVE_PNG else QImage()
    about = _about(found, name)

    def work(token: CancelToken) -> None:
        if kind == CURVE_PNG:
            with whole_file(path) as file:
                file.write(_png(picture))
            return
        with whole_text(path, token) as stream:
            stream.write(_text(kind, found, kinds, name, about))

    exports.start(f"Writing {path.name}", work, exports.wrote(path))


def _about(found: AskReading, name: str) -> str:
    switches, threshold = found.numbers.switches, found.numbers.threshold
    rule = f"dual={'on' if switches.dual else 'off'}, early_ask={'credit' if switches.credit else 'neutral'}"
    above = "as it asked" if threshold is None else f"asking above {threshold:.4g}"
    tasks = found.numbers.settings.episodes
    return f"{name}, run {found.data.run.id}; {rule}; {above}; n {tasks:,}; stepscope {VERSION}"


def _text(kind: str, found: AskReading, kinds: Mapping[str, Mapping[int, str]], name: str, about: str) -> str:
    if kind == TABLE_CSV:
        return ask_files.settings_csv(found, about)
    if kind == TABLE_LATEX:
        return ask_files.settings_latex(found, name, about)
    if kind == LANES_CSV:
        return ask_files.lanes_csv(found.numbers, found.data.goals, kinds, about)
    if kind == KINDS_CSV:
        return ask_files.kinds_csv(found.numbers, kinds, about)
    assert found.cost is not None
    return ask_files.curve_csv(found.cost, about) if kind == CURVE_CSV else ask_files.curve_svg(found.cost, about)


def _png(picture: QImage) -> bytes:
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    picture.save(buffer, "PNG")  # type: ignore[call-overload]
    return bytes(data.data())
