"""All rules on all shown runs for one episode, worked out in the reader lane and then only looked up.

Regions and verdicts come from the scorers themselves, so that what is drawn is what counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field, replace
from typing import TYPE_CHECKING

from stepscope.app.gui.shell.run_letters import RunLetters
from stepscope.core.domain.affordance import AffordanceAnswer
from stepscope.core.domain.episode import Episode, Step
from stepscope.core.domain.geometry import Region
from stepscope.core.domain.layers import Layer
from stepscope.core.domain.model_name import is_goal_alone
from stepscope.core.domain.prediction import ActionAnswer, FeasibilityAnswer, Prediction, Task
from stepscope.core.domain.run import Outcome
from stepscope.core.domain.score import Score, ScoreStatus
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.named_rules import RULES, MatchingRule

if TYPE_CHECKING:
    from stepscope.core.domain.attention import AttentionStream
    from stepscope.core.scoring.rule import Options, StepScorer
    from stepscope.core.store.engine import Database
    from stepscope.core.store.repositories.attachments import AttachedName


WHOLE = -1
"""The step of outcomes that are about the whole episode."""


@dataclass(frozen=True, slots=True)
class OwnRule:
    """The rule under which a run was scored: its short name, "" where it has none, and its title; `scored` are the
    short names of all under which it has scores."""

    id: str
    title: str
    scored: frozenset[str] = frozenset()


@dataclass(frozen=True)
class JudgedEpisode:
    """`outcomes[run][step]` as stored, an answer about the whole episode under the step WHOLE;
    `scores[rule][run][step]` and `regions[rule][step]` as each rule says now. Rules for steps judge actions: what runs
    of other tasks said has its stored scores under every rule."""

    episode: str = ""
    runs: RunLetters = field(default_factory=dict)
    outcomes: Mapping[str, Mapping[int, Outcome]] = field(default_factory=dict)
    scores: Mapping[str, Mapping[str, Mapping[int, Score]]] = field(default_factory=dict)
    regions: Mapping[str, Mapping[int, Region | None]] = field(default_factory=dict)
    tasks: Mapping[str, Task] = field(default_factory=dict)
    attached: Mapping[str, Mapping[int, tuple[AttachedName, ...]]] = field(default_factory=dict)
    """pictures that go with the answers, by run and step, without their files; runs without any are not in it"""
    own_rules: Mapping[str, OwnRule] = field(default_factory=dict)
    """the rules under which runs of actions were scored, by run"""
    attention: Mapping[str, Mapping[int, tuple[AttentionStream, ...]]] = field(default_factory=dict)
    """where the models looked, by run and step; runs that do not tell are not in it"""

    def whole(self, run: str) -> Outcome | None:
        """What the run answered about the whole episode."""
        return self.outcomes.get(run, {}).get(WHOLE)

    def layers(self) -> tuple[Layer, ...]:
        """The layers that these answers give something to show."""
        answers = [outcome.prediction.answer for by_step in self.outcomes.values() for outcome in by_step.values()]
        seen = {
            Layer.AFFORDANCE: any(isinstance(answer, AffordanceAnswer) for answer in answers),
            Layer.EVIDENCE: any(isinstance(answer, FeasibilityAnswer) and answer.evidence for answer in answers),
            Layer.NUMBERS: any(isinstance(answer, ActionAnswer) and answer.candidates for answer in answers),
            Layer.SALIENCY: bool(self.attached),
            Layer.ATTENTION: bool(self.attention),
        }
        return tuple(layer for layer, there in seen.items() if there)

    def prediction(self, run: str, step: int) -> Prediction | None:
        outcome = self.outcomes.get(run, {}).get(step)
        return outcome.prediction if outcome else None

    def streams(self, run: str, step: int) -> tuple[AttentionStream, ...]:
        """Where the run's model looked on its way to the answer at a step."""
        return self.attention.get(run, {}).get(step, ())

    def score(self, rule: MatchingRule, run: str, step: int) -> Score | None:
        return self.scores.get(rule.id, {}).get(run, {}).get(step)

    def region(self, rule: MatchingRule, step: int) -> Region | None:
        return self.regions.get(rule.id, {}).get(step)

    def flips(self, rule: MatchingRule, run: str, step: int) -> tuple[int, int] | None:
        """(rules that say otherwise, other rules that have a verdict); None when the rule itself has none."""
        mine = self.score(rule, run, step)
        if mine is None or mine.status is not ScoreStatus.SCORED:
            return None
        others = [self.score(other, run, step) for other in RULES if other.id != rule.id]
        judged = [other for other in others if other is not None and other.status is ScoreStatus.SCORED]
        return sum(other.right != mine.right for other in judged), len(judged)

    def wrong_steps(self, rule: MatchingRule, runs: Sequence[str]) -> list[int]:
        """Steps on which any of the runs is wrong under the rule, in order."""
        by_run = self.scores.get(rule.id, {})
        return sorted({step for run in runs for step, score in by_run.get(run, {}).items() if is_wrong(score)})


class LateRegions(Mapping[int, Region | None]):
    """Where an action would be right under a rule, by step. Each is worked out when it is asked for, in less than a
    millisecond: one rule is drawn on one step, and all rules on all steps of an episode take a second."""

    def __init__(self, scorer: StepScorer, options: Options, steps: Sequence[Step]) -> None:
        self._scorer, self._options = scorer, options
        self._steps = {step.index: step for step in steps}
        self._known: dict[int, Region | None] = {}

    def __getitem__(self, index: int) -> Region | None:
        if index not in self._known:
            self._known[index] = self._scorer.region(self._steps[index], self._options)
        return self._known[index]

    def __iter__(self) -> Iterator[int]:
        return iter(self._steps)

    def __len__(self) -> int:
        return len(self._steps)


def is_wrong(score: Score) -> bool:
    return score.status is ScoreStatus.SCORED and not score.right


def judge(database: Database, episode: Episode, runs: RunLetters) -> JudgedEpisode:
    """Load what the runs said about the episode and put every rule to it."""
    # the rules and SQLAlchemy come after the first paint
    from stepscope.core.errors import UsageError
    from stepscope.core.evaluation.rules import own_scoring, rule_name, rule_title, rules_scored
    from stepscope.core.evaluation.tasks.automation import with_finish
    from stepscope.core.scoring.options import parse_options
    from stepscope.core.scoring.registry import step_scorer
    from stepscope.core.store.queries import items
    from stepscope.core.store.repositories import attachments
    from stepscope.core.store.repositories import runs as run_rows

    outcomes: dict[str, dict[int, Outcome]] = {}
    tasks: dict[str, Task] = {}
    own: dict[str, OwnRule] = {}
    goal_alone: set[str] = set()
    pictures: dict[str, dict[int, tuple[AttachedName, ...]]] = {}
    with database.reading() as db:
        for run in runs:
            if run_rows.exists(db, run):  # another program may have deleted it
                stored_run = run_rows.get(db, run)
                tasks[run] = stored_run.spec.task
                if is_goal_alone(stored_run.spec.model):
                    goal_alone.add(run)
                with suppress(UsageError):  # a rule of another version, or of a package that is not here
                    if tasks[run] is Task.AUTOMATION:
                        scoring = own_scoring(stored_run)
                        scored = filter(None, map(rule_name, rules_scored(db, stored_run)))
                        own[run] = OwnRule(rule_name(scoring) or "", rule_title(scoring), frozenset(scored))
            page = items(db, run, episodes=[episode.id], limit=None)
            outcomes[run] = {outcome.key.step: outcome for outcome in page.rows}
            if names := attachments.names(db, run, episode.id):
                pictures[run] = names
    stored = {run: {step: one.score for step, one in found.items() if step != WHOLE} for run, found in outcomes.items()}
    scores: dict[str, dict[str, dict[int, Score]]] = {}
    regions: dict[str, LateRegions] = {}
    steps = with_finish(episode).steps  # a run that was asked about the last screen has an answer there
    bare = tuple(replace(step, instruction=None) for step in steps)
    for rule in RULES:
        scorer = step_scorer(rule.protocol)
        options = parse_options(scorer.info, rule.options)
        regions[rule.id] = LateRegions(scorer, options, episode.steps)
        scores[rule.id] = {
            run: _scores(scorer, options, bare if run in goal_alone else steps, outcomes[run])
            if tasks.get(run) is Task.AUTOMATION
            else stored[run]
            for run in runs
        }
    attention = {run: found for run in runs if (found := _streams(episode, outcomes[run]))}
    return JudgedEpisode(episode.id, runs, outcomes, scores, regions, tasks, pictures, own, attention)


def _streams(episode: Episode, outcomes: Mapping[int, Outcome]) -> dict[int, tuple[AttentionStream, ...]]:
    """The attention of each step's answer that has any."""
    from stepscope.core.evaluation.attention import streams_of

    found = {}
    for step in episode.steps:
        outcome = outcomes.get(step.index)
        raw = outcome.prediction.raw if outcome is not None else ""
        if streams := streams_of(raw, episode.goal, step.instruction or ""):
            found[step.index] = streams
    return found


def _scores(
    scorer: StepScorer, options: Options, steps: Sequence[Step], outcomes: Mapping[int, Outcome]
) -> dict[int, Score]:
    found = {}
    for step in steps:
        outcome = outcomes.get(step.index)
        if outcome is None:
            continue
        broken = outcome.score.status is ScoreStatus.ERROR
        found[step.index] = outcome.score if broken else scorer.score_step(step, outcome.prediction, options)
    return found
