"""The inspector and the timeline: what the episode, the step and the shown runs say, in words and cells."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.debouncer import Debouncer
from stepscope.app.gui.shell.episode_judgements import JudgedEpisode, judge
from stepscope.app.gui.shell.episode_viewer import EpisodeViewer
from stepscope.app.gui.shell.events import RunsChanged, RunsListed
from stepscope.app.gui.shell.ports import ReplayViews
from stepscope.core.domain.action import action_target
from stepscope.core.domain.episode import Episode, Picture, Step
from stepscope.core.domain.layers import Layer
from stepscope.core.lazy import lazy_module
from stepscope.core.scoring.named_rules import RULES, rule_by_id
from stepscope.widgets.common import run_letter
from stepscope.widgets.common.action_words import action_words
from stepscope.widgets.screen import ScreenPicture

if TYPE_CHECKING:
    from stepscope.app.gui.shell import answers, step_words
    from stepscope.core.domain.attention import AttentionStream
    from stepscope.core.store.engine import Database
    from stepscope.widgets.inspector.step_details import RunCard, TalkTurn
else:  # what puts an episode into words comes with the first one
    answers = lazy_module("stepscope.app.gui.shell.answers")
    step_words = lazy_module("stepscope.app.gui.shell.step_words")


StreamsOf = Callable[[str, Step], "tuple[AttentionStream, ...]"]
"""Where a run's model looked, as far as it is to be shown."""


class DetailsController(QObject):
    """Loads the shown runs' answers for the episode and fills the views with them; `judged` tells the others.
    `score_runs` scores runs under all rules, `streams_of` gives what of a run's attention its card tells."""

    judged = Signal(object)

    def __init__(
        self,
        context: Context,
        replay: EpisodeViewer,
        views: ReplayViews,
        run_names: Callable[[], Mapping[str, str]],
        score_runs: Callable[[Sequence[str]], object],
        streams_of: StreamsOf,
    ) -> None:
        super().__init__(context)
        self._context, self._replay, self._run_names = context, replay, run_names
        self._score_runs, self._streams_of = score_runs, streams_of
        self._inspector, self._timeline = views.inspector, views.timeline
        self.current = JudgedEpisode()
        self._named: Mapping[str, str] = {}
        self._doubts: Mapping[str, str] = {}
        self._talk: tuple[TalkTurn, ...] = ()
        self._request = 0
        self._filling = Debouncer(self, self._fill)
        self._is_stale = False
        """the views tell another episode than the one that is open"""
        self._rest = Debouncer(self, self.show_step)
        self._cursor = Debouncer(self, self._show_cursor, light=True)
        self._inspector.set_rules(RULES, context.selection.rule.id)
        self._connect()
        views.centre.view.mark_clicked.connect(self._show_card)

    def _connect(self) -> None:
        selection, timeline = self._context.selection, self._timeline
        selection.episode_changed.connect(self._episode_changed)
        for soon in (self._cursor, self._rest):
            selection.step_changed.connect(soon.ask)
        selection.runs_changed.connect(self.load)
        selection.rule_changed.connect(self._rule_changed)
        self._context.events.on(RunsChanged, lambda _: self.load())
        self._context.events.on(RunsListed, self._rename)
        self._inspector.rule_changed.connect(lambda rule: selection.set_rule(rule_by_id(rule)))
        self._inspector.score_wanted.connect(self._score_under)
        self._inspector.step_chosen.connect(self._replay.go)
        timeline.step_chosen.connect(self._replay.go)
        timeline.thumbnails_wanted.connect(self._fetch_thumbnails)

    # Loading ---------------------------------------------------------------------------------------------------------

    def load(self) -> None:
        """Ask what the shown runs said about this episode; late answers are dropped."""
        episode, runs = self._context.selection.episode, self._context.selection.runs
        self._request += 1
        request = self._request
        if episode is None:
            self._take(JudgedEpisode())
            return

        def ask(database: Database) -> JudgedEpisode | None:
            return judge(database, episode, runs) if request == self._request else None

        def answer(judged: JudgedEpisode | None) -> None:
            if judged is not None and request == self._request:
                self._take(judged)

        self._context.query("judge", ask, answer, priority=1)

    def _rename(self, listed: RunsListed) -> None:
        """Runs have other names than those that are shown, or are in doubt."""
        doubts, self._doubts = self._doubts, listed.doubts
        if self._run_names() != self._named or doubts != self._doubts:
            self._take(self.current)

    def _take(self, judged: JudgedEpisode) -> None:
        self._fill()
        self.current, self._named = judged, self._run_names()
        self.judged.emit(judged)
        self._show_lanes()
        self._show_answers()
        self.show_step()

    def _episode_changed(self) -> None:
        """Another episode is open: its picture comes first."""
        self._context.pictures.drop_small("timeline")
        self.current, self._is_stale = JudgedEpisode(), True
        self._request += 1  # answers for the episode before are dropped
        self._filling.ask()

    def _fill(self) -> None:
        """Tell the episode that is open, unless it is told already."""
        if not self._is_stale:
            return
        self._is_stale = False
        episode = self._context.selection.episode
        details = step_words.episode_details(episode) if episode else None
        self._talk = details.talk if details else ()
        self._inspector.set_episode(details)
        cells = [step_words.timeline_step(episode, place) for place in range(len(episode.steps))] if episode else []
        self._timeline.set_steps(cells)
        if cells:
            self._show_cursor()
        self.load()

    def _show_card(self, layer: Layer) -> None:
        """What is said of the run, or of the reference, whose mark was clicked."""
        self._context.workspaces.show_dock("inspector")
        self._inspector.show_card(layer.run)

    def _show_cursor(self) -> None:
        self._fill()
        self._timeline.set_current(self._context.selection.step_index)

    def _rule_changed(self) -> None:
        self._inspector.set_rule(self._context.selection.rule.id)
        self._show_lanes()
        self.show_step()

    # Views -----------------------------------------------------------------------------------------------------------

    def _show_lanes(self) -> None:
        episode, names = self._context.selection.episode, self._run_names()
        if episode is None:
            return
        rule = self._context.selection.rule
        lanes = [
            replace(answers.lane_of(run, names[run], self.current, episode, rule), doubt=self._doubts.get(run, ""))
            for run in self._shown(names)
        ]
        self._timeline.set_lanes(lanes)

    def _shown(self, names: Mapping[str, str]) -> list[str]:
        """The runs of which both answers and names are there."""
        return [run for run in self.current.runs if run in names]

    def _show_answers(self) -> None:
        """What the runs answered about the whole episode, and the questions that they put."""
        episode, names = self._context.selection.episode, self._run_names()
        if episode is None:
            return
        whole = [(run, self.current.whole(run)) for run in self._shown(names)]
        cards = [
            answers.whole_card(self.current.runs[run], names[run], outcome, episode)
            for run, outcome in whole
            if outcome is not None
        ]
        self._inspector.set_answers(cards, answers.with_questions(self._talk, self.current, episode, names))

    def show_step(self) -> None:
        """Tell the step that is shown."""
        self._fill()
        from stepscope.widgets.inspector.step_details import StepDetails

        step, episode = self._context.selection.step, self._context.selection.episode
        if step is None or episode is None:
            self._inspector.set_step(None)
            return
        words = action_words(step.action, element=step_words.element_words(step, step.action))
        target = action_target(step.action) if step.action else None
        ask = episode.ask_at(step.index)
        facts = [("Time", f"{step.observation.time:.1f} s")] if step.observation.time is not None else []
        if ask is not None:
            facts += [("Question due", ask.question), ("Answer", ask.answer)]
        note, flips = self._rule_note(step)
        scored_under, own_rule = self._own_rules()
        unscored = self.unscored()
        self._inspector.set_step(
            StepDetails(
                index=self._context.selection.step_index,
                action=words.exact,
                target=target.text if target and target.text else step_words.element_words(step, step.action),
                target_id=(target.id or "").rsplit("/", 1)[-1] if target else "",
                instruction=step.instruction or "",
                runs=tuple(self._cards(step)),
                rule_note=note,
                rule_flips=flips,
                scored_under=scored_under,
                own_rule=own_rule,
                unscored=bool(unscored),
                facts=tuple(facts),
            )
        )

    def _cards(self, step: Step) -> list[RunCard]:
        names, episode, rule = self._run_names(), self._context.selection.episode, self._context.selection.rule
        if episode is None:
            return []
        shown = self._shown(names)
        cards = [answers.step_card(run, names[run], self.current, episode, step, rule) for run in shown]
        attention = [self._streams_of(run, step) for run in shown]
        return [replace(card, attention=streams) for card, streams in zip(cards, attention, strict=True)]

    def unscored(self) -> list[str]:
        """The shown runs without scores under the chosen rule: other lists than this episode's do not know them."""
        own, chosen = self.current.own_rules, self._context.selection.rule.id
        return [run for run in self._shown(self._run_names()) if run in own and chosen not in own[run].scored]

    def _own_rules(self) -> tuple[str, str]:
        """Under which rules the shown runs were scored; the id of that one which is not chosen, "" where it cannot be
        or there are several."""
        own, chosen = self.current.own_rules, self._context.selection.rule.id
        letters: dict[tuple[str, str], list[str]] = {}
        for run in self._shown(self._run_names()):
            if run in own:
                rule = own[run]
                letters.setdefault((rule.id, rule.title), []).append(run_letter(self.current.runs[run]))
        said = []
        for (rule_id, title), who in letters.items():
            under = "it" if rule_id == chosen else title
            said.append(f"{', '.join(who)} {'was' if len(who) == 1 else 'were'} scored under {under}.")
        others = [rule_id for rule_id, _title in letters if rule_id != chosen]
        return " ".join(said), others[0] if len(others) == 1 else ""

    def _score_under(self) -> None:
        self._score_runs(self.unscored())

    def _rule_note(self, step: Step) -> tuple[str, str]:
        """What other rules say about the first run whose verdict they turn round."""
        notes, letters = [], []
        for run, index in self.current.runs.items():
            flips = self.current.flips(self._context.selection.rule, run, step.index)
            score = self.current.score(self._context.selection.rule, run, step.index)
            if flips and flips[0] and score is not None:
                other = "miss" if score.right else "hit"
                notes.append(f"{run_letter(index)} is a {other} under {flips[0]} of {flips[1]} other rules")
                letters.append(run_letter(index))
        return ". ".join(notes), ", ".join(letters)

    # Thumbnails ------------------------------------------------------------------------------------------------------

    def _fetch_thumbnails(self, steps: list[int]) -> None:
        episode = self._context.selection.episode
        if episode is None:
            return
        self._context.pictures.drop_small("timeline")  # of steps that have been scrolled out of sight
        small = self._context.pictures.small_at_hand
        for index in steps:
            picture = episode.shown_at(index)
            if picture is not None and (there := small(picture)) is not None:
                self._timeline.set_thumbnail(index, there.image)
            elif picture is not None:
                self._context.pictures.want_small("timeline", [picture], partial(self._thumbnail_came, episode, index))

    def _thumbnail_came(self, episode: Episode, place: int, _picture: Picture, small: ScreenPicture) -> None:
        if self._context.selection.episode is episode:
            self._timeline.set_thumbnail(place, small.image)
