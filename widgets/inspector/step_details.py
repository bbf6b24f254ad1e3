"""What the inspector tells of a step and of an episode, as frozen values."""

from __future__ import annotations

from dataclasses import field

from stepscope.core.domain.attention import AttentionStream
from stepscope.core.frozen import dataclass
from stepscope.widgets.common.verdict import ShownVerdict


@dataclass(frozen=True, slots=True)
class EvidenceLine:
    """A piece of evidence for an answer: `place` among the answer's evidence, the step's place in the episode, what it
    is, and by how much the score falls without it."""

    place: int
    step: int
    text: str
    weight: float


@dataclass(frozen=True, slots=True)
class RunCard:
    """The answer of run `run` (0 is A) about the step, or about the episode. `raw` is the model's whole output;
    `stand_in` says that it is none; `facts` are (name, value) in its own words. `attention` is where the model looked,
    as far as that is to be shown.

    `verdict` None: the run has nothing here, and `why` says so.
    """

    run: int
    name: str
    verdict: ShownVerdict | None
    why: str = ""
    action: str = ""
    element: str = ""
    confidence: float | None = None
    latency_ms: float | None = None
    raw: str = ""
    stand_in: bool = False
    facts: tuple[tuple[str, str], ...] = ()
    evidence: tuple[EvidenceLine, ...] = ()
    attention: tuple[AttentionStream, ...] = ()


@dataclass(frozen=True, slots=True)
class StepDetails:
    """A step: reference action with exact coordinates, its target, the instruction, and a card per run.

    `rule_note` tells what other rules say ("A is a miss under 3 of 5 other rules"), `rule_flips` which runs flip.
    `scored_under` says under which rules runs were scored, `own_rule` is the id of the one that is not the chosen rule,
    "" where there is none to choose. `unscored`: a run has no scores under the chosen rule but those of this episode.
    """

    index: int
    action: str
    target: str = ""
    target_id: str = ""
    instruction: str = ""
    runs: tuple[RunCard, ...] = ()
    rule_note: str = ""
    rule_flips: str = ""
    scored_under: str = ""
    own_rule: str = ""
    unscored: bool = False
    facts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class TalkTurn:
    """One line of the talk. `kind` is goal, say, ask or action; `run` None is the recording; `origin` its icon's words.

    `step` is where a click leads, None for nowhere.
    """

    kind: str
    text: str
    step: int | None = None
    run: int | None = None
    origin: str = "recorded"


@dataclass(frozen=True, slots=True)
class EpisodeDetails:
    """An episode's own facts. `label` is feasible, infeasible or "" (not said)."""

    id: str
    goal: str
    app: str = ""
    format: str = ""
    platform: str = ""
    split: str = ""
    steps: int = 0
    label: str = ""
    reason: str = ""
    follow_up: tuple[str, ...] = ()
    asks: tuple[tuple[int, str, str], ...] = ()
    """(step, question, answer)"""
    problems: tuple[str, ...] = ()
    talk: tuple[TalkTurn, ...] = field(default=())
