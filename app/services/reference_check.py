"""Truth against itself: every recorded action scored as if it were predicted, under every rule with a short name.

A reference that fails its own rule is wrong (a scroll whose direction is not that of its places), or the rule is odd
about it; either way every model loses those steps. In UI-S1's AndroidControl file 1,043 of 1,043 vertical swipes fail.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import field

from stepscope.core.domain.action import Action, Tap, action_target
from stepscope.core.domain.prediction import ActionAnswer, Prediction, Task
from stepscope.core.domain.run import ItemKey
from stepscope.core.domain.score import ScoreStatus
from stepscope.core.errors import UserError
from stepscope.core.evaluation.predictor import StepRequest
from stepscope.core.evaluation.rules import named_scoring, named_scorings
from stepscope.core.evaluation.runner import score_item, words_of
from stepscope.core.evaluation.tasks import Item, Setting, task_kind
from stepscope.core.frozen import dataclass
from stepscope.core.progress import CancelToken, Progress, ProgressMeter
from stepscope.core.scoring.options import parse_options
from stepscope.core.scoring.registry import run_scorer
from stepscope.core.sources.source import Source

LARGE = 0.5
"""A touched element larger than this share of the screen is a nearly free hit."""


@dataclass(frozen=True, slots=True)
class FailedReference:
    """A recorded action that is wrong under these rules, with the reason of the first."""

    key: ItemKey
    kind: str
    rules: tuple[str, ...]
    why: str


@dataclass(frozen=True, slots=True)
class RuleReferences:
    """What a rule makes of the references: how many it judged, how many of those it calls wrong, and how many it has
    nothing to say about."""

    rule: str
    judged: int
    wrong: int
    unscored: int


@dataclass(frozen=True, slots=True)
class ReferenceCheck:
    """`steps` have a recorded action. `large` touches are in an element of more than half the screen, `boxless` in none
    that the data knows. `unreadable` are episodes that could not be read, each with why."""

    steps: int
    kinds: tuple[tuple[str, int], ...]
    rules: tuple[RuleReferences, ...]
    failed: tuple[FailedReference, ...]
    large: tuple[ItemKey, ...]
    boxless: tuple[ItemKey, ...]
    unreadable: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class ReferenceUpdate:
    """How far the check is; `result` comes with the last."""

    progress: Progress
    result: ReferenceCheck | None = None


@dataclass
class _RuleTally:
    judged: int = 0
    wrong: int = 0
    unscored: int = 0


@dataclass
class _ReferenceTally:
    kinds: Counter[str] = field(default_factory=Counter)
    rules: dict[str, _RuleTally] = field(default_factory=dict)
    failed: list[FailedReference] = field(default_factory=list)
    large: list[ItemKey] = field(default_factory=list)
    boxless: list[ItemKey] = field(default_factory=list)
    unreadable: list[tuple[str, str]] = field(default_factory=list)


def check_references(
    source: Source, episodes: Sequence[str], rules: Sequence[str] = (), token: CancelToken | None = None
) -> Iterator[ReferenceUpdate]:
    """Score the references of these episodes against themselves; `rules` by their short names, none: all for task
    automation. Ends early when cancelled. Raises UsageError for a rule that there is not."""
    chosen = {name: named_scoring(name) for name in rules} or {
        name: one for name, one in named_scorings().items() if run_scorer(one.protocol).info.task is Task.AUTOMATION
    }
    scorers = {name: run_scorer(one.protocol) for name, one in chosen.items()}
    options = {name: parse_options(scorers[name].info, dict(one.options)) for name, one in chosen.items()}
    found, token = _ReferenceTally(rules={name: _RuleTally() for name in chosen}), token or CancelToken()
    kind, setting, meter = task_kind(Task.AUTOMATION), Setting(show_reference=True), ProgressMeter(len(episodes))

    def judge(item: Item) -> None:
        request = item.request
        assert isinstance(request, StepRequest) and request.reference is not None
        found.kinds[request.reference.kind] += 1
        _look_at_box(found, item.key, request.reference)
        answer = Prediction(request.episode, request.step, ActionAnswer(request.reference))
        wrong: list[tuple[str, str]] = []
        for name, scorer in scorers.items():
            score = score_item(kind, item, answer, scorer, options[name])
            counts = found.rules[name]
            if score.status is not ScoreStatus.SCORED:
                counts.unscored += 1
                continue
            counts.judged += 1
            if not score.right:
                counts.wrong += 1
                wrong.append((name, score.why))
        if wrong:
            names = tuple(name for name, _ in wrong)
            found.failed.append(FailedReference(item.key, request.reference.kind, names, wrong[0][1]))

    for episode in episodes:
        token.wait_if_paused()
        if token.cancelled:
            return
        try:
            for item in kind.items(source, episode, setting):
                judge(item)
        except UserError as error:
            found.unreadable.append((episode, words_of(error)))
        meter.advance()
        yield ReferenceUpdate(meter.snapshot())
    yield ReferenceUpdate(meter.snapshot(), _result(found))


def _look_at_box(found: _ReferenceTally, key: ItemKey, action: Action) -> None:
    """Of touches: whether their element is known, and how large it is."""
    if not isinstance(action, Tap):
        return
    target = action_target(action)
    box = None if target is None else target.box
    if box is None:
        found.boxless.append(key)
    elif (box.right - box.left) * (box.bottom - box.top) > LARGE * box.size.width * box.size.height:
        found.large.append(key)


def _result(found: _ReferenceTally) -> ReferenceCheck:
    return ReferenceCheck(
        steps=found.kinds.total(),
        kinds=tuple(found.kinds.most_common()),
        rules=tuple(RuleReferences(name, one.judged, one.wrong, one.unscored) for name, one in found.rules.items()),
        failed=tuple(found.failed),
        large=tuple(found.large),
        boxless=tuple(found.boxless),
        unreadable=tuple(found.unreadable),
    )
