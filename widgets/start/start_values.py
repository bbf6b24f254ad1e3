"""What the start page shows, as frozen values."""

from __future__ import annotations

from stepscope.core.frozen import dataclass
from stepscope.widgets.common.verdict import ShownVerdict
from stepscope.widgets.screen.content import ScreenContent

NOTHING_SENT = "No account and no reports: nothing leaves this machine unless you ask a server or a cluster."


@dataclass(frozen=True, slots=True)
class SampleAnswer:
    """What one of the sample's runs did: its verdicts over the episode, and its screen at the step."""

    letter: int
    name: str
    verdicts: tuple[ShownVerdict, ...]
    verdict: ShownVerdict
    screen: ScreenContent
    said: str
    """the screen in a sentence, for whoever cannot see it"""

    @property
    def score(self) -> str:
        return f"{sum(one is ShownVerdict.HIT for one in self.verdicts)} of {len(self.verdicts)}"


@dataclass(frozen=True, slots=True)
class SampleStep:
    """The step at which the sample's runs differ; `place` such as "Settings, step 5 of 6"."""

    goal: str
    place: str
    answers: tuple[SampleAnswer, ...]


@dataclass(frozen=True, slots=True)
class RecentDataRow:
    """Data that was opened. `detail` tells it from others of the same name; `skipped`: records that cannot be read;
    `there`: it still lies at its place."""

    path: str
    title: str
    detail: str
    steps: str = ""
    runs: int = 0
    skipped: int = 0
    when: str = ""
    pinned: bool = False
    there: bool = True
    is_recording: bool = False


@dataclass(frozen=True, slots=True)
class RecentRunRow:
    """A run: `letter` 0 for A, None for none; `value` and `when` in words. `resumable`: it stopped before its end.
    `doubt` says why its places may be misread, "" where they are not known to be."""

    id: str
    title: str
    detail: str
    letter: int | None = None
    is_new: bool = False
    resumable: bool = False
    value: str = ""
    when: str = ""
    doubt: str = ""


@dataclass(frozen=True, slots=True)
class TourStepRow:
    """A step of the tour: its title, and what one does there."""

    title: str
    words: str
