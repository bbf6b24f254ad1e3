"""What features need of each other and of the window, as each gets it in its constructor: none imports another, and
none knows the whole window."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QRect, SignalInstance

from stepscope.app.gui.shell.selection import OpenSource
from stepscope.core.domain.prediction import Task
from stepscope.core.domain.run import Run
from stepscope.core.domain.score import Metrics
from stepscope.core.frozen import dataclass
from stepscope.core.progress import Progress, WorkerPace
from stepscope.widgets.library.order import ListOrder

if TYPE_CHECKING:
    from stepscope.app.gui.shell.episode_judgements import JudgedEpisode
    from stepscope.core.domain.episode import Step
    from stepscope.core.domain.walk import WalkUnderWay
    from stepscope.core.evaluation.comparison import Comparison
    from stepscope.core.imaging.overlay import Elements
    from stepscope.core.store.filter_search import FilterResult
    from stepscope.widgets.ambiguous.centre import ReviewCentre
    from stepscope.widgets.ambiguous.step_side import ReviewedStep
    from stepscope.widgets.ambiguous.tasks_panel import AmbiguousTasksPanel
    from stepscope.widgets.compare import AlignedPanel, ComparePanel, CompareScreens, RulesPanel
    from stepscope.widgets.evaluate.form import EvaluateForm
    from stepscope.widgets.hierarchy import UITreeView
    from stepscope.widgets.inspector import StepInspector
    from stepscope.widgets.judge.centre import JudgeCentre
    from stepscope.widgets.judge.judge_side import JudgeSide
    from stepscope.widgets.judge.pairs_panel import PairsPanel
    from stepscope.widgets.library import EpisodesView
    from stepscope.widgets.live.parts import LiveParts
    from stepscope.widgets.ordering import OrderPanel, ProceduresPanel, ThisProcedurePanel
    from stepscope.widgets.ordering.centre import OrderingCentre
    from stepscope.widgets.preferences import PreferencesView
    from stepscope.widgets.replay.centre import ReplayCentre
    from stepscope.widgets.results.result_rows import RunListRow
    from stepscope.widgets.results.results_view import ResultsView
    from stepscope.widgets.results.runs_view import RunsView
    from stepscope.widgets.results.selection import SelectionPanel
    from stepscope.widgets.start import StartPage
    from stepscope.widgets.timeline import Timeline
    from stepscope.widgets.training import TrainPanel
    from stepscope.widgets.webtask.parts import WebTaskParts

ShowItem = Callable[[str, str, int], object]
"""Shows path of the data, episode, the step's index, in the workspace that is in front."""
ShowForm = Callable[[Task], object]
"""Opens the Evaluate dock on a task."""
Anchors = Callable[[str], QRect | None]
"""Where a part of the window lies, by its name: in the window's own coordinates (logical pixels); None while it is not
shown."""


class EpisodeList(Protocol):
    """The list of episodes: what the filter leaves of the current source, in order."""

    @property
    def ids(self) -> tuple[str, ...]: ...

    @property
    def filter_text(self) -> str: ...


class Library(EpisodeList, Protocol):
    """The open sources, and the way to open more."""

    def set_filter(self, text: str, *, tell_view: bool = False) -> None: ...

    @property
    def is_incomplete(self) -> bool: ...

    def position_of(self, episode_id: str) -> int: ...

    def found_steps(self) -> int: ...

    def steps_of(self, episode: str) -> Sequence[int]: ...

    @property
    def order(self) -> ListOrder: ...

    def set_order(self, order: ListOrder) -> None: ...

    def begin_with(self, order: ListOrder, text: str) -> None: ...

    def put_in_order(self, keys: Sequence[str]) -> None: ...

    def choose_source(self, source: OpenSource) -> None: ...

    def close_all(self) -> None: ...

    def open_path(
        self,
        path: Path,
        then: Callable[[], object] | None = None,
        *,
        again: bool = False,
        remember: bool = True,
        as_procedures: bool = False,
        shown: bool = True,
        known: Callable[[], object] | None = None,
    ) -> None: ...


class ShownList(EpisodeList, Protocol):
    """The list as it is written into a file."""

    @property
    def found(self) -> FilterResult | None: ...

    @property
    def shown_filter(self) -> str: ...

    def runs_by_letter(self) -> dict[str, str]: ...


class RunCatalog(Protocol):
    """The stored runs, the latest first, and the one that is chosen."""

    @property
    def current(self) -> Run | None: ...

    @property
    def without_defects(self) -> bool: ...

    @property
    def run_ids(self) -> tuple[str, ...]: ...

    def runs(self) -> list[Run]: ...

    def rows(self) -> list[RunListRow]: ...

    def resume(self, run: str) -> None: ...

    def run_of(self, run: str) -> Run | None: ...
    def doubt_of(self, run: Run) -> str: ...

    def name_of(self, run: str) -> str: ...

    def choose(self, run: str) -> None: ...

    def tell_new(self, run: str) -> None: ...

    def refresh(self) -> None: ...

    def set_progress(
        self, run: str, progress: Progress, metrics: Metrics | None = None, workers: tuple[WorkerPace, ...] = ()
    ) -> None: ...

    def set_phase(self, run: str, words: str) -> None: ...

    def set_words(self, run: str, words: str) -> None: ...

    def set_walk(self, run: str, walk: WalkUnderWay | None) -> None: ...


@dataclass(frozen=True, slots=True)
class DrawnEpisode:
    """The drawing over the shown episode: what the shown runs answered, the elements of a step, the name of the
    attached pictures that are shown, the runs' names by id, and the title of the stream of attention that is shown."""

    judged: Callable[[], JudgedEpisode]
    elements_of: Callable[[Step], Elements]
    picture_name: Callable[[], str]
    run_names: Callable[[], Mapping[str, str]]
    stream_title: Callable[[], str]


class ShownBaseline(Protocol):
    """The run that the shown one is compared with."""

    @property
    def run(self) -> str: ...

    @property
    def comparison(self) -> Comparison | None: ...


class ShownResults(Protocol):
    """The run that the results workspace shows, and how."""

    @property
    def run(self) -> Run: ...

    @property
    def scoring_id(self) -> int | None: ...

    @property
    def left_out(self) -> bool: ...

    @property
    def baseline(self) -> ShownBaseline | None: ...


# The window -----------------------------------------------------------------------------------------------------------


class Workspaces(Protocol):
    """The workspace in front, and the docks that are shown in it."""

    @property
    def workspace(self) -> str: ...

    @property
    def workspace_changed(self) -> SignalInstance: ...

    def set_workspace(self, name: str) -> None: ...

    @property
    def last_workspace(self) -> str: ...

    def leave_page(self) -> None: ...

    def toggle_page(self, name: str) -> None: ...

    def mark_workspace(self, name: str) -> None: ...

    def show_dock(self, name: str) -> None: ...

    def hide_dock(self, name: str) -> None: ...

    def is_dock_hidden(self, name: str) -> bool: ...


@dataclass(frozen=True, slots=True)
class ReplayViews:
    """The views of Replay, which are there from the start."""

    centre: ReplayCentre
    inspector: StepInspector
    tree: UITreeView
    timeline: Timeline


class LateViews(Protocol):
    """Views that are made when they are first asked for, be it by name or by being shown."""

    def when_made(self, name: str, then: Callable[[], object]) -> None: ...


class LibraryViews(Protocol):
    @property
    def episodes(self) -> EpisodesView: ...


class ResultsViews(LateViews, Protocol):
    @property
    def runs(self) -> RunsView: ...

    @property
    def results(self) -> ResultsView: ...

    @property
    def selected(self) -> SelectionPanel: ...


class CompareViews(Protocol):
    @property
    def compare(self) -> CompareScreens: ...

    @property
    def compared(self) -> ComparePanel: ...

    @property
    def rules(self) -> RulesPanel: ...

    @property
    def aligned(self) -> AlignedPanel: ...


class OrderingViews(Protocol):
    @property
    def ordering(self) -> OrderingCentre: ...

    @property
    def orders(self) -> OrderPanel: ...

    @property
    def procedures(self) -> ProceduresPanel: ...

    @property
    def ordered(self) -> ThisProcedurePanel: ...


class JudgeViews(Protocol):
    @property
    def judge(self) -> JudgeCentre: ...

    @property
    def pairs(self) -> PairsPanel: ...

    @property
    def judged(self) -> JudgeSide: ...


class AmbiguousViews(Protocol):
    @property
    def ambiguous(self) -> ReviewCentre: ...

    @property
    def ambiguous_list(self) -> AmbiguousTasksPanel: ...

    @property
    def ambiguous_step(self) -> ReviewedStep: ...


class EvaluateViews(LateViews, Protocol):
    @property
    def evaluate(self) -> EvaluateForm: ...

    @property
    def runs(self) -> RunsView: ...

    @property
    def results(self) -> ResultsView: ...

    def show_evaluate(self) -> None: ...

    def hide_evaluate(self) -> None: ...


class TrainingViews(Protocol):
    @property
    def training(self) -> TrainPanel: ...

    def show_training(self) -> None: ...

    def hide_training(self) -> None: ...


class ModelForms(Protocol):
    """The forms in which a model and its device are chosen."""

    def is_made(self, name: str) -> bool: ...

    @property
    def evaluate(self) -> EvaluateForm: ...

    @property
    def training(self) -> TrainPanel: ...


class StartViews(Protocol):
    @property
    def start(self) -> StartPage: ...


class PreferencesViews(Protocol):
    @property
    def preferences(self) -> PreferencesView: ...


class LiveViews(Protocol):
    @property
    def live(self) -> LiveParts: ...


class WebTaskViews(Protocol):
    @property
    def webtask(self) -> WebTaskParts: ...
