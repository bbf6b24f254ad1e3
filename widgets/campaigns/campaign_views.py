"""What the campaign's pages show."""

from __future__ import annotations

from stepscope.core.domain.campaign import AppEntry, CampaignGoal, GoalKey, Pair, PairKey
from stepscope.core.frozen import dataclass


@dataclass(frozen=True, slots=True)
class CampaignListRow:
    """`done` of `wanted` demonstrations are there."""

    name: str
    done: int = 0
    wanted: int = 0


@dataclass(frozen=True, slots=True)
class PairProgressRow:
    """A pair, how far it is, and what was said of it: `majority` in words, the `share` that agrees with it. `tip` tells
    the numbers."""

    pair: Pair
    app: str
    done: int
    open: int
    skipped: int
    majority: str
    share: float | None
    tip: str

    @property
    def key(self) -> PairKey:
        return self.pair.key


@dataclass(frozen=True, slots=True)
class AnnotatorRow:
    """An annotator with what they have done, have to do and have left to others."""

    name: str
    done: int = 0
    open: int = 0
    skipped: int = 0


@dataclass(frozen=True, slots=True)
class ShareRow:
    """Number of `pairs` with this `share` of labels that agree with the majority."""

    share: float
    pairs: int
    tied: bool


@dataclass(frozen=True, slots=True)
class AgreementView:
    """`words` stand below the bars."""

    bars: tuple[ShareRow, ...] = ()
    words: str = ""


@dataclass(frozen=True, slots=True)
class CampaignView:
    """A whole campaign. `task` is what the person here is to do, in words, "" for nothing."""

    name: str
    instructions: str
    k: int
    apps: tuple[AppEntry, ...] = ()
    goals: tuple[CampaignGoal, ...] = ()
    pairs: tuple[PairProgressRow, ...] = ()
    people: tuple[AnnotatorRow, ...] = ()
    agreement: AgreementView = AgreementView()
    task: str = ""

    @property
    def categories(self) -> tuple[str, ...]:
        """Those whose apps have goals."""
        having = {goal.app for goal in self.goals}
        return tuple(sorted({app.category for app in self.apps if app.package in having}))


@dataclass(frozen=True, slots=True)
class PairingChoice:
    """The choice of what is paired; `k` None: the silhouette decides. `method` "" makes no picture."""

    category: str
    k: int | None
    seed: int
    method: str


@dataclass(frozen=True, slots=True)
class GoalDot:
    """A goal in the picture, between -1 and 1 both ways."""

    x: float
    y: float
    goal: GoalKey
    app: str
    cluster: int
    representative: bool = False


@dataclass(frozen=True, slots=True)
class ClusterRow:
    """`apps` in words."""

    number: int
    goals: int
    representative: str
    apps: str


@dataclass(frozen=True, slots=True)
class PairingView:
    """The pairing that the clusters give. `close` suggests a group, "" for none; `summary` says which pairs there would
    be."""

    category: str
    dots: tuple[GoalDot, ...]
    clusters: tuple[ClusterRow, ...]
    summary: str
    close: str = ""
    pairs: int = 0
