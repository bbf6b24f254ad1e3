"""What removing more costs: success by how many things a goal leaves out (Navi-plus, table 2).

How many are left out of an episode is how many questions are due in it. The paper's 0 is the original task, its 1 and 2
are incomplete ones without asking; what asking wins back of them is ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from stepscope.core.evaluation.ask_settings import (
    DRAWS,
    AskedEpisodes,
    AskSettingRow,
    AskSwitches,
    FourSettings,
    four_settings,
)
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.ask_steps import ScoredAskStep
from stepscope.core.scoring.ask_streams import AskSetting


@dataclass(frozen=True, slots=True)
class RemovedRow:
    """The episodes that leave out `removed` things. `counted` is the setting that the paper's row is of; the changes
    are by the same episodes when told the whole goal, None where that is not known."""

    removed: int
    settings: FourSettings

    @property
    def counted(self) -> AskSettingRow:
        return self.settings.row(AskSetting.INCOMPLETE if self.removed else AskSetting.ORIGINAL)

    @property
    def episodes(self) -> int:
        return self.settings.episodes

    def change(self, metric: str) -> float | None:
        """The relative change of `ssr` or `sr` against the original task, as the paper prints it in green; None for
        row 0."""
        relative = self.counted.relative.get(metric)
        return None if relative is None or not self.removed else relative - 1


def removed_of(steps: Sequence[ScoredAskStep]) -> int:
    """How many questions are due in the episode."""
    return len({step.due for step in steps if step.due is not None})


def removing(asked: AskedEpisodes, removed: int) -> AskedEpisodes:
    """The episodes that leave out so many things; 0: all of them, whose original task is looked at."""
    if not removed:
        return asked
    gone = {name for name, steps in zip(asked.names, asked.episodes, strict=True) if removed_of(steps) != removed}
    return asked.without(frozenset(gone))


def removed_sweep(
    several: Sequence[AskedEpisodes], switches: AskSwitches | None = None, *, draws: int = DRAWS, seed: int = 0
) -> tuple[RemovedRow, ...]:
    """A row for nothing removed, which is every episode's original task, and one for each number of things that some
    episode leaves out. `several` are runs of one model, such as one for each data set of the sweep; an episode of the
    same name in two of them is two."""
    every = AskedEpisodes(
        tuple(f"{place}/{name}" for place, one in enumerate(several) for name in one.names),
        tuple(chain.from_iterable(one.episodes for one in several)),
    )
    counts = sorted({removed_of(steps) for steps in every.episodes} | {0})
    return tuple(
        RemovedRow(count, four_settings(removing(every, count), switches, draws=draws, seed=seed)) for count in counts
    )
