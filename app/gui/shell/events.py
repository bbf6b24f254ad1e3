"""What features tell each other: events with a type of their own, published on the GUI thread.

A write says what it changed; whoever shows that listens. Listeners of a workspace that is not in front hear nothing:
what they missed is told when it comes to the front, of each kind the last.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from PySide6.QtCore import QObject, SignalInstance

from stepscope.core.domain.prediction import Task
from stepscope.core.frozen import dataclass

if TYPE_CHECKING:
    from stepscope.app.gui.shell.annotation_edits import AnnotationTarget
    from stepscope.app.gui.shell.episode_judgements import JudgedEpisode


@dataclass(frozen=True, slots=True)
class EpisodesListed:
    """The filtered list of episodes is another, or in another order."""


@dataclass(frozen=True, slots=True)
class RunsChanged:
    """Stored runs are not what they were: another one, one less, other items, other scores."""


@dataclass(frozen=True, slots=True)
class RunProgressed:
    """A run that is at work has so many answers in the store."""

    run: str
    committed: int


@dataclass(frozen=True, slots=True)
class RunsListed:
    """The list of runs was read anew from the store; `names` are what they are called, by their ids, `about` their task
    and what they call their data, `doubts` why the places of some may be misread."""

    names: Mapping[str, str] = field(default_factory=dict)
    about: Mapping[str, tuple[Task, str]] = field(default_factory=dict)
    doubts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AnnotationsChanged:
    """People said something else about these places of the data that the store's index knows as `source`; no spots:
    somebody else changed something there."""

    source: str
    spots: frozenset[AnnotationTarget]


@dataclass(frozen=True, slots=True)
class CausesFound:
    """The causes of a run's errors are worked out: filters may ask for them."""

    run: str


@dataclass(frozen=True, slots=True)
class DataMissing:
    """Data that is open, or that somebody asked for, is not at its path any more."""

    path: Path


@dataclass(frozen=True, slots=True)
class LooksElsewhere:
    """The workspace in front shows something else than before, be it the same step: one may want to go back."""


@dataclass(frozen=True, slots=True)
class EpisodeJudged:
    """The shown runs' answers about the shown episode, under every rule."""

    judged: JudgedEpisode


@dataclass(frozen=True, slots=True)
class ModelsChanged:
    """Models or servers came, went, or are others than they were; `name` where it is known which."""

    name: str = ""


E = TypeVar("E")
Listener = Callable[[Any], object]


class Events(QObject):
    """`in_front` names the workspace that is in front."""

    def __init__(self, in_front: Callable[[], str], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._in_front = in_front
        self._listeners: dict[type, list[Listener]] = {}
        self._missed: dict[str, dict[object, Callable[[], object]]] = {}

    def on(self, kind: type[E], listener: Callable[[E], object]) -> None:
        """Call `listener` with every event of this type."""
        self._listeners.setdefault(kind, []).append(listener)

    def while_shown(self, workspace: str, kind: type[E], listener: Callable[[E], object]) -> None:
        """The same while that workspace is in front; else with the last event, once it comes to the front."""
        about = object()

        def hear(event: E) -> None:
            if workspace == self._in_front():
                listener(event)
            else:
                self._miss(workspace, about, lambda: listener(event))

        self.on(kind, hear)

    def signal_while_shown(
        self, workspace: str, signal: SignalInstance, slot: Callable[..., object], *, later: bool = True
    ) -> None:
        """The same for a signal: `slot` gets what it carries. Not `later`: what is missed is not told, since whoever
        shows it looks anew when the workspace comes to the front."""
        about = object()

        def hear(*values: Any) -> None:
            if workspace == self._in_front():
                slot(*values)
            elif later:
                self._miss(workspace, about, lambda: slot(*values))

        signal.connect(hear)

    def publish(self, event: object) -> None:
        """Tell everybody who listens to events of this type, in the order in which they began to. A listener that
        breaks is told of as any fault of the window is, and does not cost the others the event."""
        for listener in tuple(self._listeners.get(type(event), ())):
            try:
                listener(event)
            except Exception:  # noqa: BLE001 - as Qt does with slots
                sys.excepthook(*sys.exc_info())

    def tell(self, workspace: str) -> None:
        """The workspace has come to the front: what it missed, in the order in which it was said last."""
        for said in self._missed.pop(workspace, {}).values():
            said()

    def _miss(self, workspace: str, about: object, said: Callable[[], object]) -> None:
        missed = self._missed.setdefault(workspace, {})
        missed.pop(about, None)
        missed[about] = said

    def from_signal(self, signal: SignalInstance, event: Callable[[], object]) -> None:
        """Publish an event whenever a signal is emitted, whatever it carries."""
        signal.connect(lambda *_: self.publish(event()))
