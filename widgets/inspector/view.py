"""The inspector at the right: the step, the episode and the talk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QTabWidget, QWidget

from stepscope.widgets.inspector.episode_page import EpisodePage
from stepscope.widgets.inspector.step_page import StepPage
from stepscope.widgets.inspector.talk_page import TalkPage

if TYPE_CHECKING:
    from stepscope.core.domain.attention import AttentionPointer
    from stepscope.core.scoring.named_rules import MatchingRule
    from stepscope.widgets.inspector.step_details import EpisodeDetails, RunCard, StepDetails, TalkTurn


class StepInspector(QTabWidget):
    """Tabs Step, Episode, Talk; the owner may add further ones (Notes)."""

    rule_changed = Signal(str)
    score_wanted = Signal()
    step_chosen = Signal(int)
    evidence_chosen = Signal(int, int)
    """run (0 is A), place among its answer's evidence"""
    attention_pointed = Signal(int, object)
    """run (0 is A), the AttentionPointer to a word or element of its attention"""
    stream_chosen = Signal(str)
    """title of a stream of attention"""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setDocumentMode(True)
        self.tabBar().setDrawBase(False)
        self.setMinimumWidth(240)
        self.step_page, self.episode_page, self.talk_page = StepPage(), EpisodePage(), TalkPage()
        self.addTab(self.step_page, "Step")
        self.addTab(self.episode_page, "Episode")
        self.addTab(self.talk_page, "Talk")
        self.tabBar().setAccessibleName("Inspector")
        self.step_page.rule_changed.connect(self.rule_changed)
        self.step_page.score_wanted.connect(self.score_wanted)
        self.episode_page.step_chosen.connect(self.step_chosen)
        self.talk_page.step_chosen.connect(self.step_chosen)
        self.step_page.evidence_chosen.connect(self.evidence_chosen)
        self.step_page.attention_pointed.connect(self.attention_pointed)
        self.step_page.stream_chosen.connect(self.stream_chosen)
        self.episode_page.evidence_chosen.connect(self.evidence_chosen)

    def set_rules(self, rules: Sequence[MatchingRule], current: str) -> None:
        """Matching rules to choose from and the one in force; tells nobody."""
        self.step_page.set_rules(rules, current)

    def set_rule(self, name: str) -> None:
        self.step_page.set_rule(name)

    def set_step(self, step: StepDetails | None) -> None:
        self.step_page.set_step(step)

    def choose_stream(self, title: str) -> None:
        """Show this stream of attention on the runs' cards."""
        self.step_page.choose_stream(title)

    def light_attention(self, run: int, pointer: AttentionPointer) -> None:
        """Let what belongs to `pointer` stand out on the card of a run (0 is A)."""
        self.step_page.light_attention(run, pointer)

    def show_card(self, run: int | None) -> None:
        """The Step page, at the card of a run (0 is A) or of the reference (None)."""
        self.setCurrentWidget(self.step_page)
        self.step_page.show_card(run)

    def set_episode(self, episode: EpisodeDetails | None) -> None:
        """Facts and talk of another episode; None: no episode, and so no step."""
        self.episode_page.set_episode(episode)
        self.talk_page.set_talk(episode.talk if episode else ())
        if episode is None:
            self.set_step(None)

    def set_answers(self, answers: Sequence[RunCard], talk: Sequence[TalkTurn]) -> None:
        """Show what the runs answered about the whole episode, and the talk with the questions that they put."""
        self.episode_page.set_answers(answers)
        self.talk_page.set_talk(talk)
