"""Orders of the list: what it goes by, of which run, and in which direction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum

from stepscope.core.frozen import dataclass
from stepscope.widgets.common.run_glyph import run_letter


class EpisodeSort(StrEnum):
    """The properties that the list can be ordered by."""

    DATA = "data"
    GOAL = "goal"
    APP = "app"
    STEPS = "steps"
    LABEL = "label"
    SPLIT = "split"
    FIRST_WRONG = "first_wrong"
    DISAGREEMENT = "disagreement"
    CONFIDENCE = "confidence"

    @property
    def of_run(self) -> bool:
        """Whether the order depends on one run's results."""
        return self in (EpisodeSort.FIRST_WRONG, EpisodeSort.CONFIDENCE)


_WORDS = {
    EpisodeSort.DATA: ("Data order", "Data order, last first"),
    EpisodeSort.GOAL: ("Goal, A to Z", "Goal, Z to A"),
    EpisodeSort.APP: ("App, A to Z", "App, Z to A"),
    EpisodeSort.STEPS: ("Most steps first", "Fewest steps first"),
    EpisodeSort.LABEL: ("Infeasible first", "Feasible first"),
    EpisodeSort.SPLIT: ("Split, A to Z", "Split, Z to A"),
    EpisodeSort.FIRST_WRONG: ("First wrong step of {}", "First wrong step of {}, latest first"),
    EpisodeSort.DISAGREEMENT: ("Most disagreement first", "Least disagreement first"),
    EpisodeSort.CONFIDENCE: ("Lowest confidence of {} first", "Lowest confidence of {} last"),
}


@dataclass(frozen=True, slots=True)
class ListOrder:
    """`run` is the number of a run's letter (0 is A) and matters where `key.of_run`; `turned` is the other direction
    than the one that helps most (steps: fewest first)."""

    key: EpisodeSort = EpisodeSort.DATA
    run: int = 0
    turned: bool = False

    @property
    def words(self) -> str:
        """Such as "Lowest confidence of B first"."""
        return _WORDS[self.key][self.turned].format(run_letter(self.run))

    def __str__(self) -> str:
        """The order as it is kept: confidence:B:turned."""
        run = f":{run_letter(self.run)}" if self.key.of_run else ""
        return f"{self.key.value}{run}{':turned' if self.turned else ''}"

    @classmethod
    def from_text(cls, text: str) -> ListOrder:
        """The order that `str` of it gave; the data's own for anything else."""
        key, *rest = text.split(":")
        if key not in list(EpisodeSort):
            return cls()
        letter = next((part for part in rest if len(part) == 1 and "A" <= part <= "H"), "A")
        return cls(EpisodeSort(key), ord(letter) - ord("A"), "turned" in rest)

    def the_other_way(self) -> ListOrder:
        return replace(self, turned=not self.turned)


def orders(runs: Sequence[int]) -> list[ListOrder]:
    """All that can be chosen while these runs are shown (0 is A), each in the direction that helps most."""
    found = [ListOrder(key) for key in EpisodeSort if not key.of_run and key is not EpisodeSort.DISAGREEMENT]
    if len(runs) > 1:
        found.append(ListOrder(EpisodeSort.DISAGREEMENT))
    for key in (EpisodeSort.FIRST_WRONG, EpisodeSort.CONFIDENCE):
        found += [ListOrder(key, run) for run in runs]
    return found
