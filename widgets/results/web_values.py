"""What the page of fields shows of a run over web tasks, as frozen values. Keys are as in `breakdown_values`."""

from __future__ import annotations

from stepscope.core.frozen import dataclass
from stepscope.widgets.scores.breakdown_values import Interval, Key


@dataclass(frozen=True, slots=True)
class ScoreMark:
    """Another run's mean on a row's scale. `run` is its letter (0 for A), None a bound such as doing nothing."""

    words: str
    value: float
    run: int | None = None


@dataclass(frozen=True, slots=True)
class WebScoreRow:
    """A mean from 0 to 1 under one name; `detail` stands dim behind the name, `count` says of how much it is, `few`
    that this is little. `run` gives the bar its colour (0 for A), None is a number that is nobody's here. `amount`
    sorts by how much it is of."""

    label: str
    value: float
    count: str = ""
    interval: Interval | None = None
    detail: str = ""
    key: Key = None
    marks: tuple[ScoreMark, ...] = ()
    tip: str = ""
    run: int | None = None
    few: bool = False
    amount: int = 0


@dataclass(frozen=True, slots=True)
class SettingPoint:
    """The score of a run whose model saw `demos` demonstrations; `run` is its id, `current` the one that is shown."""

    demos: int
    value: float
    interval: Interval | None
    words: str
    run: str
    current: bool = False


@dataclass(frozen=True, slots=True)
class SettingLine:
    """Points in rising order of demonstrations, under what else the model was given."""

    name: str
    points: tuple[SettingPoint, ...]


@dataclass(frozen=True, slots=True)
class TaskPoint:
    """A task's means in two runs. `interval` is that of `y` less `x`; `notable`: it leaves out 0."""

    name: str
    x: float
    y: float
    pages: int
    interval: Interval | None = None
    notable: bool = False
    key: Key = None


@dataclass(frozen=True, slots=True)
class TaskPlane:
    """Two runs task by task; `x` and `y` say which run is on which axis."""

    title: str
    x: str
    y: str
    points: tuple[TaskPoint, ...]


@dataclass(frozen=True, slots=True)
class WebResults:
    """All of the page. `known` compares the run with others over the same pages and with the papers' numbers. Where
    `lines` or `plane` have nothing to draw, `lines_note` and `plane_note` say why; else what is to be known of them."""

    types: tuple[WebScoreRow, ...] = ()
    tasks: tuple[WebScoreRow, ...] = ()
    known: tuple[WebScoreRow, ...] = ()
    lines: tuple[SettingLine, ...] = ()
    lines_note: str = ""
    plane: TaskPlane | None = None
    plane_note: str = ""
    run: int = 0
