"""Models ▸ Fine-Tuning Curve: from the same form to stored runs, a drawing and its numbers, in the process of
trainings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt

from stepscope.app.gui.features.training.tuning_controller import TuningController
from stepscope.app.gui.shell.events import ModelsChanged, RunsChanged
from stepscope.app.services.worker import CurveJob
from stepscope.core.errors import UsageError
from stepscope.core.evaluation.tuning_curve import TuningCurve
from stepscope.core.lazy import lazy_module
from stepscope.core.settings import user_data_dir
from stepscope.widgets import theme
from stepscope.widgets.format import counted
from stepscope.widgets.training.curve_dialog import CurveDialog
from stepscope.widgets.training.tuning_dialog import TuningWish

if TYPE_CHECKING:
    from stepscope.app.services import tuning_curves
    from stepscope.core.evaluation import tuning_curve_plot
else:
    tuning_curves = lazy_module("stepscope.app.services.tuning_curves")
    tuning_curve_plot = lazy_module("stepscope.core.evaluation.tuning_curve_plot")


class CurveController(TuningController):
    """The same with a curve at the end, which is shown."""

    row, command = "tuning-curve", "models.tune_curve"
    shown: CurveDialog | None = None

    def _curve_folder(self) -> str:
        return str(user_data_dir() / "tuning-curves")

    def _checked(self, wish: TuningWish) -> Any:
        try:
            ranks = tuple(int(part) for part in wish.ranks.split(","))
        except ValueError as error:
            raise UsageError("Give the ranks as numbers with commas between them.") from error
        tuning = self._tuning(wish, snapshots=wish.every, rank=ranks[0])
        request = tuning_curves.CurveRequest(tuning, ranks, split=wish.test_split)
        tuning_curves.check_curve(request)
        return request

    def _job(self, request: Any) -> Any:
        source = self._context.selection.source
        if source is None:
            return None
        folder, store = Path(self._curve_folder(), request.tuning.name), self._context.places.store_url
        return CurveJob(store, source.source.path, source.source.format, request, folder)

    def _name_of(self, request: Any) -> str:
        return str(request.tuning.name)

    def _tell(self, name: str, event: Any) -> None:
        if isinstance(event, tuning_curves.CurveTuning):
            super()._tell(event.name, event.event)
        elif isinstance(event, tuning_curves.CurveMeasuring):
            of = f" of {event.total}" if event.total else ""
            words = f"measuring {event.number}{of}"
            self._row(name, words, event.progress.done, event.progress.total, event.progress.rate)

    def _ended(self, request: Any) -> bool:
        curve = self._end
        if not isinstance(curve, TuningCurve):
            return False
        for model in dict.fromkeys(one.model for one in curve.points):
            self._context.events.publish(ModelsChanged(model))
        self._context.events.publish(RunsChanged())
        self._show_curve(curve, Path(self._curve_folder(), request.tuning.name))
        return True

    def _show_curve(self, curve: TuningCurve, folder: Path) -> None:
        svg = tuning_curve_plot.curve_svg(curve, dark=theme.current().is_dark)
        heart = (
            f" {curve.learned:,} of them were learned from: it tells what is known by heart." if curve.learned else ""
        )
        words = (
            f"{counted(len(curve.points), 'run')} over {counted(curve.episodes, 'episode')} of {curve.data}, under "
            f"{curve.protocol}; bars are 95 %.{heart} Drawing and numbers are in {folder}"
        )
        self.shown = dialog = CurveDialog(f"Fine-tuning {curve.model}", svg, words, self._context.dialog_parent)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.finished.connect(self._put_away)
        dialog.open()

    def _put_away(self) -> None:
        self.shown = None
