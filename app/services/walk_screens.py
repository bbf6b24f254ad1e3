"""The screens of an app as walks go through them, by the names that walks have for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from stepscope.core.device.password_fields import SYSTEM_BARS
from stepscope.core.device.replay_graph import Graph, build
from stepscope.core.domain.action import Action
from stepscope.core.domain.episode import Episode, Observation
from stepscope.core.domain.walk import place_of_name
from stepscope.core.evaluation.rollout.graph_world import AppDemonstrations, RecordedWay, place_names
from stepscope.core.frozen import dataclass
from stepscope.core.sources.source import Source


@dataclass(frozen=True)
class AppScreens:
    """The graph of an app's demonstrations; `names` are those of its states, in order."""

    graph: Graph = field(repr=False)
    names: tuple[str, ...]
    episodes: Mapping[str, Episode] = field(repr=False)

    def observation(self, name: str) -> Observation:
        """What is to be seen of a screen."""
        return self.graph.states[self.names.index(name)].observation

    def near(self, name: str) -> tuple[tuple[str, Action], ...]:
        """The screens that recorded actions lead to from this one, each with the first that does."""
        found: dict[str, Action] = {}
        for edge in self.graph.states[self.names.index(name)].edges:
            found.setdefault(self.names[edge.to], edge.action)
        return tuple(found.items())

    def way(self, episode: str) -> tuple[tuple[str, Action | None], ...]:
        """A demonstration's screens with what was done on them. Raises UserError where it has none."""
        steps = RecordedWay(self.graph, self.episodes[episode]).steps
        return tuple((self.names[state], action) for state, action in steps)

    def step_of(self, name: str) -> tuple[str, int] | None:
        """Episode and step index of the recorded step that shows a screen; None for one that no demonstration shows."""
        place = place_of_name(name)
        if place is None or place[0] not in self.episodes:
            return None
        return place[0], self.episodes[place[0]].steps[place[1]].index


def app_screens(source: Source, app: str | None, episode: str) -> AppScreens:
    """The screens of the app's demonstrations that the episode is walked on; takes as long as comparing them."""
    episodes = AppDemonstrations(source).of(app, episode)
    graph = build(episodes)
    return AppScreens(graph, place_names(graph), {one.id: one for one in episodes})


def screen_words(seen: Observation) -> str:
    """What a screen is called: its first words from the top that are no long sentence, else the activity's."""
    if seen.tree is not None:
        shown = [one for one in seen.tree if one.visible and not one.resource_id.startswith(f"{SYSTEM_BARS}:")]
        for words in ([one.text for one in shown], [one.content_description for one in shown]):
            tops = [
                (round(element.box.top / 8), -element.box.height, " ".join(text.split()))
                for element, text in zip(shown, words, strict=True)
                if 1 < len(text.strip()) <= 32 and element.package != SYSTEM_BARS
            ]
            if tops:
                return min(tops)[2]
    return seen.activity.rsplit("/", 1)[-1].rsplit(".", 1)[-1] or "Screen"
