"""Walks over recorded screens: MoTIF's offline environment, made of all demonstrations of an app (Burns et al., ECCV
2022, section 5.1). How screens are told apart is in `core.device.replay_graph`, which action is which in
`core.device.replay`."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from stepscope.core.device.device import DeviceError
from stepscope.core.device.replay import ReplayDevice, matches
from stepscope.core.device.replay_graph import Graph, ReplayState
from stepscope.core.domain.action import Action, AskUser, Finish
from stepscope.core.domain.episode import Episode, EpisodeSummary, Observation
from stepscope.core.domain.walk import GoalCheck, World, place_name
from stepscope.core.errors import SourceError, UserError
from stepscope.core.evaluation.predictor import WalkRequest
from stepscope.core.frozen import dataclass
from stepscope.core.sources.source import Source

MOST_EPISODES = 500
"""Demonstrations that a graph is made of: an app with more has several."""
_KEPT = 4
"""Graphs that are kept."""


def place_names(graph: Graph) -> tuple[str, ...]:
    """The name of each state: where it was seen first."""
    names: dict[int, str] = {}
    for episode, way in graph.ways.items():
        for place, state in enumerate(way):
            if state is not None:
                names.setdefault(state, place_name(episode, place))
    return tuple(names[state.index] for state in graph.states)


def ways_to(graph: Graph, goal: int) -> frozenset[int]:
    """The states from which recorded actions lead to `goal`, itself among them."""
    before: dict[int, list[int]] = {}
    for state in graph.states:
        for edge in state.edges:
            before.setdefault(edge.to, []).append(state.index)
    found, waiting = {goal}, deque([goal])
    while waiting:
        for state_index in before.get(waiting.popleft(), ()):
            if state_index not in found:
                found.add(state_index)
                waiting.append(state_index)
    return frozenset(found)


class AppDemonstrations:
    """All episodes of a source by app, read when an app is wanted."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._rows: dict[str, list[EpisodeSummary]] | None = None

    def of(self, app: str | None, episode: str) -> list[Episode]:
        """The demonstrations of the app, of one with very many the part that `episode` is in; of an unknown app that
        one alone. Broken ones cost themselves."""
        if self._rows is None:
            self._rows = {}
            for row in self._source.scan():
                if isinstance(row, EpisodeSummary) and row.kind == "episode":
                    self._rows.setdefault(row.app or "", []).append(row)
        rows = self._rows.get(app or "", [])
        place = next((number for number, row in enumerate(rows) if row.id == episode), 0)
        first = place - place % MOST_EPISODES if app else place
        found = []
        for row in rows[first : first + (MOST_EPISODES if app else 1)]:
            try:
                found.append(self._source.read(row.id, row.place))
            except SourceError:
                continue
        return found


class RecordedWay:
    """A demonstration's way through states, and where on it a walk is: `steps` are its states with what was done
    there, up to the word that it is done."""

    def __init__(self, graph: Graph, episode: Episode) -> None:
        """Raises UserError where the episode has no screen."""
        way = graph.ways.get(episode.id, ())
        pairs = [(state, step.action) for state, step in zip(way, episode.steps, strict=False) if state is not None]
        if not pairs:
            raise _no_screen(episode.id)
        finished = next((place for place, pair in enumerate(pairs) if isinstance(pair[1], Finish)), len(pairs))
        self.steps = tuple(pairs[: finished + 1])
        self.first = next(place for place, state in enumerate(way) if state is not None)
        self.over = False
        """Whether what nothing was recorded after is done on the goal's screen."""
        self._asks = episode.asks
        self._at: int | None = 0

    @property
    def goal(self) -> int:
        return self.steps[-1][0]

    @property
    def last_action(self) -> Action | None:
        """What was done on the goal's screen and what nothing was recorded after, None where nothing was."""
        last = self.steps[-1][1]
        return None if isinstance(last, Finish) else last

    @property
    def actions(self) -> int:
        return sum(not isinstance(action, Finish | None) for _, action in self.steps)

    @property
    def shown(self) -> Action | None:
        """What was done where the walk is, None off the way."""
        if self.over:
            return Finish()
        return None if self._at is None else self.steps[self._at][1] or Finish()

    @property
    def next_state(self) -> int | None:
        """The state that follows where the walk is."""
        return self.steps[self._at + 1][0] if self._at is not None and self._at + 1 < len(self.steps) else None

    def go(self, state: int | None) -> None:
        """The walk has come to this state: the next place on the way that shows it, else any that does."""
        start = -1 if self._at is None else self._at
        places = [place for place, step in enumerate(self.steps) if step[0] == state]
        later = [place for place in places if place > start]
        self._at = min(later or places, default=None)

    def done(self, state: ReplayState, action: Action) -> None:
        """The action was done in this state: whether that was the last of the way."""
        last = self.last_action
        self.over = last is not None and state.index == self.goal and matches(last, action, state.tree)

    def holds(self, state: int) -> bool:
        """Whether the goal is reached in this state."""
        return self.over if self.last_action is not None else state == self.goal

    def answer(self, state: int | None) -> str:
        """What the person answers to a question in this state, "" where the data has no answer."""
        if not self._asks:
            return ""
        if isinstance(self.shown, AskUser):
            self.go(state)
        return self._asks[0].answer


def _no_screen(episode: str) -> UserError:
    return UserError(f"Episode {episode!r} has no screen to walk on.", hint="Choose episodes with screens.")


@dataclass(frozen=True)
class _AppGraph:
    device: ReplayDevice
    names: tuple[str, ...]
    episodes: dict[str, Episode]


class GraphWorld:
    """A `WalkWorld` of the recorded screens of a source's apps."""

    kind = World.GRAPH
    check = GoalCheck.END_STATE

    def __init__(self, source: Source) -> None:
        self._demonstrations = AppDemonstrations(source)
        self._graphs: dict[str, _AppGraph] = {}
        self.human: tuple[str, ...] = ()
        self.human_actions = 0

    def begin(self, request: WalkRequest) -> None:
        self._graph = self._graph_of(request)
        episode = self._graph.episodes.get(request.episode)
        if episode is None:
            raise _no_screen(request.episode)
        device = self._graph.device
        self._way = RecordedWay(device.graph, episode)
        self.human = tuple(self._graph.names[state] for state, _ in self._way.steps)
        self.human_actions = self._way.actions
        self._reaching = ways_to(device.graph, self._way.goal)
        device.begin(request.episode, self._way.first)

    def look(self) -> tuple[str, Observation]:
        state = self._graph.device.state
        return self._graph.names[state.index], state.observation

    def do(self, action: Action) -> bool:
        device = self._graph.device
        self._way.done(device.state, action)
        led = device.leads(action) or self._way.over
        device.perform(action)
        if led:
            self._way.go(device.state.index)
        return led

    def holds(self, *, at_end: bool = False) -> bool:
        return self._way.holds(self._graph.device.state.index)

    def way_on(self) -> bool | None:
        return self._graph.device.state.index in self._reaching

    def shown(self) -> Action | None:
        return self._way.shown

    def answer_to(self, question: str) -> str:
        return self._way.answer(self._graph.device.state.index)

    def close(self) -> None:
        for graph in self._graphs.values():
            graph.device.close()
        self._graphs.clear()

    def _graph_of(self, request: WalkRequest) -> _AppGraph:
        app = request.app or ""
        known = self._graphs.get(app)
        if known is None or request.episode not in known.episodes:
            episodes = self._demonstrations.of(request.app, request.episode)
            try:
                known = _graph(episodes)
            except DeviceError:
                raise _no_screen(request.episode) from None
            self._graphs[app] = known
            while len(self._graphs) > _KEPT:
                self._graphs.pop(next(iter(self._graphs))).device.close()
        return known


def _graph(episodes: Iterable[Episode]) -> _AppGraph:
    by_id = {episode.id: episode for episode in episodes}
    device = ReplayDevice(by_id.values())
    return _AppGraph(device, place_names(device.graph), by_id)
