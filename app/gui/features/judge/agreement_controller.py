"""How far judges agree, live: counted anew in the background after every answer, without what models said of pairs that
the person has not finished."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from stepscope.app.gui.features.judge import presenter
from stepscope.app.gui.features.judge.judge_controller import JudgeController
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.debouncer import Debouncer
from stepscope.app.gui.shell.ports import JudgeViews
from stepscope.app.services.provenance import is_made_here
from stepscope.core.domain.episode import Platform
from stepscope.core.domain.judgement import Judgement
from stepscope.core.lazy import lazy_module
from stepscope.core.scoring.judged_pairs import unseen_left_out

if TYPE_CHECKING:
    from stepscope.app.services import judging
    from stepscope.core.scoring import published_numbers
    from stepscope.widgets.judge.judge_values import AgreementShown
else:
    judging = lazy_module("stepscope.app.services.judging")
    published_numbers = lazy_module("stepscope.core.scoring.published_numbers")


class AgreementController(QObject):
    """Fills the table beside the answers and the page in the centre."""

    def __init__(self, context: Context, views: JudgeViews, judge: JudgeController) -> None:
        super().__init__(context)
        self._context, self._centre, self._side, self._judge = context, views.judge, views.judged, judge
        self._soon = Debouncer(self, self._count)
        self._request = 0
        judge.said.connect(self._soon.ask)
        self._centre.page_chosen.connect(self.show_page)

    def show_page(self, page: str) -> None:
        """ "trajectory" or "agreement"."""
        if self._judge.session.item is not None:
            self._centre.show_page(page)
            self._centre.focus_screen()

    def toggle_page(self) -> None:
        self.show_page("trajectory" if self._centre.page.value() == "agreement" else "agreement")

    def _count(self) -> None:
        read, origins, person = self._judge.read, self._judge.origins, self._judge.session.person
        if read is None or read.listed is None or origins is None:
            return
        listed = read.listed
        said = tuple(self._judge.session.judgements.values())
        first, second = (self._judge.name_of(origin) for origin in origins)
        sample = is_made_here(self._judge.source)
        theirs = dict.fromkeys(sorted({one.annotator for one in read.assignments}), 0)
        for one in read.assignments:
            theirs[one.annotator] += 1
        platform = listed.pairs[0].platform if listed.pairs else Platform.ANDROID
        self._request += 1
        request = self._request

        def work(_token: object) -> AgreementShown:
            seen = unseen_left_out(said, person, [one.pair for one in listed.pairs])
            papers = () if sample else published_numbers.of_protocol("label_agreement")
            result = judging.result_of(seen, listed)
            spent = _spent(seen, theirs)
            apart = [judging.rates_by(seen, listed, by) for by in judging.GROUPINGS]
            bars = presenter.match_bars(result, *apart)
            return presenter.agreement_shown(result, first, second, papers, spent, platform, bars, sample=sample)

        def arrived(shown: AgreementShown) -> None:
            if request == self._request:
                self._side.answers.show_agreement(shown.short)
                self._centre.agreement.show_agreement(shown)

        self._context.start("agreement of judges", work, arrived, priority=-1)


def _spent(said: Sequence[Judgement], theirs: dict[str, int]) -> dict[str, tuple[int, int, float | None]]:
    """By person: pairs done, pairs given to them, and the seconds of one in the middle."""
    names = sorted({*theirs, *(one.judge.name for one in said if not one.judge.by_model)})
    done = {
        name: [one for one in said if one.judge.name == name and not one.judge.by_model and one.done] for name in names
    }
    seconds = {name: [one.seconds for one in found if one.seconds > 0] for name, found in done.items()}
    return {
        name: (len(done[name]), theirs.get(name, 0), median(seconds[name]) if seconds[name] else None) for name in names
    }
