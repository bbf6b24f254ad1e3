"""Judge as the workbench knows it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.episode_viewer import EpisodeViewer
from stepscope.app.gui.shell.events import LooksElsewhere, RunsListed
from stepscope.app.gui.shell.feature import Handlers, LateFeature, SessionPart
from stepscope.app.gui.shell.layouts import LATE_VIEWS_OF
from stepscope.app.gui.shell.ports import EpisodeList, JudgeViews, RunCatalog, ShowForm
from stepscope.app.gui.shell.undo import UndoHistory
from stepscope.core.domain.goal_error import GOAL_ERRORS

if TYPE_CHECKING:
    from stepscope.app.gui.features.judge.judge_controller import JudgeController
    from stepscope.app.gui.features.judge.pair_controller import PairController

TEN = 10


class JudgeFeature(LateFeature):
    """`show_form` opens the Evaluate dock."""

    id = "judge"
    views = LATE_VIEWS_OF[id]
    commands = (
        "judge.question_1", "judge.question_2", "judge.question_3", "judge.question_4", "judge.yes", "judge.no",
        "judge.next", "judge.back", "judge.skip", "judge.reject", "judge.error_1", "judge.error_2", "judge.error_3",
        "judge.error_4", "judge.error_5", "judge.take_error", "judge.agreement", "judge.write", "judge.ask",
        "judge.share", "judge.import", "judge.export",
    )  # fmt: skip
    keys = (
        "step.next", "step.previous", "step.next_ten", "step.previous_ten", "step.first", "step.last", "zoom.in",
        "zoom.out", "zoom.fit", "zoom.full",
    )  # fmt: skip
    modules = (
        "stepscope.app.gui.features.judge.judge_controller",
        "stepscope.app.gui.features.judge.agreement_controller",
        "stepscope.app.gui.features.judge.ask_judge_controller",
        "stepscope.app.gui.features.judge.judging_files_controller",
        "stepscope.app.gui.features.judge.pair_controller",
        "stepscope.widgets.judge.centre",
        "stepscope.widgets.judge.judge_side",
        "stepscope.widgets.judge.pairs_panel",
    )

    def __init__(
        self,
        context: Context,
        views: JudgeViews,
        viewer: EpisodeViewer,
        runs: RunCatalog,
        library: EpisodeList,
        history: UndoHistory,
        show_form: ShowForm,
    ) -> None:
        super().__init__(context)
        self._views, self._viewer, self._runs, self._library = views, viewer, runs, library
        self._history, self._show_form = history, show_form
        self.looked_at_part = SessionPart(self)
        self._controller: JudgeController | None = None

    @property
    def controller(self) -> JudgeController:
        self.build()
        assert self._controller is not None
        return self._controller

    def enter(self) -> None:
        self.controller.enter()

    def end(self) -> None:
        if self._controller is not None:
            self._controller.end()

    def _build(self) -> tuple[Handlers, Handlers]:
        from stepscope.app.gui.features.judge.agreement_controller import AgreementController
        from stepscope.app.gui.features.judge.ask_judge_controller import AskJudgeController
        from stepscope.app.gui.features.judge.judge_controller import JudgeController
        from stepscope.app.gui.features.judge.judging_files_controller import JudgingFilesController
        from stepscope.app.gui.features.judge.pair_controller import PairController

        context, views = self._context, self._views
        pair = PairController(context, views, self._viewer, self._history)
        judge = self._controller = JudgeController(
            context, views, pair, self._runs, self._library, self._history, self._show_form
        )
        agreement = AgreementController(context, views, judge)
        files = JudgingFilesController(context, views, judge)
        asking = self.asking = AskJudgeController(context, judge)
        context.events.while_shown(self.id, RunsListed, lambda _event: judge.reload())
        judge.changed.connect(lambda: context.events.publish(LooksElsewhere()))
        self.looked_at_part.take_over(judge.state, judge.restore, judge.changed)
        commands: Handlers = {
            f"judge.question_{number + 1}": partial(pair.choose_question, number) for number in range(4)
        }
        commands |= {
            f"judge.error_{number}": partial(pair.errors.choose, error) for number, error in enumerate(GOAL_ERRORS, 1)
        }
        commands |= {
            "judge.take_error": pair.errors.take_proposal,
            "judge.yes": partial(pair.answer, True),
            "judge.no": partial(pair.answer, False),
            "judge.next": pair.go_on,
            "judge.back": pair.go_back,
            "judge.skip": pair.skip,
            "judge.reject": pair.reject,
            "judge.agreement": agreement.toggle_page,
            "judge.write": judge.toggle_mode,
            "judge.ask": asking.open,
            "judge.share": files.open_share,
            "judge.import": files.import_,
            "judge.export": files.export,
        }
        return commands, self._screen_keys(pair)

    def _screen_keys(self, pair: PairController) -> Handlers:
        """The keys of steps go through the trajectory, which leaves some out; those of the zoom belong to its
        picture."""
        trajectory, picture = pair.trajectory, self._views.judge.trajectory.picture
        return {
            "step.next": partial(trajectory.move, 1),
            "step.previous": partial(trajectory.move, -1),
            "step.next_ten": partial(trajectory.move, TEN),
            "step.previous_ten": partial(trajectory.move, -TEN),
            "step.first": partial(trajectory.go, 0),
            "step.last": partial(trajectory.go, -1),
            "zoom.in": partial(picture.zoom, 1.25),
            "zoom.out": partial(picture.zoom, 0.8),
            "zoom.fit": picture.fit,
            "zoom.full": picture.full,
        }
