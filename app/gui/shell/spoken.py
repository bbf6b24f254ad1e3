"""A step in a few sentences, for whoever hears the screen instead of seeing it."""

from __future__ import annotations

import re
from collections.abc import Callable

from stepscope.app.gui.shell.answers import short_words
from stepscope.app.gui.shell.episode_judgements import JudgedEpisode
from stepscope.app.gui.shell.step_words import element_words, verdict_of
from stepscope.core.domain.episode import Episode, Step
from stepscope.core.domain.score import Score
from stepscope.core.scoring.named_rules import MatchingRule
from stepscope.widgets import format as formats
from stepscope.widgets.common import ShownVerdict
from stepscope.widgets.common.action_words import action_words

FIRST_CLAUSE = re.compile(r"[,.;:](?:\s|$)")


def step_said(
    episode: Episode, place: int, judged: JudgedEpisode, rule: MatchingRule, letter_of: Callable[[str], str]
) -> str:
    """ "Step 3 of 5. Reference tap, Lesson. Run A hit. Run B miss, 0.47 away." """
    step = episode.steps[place]
    parts = [f"Step {formats.count(place + 1)} of {formats.count(len(episode.steps))}.", _reference(step)]
    for run in judged.runs:
        letter = letter_of(run)
        if (outcome := judged.whole(run)) is not None:
            verdict = verdict_of(outcome.score).word
            parts.append(f"Run {letter} says of the episode: {short_words(outcome)}, {verdict}.")
        if (score := judged.score(rule, run, step.index)) is not None:
            parts.append(f"Run {letter} {_verdict(score)}.")
    return " ".join(parts)


def _reference(step: Step) -> str:
    if step.action is None:
        return "No reference action."
    words = action_words(step.action, element=element_words(step, step.action))
    kind = step.action.kind.replace("_", " ")
    named = words.word.lower() if step.action.kind == "press_key" else words.detail
    return f"Reference {', '.join(filter(None, (kind, named)))}."


def _verdict(score: Score) -> str:
    """The verdict, and what is first said of why it is no hit."""
    verdict = verdict_of(score)
    why = "" if verdict is ShownVerdict.HIT else FIRST_CLAUSE.split(score.why, maxsplit=1)[0]
    return ", ".join(filter(None, (verdict.word, why)))
